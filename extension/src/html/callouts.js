/** Callouts: boxes such as a note, a tip or a warning, by the markup of documentation tools. */

import tables from "../tables.json" with { type: "json" };
import { length, pattern, slice, split, strip } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBehind, textsIn } from "./dom.js";
import { NOTHING } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.callouts"];
const { DATA, LEVELS, MAX_PARTS, MAX_SIGN_CHARS, MAX_TITLE_CHARS, MAX_TOKENS, NOTE, NO_CALLOUT } = constants;
const { MAX_ICON_PARTS, POST, POST_HEADER, STRONG } = constants;
const TAGS = new Set(constants.TAGS);
const KINDS = new Map(Object.entries(constants.KINDS));
const ROLES = new Map(Object.entries(constants.ROLES));
const WHOLE = new Map(Object.entries(constants.WHOLE));
const LABELS = new Map(Object.entries(constants.LABELS));
const OWN_KINDS = new Set(constants.OWN_KINDS);
const ALONE = new Set(constants.ALONE);
const DETAILS = new Set(constants.DETAILS);
const STATED = new Set(constants.STATED);
const SURE = new Set(constants.SURE);
const STYLES = new Set(constants.STYLES);
const WEAK = new Set(constants.WEAK);
const PARTS = new Set(constants.PARTS);
const TITLE_TAGS = new Set(constants.TITLE_TAGS);
const TITLE = pattern(constants.TITLE);
const INFOBOX = pattern(constants.INFOBOX, "g");
const NOT_ROLE = pattern(constants.NOT_ROLE);
const SPLIT = pattern(constants.SPLIT, "g");
const WORD = pattern(constants.WORD);
const LABEL = pattern(constants.LABEL, "y");
/** What stands around a label in brackets. */
const EDGES = /^[ [\]]+|[ [\]]+$/g;

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} those of callouts and of their titles, whose own texts are read
 */
export function calloutsOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  const reading = (/** @type {Element} */ element, /** @type {string} */ role) =>
    found.set(element, { ...NOTHING, text: null, tag: tagOf(element), role });
  for (const element of elements) {
    if (!TAGS.has(tagOf(element)) || found.has(element)) continue;
    const { isStated, isSure, kind, needsHeader } = named(element);
    if (!kind || (needsHeader && !hasHeader(element))) continue;
    const title = titleOf(element);
    const icon = iconOf(element);
    const own = labelsIn(title ?? element);
    const labels = own.length ? own : (icon?.kinds ?? []);
    const hasOwn = title !== null && isOwnTitle(title, element);
    if (!(isSure || needsHeader || labels.length || hasOwn) || (!title && isIn(element, found, kind))) continue;
    if (icon) found.set(icon.image, NOTHING);
    reading(element, `callout ${isStated || labels.includes(kind) ? kind : (labels[0] ?? kind)}`);
    if (title) reading(title, "title");
  }
  return found;
}

/**
 * @param {string} text
 * @returns {{kinds: string[], end: number}} the kinds that the label at its beginning may name, the usual one
 *   first, and where the text after the label begins, in code units; [] and 0 without one
 */
export function labelOf(text) {
  LABEL.lastIndex = 0;
  const match = LABEL.exec(slice(text, 0, MAX_TITLE_CHARS));
  const kinds = (match && LABELS.get(match[1].toLowerCase())) ?? [];
  return match && kinds.length ? { kinds, end: match[0].length } : { kinds: [], end: 0 };
}

/**
 * @param {Element} title
 * @param {Element} callout
 * @returns {boolean} whether the title makes a callout of an element, which a section with several headings is not
 */
function isOwnTitle(title, callout) {
  const names = title.getAttribute("class")?.includes("title") ?? false;
  return names && callout.querySelectorAll(constants.HEADINGS.join(",")).length <= constants.MAX_HEADINGS;
}

/**
 * @param {Element} element
 * @returns {{kind: string, isStated: boolean, isSure: boolean, needsHeader?: boolean}} the kind of callout that
 *   its attributes name, or ""; whether a title does not overrule it; whether it is a callout also without a
 *   title; whether it is one only with the header that Bulma writes
 */
