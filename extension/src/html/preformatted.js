/** The text of `<pre>`, with its lines and indents. */

import tables from "../tables.json" with { type: "json" };
import { isSpace, pattern } from "../python.js";
import { childrenOf, SEAMLESS, SKIPPED, tagOf } from "./dom.js";

const LINE_END = pattern(tables["html.preformatted"].LINE_END);
const TRAILING = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/;

/**
 * @param {Element} pre
 * @returns {string[]} the texts of the blocks in it, in order; a blank line of `<br>` comes before
 *   the text that follows it
 */
export function rawTexts(pre) {
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
  /** Nodes still to be visited, and the ends of elements that end a block. @type {(Node | null)[]} */
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
      if (!SKIPPED.has(tag)) left.push(...childrenOf(element).reverse());
    }
  }
  return texts;
}

/** @param {string} text without white space at line ends, blank lines before it and line ends after it */
function lines(text) {
  const all = text.split(LINE_END).map((line) => line.replace(TRAILING, ""));
  return all.slice(all.findIndex(Boolean)).join("\n").replace(TRAILING, "");
}
