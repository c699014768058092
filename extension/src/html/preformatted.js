/** The text of `<pre>`, with its lines and indents. */

import tables from "../tables.json" with { type: "json" };
import { isSpace, pattern, rstrip, split, strip } from "../python.js";
import { childrenOf, isSkipped, leadingText, SEAMLESS, tagOf, textBehind, textOfNodes, textsIn } from "./dom.js";
import { classWordsOf } from "./paths.js";
import { asPlainText, MARK_TAGS, markInside } from "./raised.js";

/** @import { Child } from "./dom.js" */
/** @import { Mark, Part } from "./raised.js" */
/** @typedef {{ended: Element, before: number}} Ended The end of an element, and the number of texts and blank lines before it. */

const { MAX_LINES, MAX_LINE_TEXTS, ...constants } = tables["html.preformatted"];
const LINE_TAGS = new Set(constants.LINE_TAGS);
const SPACE_BEHIND = pattern(constants.SPACE_BEHIND, "y");
/** Elements in which TypeScript's Twoslash writes a word of a line. */
export const TOKEN_TAGS = new Set(constants.TOKEN_TAGS);
const CHANGED = pattern(constants.CHANGED);
const LINE_END = pattern(constants.LINE_END);
const LINE_CLASS = pattern(constants.LINE_CLASS);
const BLOCK_STYLE = pattern(constants.BLOCK_STYLE);

/**
 * @param {Element} pre
 * @returns {Element[]} the elements in it that are lines of their own, without line ends between them: as Medium
 *   writes them, `<span id="…">` alone, or with a class of lines, or a style; none in others
 */
export function linesOf(pre) {
  const found = [pre, ...pre.children].filter((one) => one === pre || tagOf(one) === "code").flatMap(spansIn);
  const beside = linesBeside(found);
  if (beside.length) return beside;
  const lines = [...pre.children];
  if (lines.length < 2 || lines.length > MAX_LINES || leadingText(pre)) return [];
  return lines.every((one) => tagOf(one) === "span" && one.id !== "" && !textBehind(one)) ? lines : [];
}

/** @param {Element} element @returns {Element[]} those in it that may be lines */
function spansIn(element) {
  const spans = [...element.children].filter((one) => tagOf(one) === "span");
  return spans.filter((one) => {
    return one.getAttribute("class")?.includes("line") || one.getAttribute("style")?.includes("block");
  });
}

/** @param {Element[]} spans @returns {Element[]} those that are lines, if a line end is missing behind one */
function linesBeside(spans) {
  const boxes = new Set(spans.filter(isBox));
  const named = new Set(spans.filter((one) => LINE_CLASS.test(one.getAttribute("class") ?? "")));
  const isBeside = (/** @type {Element} */ one) => {
    return !textBehind(one) && one.nextElementSibling !== null && named.has(one.nextElementSibling);
  };
  const isMissing = [...boxes].some(isGlued) || [...named].some((one) => isBeside(one) && isGlued(one));
  return isMissing ? spans.filter((one) => boxes.has(one) || named.has(one)) : [];
}

/** @param {Element} element @returns {boolean} whether it is a box by its class or style */
function isBox(element) {
  const isHighlighted = split(element.getAttribute("class") ?? "").includes(constants.HIGHLIGHTED_LINE);
  return isHighlighted || BLOCK_STYLE.test(element.getAttribute("style") ?? "");
}

/** @param {Element} element @returns {boolean} whether something follows it without a line end between them */
function isGlued(element) {
  const following = element.nextElementSibling;
  let behind = textBehind(element);
  if (!behind && (!following || tagOf(following) !== "span")) return false;
  if (!behind && following) behind = textsIn(following, MAX_LINE_TEXTS).join("");
  return !(hasLineEnd(element) || behind.startsWith("\n"));
}

/** @param {Element} element @returns {boolean} */
function hasLineEnd(element) {
  return element.querySelector("br") !== null || textsIn(element, MAX_LINE_TEXTS).join("").endsWith("\n");
}

/** @param {Element} pre @returns {boolean} whether lines of code may have signs that a style sheet writes */
export function mayHaveChanges(pre) {
  return tagOf(pre) === "table" || split(pre.getAttribute("class") ?? "").includes(constants.HAS_CHANGES);
}

/**
 * @param {Element} element
 * @param {boolean} inTable whether the code is a table
 * @returns {string} the sign of an element that is a line of changed code: "+", "-" or " "; "" for others
 */
export function signOf(element, inTable) {
  const classes = element.getAttribute("class") ?? "";
  const [marker] = element.getAttribute(constants.MARKER) ?? "";
  const match = classes.match(CHANGED);
  if (marker) return marker;
  if (match?.[1]) return "+";
  if (match) return match[2] ? "-" : " ";
  return !inTable && split(classes).includes(constants.CODE_LINE) ? " " : "";
}

/**
 * @param {Element} pre
 * @param {(element: Element) => boolean} hides whether the text of an element in it is left out
 * @returns {string[]} the texts of the blocks in it, in order; a blank line that a `<br>`, an empty row or an
 *   empty line in an element of its own makes is at the beginning of the text that follows it; the first line end
 *   behind a line that is no box is its own, and makes no blank line
 */
