/** The text of `<pre>`, with its lines and indents. */

import tables from "../tables.json" with { type: "json" };
import { isSpace, pattern, rstrip } from "../python.js";
import { childrenOf, SEAMLESS, SKIPPED, tagOf } from "./dom.js";

const LINE_END = pattern(tables["html.preformatted"].LINE_END);

/**
 * @param {Element} pre
 * @param {(element: Element) => boolean} hides whether the text of an element in it is left out
 * @returns {string[]} the texts of the blocks in it, in order; a blank line that a `<br>` makes is at
 *   the beginning of the text that follows it
 */
export function rawTexts(pre, hides) {
  /** @type {string[]} */
  const texts = [];
  let parts = "";
  let blank = "";
  const endBlock = (/** @type {boolean} */ isBreak) => {
    if (!isSpace(parts)) {
      texts.push((texts.length ? blank : "") + lines(parts));
      blank = "";
    } else if (isBreak) {
      blank += "\n";
    }
    parts = "";
  };
  /** The nodes that are left to visit; null: the end of an element that ends a block. @type {(Node | null)[]} */
  const left = [pre];
  while (left.length) {
    const node = /** @type {Node | null} */ (left.pop());
    if (node === null) {
      endBlock(false);
    } else if (node.nodeType === Node.TEXT_NODE) {
      parts += node.nodeValue ?? "";
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const element = /** @type {Element} */ (node);
      const tag = tagOf(element);
      const ends = !SEAMLESS.has(tag);
      if (ends) {
        endBlock(tag === "br");
        left.push(null);
      }
      if (!SKIPPED.has(tag) && (element === pre || !hides(element))) left.push(...childrenOf(element).reverse());
    }
  }
  return texts;
}

/**
 * @param {string} text
 * @returns {string} without white space at line ends, and without blank lines at either end
 */
function lines(text) {
  const all = text.split(LINE_END).map(rstrip);
  return rstrip(all.slice(all.findIndex(Boolean)).join("\n"));
}