function named(element) {
  const none = { kind: "", isStated: false, isSure: false };
  const tag = tagOf(element);
  const classValue = (element.getAttribute("class") ?? "").toLowerCase();
  const data = DATA.map((key) => (element.getAttribute(key) ?? "").toLowerCase()).filter(Boolean);
  const whole = WHOLE.get(strip(classValue));
  if (whole) return { kind: whole, isStated: false, isSure: true };
  const inClass = wordsIn(classValue);
  const { strong } = inClass;
  let { weak } = inClass;
  if (weak === NO_CALLOUT) return none;
  let words = [...data.filter((word) => KINDS.has(word)), ...inClass.words];
  if (KINDS.has(weak) && !words.length && !strong) [words, weak] = [[weak], ""]; // as in `class="hint"`
  const word = words.find((each) => STATED.has(each)) ?? words[0] ?? "";
  const stated = { kind: KINDS.get(word) ?? NOTE, isStated: STATED.has(word) };
  const role = (element.getAttribute("role") ?? "").toLowerCase();
  if (ROLES.has(role) && !NOT_ROLE.test(classValue)) {
    return { ...stated, kind: KINDS.get(word) ?? ROLES.get(role) ?? NOTE, isSure: true };
  }
  if (tag === "dl" && !(strong || split(classValue).includes("section"))) return none;
  if (strong || weak) {
    const isSure = SURE.has(strong) || (strong === "callout" && tag === "figure"); // as Notion has it
    const needsHeader = weak === POST && !word && !strong;
    return { ...stated, isSure: Boolean(word || (strong && data.length)) || isSure, needsHeader };
  }
  if ((word && tag === "dl") || (DETAILS.has(word) && tag === "details")) return { ...stated, isSure: true };
  if (!OWN_KINDS.has(word)) return none;
  const isAlone = strip(classValue) === word && ALONE.has(word);
  return { ...stated, isStated: false, isSure: tag === "aside" || isAlone };
}

/**
 * @param {string} classValue
 * @returns {{strong: string, weak: string, words: string[]}} the strong and the weak name of a callout in a class,
 *   and its words of kinds; of a part of a callout, the weak name is NO_CALLOUT
 */
function wordsIn(classValue) {
  let [strong, weak] = ["", ""];
  const [words, styled] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  for (const token of split(classValue).slice(0, MAX_TOKENS)) {
    const parts = token.replace(INFOBOX, "infobox-").split(SPLIT).filter(Boolean);
    const own = STRONG.find((name) => ` ${parts.join(" ")} `.includes(` ${name} `)) ?? "";
    const ownWeak = own ? "" : (parts.slice(0, 2).find((word) => WEAK.has(word)) ?? "");
    const rest = parts.filter((word) => word !== ownWeak && !own.split(" ").includes(word));
    if ((own || ownWeak) && rest.some((word) => PARTS.has(word))) return { strong: "", weak: NO_CALLOUT, words: [] };
    strong = strong || own;
    weak = weak || ownWeak;
    const isNamed = own || ownWeak || parts.length === 1 || parts[0] === "is";
    if (isNamed) words.push(...rest.filter((word) => KINDS.has(word)));
    else if (STYLES.has(parts[0])) styled.push(...rest.filter((word) => KINDS.has(word)));
  }
  return { strong, weak, words: strong || weak ? [...words, ...styled] : words };
}

/**
 * @param {Element} callout
 * @returns {Element | null} its title, if it has one before all other text; without one, the element of a sign
 *   such as an emoji
 */
function titleOf(callout) {
  let sign = null;
  for (const element of firstElementsIn(callout, MAX_PARTS).slice(1)) {
    const isHead = tagOf(element) === "th" && isOfTable(callout);
    const isNamed = TITLE.test(element.getAttribute("class") ?? "") || TITLE_TAGS.has(tagOf(element)) || isHead;
    const text = strip(textsIn(element, MAX_PARTS).join(""));
    if (isNamed && WORD.test(text)) return length(text) <= MAX_TITLE_CHARS ? element : null;
    if (!isNamed && WORD.test(leadingText(element))) return sign;
    if (WORD.test(textBehind(element))) return sign;
    if (!sign && text && !WORD.test(text) && length(text) <= MAX_SIGN_CHARS) sign = element;
  }
  return sign;
}

/** @param {Element} callout @returns {boolean} whether it is a table, as DocBook writes those with icons */
function isOfTable(callout) {
  return callout.children.length === 1 && callout.children[0].hasAttribute("summary");
}

/** @param {Element} callout @returns {boolean} whether it begins with a header as those of Bulma do */
function hasHeader(callout) {
  const [first] = callout.children;
  return first !== undefined && split(first.getAttribute("class") ?? "").includes(POST_HEADER);
}

/** @param {Element} callout @returns {{image: Element, kinds: string[]} | null} the image that is only its icon, and what it may name */
function iconOf(callout) {
  const image = firstElementsIn(callout, MAX_ICON_PARTS).slice(1).find((element) => tagOf(element) === "img");
  const { kinds } = labelOf((image?.getAttribute("alt") ?? "").replace(EDGES, ""));
  return image && kinds.length ? { image, kinds } : null;
}

/** @param {Element} element @returns {string[]} the kinds that the label of a title or of a callout may name */
function labelsIn(element) {
  const texts = textsIn(element, MAX_PARTS);
  const first = texts.map(strip).find((text) => WORD.test(text)) ?? "";
  const { kinds } = labelOf(texts.join("").trimStart());
  return kinds.length ? kinds : labelOf(first).kinds;
}

/**
 * @param {Element} element
 * @param {Readings} found
 * @param {string} kind
 * @returns {boolean} whether a callout of the same kind is near around it
 */
function isIn(element, found, kind) {
  let above = element.parentElement;
  for (let level = 0; above && level < LEVELS; level++, above = above.parentElement) {
    const reading = found.get(above);
    if (reading) return reading.role === `callout ${kind}`;
  }
  return false;
}
