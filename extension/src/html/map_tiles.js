/**
 * Images of which scripts put together a map, and those of its markers: they are none of the text. Pictures in what
 * opens over a map are kept.
 */

import tables from "../tables.json" with { type: "json" };
import { pattern, slice } from "../python.js";
import { elementsOf, tagOf } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.map_tiles"];
const IMAGE_TAGS = new Set(tables["html.images"].IMAGE_TAGS);
const OF_MAP = pattern(constants.OF_MAP);

/** @param {string} source of a page @returns {boolean} whether it can have such maps */
export function mayHaveTiles(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} a reading of nothing for each image of a map */
export function tilesOf(elements) {
  const lookedAt = new Set();
  /** @type {Element[]} */
  const found = [];
  for (const map of elements) {
    if (lookedAt.has(map) || !OF_MAP.test(namesOf(map))) continue;
    for (const inside of elementsOf(map)) {
      lookedAt.add(inside);
      if (IMAGE_TAGS.has(tagOf(inside)) && !isOverMap(inside)) found.push(inside);
    }
  }
  return new Map(found.map((image) => [image, LEFT_OUT]));
}

/** @param {Element} image */
function isOverMap(image) {
  let above = image.parentElement;
  for (let level = 0; above && level < constants.MAX_LEVELS; level++, above = above.parentElement) {
    if (namesOf(above).includes(constants.OVER_MAP)) return true;
  }
  return false;
}

/** @param {Element} element @returns {string} its class */
function namesOf(element) {
  return slice(element.getAttribute("class") ?? "", 0, constants.MAX_CLASS_CHARS);
}
