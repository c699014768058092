/**
 * What a list of definitions says of the kind of a term: the colon between them, which the style sheet of Sphinx
 * writes, keeps them apart. Signatures in several lines, which Sphinx writes as a list in a term, are one text.
 */

import tables from "../tables.json" with { type: "json" };
import { collapsed, pattern, rstrip, slice, split, strip } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT, NOTHING } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.classifiers"];
const { COLON, MAX_CLASS_CHARS, MAX_PARTS, MAX_TEXTS, NAME, SIGN, SIGNS, TAG, TERM } = constants;
const GAP = pattern(constants.GAP, "g");

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

/** @param {string} source of a page @returns {boolean} whether it can have such signatures */
export function mayHaveSignatures(source) {
  return constants.SIGNATURE_SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of terms of such signatures */
export function signaturesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const named = slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS).toLowerCase();
    if (!named.includes(constants.PAREN)) continue;
    let above = element.parentElement;
    for (let level = 0; above && level < constants.MAX_LEVELS; level++, above = above.parentElement) {
      if (tagOf(above) !== TERM || found.has(above)) continue;
      if (firstElementsIn(above, MAX_TEXTS).every((one) => tagOf(one) !== constants.LIST)) continue;
      const texts = textsIn(above, MAX_PARTS * MAX_PARTS).map((text) => (text === constants.COMMA ? `${text} ` : text));
      const text = collapsed(texts.join("")).replace(GAP, "");
      found.set(above, { ...LEFT_OUT, text, tag: TERM });
    }
  }
  return found;
}
