/** Signatures in several lines, which Sphinx writes as a list in a term: they are one text. */

import tables from "../tables.json" with { type: "json" };
import { collapsed, pattern, slice } from "../python.js";
import { firstElementsIn, tagOf, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.signatures"];
const GAP = pattern(constants.GAP, "g");

/** @param {string} source of a page @returns {boolean} whether it can have such signatures */
export function mayHaveSignatures(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of terms of such signatures */
export function signaturesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const named = slice(element.getAttribute("class") ?? "", 0, constants.MAX_CLASS_CHARS).toLowerCase();
    if (!named.includes(constants.NAME)) continue;
    let above = element.parentElement;
    for (let level = 0; above && level < constants.MAX_LEVELS; level++, above = above.parentElement) {
      if (tagOf(above) !== constants.TERM || found.has(above)) continue;
      if (firstElementsIn(above, constants.MAX_ELEMENTS).every((one) => tagOf(one) !== constants.LIST)) continue;
      const texts = textsIn(above, constants.MAX_TEXTS).map((text) => (text === constants.COMMA ? `${text} ` : text));
      const text = collapsed(texts.join("")).replace(GAP, "");
      found.set(above, { ...LEFT_OUT, text, tag: constants.TERM });
    }
  }
  return found;
}
