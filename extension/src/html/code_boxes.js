/**
 * Boxes of code without `<pre>`: those of Doxygen, SyntaxHighlighter, EnlighterJS, Writerside, pkg.go.dev and
 * Discuz, `<code>` with line breaks that stands alone, as forums and the manual of PHP have it, and `<code>` and
 * `<tt>` whose lines have no-break spaces as indents.
 */

import tables from "../tables.json" with { type: "json" };
import { isSpace, pattern, slice, split, strip } from "../python.js";
import { firstElementsIn, isOnlyElement, leadingText, tagOf, textBefore, textBehind, textsIn } from "./dom.js";

const constants = tables["html.code_boxes"];
const { BLOCKS, BREAK, CELLS, CODE, FRAGMENT, HIGHLIGHTER, HOLDER, LANGUAGE, LEVELS, LINE } = constants;
const { LINE_END, LINE_SIGNS, LINE_TAGS, NO_BREAK, SPACES } = constants;
const { MAX_BEFORE, MAX_CLASS_CHARS, MAX_TEXTS, NAMES, NAME_SIGNS, WHOLE, WHOLE_TAGS, WITH_ITEMS, WITH_LANGUAGE } = constants;
const NAMES_CODE = pattern(constants.NAMES_CODE);
const INDENT = pattern(constants.INDENT);
const CODE_SIGN = pattern(constants.CODE_SIGN);
const WORD = pattern(constants.WORD);
const SENTENCE_END = pattern(constants.SENTENCE_END);
const ENDING = new Set(constants.ENDING);
const HOLDERS = new Set(constants.HOLDERS);
const OUTER = new Set(constants.OUTER);

/** @param {string} source of a page @returns {boolean} whether it can have such code */
export function mayHaveBoxes(source) {
  const has = (/** @type {string} */ sign) => source.includes(sign);
  return NAME_SIGNS.some(has) || (has(BREAK) && LINE_SIGNS.some(has));
}

/** @param {Element[]} elements of a page @returns {Element[]} those that hold the lines of such code, and nothing else */
export function boxesOf(elements) {
  const named = elements.filter((element) => {
    const classes = slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS).toLowerCase();
    return NAMES.some((name) => classes.includes(name));
  });
  const lines = named.flatMap((box) => linesIn(box) ?? []);
  const codes = elements.filter((element) => {
    const tag = tagOf(element);
    if (!LINE_TAGS.includes(tag) || !element.querySelector(LINE_END)) return false;
    return (tag === CODE && standsAlone(element)) || hasIndents(element);
  });
  return [...lines, ...codes].filter((element) => !ancestors(element).some((above) => tagOf(above) === "pre"));
}

/** @param {Element} box @returns {Element | null} the element in it that holds its lines */
function linesIn(box) {
  const classes = classesOf(box).map((name) => name.toLowerCase());
  if (WHOLE.some((name) => classes.includes(name))) return WHOLE_TAGS.includes(tagOf(box)) ? box : null;
  if (classes.includes(WITH_LANGUAGE)) {
    return tagOf(box) === "div" && box.getAttribute(LANGUAGE) && !hasBlocks(box) ? box : null;
  }
  if (classes.includes(WITH_ITEMS)) return box.querySelector("ol");
  const isFragment = classes.includes(FRAGMENT);
  if (!isFragment && !classes.includes(HIGHLIGHTER)) return null;
  for (const inner of firstElementsIn(box, MAX_BEFORE).slice(1)) {
    if (tagOf(inner) !== "div" || !classesOf(inner).includes(LINE)) continue;
    if (isFragment) return box;
    const holder = inner.parentElement;
    if (holder && classesOf(holder).includes(HOLDER)) return holder;
  }
  return null;
}

/** @param {Element} element @returns {string[]} */
function classesOf(element) {
  return split(element.getAttribute("class") ?? "");
}

/** @param {Element} element @returns {boolean} whether it holds blocks */
function hasBlocks(element) {
  return element.querySelector(BLOCKS.join(",")) !== null;
}

/** @param {Element} element @returns {Element[]} the nearest elements around it */
function ancestors(element) {
  const found = [];
  for (let each = element.parentElement; each && found.length < LEVELS; each = each.parentElement) found.push(each);
  return found;
}

