/**
 * Code in other elements than `<pre>`: elements whose style keeps line ends, tables of lines with their
 * numbers, what editors of code make, and boxes of code of documentation tools and forums.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, pattern, slice, strip } from "../python.js";
import { boxesOf, mayHaveBoxes } from "./code_boxes.js";
import { classesOf, languageNamedBy, namesGutter } from "./code.js";
import { firstElementsIn, tagOf, textsIn } from "./dom.js";
import { LISTING } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.listings"];
const { BLOCKS, CODE_TAGS, LEVELS, MAX_AROUND, MAX_NUMBER_TEXTS, MAX_ROWS, MAX_TEXTS, NUMBER } = constants;
const { MAX_CLASS_CHARS } = tables["html.code"];
const KEEPS_LINES = pattern(constants.KEEPS_LINES);
const KEEPS_LINES_CLASS = pattern(constants.KEEPS_LINES_CLASS);
const EDITORS = pattern(constants.EDITORS);
const NAMES_CODE = pattern(constants.NAMES_CODE);
const LINE_NUMBER = fullPattern(constants.LINE_NUMBER);
const TAGS = new Set(constants.TAGS);

/** @param {string} source of a page @returns {boolean} whether it can have such code */
export function mayHaveListings(source) {
  const has = (/** @type {string} */ sign) => source.includes(sign);
  const isNamed = [...constants.STYLE_SIGNS, ...constants.EDITOR_SIGNS].some(has);
  return isNamed || mayHaveBoxes(source) || (has(constants.TABLE) && constants.TABLE_SIGNS.some(has));
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} what is read of elements that are read as a `<pre>` is, none of them in another
 */
export function listingsOf(elements) {
  const boxes = new Set(boxesOf(elements));
  /** @type {Readings} */
  const found = new Map([...boxes].map((box) => [box, LISTING]));
  /** @type {Set<Element>} */
  const named = new Set();
  for (const element of elements) {
    const tag = tagOf(element);
    const isTable = tag === "table";
    if (EDITORS.test(classesOf(element))) {
      found.set(element, LISTING);
      continue;
    }
    if (!isTable && !(TAGS.has(tag) && namesCode(element, tag))) continue;
    if (boxes.size && firstElementsIn(element, MAX_TEXTS).some((each) => boxes.has(each))) continue;
    const around = above(element);
    if (around.some((each) => tagOf(each) === "pre" || found.has(each))) continue;
    if (!isTable && around.filter((each) => named.has(each)).length >= MAX_AROUND) continue;
    if (isTable ? hasNumberedLines(element) : hasLines(element)) found.set(element, LISTING);
    else if (!isTable) named.add(element);
  }
  return found;
}

/** @param {Element} element @returns {Element[]} the nearest elements around it */
function above(element) {
  const found = [];
  for (let each = element.parentElement; each && found.length < LEVELS; each = each.parentElement) found.push(each);
  return found;
}

/**
 * @param {Element} element
 * @param {string} tag
 * @returns {boolean} whether it is code by its names, and its own style keeps the ends of lines
 */
function namesCode(element, tag) {
  const classes = classesOf(element);
  const style = slice(element.getAttribute("style") ?? "", 0, MAX_CLASS_CHARS);
  if (!KEEPS_LINES.test(style) && !KEEPS_LINES_CLASS.test(classes)) return false;
  return CODE_TAGS.includes(tag) || NAMES_CODE.test(classes) || languageNamedBy(element, false) !== "";
}

/** @param {Element} element @returns {boolean} whether it has several lines of text, and no other blocks */
function hasLines(element) {
  if (element.querySelector(BLOCKS.join(","))) return false;
  const text = textsIn(element, MAX_TEXTS).join("");
  return strip(text).includes("\n");
}

/** @param {Element} table @returns {boolean} whether each row is a line of code behind its number */
function hasNumberedLines(table) {
  const rows = [...table.querySelectorAll("tr")].slice(0, MAX_ROWS);
  return rows.length > 0 && !table.querySelector(BLOCKS.join(",")) && rows.every(isNumbered);
}

/** @param {Element} row @returns {boolean} whether all its cells but the last are its number, or empty */
function isNumbered(row) {
  const cells = [...row.children].filter((cell) => ["td", "th"].includes(tagOf(cell)));
  const last = cells.pop();
  return last !== undefined && cells.length > 0 && !isNumber(last) && cells.every(isNumber);
}

/** @param {Element} cell */
function isNumber(cell) {
  if (!namesGutter(classesOf(cell)) && !cell.hasAttribute(NUMBER)) return false;
  return LINE_NUMBER.test(textsIn(cell, MAX_NUMBER_TEXTS).join(""));
}
