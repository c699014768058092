/**
 * What a page raises, lowers or stacks by styles and classes instead of tags: superscripts, subscripts, and
 * fractions whose sign only screen readers get.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, length, pattern, slice, split, strip } from "../python.js";
import { firstElementsIn, tagOf, textBefore, textBehind, textNodesIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.raising"];
const { MAX_CHARS, MAX_ELEMENTS, MAX_LEVELS, MAX_VALUE, SIGN } = constants;
const CLASSES = new Map(Object.entries(constants.CLASSES));
const SUPER = pattern(constants.SUPER);
const STYLE = pattern(constants.STYLE);
const RULE = pattern(constants.RULE, "g");
const TAGS = new Set(constants.TAGS);
const { STACK_CLASS } = constants;
const INLINE = new Set(constants.INLINE);
const SCRIPT = fullPattern(constants.SCRIPT);
const LOWERED = fullPattern(constants.LOWERED);
const BESIDE = fullPattern(constants.BESIDE);
const FRACTIONS = new Set(constants.FRACTIONS);
const NUMERATORS = new Set(constants.NUMERATORS);
const DENOMINATORS = new Set(constants.DENOMINATORS);
const SIMPLE = fullPattern(constants.SIMPLE);
const UNSEEN = /[ \u00a0\u2060\u200b\u2009\u202f\t\n\r]/g;
const DECIMAL = /^\p{Nd}+$/u;
const BEGINS_WITH_LETTER = /^\p{L}/u;
const ENDS_WITH_WORD = /[\p{L}\p{N}]$/u;
const SCRIPTS = new Set(["sup", "sub"]);

/** @param {string} source of a page @returns {boolean} whether it can have texts that a class or style raises */
export function mayHaveRaised(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {string} source of a page @returns {boolean} whether it can have fractions and the like */
export function mayHaveStacked(source) {
  const has = (/** @type {string} */ sign) => source.includes(sign);
  return constants.STACK_SIGNS.some(has) || constants.STACK_TAGS.every(has);
}

/** @param {Element} element @returns {boolean} whether its own class or style raises it */
export function isRaised(element) {
  const classes = classesOf(element);
  return classes.includes("sup") || classes.includes("superscript") || SUPER.test(styleOf(element));
}

/** @param {Element} element */
function classesOf(element) {
  return split((element.getAttribute("class") ?? "").toLowerCase());
}

/** @param {Element} element */
function styleOf(element) {
  return slice(element.getAttribute("style") ?? "", 0, MAX_VALUE);
}

/**
 * @param {Element[]} elements of a page
 * @param {string} source
 * @returns {Readings} the readings of elements that count as `<sup>` or `<sub>` by class or style
 */
export function raisedOf(elements, source) {
  const rules = [...source.matchAll(RULE)].map(([, name, tag]) => [name, tag === "super" ? "sup" : "sub"]);
  const names = new Map([...CLASSES, .../** @type {[string, string][]} */ (rules)]);
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    if (!TAGS.has(tagOf(element))) continue;
    const tag = scriptOf(element, names);
    if (tag && isFree(element, found)) found.set(element, { text: null, marks: 0, tag, label: "" });
  }
  return found;
}

/**
 * @param {Element} element
 * @param {Map<string, string>} names tags by classes
 * @returns {string} `sup` or `sub` for a short text that is raised or lowered; "" for others
 */
function scriptOf(element, names) {
  const style = STYLE.exec(styleOf(element));
  const named = classesOf(element).find((name) => names.has(name));
  if (!style && named === undefined) return "";
  const text = textOf(element);
  if (!SCRIPT.test(text) || !isBesideText(element, text)) return "";
  if (style) return style[1].toLowerCase() === "super" ? "sup" : "sub";
  const tag = names.get(named ?? "") ?? "";
  return tag === "sup" || LOWERED.test(text) ? tag : "";
}

/**
 * @param {Element} element
 * @param {Readings} found
 * @returns {boolean} whether nothing in and around it is raised or lowered already
 */
function isFree(element, found) {
  const inside = firstElementsIn(element, MAX_ELEMENTS + 1).slice(1);
  if (!inside.every((inner) => TAGS.has(tagOf(inner)))) return false;
  let above = element.parentElement;
  for (let level = 0; level < MAX_LEVELS && above && INLINE.has(tagOf(above)); level++) {
    if (found.has(above) || SCRIPTS.has(tagOf(above))) return false;
    above = above.parentElement;
  }
  return true;
}

