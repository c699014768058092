/**
 * Icons of fonts that draw a picture for the name of the icon, which stands in the page as a text:
 * `<i class="material-icons">directions_boat</i>`. The name is not read.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, pattern, slice, strip } from "../python.js";
import { leadingText, tagOf } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.icon_words"];
const TAGS = new Set(constants.TAGS);
const CLASS = pattern(constants.CLASS);
const NAME = fullPattern(constants.NAME);

/** @param {string} source of a page @returns {boolean} whether it can have such icons */
export function mayHaveIconWords(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} a reading of nothing for each icon */
export function iconWordsOf(elements) {
  return new Map(elements.filter(iconWord).map((icon) => [icon, LEFT_OUT]));
}

/** @param {Element} element @returns {string} the name of the icon that it is; "" if it is something else */
export function iconWord(element) {
  const classes = slice(element.getAttribute("class") ?? "", 0, constants.MAX_CLASS_CHARS);
  if (!TAGS.has(tagOf(element)) && !CLASS.test(classes)) return "";
  const text = element.children.length ? "" : leadingText(element);
  return NAME.test(text) ? strip(text) : "";
}
