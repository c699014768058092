/**
 * Frames around texts of a page, in a closed shadow tree of one element that is added after the page's
 * body. No other element of the page is changed.
 */

const STYLES = {
  hover: "outline: 2px solid #1b6e3c; background: rgb(27 110 60 / 8%);",
  current: "outline: 3px dashed #b35900; background: rgb(251 188 4 / 12%);",
};

/** @typedef {keyof typeof STYLES} Frame */

export class Outline {
  constructor() {
    this.host = document.createElement("div");
    this.host.style.cssText = "all: initial; position: absolute; top: 0; left: 0; z-index: 2147483647;";
    const root = this.host.attachShadow({ mode: "closed" });
    /** @type {Record<Frame, HTMLElement>} */
    this.frames = { hover: document.createElement("div"), current: document.createElement("div") };
    root.append(this.frames.hover, this.frames.current);
  }

  show() {
    document.documentElement.append(this.host);
  }

  remove() {
    this.host.remove();
  }

  /**
   * @param {Frame} frame
   * @param {Text[]} texts the texts to put the frame around; none: the frame is hidden
   */
  around(frame, texts) {
    const element = this.frames[frame];
    const range = document.createRange();
    const boxes = texts.flatMap((text) => {
      range.selectNodeContents(text);
      return [...range.getClientRects()];
    });
    if (!boxes.length) {
      element.style.display = "none";
      return;
    }
    const origin = this.host.getBoundingClientRect();
    const left = Math.min(...boxes.map((box) => box.left));
    const top = Math.min(...boxes.map((box) => box.top));
    const right = Math.max(...boxes.map((box) => box.right));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    element.style.cssText =
      `${STYLES[frame]} position: absolute; pointer-events: none; border-radius: 3px; ` +
      `left: ${left - origin.left - 3}px; top: ${top - origin.top - 3}px; ` +
      `width: ${right - left + 6}px; height: ${bottom - top + 6}px;`;
  }
}
