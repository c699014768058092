/** The text of `<pre>`, with its lines and indents. */

import tables from "../tables.json" with { type: "json" };
import { isSpace, pattern, rstrip } from "../python.js";
import { childrenOf, isSkipped, SEAMLESS, tagOf } from "./dom.js";
import { classWordsOf } from "./paths.js";
import { asPlainText, MARK_TAGS, markInside } from "./raised.js";

/** @import { Mark, Part } from "./raised.js" */

const LINE_END = pattern(tables["html.preformatted"].LINE_END);

/**
 * @param {Element} pre
 * @param {(element: Element) => boolean} hides whether the text of an element in it is left out
 * @returns {string[]} the texts of the blocks in it, in order; a blank line that a `<br>` or an empty row
 *   makes is at the beginning of the text that follows it
 */
export function rawTexts(pre, hides) {
  /** @type {string[]} */
  const texts = [];
  /** @type {Part[]} */
  let parts = [];
  let blank = "";
  let beforeRow = 0;
  const endBlock = (/** @type {boolean} */ isBreak) => {
    const text = joined(parts);
    if (!isSpace(text)) {
      texts.push((texts.length ? blank : "") + lines(text));
      blank = "";
    } else if (isBreak) {
      blank += "\n";
    }
    parts = [];
  };
  const endRow = (/** @type {boolean} */ isEnd) => {
    if (isEnd && texts.length === beforeRow) blank += "\n";
    beforeRow = texts.length;
  };
  let links = 0;
  /**
   * The nodes that are left to visit, with the mark and the link around them; a string: the end of an
   * element of that tag, which ends a block.
   *
   * @type {[Node | string, Mark | null, number][]}
   */
  const left = [[pre, null, 0]];
  while (left.length) {
    let [node, mark, link] = /** @type {[Node | string, Mark | null, number]} */ (left.pop());
    if (typeof node === "string") {
      endBlock(false);
      if (node === "tr") endRow(true);
    } else if (node.nodeType === Node.TEXT_NODE) {
      const text = (node.nodeValue ?? "").replaceAll("\u00ad", "");
      if (text) parts.push({ text, mark, link });
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const element = /** @type {Element} */ (node);
      const tag = tagOf(element);
      const ends = !SEAMLESS.has(tag) || element === pre;
      if (ends) {
        endBlock(tag === "br");
        if (tag === "tr") endRow(false);
        left.push([tag, null, 0]);
        mark = null;
      }
      if (tag === "a") link = ++links;
      if (MARK_TAGS.has(tag)) mark = markInside(mark, tag, classWordsOf(element, new Map()));
      if (!isSkipped(element, tag) && (element === pre || !hides(element))) {
        for (const child of childrenOf(element).reverse()) left.push([child, mark, link]);
      }
    }
  }
  return texts;
}

/** @param {Part[]} parts @returns {string} */
function joined(parts) {
  const texts = parts.map(({ text }) => text);
  const isMarked = parts.some(({ mark }) => mark) && !texts.every(isSpace);
  return (isMarked ? asPlainText(parts) : texts).join("");
}

/**
 * @param {string} text
 * @returns {string} without white space at line ends, and without blank lines at either end
 */
function lines(text) {
  const all = text.split(LINE_END).map(rstrip);
  return rstrip(all.slice(all.findIndex(Boolean)).join("\n"));
}
