/**
 * Empty elements in a heading for which a style sheet writes a sign between names, as in
 * `<a>Soup</a><span class="sep"></span>Logger`. The title of the page tells which sign; if it does not, a space keeps
 * the names apart.
 */

import tables from "../tables.json" with { type: "json" };
import { HEADING_TAGS } from "../page.js";
import { collapsed, pattern, slice } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBehind } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.heading_separators"];
const { MAX_CLASS_CHARS, MAX_ELEMENTS, MAX_LEVELS, MAX_NAME_CHARS, MAX_TITLE_CHARS, NAMES, SPACE } = constants;
const PATTERN = pattern(constants.PATTERN);
const TAGS = new Set(constants.TAGS);
const BEFORE = pattern(constants.BEFORE);
const AFTER = pattern({ ...constants.AFTER, pattern: `\\A(?:${constants.AFTER.pattern})` });
const SIGN = pattern({ ...constants.SIGN, pattern: `\\A(?:${constants.SIGN.pattern})` });

/** @param {string} source of a page @returns {boolean} whether it can have such elements */
export function mayHaveSeparators(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} the sign of each of these elements */
export function separatorsOf(elements) {
  /** @type {Set<Element>} */
  const headings = new Set();
  for (const element of elements.filter(isSeparator)) {
    let above = element.parentElement;
    for (let level = 0; above && level < MAX_LEVELS; level++, above = above.parentElement) {
      if (HEADING_TAGS.has(tagOf(above))) headings.add(above);
    }
  }
  if (!headings.size) return new Map();
  const titled = elements.find((element) => tagOf(element) === "title");
  const title = collapsed(slice(titled ? leadingText(titled) : "", 0, MAX_TITLE_CHARS));
  return new Map([...headings].flatMap((heading) => signsIn(heading, title)));
}

/** @param {Element} element @returns {boolean} whether it is empty and of such a class */
function isSeparator(element) {
  const classes = slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS);
  if (!NAMES.some((name) => classes.toLowerCase().includes(name)) || !PATTERN.test(classes)) return false;
  return TAGS.has(tagOf(element)) && !element.childElementCount && !leadingText(element);
}

/**
 * @param {Element} heading
 * @param {string} title of the page
 * @returns {[Element, import("./reading.js").Reading][]} the signs in a heading
 */
function signsIn(heading, title) {
  if (firstElementsIn(heading, MAX_ELEMENTS + 1).length > MAX_ELEMENTS) return [];
  /** @type {Element[]} */
  const separators = [];
  const texts = [""]; // before, between and behind them
  const add = (/** @type {Element} */ element) => {
    if (isSeparator(element)) {
      separators.push(element);
      texts.push("");
    } else {
      texts[texts.length - 1] += leadingText(element);
    }
    for (const child of element.children) {
      add(child);
      texts[texts.length - 1] += textBehind(child);
    }
  };
  add(heading);
  return separators.flatMap((separator, i) => {
    const [before, after] = [slice(texts[i], -MAX_NAME_CHARS), slice(texts[i + 1], 0, MAX_NAME_CHARS)];
    const sign = signBetween(before, after, title);
    return sign ? [/** @type {[Element, any]} */ ([separator, { ...LEFT_OUT, text: sign }])] : [];
  });
}

/**
 * @param {string} before
 * @param {string} after
 * @param {string} title of the page
 * @returns {string} the sign between two texts; "" if no words are to be kept apart
 */
function signBetween(before, after, title) {
  const name = BEFORE.exec(before)?.[0];
  const following = AFTER.exec(after)?.[0];
  if (!name || !following) return "";
  for (let place = title.indexOf(name); place >= 0; place = title.indexOf(name, place + name.length)) {
    const rest = title.slice(place + name.length);
    const sign = SIGN.exec(rest)?.[0];
    if (sign && rest.startsWith(following, sign.length)) return sign;
  }
  return SPACE;
}
