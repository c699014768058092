/**
 * Colored boxes over the text, for browsers without the CSS Custom Highlight API.
 *
 * They are in a closed shadow tree of one element that is added after the page's body, and removed with
 * them. No other element of the page is changed.
 */

import { isSpace } from "../python.js";

const COLORS = /** @type {Record<string, string>} */ ({
  title: "rgb(66 133 244 / 35%)",
  main: "rgb(52 168 83 / 28%)",
  caption: "rgb(251 188 4 / 35%)",
  comment: "rgb(171 71 188 / 28%)",
  dropped: "rgb(164 38 44 / 18%)",
  "left-out-title": "rgb(66 133 244 / 10%)",
  "left-out-caption": "rgb(251 188 4 / 10%)",
  "left-out-comment": "rgb(171 71 188 / 10%)",
});
/** After this many boxes the rest of a page is not painted, since each box is an element. */
const MAX_BOXES = 20_000;

export class Overlay {
  constructor() {
    this.host = document.createElement("div");
    this.root = this.host.attachShadow({ mode: "closed" });
    this.host.style.cssText = "all: initial; position: absolute; top: 0; left: 0; z-index: 2147483647;";
    /** @type {[Text, string][]} */
    this.painted = [];
    this.place = this.place.bind(this);
  }

  /** @param {Text[][]} texts @param {string[][]} names per block its kind and marks */
  show(texts, names) {
    this.painted = texts.flatMap((nodes, i) =>
      names[i].flatMap((name) => {
        const color = COLORS[name];
        return color ? nodes.map((node) => /** @type {[Text, string]} */ ([node, color])) : [];
      }),
    );
    document.documentElement.append(this.host);
    this.place();
    addEventListener("resize", this.place);
    document.addEventListener("scroll", this.place, { capture: true, passive: true });
  }

  /** Puts each box over its text, wherever that is now. */
  place() {
    const origin = this.host.getBoundingClientRect();
    const boxes = document.createDocumentFragment();
    const range = document.createRange();
    for (const [node, color] of this.painted) {
      if (isSpace(node.data)) continue;
      range.selectNodeContents(node);
      for (const { height, left, top, width } of range.getClientRects()) {
        const box = document.createElement("div");
        box.style.cssText =
          `position: absolute; pointer-events: none; background: ${color}; left: ${left - origin.left}px; ` +
          `top: ${top - origin.top}px; width: ${width}px; height: ${height}px;`;
        boxes.append(box);
      }
      if (boxes.childElementCount > MAX_BOXES) break;
    }
    this.root.replaceChildren(boxes);
  }

  remove() {
    removeEventListener("resize", this.place);
    document.removeEventListener("scroll", this.place, { capture: true });
    this.host.remove();
  }
}