/**
 * @param {Element} code
 * @returns {boolean} whether it, which has line breaks, is all that its block holds, or has a class of boxes of code;
 *   in a cell, only named ones are no lines of a table
 */
function standsAlone(code) {
  if (hasBlocks(code)) return false;
  const texts = textsIn(code, MAX_TEXTS).map(strip);
  if (texts.some((text) => text.includes("\n")) || texts.filter(Boolean).length < 2) return false;
  if (namesCode(code)) return true;
  const outer = code.parentElement;
  if (!outer || !OUTER.has(tagOf(outer)) || !isOnlyElement(code)) return false;
  if (!isSpace(textBefore(code)) || !isSpace(textBehind(code))) return false;
  if (namesCode(outer) || (outer.parentElement && namesCode(outer.parentElement))) return true;
  return ancestors(outer).every((above) => !CELLS.includes(tagOf(above)));
}

/**
 * @param {Element} code
 * @returns {boolean} whether it has lines of code of its own, of which one is indented by no-break spaces, or which
 *   have no other spaces; in a cell, it must be the only one of its row
 */
function hasIndents(code) {
  const lines = textsIn(code, MAX_TEXTS).map((text) => stripped(text));
  const text = lines.join("");
  if (!text.includes(NO_BREAK) || !strip(text)) return false;
  const isUnspaced = !/[ \n]/.test(text) && lines.some((line) => CODE_SIGN.test(line));
  if ((!isUnspaced && !lines.some((line) => INDENT.test(line))) || isProse(code, lines)) return false;
  const inner = [...code.querySelectorAll(BLOCKS.join(","))];
  return !inner.some(isFilled) && hasOwnLines(code);
}

/**
 * @param {Element} code
 * @param {string[]} lines of it
 * @returns {boolean} whether they have links, or mostly characters beyond ASCII, or are mostly lines of words with
 *   sentences
 */
function isProse(code, lines) {
  const words = lines.map((line) => split(line));
  const chars = [...words.flat().join("")];
  if (2 * chars.filter((char) => char < "\u0080").length < chars.length) return true;
  if ([...code.querySelectorAll("a")].some((link) => link.getAttribute("href"))) return true;
  const plain = words.filter((line) => line.length >= constants.MIN_WORDS && line.every((word) => WORD.test(word)));
  return 2 * plain.flat().length > words.flat().length && plain.flat().some((word) => SENTENCE_END.test(word));
}

/** @param {string} text @returns {string} without white space at its ends, except no-break spaces */
function stripped(text) {
  let [begin, end] = [0, text.length];
  while (begin < end && SPACES.includes(text[begin])) begin++;
  while (end > begin && SPACES.includes(text[end - 1])) end--;
  return text.slice(begin, end);
}

/** @param {Element} element @returns {boolean} whether it is an image, or holds text or elements */
function isFilled(element) {
  return tagOf(element) === "img" || element.childElementCount > 0 || !isSpace(leadingText(element));
}

/** @param {Element} code that holds others @returns {boolean} whether it begins and ends a line of the block around it */
function hasOwnLines(code) {
  const outer = code.parentElement;
  if (!outer || !HOLDERS.has(tagOf(outer))) return false;
  if (CELLS.includes(tagOf(outer)) && !isOnlyElement(outer)) return false;
  const [first, last] = [code.firstElementChild, code.lastElementChild];
  const begins = endsLine(first, leadingText(code)) || endsLine(code.previousElementSibling, textBefore(code), true);
  return begins && (endsLine(last, last ? textBehind(last) : "") || endsLine(code.nextElementSibling, textBehind(code), true));
}

/**
 * @param {Element | null} beside
 * @param {string} between the text between it and the element
 * @param {boolean} [atEnd] whether the element may be the first or last in its block
 * @returns {boolean} whether a line ends between an element and the one beside it
 */
function endsLine(beside, between, atEnd = false) {
  return !strip(between) && (beside ? ENDING.has(tagOf(beside)) : atEnd);
}

/** @param {Element} element @returns {boolean} */
function namesCode(element) {
  return NAMES_CODE.test(slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS));
}
