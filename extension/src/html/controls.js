/**
 * Controls that are no words of what they stand in: the signs that open an accordion or sort a table, a number in an
 * item of a numbered list that repeats the item's own, and words beside a picture that show or hide its caption.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, isSpace, pattern, slice, split, strip } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.controls"];
const { EXPANDED, HEAD, HIDDEN, ITEM, LIST, MAX_CLASS_CHARS, MAX_ELEMENTS, MAX_LEVELS, MAX_TEXTS, SUMMARY } =
  constants;
const OPENERS = new Set(constants.OPENERS);
const SIGN_TAGS = new Set(constants.SIGN_TAGS);
const SIGN = fullPattern(constants.SIGN);
const SIGN_NAME = pattern(constants.SIGN_NAME);
const SORT_SIGNS = fullPattern(constants.SORT_SIGNS);
const START = fullPattern(constants.START);
const NUMBER = fullPattern(constants.NUMBER);
const NUMBER_NAME = pattern(constants.NUMBER_NAME);
const WORD = pattern(constants.WORD);

/** @param {string} source of a page @returns {boolean} whether it can have such controls */
export function mayHaveControls(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} a reading of nothing for each of these signs, numbers and words */
export function controlsOf(elements) {
  const found = elements.flatMap((element) => [
    ...(isNamedByWords(element) ? [element] : []),
    ...(isOpener(element) ? openingSigns(element) : []),
    ...(tagOf(element) === HEAD ? sortersIn(element) : []),
    ...(tagOf(element) === LIST ? numbersIn(element) : []),
  ]);
  return new Map(found.map((one) => [one, LEFT_OUT]));
}

/** @param {Element} element @returns {boolean} whether its words are those of its class */
function isNamedByWords(element) {
  const names = split(namesOf(element).toLowerCase()).filter((name) => constants.NAMED_BY_WORDS.includes(name));
  if (!names.length) return false;
  return names.includes(strip(textsIn(element, MAX_TEXTS).join("")).toLowerCase().replaceAll(" ", "-"));
}

/** @param {Element} element @returns {boolean} whether it opens a part of the page */
function isOpener(element) {
  if (tagOf(element) === SUMMARY || element.hasAttribute(EXPANDED)) return true;
  return OPENERS.has(tagOf(element)) && constants.ACCORDION.some((name) => namesOf(element).toLowerCase().includes(name));
}

/** @param {Element} opener @returns {Element[]} the signs in it, if they are beside words */
function openingSigns(opener) {
  const signs = firstElementsIn(opener, MAX_ELEMENTS).slice(1).filter((one) => SIGN_TAGS.has(tagOf(one)) && isOpeningSign(one));
  return signs.length && hasWords(opener) ? signs : [];
}

/** @param {Element} element */
function isOpeningSign(element) {
  if (!SIGN.test(onlyText(element))) return false;
  return element.getAttribute(HIDDEN) === "true" || SIGN_NAME.test(namesOf(element));
}

/** @param {Element} head of a column @returns {Element[]} the signs in it that sort the table, beside words */
function sortersIn(head) {
  return firstElementsIn(head, MAX_ELEMENTS).slice(1).filter((one) => {
    const isNamed = namesOf(one).toLowerCase().includes(constants.SORT);
    const isControl = tagOf(one) === constants.BUTTON || (isNamed && (tagOf(one) === "a" || SIGN_TAGS.has(tagOf(one))));
    return isControl && SORT_SIGNS.test(onlyText(one)) && hasWords(head);
  });
}

/** @param {Element} list @returns {Element[]} the elements with the numbers of all its items; [] if one has another */
function numbersIn(list) {
  const start = list.getAttribute("start") || "1";
  if (list.hasAttribute("reversed") || !START.test(start)) return [];
  const found = [];
  let number = Number(start);
  for (const item of list.children) {
    if (tagOf(item) !== ITEM) continue;
    const first = firstIn(item);
    const digits = first && leadingText(first).match(NUMBER);
    if (!first || !digits || Number(digits[1]) !== number || item.hasAttribute("value")) return [];
    found.push(first);
    number++;
  }
  return found;
}

/**
 * @param {Element} item
 * @returns {Element | null} the first element in it that holds no other, if another one follows it, no text is before
 *   it or between, and its class is one of a number
 */
function firstIn(item) {
  let element = item;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const inner = element.firstElementChild;
    if (!inner || !isBlank(leadingText(element))) return null;
    if (!inner.firstElementChild) {
      const isApart = isBlank(textBehind(inner)) && inner.nextElementSibling;
      return isApart && NUMBER_NAME.test(namesOf(inner)) ? inner : null;
    }
    element = inner;
  }
  return null;
}

/** @param {string} text */
function isBlank(text) {
  return !text || isSpace(text);
}

/** @param {Element} element @returns {string} its class */
function namesOf(element) {
  return slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS);
}

/** @param {Element} element @returns {string} its text if it holds nothing else, else "" */
function onlyText(element) {
  return element.firstElementChild ? "" : leadingText(element);
}

/** @param {Element} element */
function hasWords(element) {
  return textsIn(element, MAX_TEXTS).some((text) => WORD.test(text));
}
