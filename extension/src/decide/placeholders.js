/** Places that a script would have filled: `{{ item.price }}`. */

import tables from "../tables.json" with { type: "json" };
import { length, pattern } from "../python.js";

/** @import { Block } from "../page.js" */

const constants = tables["decide.placeholders"];
const PLACEHOLDER = pattern(constants.PLACEHOLDER, "g");
const CODE_TAGS = new Set(constants.CODE_TAGS);

/** @param {string} text @returns {boolean} whether a text is nothing but such places */
export function isPlaceholder(text) {
  if (!text.includes(constants.SIGN) || length(text) > constants.MAX_CHARS) return false;
  const chars = length(text) - length(text.replaceAll(PLACEHOLDER, ""));
  return chars >= constants.MIN_SHARE * length(text);
}

/** @param {Block} block @returns {boolean} whether it is such a place, but for code */
export function isPlaceholderBlock({ tags, text }) {
  return isPlaceholder(text) && !tags.some((tag) => CODE_TAGS.has(tag));
}
