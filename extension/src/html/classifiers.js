/**
 * What a list of definitions says of the kind of a term: the colon between them, which the style sheet of Sphinx
 * writes, keeps them apart.
 */

import tables from "../tables.json" with { type: "json" };
import { rstrip, slice, split, strip } from "../python.js";
import { leadingText, tagOf, textBehind, textsIn } from "./dom.js";
import { NOTHING } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const { COLON, MAX_CLASS_CHARS, MAX_TEXTS, NAME, SIGN, SIGNS, TAG, TERM } = tables["html.classifiers"];

/** @param {string} source of a page @returns {boolean} whether it can have such terms */
export function mayHaveClassifiers(source) {
  return SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of kinds of terms, each with a colon before it */
export function classifiersOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const classes = split(slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS));
    const term = element.parentElement;
    if (!classes.includes(NAME) || tagOf(element) !== TAG || !term || tagOf(term) !== TERM) continue;
    const before = element.previousElementSibling;
    const said = before ? textIn(before) + textBehind(before) : leadingText(term);
    const first = firstWithText(element);
    const whole = textIn(first);
    const text = whole.slice(whole.indexOf(strip(whole)));
    if (!strip(said) || rstrip(said).endsWith(SIGN) || !strip(text) || text.startsWith(SIGN)) continue;
    found.set(first, { ...NOTHING, text: COLON + text, tag: TAG });
  }
  return found;
}

/** @param {Element} element @returns {Element} in which its text begins, so that links behind it stay */
function firstWithText(element) {
  let first = element;
  while (!strip(leadingText(first)) && first.firstElementChild) first = first.firstElementChild;
  return first;
}

/** @param {Element} element @returns {string} */
function textIn(element) {
  return textsIn(element, MAX_TEXTS).join("");
}