/** @param {Element} element @returns {string} its text, or so much of it that it is too long */
function textOf(element) {
  let text = "";
  for (const node of textNodesIn(element)) {
    text += node.data;
    if (length(text) > MAX_CHARS) break;
  }
  return strip(text);
}

/** @param {Element} element @param {string} text of it @returns {boolean} whether a text stands directly beside it */
function isBesideText(element, text) {
  const before = strip(charBefore(element));
  if (before) return BESIDE.test(before);
  return DECIMAL.test(text) && BEGINS_WITH_LETTER.test(textBehind(element));
}

/** @param {Element} element @returns {string} the character before it in its line; "" for none */
function charBefore(element) {
  let place = element;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const text = textBefore(place);
    if (text) return lastOf(text);
    const before = place.previousElementSibling;
    if (before) return INLINE.has(tagOf(before)) ? lastOf(before.textContent ?? "") : "";
    const parent = place.parentElement;
    if (!parent || !INLINE.has(tagOf(parent))) return "";
    place = parent;
  }
  return "";
}

/** @param {string} text @returns {string} its last character */
function lastOf(text) {
  return [...text.slice(-2)].at(-1) ?? "";
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} what is read of fractions, and of the line breaks between a superscript and the
 *   subscript below it
 */
export function stackedOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    if (!INLINE.has(tagOf(element)) || !classesOf(element).some((name) => FRACTIONS.has(name))) continue;
    let above = element.parentElement;
    for (let level = 1; level < MAX_LEVELS && above && !found.has(above); level++) above = above.parentElement;
    const text = above && found.has(above) ? "" : fractionOf(element);
    if (text) found.set(element, { ...LEFT_OUT, text });
  }
  for (const element of elements) {
    if (!classesOf(element).includes(STACK_CLASS)) continue;
    const scripts = element.children.length === 2 ? [...element.children] : [];
    for (const [i, one] of scripts.entries()) {
      if (TAGS.has(tagOf(one)) && textOf(one)) found.set(one, { ...LEFT_OUT, text: null, tag: i ? "sub" : "sup" });
    }
  }
  for (const element of elements) {
    if (tagOf(element) === "br" && isBetweenScripts(element)) found.set(element, LEFT_OUT);
  }
  return found;
}

/** @param {Element} lineBreak */
function isBetweenScripts(lineBreak) {
  const above = lineBreak.previousElementSibling;
  const below = lineBreak.nextElementSibling;
  if (!above || !below || strip(textBehind(above)) || strip(textBehind(lineBreak))) return false;
  return ["sup sub", "sub sup"].includes(`${tagOf(above)} ${tagOf(below)}`);
}

/** @param {Element} element @returns {string} a fraction in one line; "" if it is none, or superscripts write it */
function fractionOf(element) {
  const inside = firstElementsIn(element, MAX_ELEMENTS + 2).slice(1);
  if (inside.length > MAX_ELEMENTS || !inside.every((inner) => INLINE.has(tagOf(inner)))) return "";
  const numerator = namedIn(inside, NUMERATORS, "sup");
  const denominator = namedIn(inside, DENOMINATORS, "sub");
  if (!numerator || !denominator || inside.every((inner) => SCRIPTS.has(tagOf(inner)))) return "";
  if (inside.some((inner) => SCRIPTS.has(tagOf(inner)) && inner !== numerator && inner !== denominator)) return "";
  const outside = ["", "", ""]; // before, between and behind both
  let place = 0;
  for (const node of textNodesIn(element)) {
    if (numerator.contains(node)) place = 1;
    else if (denominator.contains(node)) place = 2;
    else outside[place] += node.data.replace(UNSEEN, "");
  }
  const whole = outside[0].replace(/\++$/, "");
  const sign = outside[1].includes(SIGN) ? SIGN : "/";
  const spaced = /^\p{Nd}$/u.test(charBefore(element)) ? " " : "";
  const fraction = [numerator, denominator].map(termOf).join(sign);
  return `${spaced}${whole}${ENDS_WITH_WORD.test(whole) ? "+" : ""}${fraction}${outside[2]}`;
}

/**
 * @param {Element[]} elements
 * @param {Set<string>} classes
 * @param {string} tag
 * @returns {Element | undefined} the first one of one of these classes, else of this tag
 */
function namedIn(elements, classes, tag) {
  const named = elements.find((one) => classesOf(one).some((name) => classes.has(name)));
  return named ?? elements.find((one) => tagOf(one) === tag);
}

/** @param {Element} element @returns {string} its text, in parentheses if it has several terms */
function termOf(element) {
  const text = textOf(element).replace(UNSEEN, "");
  return SIMPLE.test(text) ? text : `(${text})`;
}