export function rawTexts(pre, hides) {
  /** @type {string[]} */
  const texts = [];
  /** @type {Part[]} */
  let parts = [];
  let [blank, count, beforeRow] = [0, 0, 0];
  let isLineOpen = false;
  const ownLines = new Set(linesOf(pre));
  const openLines = new Set([...ownLines].filter((one) => !isBox(one) && !hasLineEnd(one)));
  const addBlankLines = (/** @type {number} */ number) => {
    blank += Math.max(0, number);
    count += Math.max(0, number);
  };
  const endBlock = (/** @type {boolean} */ isBreak) => {
    const text = joined(parts);
    const own = Number(isLineOpen);
    isLineOpen = false;
    if (!isSpace(text)) {
      const [before, behind] = ownLines.size ? blankLines(text) : [0, 0];
      addBlankLines(before - own);
      texts.push((texts.length ? "\n".repeat(blank) : "") + lines(text));
      blank = behind;
      count++;
    } else {
      addBlankLines((ownLines.size ? feedsIn(text) : 0) + Number(isBreak) - own);
    }
    parts = [];
  };
  const endRow = (/** @type {boolean} */ isEnd) => {
    if (isEnd && texts.length === beforeRow) addBlankLines(1);
    beforeRow = texts.length;
  };
  /** @type {Set<Element | null>} */
  const leftOut = new Set();
  const isBehindNumber = (/** @type {Text[]} */ nodes, /** @type {string} */ text) => {
    SPACE_BEHIND.lastIndex = 0;
    return leftOut.has(nodes[0].previousElementSibling) && SPACE_BEHIND.test(text);
  };
  const [hasSigns, inTable] = [mayHaveChanges(pre), tagOf(pre) === "table"];
  let links = 0;
  /**
   * The elements and texts that are left to visit, with the mark and the link around them; `ended`: the end of an element,
   * which ends a block, with the number of texts and blank lines before it, -1 for skipped ones.
   *
   * @type {[Child | Ended, Mark | null, number][]}
   */
  const left = [[pre, null, 0]];
  while (left.length) {
    let [next, mark, link] = /** @type {[Child | Ended, Mark | null, number]} */ (left.pop());
    if ("ended" in next) {
      endBlock(false);
      if (tagOf(next.ended) === "tr") endRow(true);
      if (next.before === count && (ownLines.has(next.ended) || isLine(next.ended))) addBlankLines(1);
      if (next.before >= 0 && openLines.has(next.ended)) isLineOpen = true;
    } else if (Array.isArray(next)) {
      const whole = textOfNodes(next).replaceAll("\u00ad", "");
      const text = isBehindNumber(next, whole) ? whole.slice(1) : whole;
      if (text) parts.push({ text, mark, link });
    } else {
      const element = next;
      const tag = tagOf(element);
      const isInline = SEAMLESS.has(tag) || TOKEN_TAGS.has(tag);
      const ends = !isInline || element === pre || ownLines.has(element);
      const isLeftOut = element !== pre && (isSkipped(element, tag) || hides(element));
      if (isLeftOut) leftOut.add(element);
      if (ends) {
        endBlock(tag === "br");
        if (tag === "tr") endRow(false);
        left.push([{ ended: element, before: isLeftOut ? -1 : count }, null, 0]);
        mark = null;
      }
      if (tag === "a") link = ++links;
      if (MARK_TAGS.has(tag)) mark = markInside(mark, tag, classWordsOf(element, new Map()));
      if (!isLeftOut) {
        const sign = hasSigns ? signOf(element, inTable) : "";
        if (sign) parts.push({ text: sign, mark, link });
        for (const child of childrenOf(element).reverse()) left.push([child, mark, link]);
      }
    }
  }
  return texts;
}

/** @param {Element} element @returns {boolean} whether it is a line behind another one, by its tag and class */
function isLine(element) {
  const previous = element.previousElementSibling;
  if (!LINE_TAGS.has(tagOf(element)) || !previous || tagOf(previous) !== tagOf(element)) return false;
  const [own, other] = [element, previous].map((one) => split(one.getAttribute("class") ?? "")[0]);
  return own === other;
}

/** @param {Part[]} parts @returns {string} */
function joined(parts) {
  const texts = parts.map(({ text }) => text);
  const isMarked = parts.some(({ mark }) => mark) && !texts.every(isSpace);
  return (isMarked ? asPlainText(parts) : texts).join("");
}

/** @param {string} text @returns {[number, number]} the numbers of blank lines at its beginning and at its end */
function blankLines(text) {
  const before = feedsIn(text.slice(0, text.indexOf(strip(text))));
  const behind = feedsIn(text.slice(rstrip(text).length));
  return [before, Math.max(0, behind - 1)];
}

/** @param {string} text @returns {number} how many line feeds it has */
function feedsIn(text) {
  return text.split("\n").length - 1;
}

/**
 * @param {string} text
 * @returns {string} without white space at line ends, and without blank lines at either end
 */
function lines(text) {
  const all = text.replaceAll("\u00a0", " ").split(LINE_END).map(rstrip);
  return rstrip(all.slice(all.findIndex(Boolean)).join("\n"));
}
