/**
 * Titles of details and of items of accordions that stand in an attribute, as in Shoelace and Calcite:
 * `<sl-details summary="Sails">`. Each is read before the text that it opens.
 */

import tables from "../tables.json" with { type: "json" };
import { collapsed, length } from "../python.js";
import { tagOf } from "./dom.js";
import { READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.titles_in_attributes"];
const TITLES = new Map(Object.entries(/** @type {Record<string, string>} */ (constants.TITLES)));

/** @param {string} source of a page @returns {boolean} whether it can have such titles */
export function mayHaveTitles(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of the elements that begin with their title, which no slot replaces */
export function titlesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const name = TITLES.get(tagOf(element));
    const title = name ? collapsed(element.getAttribute(name) ?? "") : "";
    const hasSlot = [...element.children].some((child) => child.getAttribute("slot") === name);
    if (!title || length(title) > constants.MAX_CHARS || hasSlot) continue;
    found.set(element, { ...READ_INSIDE, tag: tagOf(element), lead: title, leadNodes: [] });
  }
  return found;
}
