/**
 * What a wiki writes for its editors: links to edit a section, and remarks in a text such as "[citation
 * needed]"; the line "From Wikipedia, the free encyclopedia", which only printed pages show; and the marks that
 * LaTeXML writes before the items of a list. None is read, but the labels of items that their numbers do not tell,
 * before their texts.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, length, pattern, slice, strip } from "../python.js";
import { tagOf, textsIn } from "./dom.js";
import { LEFT_OUT, READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.remarks"];
const { MAX_CLASS_CHARS, MAX_EDIT_CHARS, MAX_REMARK_CHARS } = constants;
const EDIT = pattern(constants.EDIT);
const REMARK = pattern(constants.REMARK);
const UNPRINTED = pattern(constants.UNPRINTED);
const MARKED = pattern(constants.MARKED);
const MARK = fullPattern(constants.MARK);
const EDIT_TAGS = new Set(constants.EDIT_TAGS);
const REMARK_TAGS = new Set(constants.REMARK_TAGS);
const BRACKETED = fullPattern(constants.BRACKETED);

/** @param {string} source of a page @returns {boolean} whether it can have any of them */
export function mayHaveRemarks(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} a reading of nothing for each link to edit a section, remark, line that only printed pages show, and
 *   mark of an item; those of labels of items
 */
export function remarksOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  /** The marks of each list until here. @type {Map<Element | null, number>} */
  const counts = new Map();
  for (const element of elements) {
    const named = slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS);
    if (!named) continue;
    if ([isPrinted, isEdit, isRemark].some((is) => is(element, named))) {
      found.set(element, tagOf(element) === "div" ? { ...LEFT_OUT, tag: "div" } : LEFT_OUT);
    } else addMark(element, named, counts, found);
  }
  return found;
}

/** @param {Element} element @returns {boolean} */
function isPrinted(element) {
  return element.id === constants.PRINTED;
}

/** @param {Element} element @param {string} named its class @returns {boolean} */
function isEdit(element, named) {
  return EDIT_TAGS.has(tagOf(element)) && EDIT.test(named) && length(textOf(element)) <= MAX_EDIT_CHARS;
}

/** @param {Element} element @param {string} named its class @returns {boolean} whether it is a remark; one without a class of its own is raised */
function isRemark(element, named) {
  const isNamed = REMARK_TAGS.has(tagOf(element)) && REMARK.test(named);
  if (!isNamed && !(tagOf(element) === "sup" && UNPRINTED.test(named))) return false;
  const text = textOf(element);
  return length(text) <= MAX_REMARK_CHARS && BRACKETED.test(text);
}

/**
 * Adds a reading of nothing for a bullet, or the number of an item; a label is read in line with the paragraph behind it.
 *
 * @param {Element} element
 * @param {string} named its class
 * @param {Map<Element | null, number>} counts the marks of each list until here
 * @param {Readings} found to which they are added
 */
function addMark(element, named, counts, found) {
  const item = element.parentElement;
  if (!item || tagOf(item) !== constants.ITEM || !MARKED.test(named)) return;
  const text = textOf(element);
  const mark = MARK.exec(text);
  if (!mark) return;
  const around = item.parentElement;
  const count = (counts.get(around) ?? 0) + 1;
  counts.set(around, count);
  const isNumber = around && tagOf(around) === constants.COUNTED && mark[1] === String(count);
  found.set(element, mark[1] && !isNumber ? { ...LEFT_OUT, text: `${strip(text)} ` } : LEFT_OUT);
  const box = element.nextElementSibling;
  const first = box?.firstElementChild;
  if (!mark[1] || isNumber || !box || !first) return;
  if (tagOf(box) !== constants.BOX || tagOf(first) !== constants.PARAGRAPH) return;
  for (const one of [box, first]) found.set(one, { ...READ_INSIDE, tag: "span" });
}

/** @param {Element} element @returns {string} its first texts */
function textOf(element) {
  return textsIn(element, constants.MAX_TEXTS).join("");
}
