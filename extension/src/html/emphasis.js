/** The marks of texts: strong, emphasis, code and others, by the tags and styles around them. */

import tables from "../tables.json" with { type: "json" };
import { pattern, slice } from "../python.js";

const constants = tables["html.emphasis"];
const TAG_MARKS = /** @type {Record<string, number>} */ (constants.TAG_MARKS);
const STYLED_TAGS = new Set(constants.STYLED_TAGS);
const { EMPHASIS, DELETED, STRONG } = tables.markup;
const BY_STYLE = /** @type {const} */ ([
  [pattern(constants.WEIGHT), STRONG],
  [pattern(constants.SLANT), EMPHASIS],
  [pattern(constants.LINE), DELETED],
]);

/**
 * @param {number} around the marks of the texts around an inline element
 * @param {string} tag of the element
 * @param {string | null} style its own
 * @returns {number} the marks of the texts in it
 */
export function marksInside(around, tag, style) {
  let marks = around | (TAG_MARKS[tag] ?? 0);
  if (!style || !STYLED_TAGS.has(tag)) return marks;
  for (const [named, mark] of BY_STYLE) {
    const match = named.exec(slice(style, 0, constants.MAX_STYLE_CHARS));
    if (match) marks = match[1] ? marks | mark : marks & ~mark;
  }
  return marks;
}
