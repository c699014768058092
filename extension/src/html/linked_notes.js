/** Which elements of a page are notes and sources, and the places that link to them. */

import tables from "../tables.json" with { type: "json" };
import { length, pattern, strip } from "../python.js";
import { INLINE, tagOf, textsIn } from "./dom.js";
import { noteOf } from "./note_links.js";
import { elementsByName, linksInto } from "./page_names.js";

/** @import { Readings } from "./reading.js" */
/** @typedef {{note: Element, around: Element[]}} LinkedNote A note, and a link to it with the elements around it. */

const { NOTE } = tables.markup;
const { SIDE_NOTE } = tables["html.reading"];
const constants = tables["html.linked_notes"];
const { MAX_AROUND, MAX_CHARS, MAX_LEVELS, MAX_PARTS } = constants;
const SOURCES = pattern(constants.SOURCES);
const DIGIT = pattern(constants.DIGIT);

/**
 * @param {Element[]} elements of a page
 * @param {Readings} readings what is read of marks and notes
 * @param {string} source
 * @returns {LinkedNote[]} the notes and sources of the page, with the links to them
 */
export function linkedNotes(elements, readings, source) {
  const pairs = marked(readings);
  const marks = new Set(pairs.map(([link]) => link));
  if (mayHaveSources(source)) pairs.push(...sourcesOf(elements, marks));
  return pairs.map(([link, note]) => ({ note, around: aroundOf(link) }));
}

/** @param {string} source of a page @returns {boolean} whether it can have sources that links lead to */
export function mayHaveSources(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Readings} readings @returns {[Element, Element][]} the marks that are read, each with its note */
function marked(readings) {
  const notes = new Map([...readings].flatMap(([e, { label, tag }]) => (label && tag !== SIDE_NOTE ? [[label, e]] : [])));
  return [...readings].flatMap(([element, { marks, text }]) => {
    const note = marks & NOTE && text ? notes.get(strip(text).slice(1, -1)) : undefined;
    return note ? [/** @type {[Element, Element]} */ ([element, note])] : [];
  });
}

/**
 * @param {Element[]} elements
 * @param {Set<Element>} marks
 * @returns {[Element, Element][]} the other links to sources of the page, each with its source, if one is numbered
 */
function sourcesOf(elements, marks) {
  const links = [...linksInto(elements)].filter(([link, name]) => name && !marks.has(link));
  const names = new Set(links.map(([, name]) => name));
  if (![...names].some((name) => DIGIT.test(name))) return [];
  const named = elementsByName(elements, names);
  const known = new Map([...named].map(([name, element]) => [name, isSource(element) ? noteOf(element) : null]));
  return links.flatMap(([link, name]) => {
    const note = known.get(name);
    return note && isShort(link) && !note.contains(link) ? [/** @type {[Element, Element]} */ ([link, note])] : [];
  });
}

/** @param {Element} element @returns {boolean} whether the class, id or role of it, or of one around it, names sources */
function isSource(element) {
  const words = [];
  let one = /** @type {Element | null} */ (element);
  for (let level = 0; one && level <= MAX_LEVELS; level++) {
    for (const key of ["class", "id", "role"]) words.push(one.getAttribute(key) ?? "");
    one = one.parentElement;
  }
  return SOURCES.test(words.join(" "));
}

/** @param {Element} link */
function isShort(link) {
  const text = strip(textsIn(link, MAX_PARTS).join(""));
  return text !== "" && length(text) <= MAX_CHARS;
}

/** @param {Element} link @returns {Element[]} it and the elements around it, up to the first that is not inline */
function aroundOf(link) {
  const found = [link];
  for (let above = link.parentElement; above && found.length <= MAX_AROUND; above = above.parentElement) {
    found.push(above);
    if (!INLINE.has(tagOf(above))) break;
  }
  return found;
}
