/** The links between note marks and their notes: footnotes, endnotes and numbered references. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, length, pattern, setDefault, slice, split, strip } from "../python.js";
import { firstElementsIn, tagOf, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Reading, Readings } from "./reading.js" */
/** @typedef {{link: Element, name: string, label: string}} NoteMark A link that is a note mark, its target and its label. */

const { NOTE } = tables.markup;
const constants = tables["html.note_links"];
const { MAX_LABEL_CHARS, MAX_LEVELS, MAX_PARTS } = constants;
const LINK = pattern(constants.LINK);
const MARK = fullPattern(constants.MARK);
const NAMED = pattern(constants.NAMED);
const FRAGMENT = fullPattern(constants.FRAGMENT);
const BACK = pattern(constants.BACK);
const ARROWS = fullPattern(constants.ARROWS);
const INLINE = new Set(constants.INLINE);
const { HIDDEN_NOTE } = tables["html.reading"];
const NEVER_NOTES = new Set(constants.NEVER_NOTES);
const HEADINGS = new Set(constants.HEADINGS);
/** Elements that are no notes. */
const NO_NOTES = new Set([...constants.INLINE, ...constants.NO_NOTES, ...constants.HEADINGS]);
/** Elements of a note that are looked through. */
const MAX_ELEMENTS = 200;
const LETTERS_OR_DIGITS = /^[\p{L}\p{N}]+$/u;

/** @param {string} source of a page @returns {boolean} whether it can have marks that link to notes */
export function mayHaveNotes(source) {
  return constants.SIGNS.some((sign) => source.includes(sign)) && LINK.test(source);
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} what is read of note marks, of links back to them, and of the notes
 */
export function notesOf(elements) {
  const links = elements.filter((element) => tagOf(element) === "a");
  const every = links.flatMap(marksOf);
  /** @type {Readings} */
  const readings = new Map();
  if (!every.length) return readings;
  /** @type {Map<string, Set<string>>} */
  const shown = new Map();
  for (const { name, label } of every) setDefault(shown, name, new Set()).add(label.toLowerCase());
  const marks = every.filter(({ name }) => shown.get(name)?.size === 1); // others link to a list of notes
  const notes = notesByName(elements, new Set(marks.map(({ name }) => name)));
  /** @type {Map<Element, string>} */
  const labels = new Map();
  const used = new Set();
  /** @type {Set<string>} */
  const ownNames = new Set();
  for (const { link, name, label } of marks) {
    if (ownNames.has(name)) continue; // it leads from a note back to its mark
    const note = notes.get(name);
    if (!note || isIn(link, note)) continue;
    if (!labels.has(note)) labels.set(note, unusedLabel(label, used));
    for (const own of namesAround(link)) ownNames.add(own);
    readings.set(link, markReading(link, labels.get(note) ?? ""));
  }
  for (const link of links) {
    if (readings.has(link) || !ownNames.has(fragment(link))) continue;
    readings.set(aroundBack(link), backReading(link));
  }
  for (const [note, label] of labels) {
    const tag = hidesItself(note) ? HIDDEN_NOTE : tagOf(note);
    readings.set(note, { text: null, marks: 0, tag, label });
    const above = note.parentElement;
    if (above && !readings.has(above) && hidesItself(above)) {
      readings.set(above, { text: null, marks: 0, tag: HIDDEN_NOTE, label: "" });
    }
  }
  return readings;
}

/** @param {Element} element @returns {boolean} whether an attribute hides it, of which a script shows what is in it */
function hidesItself(element) {
  if (NEVER_NOTES.has(tagOf(element))) return false;
  const style = slice(element.getAttribute("style") ?? "", 0, 200);
  return element.hasAttribute("hidden") || style.includes("none") || element.getAttribute("aria-hidden") === "true";
}

/** @param {Element} link */
function fragment(link) {
  const href = strip(link.getAttribute("href") ?? "");
  return href.startsWith("#") ? href.slice(1) : "";
}

/** @param {Element} element */
function textOf(element) {
  const parts = textsIn(element, MAX_PARTS);
  return strip(parts.map((part) => slice(part, 0, 4 * MAX_LABEL_CHARS)).join(""));
}

/** @param {Element} link @returns {NoteMark[]} the mark that it is; [] if it is none */
function marksOf(link) {
  const name = fragment(link);
  const text = name ? textOf(link) : "";
  const match = length(text) <= MAX_LABEL_CHARS ? MARK.exec(text) : null;
  if (!match || isBack(link)) return [];
  const around = [link, link.parentElement, link.firstElementChild].filter((element) => element !== null);
  const words = around.flatMap((one) => ["class", "role", "rel"].map((key) => one.getAttribute(key) ?? ""));
  const isMark = around.some((element) => tagOf(element) === "sup") || NAMED.test(words.join(" "));
  return isMark || FRAGMENT.test(name) ? [{ link, name, label: match[1] }] : [];
}

