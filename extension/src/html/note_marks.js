/**
 * The links that are marks of notes: by their texts, their classes and their targets, or since a link leads
 * back to them.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, length, pattern, setDefault, slice, strip } from "../python.js";
import { tagOf, textsIn } from "./dom.js";
import { elementsByName } from "./page_names.js";
import { isRaised } from "./raising.js";

/** @typedef {{link: Element, name: string, label: string, isPerhaps: boolean}} NoteMark A link that is a note mark, its target and its label; whether it is one only if its note repeats it. */

const constants = tables["html.note_marks"];
const { MARK_CLASS, MAX_GROUP_CHARS } = constants;
export const { MAX_LABEL_CHARS, MAX_PARTS } = constants;
export const MARK = fullPattern(constants.MARK);
export const BACK = pattern(constants.BACK);
const ARROWS = fullPattern(constants.ARROWS);
const BRACKETED = fullPattern(constants.BRACKETED);
const FRAGMENT = fullPattern(constants.FRAGMENT);
const GROUP = fullPattern(constants.GROUP);
const NAMED = pattern(constants.NAMED);

/**
 * A mark whose target is not there leads to the link that leads back to it, if there is one.
 *
 * @param {[Element, string][]} links into a page, in order, each with the name of its target
 * @param {Element[]} elements of the page
 * @returns {{marks: NoteMark[], named: Map<string, Element>}} the note marks, and the elements that they lead to
 */
export function marksAmong(links, elements) {
  const backs = linksBack(links);
  const every = links.flatMap(([link, name]) => marksOf(link, name, backs));
  if (!every.length) return { marks: [], named: new Map() };
  const named = elementsByName(elements, new Set(every.map(({ name }) => name)));
  for (const { link, name } of every) {
    const back = backs.get(link);
    if (back && !named.has(name)) named.set(name, back);
  }
  return { marks: withoutLists(every.filter((mark) => !mark.isPerhaps || isRepeated(mark, named))), named };
}

/**
 * @param {[Element, string][]} links
 * @returns {Map<Element, Element>} per link the one with the same text that leads to it: a later one, or its target
 */
function linksBack(links) {
  const order = new Map(links.map(([link], place) => [link, place]));
  const last = new Map(links.map(([link, name]) => [name, link]));
  const pairs = new Map(links.map(([link, name]) => [`${ownName(link)}\n${name}`, link]));
  const found = new Map();
  for (const [link, name] of links) {
    const own = ownName(link);
    const back = pairs.get(`${name}\n${own}`) ?? (own ? last.get(own) : undefined);
    if (!back || back === link || textOf(back) !== textOf(link)) continue;
    if (ownName(back) === name || (order.get(back) ?? 0) > (order.get(link) ?? 0)) found.set(link, back);
  }
  return found;
}

/** @param {NoteMark[]} marks @returns {NoteMark[]} those but several of one target, which is a list of notes */
function withoutLists(marks) {
  /** @type {Map<string, Set<string>>} */
  const shown = new Map();
  for (const { name, label } of marks) setDefault(shown, name, new Set()).add(label.toLowerCase());
  return marks.filter(({ name }) => shown.get(name)?.size === 1);
}

/**
 * @param {NoteMark} mark
 * @param {Map<string, Element>} named
 * @returns {boolean} whether its note begins with the same text
 */
function isRepeated({ link, name }, named) {
  const note = named.get(name);
  return note !== undefined && textOf(note).startsWith(textOf(link));
}

/** @param {Element} link */
function ownName(link) {
  return link.getAttribute("name") || link.getAttribute("id") || "";
}

/**
 * @param {Element} link
 * @param {string} name its target
 * @param {Map<Element, Element>} backs per mark the link that leads back to it
 * @returns {NoteMark[]} the mark that it is; [] if it is none
 */
function marksOf(link, name, backs) {
  const text = name ? textOf(link) : "";
  if (!text || length(text) > MAX_GROUP_CHARS) return [];
  const around = [link, link.parentElement, link.firstElementChild].filter((element) => element !== null);
  const isSuper = around.some((element) => tagOf(element) === "sup" || isRaised(element));
  const match = (length(text) <= MAX_LABEL_CHARS ? MARK.exec(text) : null) ?? (isSuper ? GROUP.exec(text) : null);
  if (!match || isBack(link)) return [];
  const keys = ["class", "role", "rel", "epub:type"];
  const words = around.flatMap((one) => keys.map((key) => one.getAttribute(key) ?? ""));
  const mark = { link, name, label: match[1], isPerhaps: false };
  if (isSuper || NAMED.test(words.join(" ")) || FRAGMENT.test(name)) return [mark];
  return BRACKETED.test(text) ? [{ ...mark, isPerhaps: !backs.has(link) }] : [];
}

/** @param {Element} link @returns {boolean} whether it leads back to a mark, by its name or as an arrow */
export function isBack(link) {
  if ((link.getAttribute("class") ?? "").includes(MARK_CLASS)) return false;
  const names = ["class", "role", "rev"].map((name) => link.getAttribute(name) ?? "");
  names.push(link.parentElement?.getAttribute("class") ?? "");
  return BACK.test(names.join(" ")) || ARROWS.test(textOf(link));
}

/** @param {Element} element @returns {string} the beginning of its text */
export function textOf(element) {
  const parts = textsIn(element, MAX_PARTS);
  return strip(parts.map((part) => slice(part, 0, 4 * MAX_LABEL_CHARS)).join(""));
}
