/**
 * Hints in a sentence, which a browser or a script shows over it: `role="tooltip"` and `popover`. They are no part of
 * the sentence.
 */

import tables from "../tables.json" with { type: "json" };
import { strip } from "../python.js";
import { tagOf } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.tooltips"];
const TAGS = new Set(constants.TAGS);

/** @param {string} source of a page @returns {boolean} whether it can have hints in its sentences */
export function mayHaveTooltips(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} a reading of nothing for each hint */
export function tooltipsOf(elements) {
  return new Map(elements.filter(isHint).map((hint) => [hint, LEFT_OUT]));
}

/** @param {Element} element */
function isHint(element) {
  if (!TAGS.has(tagOf(element))) return false;
  const role = strip(element.getAttribute("role") ?? "").toLowerCase();
  return role === constants.ROLE || element.hasAttribute(constants.POPOVER);
}
