/**
 * What a wiki writes for its editors: links to edit a section, and remarks in a text such as "[citation
 * needed]"; the line "From Wikipedia, the free encyclopedia", which only printed pages show; and the marks that
 * LaTeXML writes before the items of a list. None is read.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, length, pattern, slice } from "../python.js";
import { tagOf, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

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
 *   mark of an item
 */
export function remarksOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const named = slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS);
    if (!named || ![isPrinted, isEdit, isRemark, isMark].some((is) => is(element, named))) continue;
    found.set(element, tagOf(element) === "div" ? { ...LEFT_OUT, tag: "div" } : LEFT_OUT);
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

/** @param {Element} element @param {string} named its class @returns {boolean} */
function isMark(element, named) {
  const isInItem = element.parentElement && tagOf(element.parentElement) === constants.ITEM;
  return Boolean(isInItem) && MARKED.test(named) && MARK.test(textOf(element));
}

/** @param {Element} element @returns {string} its first texts */
function textOf(element) {
  return textsIn(element, constants.MAX_TEXTS).join("");
}
