/**
 * Lines of poems that are elements with a `<br>` at their end: they are lines of one text, and an empty one ends a
 * stanza.
 */

import tables from "../tables.json" with { type: "json" };
import { isSpace, slice } from "../python.js";
import { INLINE, tagOf, textBehind } from "./dom.js";
import { READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.poem_lines"];
const LINES = new Set(constants.LINES);

/** @param {string} source of a page @returns {boolean} whether it can have such lines */
export function mayHavePoemLines(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of such lines, which are in line */
export function poemLinesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  /** Elements in a poem, and poems. @type {Set<Element | null>} */
  const inside = new Set();
  for (const element of elements) {
    const isInside = inside.has(element.parentElement);
    if (isInside || isPoem(element)) inside.add(element);
    if (isInside && LINES.has(tagOf(element)) && isLine(element)) found.set(element, { ...READ_INSIDE, tag: "span" });
  }
  return found;
}

/** @param {Element} element @returns {boolean} whether its class names it a poem */
function isPoem(element) {
  const named = slice(element.getAttribute("class") ?? "", 0, constants.MAX_CLASS_CHARS).toLowerCase();
  return constants.NAMES.some((name) => named.includes(name));
}

/**
 * @param {Element} element
 * @returns {boolean} whether it ends with its only `<br>`, holds else what is in line, and stands beside other lines
 */
function isLine(element) {
  const last = element.lastElementChild;
  if (!last || tagOf(last) !== constants.BREAK || !isSpace(textBehind(last))) return false;
  const beside = [element.previousElementSibling, element.nextElementSibling];
  if (!beside.some((one) => one && tagOf(one) === tagOf(element))) return false;
  return [...element.children].every((one) => one === last || INLINE.has(tagOf(one)));
}
