/** Paints text nodes without changing the page: the CSS Custom Highlight API, or an overlay. */

import { Overlay } from "./overlay.js";

/** The kinds that are painted; `highlight.css` has the color of each. */
export const PAINTED = /** @type {const} */ (["title", "main", "caption", "comment"]);
/** Marks of blocks that a person labeled: as content of any kind, and as boilerplate. */
const MARKS = /** @type {const} */ (["human", "dropped"]);
const LEFT_OUT = "left-out-";
/** Names of the paint, from the weakest on. */
const HIGHLIGHTS = [...PAINTED.map((kind) => LEFT_OUT + kind), ...PAINTED, ...MARKS];
const NAME = "boilernet-";

/**
 * @param {string} kind
 * @param {boolean} isKept
 * @returns {string} the name of the paint of a block
 */
export function paintOf(kind, isKept) {
  return isKept ? kind : LEFT_OUT + kind;
}

/** The paint on one page. */
export class Paint {
  constructor() {
    /** @type {Overlay | null} */
    this.overlay = null;
  }

  /**
   * @param {Text[][]} texts per block its text nodes
   * @param {string[][]} names per block the names of its paint: of its kind, and marks
   */
  show(texts, names) {
    this.clear();
    if (!globalThis.CSS?.highlights) {
      this.overlay = new Overlay();
      this.overlay.show(texts, names);
      return;
    }
    for (const name of HIGHLIGHTS) {
      const highlight = new Highlight();
      texts.forEach((nodes, i) => {
        if (!names[i].includes(name)) return;
        for (const node of nodes) {
          // The ranges are static: with thousands of live ranges, each change of the page is slow.
          highlight.add(
            new StaticRange({ startContainer: node, startOffset: 0, endContainer: node, endOffset: node.length }),
          );
        }
      });
      if (highlight.size) CSS.highlights.set(NAME + name, highlight);
    }
  }

  /** Removes the paint. */
  clear() {
    this.overlay?.remove();
    this.overlay = null;
    for (const name of HIGHLIGHTS) globalThis.CSS?.highlights?.delete(NAME + name);
  }

  /** @param {Node} node @returns {boolean} whether the paint added it */
  isOwn(node) {
    return this.overlay?.host === node;
  }
}
