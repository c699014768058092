/**
 * Lists that Word writes as paragraphs with a mark: "Save as Web Page", its mails, and pasted text.
 *
 * The mark is not read. For Markdown and HTML, the paragraph is an item of a list, of the level that its
 * style names, or its indent.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, isSpace, pattern, slice } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT, READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.word_lists"];
const { LEVEL_POINTS, MAX_CLASS_CHARS, MAX_LEVEL, MAX_STYLE_CHARS } = constants;
const TAGS = new Set(constants.TAGS);
const STYLE = pattern(constants.STYLE);
const IGNORED = pattern(constants.IGNORED);
const CLASS = pattern(constants.CLASS);
const INDENT = pattern(constants.INDENT);
const HANGING = pattern(constants.HANGING);
const POINTS = new Map(Object.entries(constants.POINTS));
const MARK = fullPattern(constants.MARK);
const SPACED = pattern(constants.SPACED);
const TEXT_MARK = pattern(constants.TEXT_MARK, "y");
const FIRST = new Set(constants.FIRST);

/** @param {string} source of a page @returns {boolean} whether it can have such lists */
export function mayHaveWordLists(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of the items, and of their marks: nothing */
export function wordListsOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  /** Per list and level, the number of the last item. @type {Map<string, Map<number, number>>} */
  const numbers = new Map();
  for (const paragraph of elements) {
    const known = TAGS.has(tagOf(paragraph)) ? listAndLevel(paragraph) : null;
    if (!known) continue;
    const mark = markOf(paragraph);
    TEXT_MARK.lastIndex = 0;
    const own = mark || paragraph.firstElementChild ? null : TEXT_MARK.exec(leadingText(paragraph));
    if (!mark && !own) continue;
    const { list, level } = known;
    const inList = numbers.get(list) ?? new Map();
    numbers.set(list, inList);
    const number = numberOf(mark ? textOf(mark) : (own?.[0] ?? ""), inList.get(level) ?? 0);
    for (const other of [...inList.keys()]) if (other > level) inList.delete(other);
    if (number !== null) inList.set(level, number);
    const isInItem = paragraph.parentElement && tagOf(paragraph.parentElement) === "li";
    const role = [constants.ITEM, level, ...(number === null ? [] : [number])].join(" ");
    const text = own ? leadingText(paragraph).slice(own[0].length) : "";
    found.set(paragraph, { ...READ_INSIDE, text: text || null, tag: tagOf(paragraph), role: isInItem ? "" : role });
    if (mark) found.set(mark, LEFT_OUT);
  }
  return found;
}

/** @param {Element} paragraph @returns {{list: string, level: number} | null} its list, perhaps "", and its level; null if it is no item */
function listAndLevel(paragraph) {
  const style = styleOf(paragraph);
  const stated = STYLE.exec(style);
  const within = (/** @type {number} */ level) => Math.min(Math.max(level, 1), MAX_LEVEL);
  if (stated) return { list: stated[1] ?? "", level: within(Number(stated[2])) };
  const named = CLASS.exec(slice(paragraph.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS));
  if (!named && !(HANGING.test(style) && hasSpace(paragraph))) return null;
  if (named?.[1]) return { list: "", level: Number(named[1]) || 1 };
  const indent = INDENT.exec(style);
  const points = indent ? Number(indent[1]) * (POINTS.get(indent[2].toLowerCase()) ?? 0) : 0;
  return { list: "", level: within(Math.floor(points / LEVEL_POINTS + 0.5)) };
}

/** @param {Element} paragraph @returns {boolean} whether it has the space after a mark, as Word writes it for old browsers */
function hasSpace(paragraph) {
  const inside = firstElementsIn(paragraph, constants.MAX_ELEMENTS).slice(1);
  return inside.some((one) => styleOf(one).toLowerCase().includes(constants.SPACE));
}

/** @param {Element} paragraph @returns {Element | null} the element of the mark at its beginning */
function markOf(paragraph) {
  let before = leadingText(paragraph);
  for (const element of firstElementsIn(paragraph, constants.MAX_ELEMENTS).slice(1)) {
    if (!isSpace(before)) return null;
    const text = textOf(element);
    if (IGNORED.test(styleOf(element)) || (SPACED.test(text) && MARK.test(text))) return element;
    before = leadingText(element);
    if (!element.childElementCount) before += textBehind(element);
  }
  return null;
}

/**
 * @param {string} mark
 * @param {number} before the number of the item before it, from which letters and Roman numbers count on
 * @returns {number | null} the number that the mark writes; null for a bullet
 */
function numberOf(mark, before) {
  const match = MARK.exec(mark);
  const sign = match?.[1] ?? match?.[2];
  if (!sign) return null;
  if (isDecimal(sign)) return decimal(sign);
  return FIRST.has(sign) && !("iI".includes(sign) && before === constants.BEFORE_I) ? 1 : before + 1;
}

/** @param {string} sign @returns {boolean} */
function isDecimal(sign) {
  return /^\p{Nd}+$/u.test(sign);
}

/** @param {string} sign of decimal digits, of any script @returns {number} */
function decimal(sign) {
  return [...sign].reduce((value, digit) => 10 * value + digitOf(digit), 0);
}

/** @param {string} digit @returns {number} its value: each script has its digits in a row, from 0 */
function digitOf(digit) {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && isDecimal(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}

/** @param {Element} element @returns {string} */
function styleOf(element) {
  return slice(element.getAttribute("style") ?? "", 0, MAX_STYLE_CHARS);
}

/** @param {Element} element @returns {string} its first texts */
function textOf(element) {
  return textsIn(element, constants.MAX_TEXTS).join("");
}
