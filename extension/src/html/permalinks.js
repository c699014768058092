/**
 * Signs beside headings, terms and captions that link to what they stand in, and links from a heading to the page's
 * begin.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, pattern, slice } from "../python.js";
import { HEADING_TAGS } from "../page.js";
import { elementsOf, tagOf, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.permalinks"];
const PERMALINK = pattern(constants.PERMALINK);
const WORD = pattern(constants.WORD);
const ZERO_WIDTH = new RegExp(`[${tables["html.invisible"].ZERO_WIDTH}]`);
const TEXT = fullPattern(constants.TEXT);
const SIGN_TEXT = fullPattern(constants.SIGN_TEXT);
const DIGIT_AFTER = pattern(constants.DIGIT_AFTER);
const TOP = fullPattern(constants.TOP);
const TOP_ADDRESS = fullPattern(constants.TOP_ADDRESS);

/** @param {string} source of a page @returns {boolean} whether it can have such links */
export function mayHavePermalinks(source) {
  return ZERO_WIDTH.test(source) || constants.SIGNS.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} a reading of nothing for each sign that links to its heading, term or caption
 */
export function permalinksOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  const lookedAt = new Set();
  for (const heading of elements) {
    if (isSignOutside(heading)) found.set(heading, LEFT_OUT);
    // One that was looked at is in another heading.
    if (!HEADING_TAGS.has(tagOf(heading)) || lookedAt.has(heading)) continue;
    for (const element of elementsOf(heading)) {
      lookedAt.add(element);
      if (element !== heading && isSign(element)) found.set(element, LEFT_OUT);
    }
  }
  return found;
}

/** @param {Element} element @returns {boolean} whether it is a sign in a term, a caption or a text, by its class */
function isSignOutside(element) {
  if (tagOf(element) !== "a" || !element.getAttribute("href")?.startsWith(constants.HERE)) return false;
  const classes = element.getAttribute("class")?.toLowerCase() ?? "";
  const read = slice(classes, 0, constants.MAX_CLASS_CHARS);
  if (!constants.SIGN_NAMES.some((name) => read.includes(name)) || classes.includes(constants.NOTE)) return false;
  return !DIGIT_AFTER.test(textBehind(element)) && SIGN_TEXT.test(textOf(element));
}

/** @param {Element} element */
function isSign(element) {
  if (!constants.LINKS.includes(tagOf(element))) return false;
  const named = ["class", "title", "aria-label", "rel"].map((name) => element.getAttribute(name) ?? "");
  const isNamed = PERMALINK.test(named.join(" "));
  const isButton = tagOf(element) === constants.BUTTON;
  const address = element.getAttribute("href") ?? "";
  if (!isNamed && !isButton && !address.startsWith(constants.HERE)) return false;
  const text = textOf(element);
  if (!WORD.test(text)) return isNamed || !isButton;
  if (isNamed && TEXT.test(text)) return true;
  const says = isButton ? TEXT.test(text) : TOP_ADDRESS.test(address) && TOP.test(text);
  return says && isBesideWords(element, text);
}

/** @param {Element} element @returns {string} */
function textOf(element) {
  return textsIn(element, constants.MAX_TEXTS).map((part) => slice(part, 0, constants.MAX_TEXT_CHARS)).join("");
}

/**
 * @param {Element} element
 * @param {string} text
 * @returns {boolean} whether the heading around it has more than this text of it, and no bracket that ends behind it
 */
function isBesideWords(element, text) {
  const heading = element.parentElement?.closest([...HEADING_TAGS].join(","));
  if (!heading || textBehind(element).trimStart().startsWith("]")) return false;
  return WORD.test(textOf(heading).replace(text, () => ""));
}
