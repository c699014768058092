/**
 * Boxes of code without `<pre>`: those of Doxygen, SyntaxHighlighter, EnlighterJS, Writerside, pkg.go.dev and
 * Discuz, and `<code>` with line breaks that stands alone, as forums and the manual of PHP have it.
 */

import tables from "../tables.json" with { type: "json" };
import { isSpace, pattern, slice, split, strip } from "../python.js";
import { firstElementsIn, isOnlyElement, tagOf, textBefore, textBehind, textsIn } from "./dom.js";

const constants = tables["html.code_boxes"];
const { BLOCKS, BREAK_SIGNS, CELLS, FRAGMENT, HIGHLIGHTER, HOLDER, LANGUAGE, LEVELS, LINE } = constants;
const { MAX_BEFORE, MAX_CLASS_CHARS, MAX_TEXTS, NAMES, NAME_SIGNS, WHOLE, WHOLE_TAGS, WITH_ITEMS, WITH_LANGUAGE } = constants;
const NAMES_CODE = pattern(constants.NAMES_CODE);
const OUTER = new Set(constants.OUTER);

/** @param {string} source of a page @returns {boolean} whether it can have such code */
export function mayHaveBoxes(source) {
  const has = (/** @type {string} */ sign) => source.includes(sign);
  return NAME_SIGNS.some(has) || BREAK_SIGNS.every(has);
}

/** @param {Element[]} elements of a page @returns {Element[]} those that hold the lines of such code, and nothing else */
export function boxesOf(elements) {
  const named = elements.filter((element) => {
    const classes = slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS).toLowerCase();
    return NAMES.some((name) => classes.includes(name));
  });
  const lines = named.flatMap((box) => linesIn(box) ?? []);
  const codes = elements.filter((element) => tagOf(element) === "code" && standsAlone(element));
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
 * @returns {boolean} whether it has line breaks and is all that its block holds, or has a class of boxes of code;
 *   in a cell, only named ones are no lines of a table
 */
function standsAlone(code) {
  if (!code.querySelector("br") || hasBlocks(code)) return false;
  const texts = textsIn(code, MAX_TEXTS).map(strip);
  if (texts.some((text) => text.includes("\n")) || texts.filter(Boolean).length < 2) return false;
  if (namesCode(code)) return true;
  const outer = code.parentElement;
  if (!outer || !OUTER.has(tagOf(outer)) || !isOnlyElement(code)) return false;
  if (!isSpace(textBefore(code)) || !isSpace(textBehind(code))) return false;
  if (namesCode(outer) || (outer.parentElement && namesCode(outer.parentElement))) return true;
  return ancestors(outer).every((above) => !CELLS.includes(tagOf(above)));
}

/** @param {Element} element @returns {boolean} */
function namesCode(element) {
  return NAMES_CODE.test(slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS));
}