/** @param {Element} link */
function isBack(link) {
  const names = ["class", "role", "rev"].map((name) => link.getAttribute(name) ?? "");
  names.push(link.parentElement?.getAttribute("class") ?? "");
  return BACK.test(names.join(" ")) || ARROWS.test(textOf(link));
}

/**
 * @param {Element[]} elements
 * @param {Set<string>} names
 * @returns {Map<string, Element | null>} the note of the first element of each id or name; null if it is none
 */
function notesByName(elements, names) {
  /** @type {Map<string, Element | null>} */
  const found = new Map();
  for (const element of elements) {
    for (const own of [element.getAttribute("id"), element.getAttribute("name")]) {
      if (own !== null && names.has(own) && !found.has(own)) found.set(own, noteOf(element));
    }
  }
  return found;
}

/** @param {Element} named @returns {Element | null} the note that an element begins or is; null if it is none */
function noteOf(named) {
  let element = /** @type {Element | null} */ (named);
  for (let level = 0; level < MAX_LEVELS && element && INLINE.has(tagOf(element)); level++) {
    element = element.parentElement;
  }
  if (!element?.parentElement || NO_NOTES.has(tagOf(element))) return null;
  const holdsHeading = firstElementsIn(element, MAX_ELEMENTS).some((inner) => HEADINGS.has(tagOf(inner)));
  return holdsHeading ? null : element;
}

/** @param {Element} element @param {Element} outer */
function isIn(element, outer) {
  let above = /** @type {Element | null} */ (element);
  for (let level = 1; level < 4 * MAX_LEVELS && above && above !== outer; level++) above = above.parentElement;
  return above === outer;
}

/**
 * @param {string} label
 * @param {Set<string>} used
 * @returns {string} the label, or the next number if another note has it or Markdown cannot have it
 */
export function unusedLabel(label, used) {
  let wanted = (split(label).at(-1) ?? "").toLowerCase();
  if (used.has(wanted) || !LETTERS_OR_DIGITS.test(wanted)) {
    let number = used.size + 1;
    while (used.has(`${number}`)) number++;
    wanted = `${number}`;
  }
  used.add(wanted);
  return wanted;
}

/**
 * @param {Element} link
 * @returns {string[]} the ids of a mark and of the elements around it that hold little else
 */
function namesAround(link) {
  const found = [link.getAttribute("id"), link.getAttribute("name")];
  let above = link.parentElement;
  for (let level = 0; level < 2 && above && INLINE.has(tagOf(above)); level++) {
    found.push(above.getAttribute("id"));
    above = above.parentElement;
  }
  for (const inner of [...link.children].slice(0, 2)) found.push(inner.getAttribute("id"));
  return found.flatMap((name) => (name ? [name] : []));
}

/** @param {Element} link @param {string} label @returns {Reading} */
function markReading(link, label) {
  const isRaised = link.parentElement !== null && tagOf(link.parentElement) === "sup";
  const next = link.nextSibling;
  const tail = next?.nodeType === Node.TEXT_NODE ? (next.nodeValue ?? "") : "";
  const ends = LETTERS_OR_DIGITS.test(slice(tail, 0, 1)) ? " " : "";
  return { text: isRaised ? `[${label}]` : ` [${label}]${ends}`, marks: NOTE, tag: "a", label: "" };
}

/** @param {Element} link back to a mark @returns {Reading} nothing, or the number of its note */
function backReading(link) {
  const match = MARK.exec(slice(textOf(link), 0, MAX_LABEL_CHARS + 1));
  if (!match || !/\p{Nd}$/u.test(match[1]) || isBack(link)) return LEFT_OUT;
  return { ...LEFT_OUT, text: `[${match[1]}] ` };
}

/**
 * @param {Element} link
 * @returns {Element} the element of a link back to a mark, with its brackets if these are elements, too
 */
function aroundBack(link) {
  const bare = (/** @type {Element} */ element) => textOf(element).replace(/^[[\]()]+|[[\]()]+$/g, "");
  let found = link;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = found.parentElement;
    if (!parent || !INLINE.has(tagOf(parent)) || bare(parent) !== bare(link)) break;
    found = parent;
  }
  const parent = link.parentElement;
  const isAround = parent && BACK.test(parent.getAttribute("class") ?? "");
  return found === link && isAround ? parent : found;
}
