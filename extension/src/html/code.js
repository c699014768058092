/** Code: its programming language, and what stands beside it, such as the numbers of its lines. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, length, pattern, slice, split, strip } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textsIn } from "./dom.js";
import { linesOf, TOKEN_TAGS } from "./preformatted.js";
import { LEFT_OUT, READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.code"];
const { LANGUAGE_LEVELS, MAX_CLASS_CHARS, MAX_CODE_ELEMENTS, MAX_LABEL_CHARS, MAX_LANGUAGE_CHARS, MAX_LINES } = constants;
const { DIFF, DIFF_OF, LABEL_CLASS, LINE_LANGUAGE, MANY_SHORT, SHORT } = constants;
const LANGUAGE = pattern(constants.LANGUAGE, "g");
const NAME = fullPattern(constants.NAME);
const PREFIX = pattern(constants.PREFIX, "g");
const GUTTER = pattern(constants.GUTTER);
const UNSELECTABLE = pattern(constants.UNSELECTABLE);
const LINE_NUMBERS = fullPattern(constants.LINE_NUMBERS);
export const TOOLBAR = pattern(constants.TOOLBAR);
const HIDDEN = pattern(constants.HIDDEN);
const ALIASES = new Map(Object.entries(constants.ALIASES));
const KNOWN = new Set(constants.KNOWN_LANGUAGES);
const OUTERMOST = new Set(constants.OUTERMOST);
/** Words that name no programming language. */
const OTHERS = new Set([...constants.NO_LANGUAGES, ...constants.SPOKEN]);

/** @param {string} source of a page @returns {boolean} whether it can have code with numbers of lines or buttons */
export function mayHaveGutters(source) {
  return source.includes("<pre") && constants.GUTTER_SIGNS.some((sign) => source.includes(sign));
}

/** @param {string} source of a page @returns {boolean} whether it can have code */
export function mayHaveCode(source) {
  return source.includes(constants.MAY_BE);
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} those of elements in `<pre>` that are lines, though their tag is none, and of those that are
 *   in a line, though their tag is unknown
 */
export function codeLinesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const tag = tagOf(element);
    for (const line of tag === "pre" ? linesOf(element) : []) found.set(line, { ...READ_INSIDE, tag: "div" });
    if (TOKEN_TAGS.has(tag)) found.set(element, { ...READ_INSIDE, tag: "span" });
  }
  return found;
}

/**
 * @param {Element[]} elements of a page
 * @param {Readings} listings of the elements that are code as a `<pre>` is
 * @returns {Readings} a reading of nothing for numbers of lines, and for buttons and labels in code
 */
export function guttersOf(elements, listings) {
  /** @type {Readings} */
  const found = new Map();
  /** @type {Set<Element | null>} */
  const inCode = new Set();
  for (const element of elements) {
    const parent = element.parentElement;
    const isIn = inCode.has(parent);
    if (parent && found.has(parent)) {
      found.set(element, LEFT_OUT);
      continue;
    }
    const isPre = tagOf(element) === "pre" || listings.has(element);
    if (isPre || isIn) inCode.add(element);
    if (!isPre && isBeside(element, isIn)) found.set(element, LEFT_OUT);
  }
  return found;
}

/**
 * @param {Element} element
 * @param {boolean} inCode
 * @returns {boolean} whether it holds numbers of lines, or a button or label of code
 */
function isBeside(element, inCode) {
  if (inCode && tagOf(element) === "button") return true;
  const classes = classesOf(element);
  if (inCode && (HIDDEN.test(classes) || isError(element, classes))) return true;
  const style = (inCode && element.getAttribute("style")) || "";
  if (namesGutter(classes) || (inCode && UNSELECTABLE.test(`${classes} ${style}`))) {
    return LINE_NUMBERS.test(textsIn(element, MAX_LINES).join(""));
  }
  if (!inCode || !TOOLBAR.test(classes)) return false;
  return length(textsIn(element, MAX_CODE_ELEMENTS).map(strip).join(" ")) <= MAX_LABEL_CHARS;
}

/**
 * @param {Element} element
 * @param {string} classes
 * @returns {boolean} whether it is an error that a compiler reported of the code
 */
function isError(element, classes) {
  return classes === constants.ERROR && element.lastElementChild?.getAttribute("class") === constants.ERROR_NUMBER;
}

/** @param {string} classes @returns {boolean} whether one is a class of the numbers of lines */
export function namesGutter(classes) {
  return GUTTER.test(classes);
}

/** @param {Element} element @returns {string} the beginning of its classes */
export function classesOf(element) {
  return slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS);
}

/**
 * @param {Element} pre
 * @returns {string} the programming language that a `<pre>`, a `<code>` in it or an element around it
 *   names, or ""
 */
export function languageOf(pre) {
  const inside = firstElementsIn(pre, MAX_CODE_ELEMENTS);
  const codes = inside.filter((element) => tagOf(element) === "code" || element.getAttribute(LINE_LANGUAGE));
  const own = [pre, ...codes];
  const names = own.map((element) => languageNamedBy(element, true)).filter(Boolean);
  if (names.length) return names.includes(DIFF) ? DIFF : names[0];
  const labels = inside.filter((element) => element.getAttribute("class") === LABEL_CLASS);
  const label = labels.map((element) => strip(leadingText(element))).find((text) => NAME.test(text));
  if (label) return label.toLowerCase();
  let above = pre.parentElement;
  for (let level = 0; level < LANGUAGE_LEVELS && above && !OUTERMOST.has(tagOf(above)); level++) {
    const name = languageNamedBy(above, ["code", "figure"].includes(tagOf(above)));
    if (name) return name;
    above = above.parentElement;
  }
  return "";
}

/**
 * @param {Element} element
 * @param {boolean} isOwn whether it is the code itself
 * @returns {string} the first language that it names, or ""
 */
export function languageNamedBy(element, isOwn) {
  const names = [...constants.ATTRIBUTES, ...(["pre", "code"].includes(tagOf(element)) ? ["lang"] : [])];
  const found = names.map((name) => strip(element.getAttribute(name) ?? "")).filter((name) => NAME.test(name));
  const classes = classesOf(element);
  const stated = `${classes} ${slice(element.getAttribute(constants.PARAMETERS) ?? "", 0, MAX_CLASS_CHARS)}`;
  for (const [, ...groups] of stated.matchAll(LANGUAGE)) found.push(...groups.filter(Boolean));
  if (isOwn) {
    const words = split(classes);
    const countsShort = words.filter((word) => length(word) <= SHORT).length < MANY_SHORT;
    found.push(...words.filter((word) => KNOWN.has(word.toLowerCase()) && (countsShort || length(word) > SHORT)));
  }
  const lower = found.map((name) => name.replace(PREFIX, "").toLowerCase());
  const plain = lower.map((name) => (name.startsWith(DIFF_OF) ? DIFF : (ALIASES.get(name) ?? name)));
  return (plain.find((name) => name && !OTHERS.has(name)) ?? "").slice(0, MAX_LANGUAGE_CHARS);
}
