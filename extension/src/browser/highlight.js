/** Paints text nodes without changing the page: the CSS Custom Highlight API, or an overlay. */

import { Overlay } from "./overlay.js";

/** @import { Kind } from "../page.js" */

/** The kinds that are painted; the sheet `highlight.css` has the color of each. */
export const PAINTED = /** @type {const} */ (["title", "main", "caption", "comment"]);
const NAME = "boilernet-";

/** What is painted on this page. */
export class Paint {
  constructor() {
    /** @type {Overlay | null} */
    this.overlay = null;
  }

  /** @param {Text[][]} texts per block its text nodes @param {Kind[]} kinds per block */
  show(texts, kinds) {
    this.clear();
    if (!globalThis.CSS?.highlights) {
      this.overlay = new Overlay();
      this.overlay.show(texts, kinds);
      return;
    }
    for (const kind of PAINTED) {
      const highlight = new Highlight();
      texts.forEach((nodes, i) => {
        if (kinds[i] !== kind) return;
        for (const node of nodes) {
          // Static ranges, since a page with thousands of live ones gets slow when it changes.
          highlight.add(
            new StaticRange({ startContainer: node, startOffset: 0, endContainer: node, endOffset: node.length }),
          );
        }
      });
      if (highlight.size) CSS.highlights.set(NAME + kind, highlight);
    }
  }

  /** Takes all of it away. */
  clear() {
    this.overlay?.remove();
    this.overlay = null;
    for (const kind of PAINTED) globalThis.CSS?.highlights?.delete(NAME + kind);
  }

  /** @param {Node} node @returns {boolean} whether it is the paint's own */
  isOwn(node) {
    return this.overlay?.host === node;
  }
}
