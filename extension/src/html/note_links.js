/** The links between note marks and their notes: footnotes, endnotes and numbered references. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, length, pattern, rstrip, slice, strip } from "../python.js";
import { HEADING_TAGS } from "../page.js";
import { firstElementsIn, leadingText, tagOf, textBehind, textsIn } from "./dom.js";
import { BACK, isBack, MARK, marksAmong, MAX_LABEL_CHARS, MAX_PARTS, textOf } from "./note_marks.js";
import { linksInto } from "./page_names.js";
import { isRaised } from "./raising.js";
import { LEFT_OUT, NOTHING } from "./reading.js";

/** @import { Reading, Readings } from "./reading.js" */

const { NOTE } = tables.markup;
const constants = tables["html.note_links"];
const { MAX_BACKS, MAX_LABEL, MAX_LEVELS, MAX_TEXT_CHARS, MAX_TEXTS, STOP } = constants;
const { PLUGIN_MARK, PLUGIN_NOTE, PLUGIN_TITLE, TERM } = constants;
const OWN_MARK = pattern(constants.OWN_MARK);
const DELIMITER = fullPattern(constants.DELIMITER);
const BRACKETS = new Set([...constants.BRACKETS, constants.STOP]);
const BRACKET_PAIRS = new Set(constants.BRACKET_PAIRS);
const ARROW_BEFORE = pattern(constants.ARROW_BEFORE);
const LABEL_END = pattern({ ...constants.LABEL_END, pattern: `\\A(?:${constants.LABEL_END.pattern})` });
const SENTENCES = pattern(constants.SENTENCES);
const WORD = pattern(constants.WORD);
const CELLS = new Set(constants.CELLS);
const ROWS = new Set(constants.ROWS);
const INLINE = new Set(constants.INLINE);
const { HIDDEN_NOTE } = tables["html.reading"];
const NEVER_NOTES = new Set(constants.NEVER_NOTES);
/** Elements that are no notes. */
const NO_NOTES = new Set([...constants.INLINE, ...constants.NO_NOTES, ...HEADING_TAGS]);
/** Elements of a note that are looked through. */
const MAX_ELEMENTS = 200;
const LETTERS_OR_DIGITS = /^[\p{L}\p{N}]+$/u;
const OTHERS = /[^\p{L}\p{N}]/gu;
const DIGIT = /\p{N}/u;
const NUMBER = /^[0-9]+$/;

/** @param {string} source of a page @returns {boolean} whether it can have marks that link to notes */
export function mayHaveNotes(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} what is read of note marks, of links back to them, and of the notes
 */
export function notesOf(elements) {
  const links = linksOf(elements);
  const { marks, named } = marksAmong(links, elements);
  /** @type {Readings} */
  const readings = new Map();
  const notes = new Map([...named].map(([name, element]) => [name, noteOf(element)]));
  /** @type {Map<Element, {label: string, shown: string}>} */
  const labels = new Map();
  const numbers = new Set(marks.map(({ label }) => label).filter((label) => NUMBER.test(label)));
  const own = new Labels(new Set(), numbers);
  /** @type {Set<string>} */
  const ownNames = new Set();
  for (const { link, name, label } of marks) {
    if (ownNames.has(name)) continue; // it leads from a note back to its mark
    const note = notes.get(name);
    if (!note || isIn(link, note)) continue;
    if (!labels.has(note)) labels.set(note, { label: own.unused(label), shown: label });
    for (const ownName of namesAround(link)) ownNames.add(ownName);
    const outer = withBrackets(link);
    readings.set(outer, markReading(outer, labels.get(note)?.label ?? "", `#${name}`));
  }
  for (const [link, name] of links) {
    if (readings.has(link) || !ownNames.has(name) || readings.has(withBrackets(link))) continue;
    const outer = aroundBack(link);
    readings.set(outer, backReading(link, outer));
    const delimiter = delimiterBehind(link);
    if (delimiter) readings.set(delimiter, LEFT_OUT);
  }
  for (const [link] of links) addGroupOfBacks(readings, link);
  for (const [note, { shown }] of labels) {
    addOwnMark(readings, note, shown);
    for (const cite of wholeSources(note)) readings.set(cite, { text: null, marks: 0, tag: "span", label: "" });
  }
  for (const [note, { label }] of labels) addNote(readings, note, label);
  return readings;
}

/**
 * @param {Element[]} elements
 * @returns {[Element, string][]} the links into the page and the marks that a script makes links, in order, each with
 *   the name that it leads to
 */
function linksOf(elements) {
  const into = linksInto(elements);
  const marks = elements.filter(isPluginMark);
  if (!marks.length) return [...into];
  for (const mark of marks) into.set(mark, PLUGIN_NOTE + (mark.getAttribute("id") ?? "").slice(PLUGIN_MARK.length));
  return elements.flatMap((element) => {
    const name = into.get(element);
    return name === undefined ? [] : [/** @type {[Element, string]} */ ([element, name])];
  });
}

/** @param {Element} link back @returns {Element | null} the element behind it that only holds a sign, such as a colon */
function delimiterBehind(link) {
  const following = link.nextElementSibling;
  if (!following || !INLINE.has(tagOf(following)) || strip(textBehind(link))) return null;
  return DELIMITER.test(textOf(following)) ? following : null;
}

/** @param {Element} element @returns {boolean} whether it is a mark that a script makes a link */
function isPluginMark(element) {
  return tagOf(element) === "sup" && (element.getAttribute("id") ?? "").startsWith(PLUGIN_MARK);
}

/**
 * Adds the reading of a mark at the beginning of a note that repeats its mark: a raised one, or the first
 * cell of a row.
 *
 * @param {Readings} readings
 * @param {Element} note
 * @param {string} label
 */
function addOwnMark(readings, note, label) {
  for (const element of firstElementsIn(note, MAX_PARTS)) {
    if (firstElementsIn(element, MAX_PARTS).some((inner) => readings.has(inner))) {
      if (readings.has(element)) return;
      continue;
    }
    const tag = tagOf(element);
    const text = element === note ? "" : textOf(element).replace(ARROW_BEFORE, "");
    const isNamed = INLINE.has(tag) && OWN_MARK.test(element.getAttribute("class") ?? "");
    const isMark = tag === "sup" || isRaised(element) || CELLS.has(tag) || isNamed;
    if (text && isMark && bare(text).toLowerCase() === label.toLowerCase()) {
      const own = text.endsWith(STOP) ? `${label}. ` : `[${label}] `;
      readings.set(element, { ...LEFT_OUT, text: own, tag: CELLS.has(tag) ? tag : "span" });
      return;
    }
    const isBeforeWord = element !== note && !textOf(element) && WORD.test(textBehind(element));
    if (WORD.test(leadingText(element)) || isBeforeWord) return;
  }
}

/** @param {Element} note @returns {Element[]} each `<cite>` that is a whole reference, so that it is not emphasized */
function wholeSources(note) {
  return firstElementsIn(note, MAX_PARTS).filter((element) => {
    if (tagOf(element) !== "cite") return false;
    const parts = textsIn(element, MAX_TEXTS).map((part) => slice(part, 0, MAX_TEXT_CHARS));
    const text = rstrip(parts.join(""));
    return constants.ENDS.some((end) => text.endsWith(end)) && SENTENCES.test(text);
  });
}

/**
 * Adds the reading of an element that holds several links back to marks, and signs: nothing.
 *
 * @param {Readings} readings
 * @param {Element} link
 */
function addGroupOfBacks(readings, link) {
  const parent = isNamedBack(link) ? link.parentElement : null;
  if (!parent || readings.has(parent) || !INLINE.has(tagOf(parent))) return;
  const inside = [...parent.children].slice(0, MAX_BACKS);
  if (inside.length < 2 || !inside.every(isNamedBack)) return;
  const beside = [leadingText(parent), ...inside.map(textBehind)];
  if (!beside.some((text) => WORD.test(text))) readings.set(parent, LEFT_OUT);
}

/** @param {Element} link @returns {boolean} whether its class or role says that it leads back */
function isNamedBack(link) {
  return BACK.test(`${link.getAttribute("class") ?? ""} ${link.getAttribute("role") ?? ""}`);
}

/** @param {string} text @returns {string} it without brackets, spaces and stops at its ends */
function bare(text) {
  const chars = [...text];
  const first = chars.findIndex((char) => !BRACKETS.has(char));
  return first < 0 ? "" : chars.slice(first, chars.findLastIndex((char) => !BRACKETS.has(char)) + 1).join("");
}

/**
 * Adds the readings of a note; one that an attribute hides, also of a parent, is shown.
 *
 * @param {Readings} readings
 * @param {Element} note
 * @param {string} label
 */
function addNote(readings, note, label) {
  readings.set(note, { text: null, marks: 0, tag: hidesItself(note) ? HIDDEN_NOTE : tagOf(note), label });
  if (tagOf(note) === "dd" && note.previousElementSibling) readings.set(note.previousElementSibling, NOTHING);
  const isRow = ROWS.has(tagOf(note));
  let above = note.parentElement;
  for (let level = 0; above && level < (isRow ? MAX_LEVELS : 1); level++) {
    if (!readings.has(above) && hidesItself(above)) {
      readings.set(above, { text: null, marks: 0, tag: HIDDEN_NOTE, label: "" });
    }
    above = above.parentElement;
  }
  if (isRow) for (const title of titlesOf(note)) if (!readings.has(title)) readings.set(title, NOTHING);
}

/** @param {Element} row @returns {Element[]} the titles, which open and close the notes, of a table that a plugin writes */
function titlesOf(row) {
  /** @type {Element[]} */
  const found = [];
  let above = row.parentElement;
  for (let left = MAX_LEVELS; above && left; above = above.parentElement) {
    if (tagOf(above) !== "div") continue;
    left--;
    if (!(above.getAttribute("class") ?? "").includes("footnotes_reference_container")) continue;
    const inside = [above, ...above.querySelectorAll("div, caption")].slice(0, MAX_LEVELS);
    const isTitle = (/** @type {Element} */ one) =>
      tagOf(one) === "caption" || (one.getAttribute("class") ?? "").includes(PLUGIN_TITLE);
    found.push(...inside.filter(isTitle));
  }
  return found;
}

/** @param {Element} element @returns {boolean} whether an attribute hides it, of which a script shows what is in it */
function hidesItself(element) {
  if (NEVER_NOTES.has(tagOf(element))) return false;
  const style = slice(element.getAttribute("style") ?? "", 0, 200);
  return element.hasAttribute("hidden") || style.includes("none") || element.getAttribute("aria-hidden") === "true";
}

/** @param {Element} named @returns {Element | null} the note that an element begins or is; null if it is none */
export function noteOf(named) {
  let element = /** @type {Element | null} */ (named);
  for (let level = 0; level < MAX_LEVELS && element && INLINE.has(tagOf(element)); level++) {
    element = element.parentElement;
  }
  if (element && (CELLS.has(tagOf(element)) || ROWS.has(tagOf(element)))) return noteRow(element);
  if (element && tagOf(element) === TERM) return noteOfTerm(element);
  if (!element?.parentElement || NO_NOTES.has(tagOf(element))) return null;
  const holdsHeading = firstElementsIn(element, MAX_ELEMENTS).some((inner) => HEADING_TAGS.has(tagOf(inner)));
  return holdsHeading ? null : element;
}

/** @param {Element} term @returns {Element | null} the definition below it, if it is the mark of a note */
function noteOfTerm(term) {
  const following = term.nextElementSibling;
  const isMark = (term.getAttribute("class") ?? "").includes("label") || MARK.test(textOf(term));
  return following && tagOf(following) === "dd" && isMark ? following : null;
}

/**
 * @param {Element} element of a table
 * @returns {Element | null} the row of the note that it begins or is: a mark in its first cell, and the text in
 *   the second one; null if it is no such row
 */
function noteRow(element) {
  const outer = CELLS.has(tagOf(element)) && element.parentElement ? element.parentElement : element;
  const rows = tagOf(outer) === "tr" ? [outer, ...outer.querySelectorAll("tr")] : [...outer.querySelectorAll("tr")];
  const cells = rows.length === 1 ? [...rows[0].children].filter((cell) => CELLS.has(tagOf(cell))) : [];
  if (cells.length !== 2) return null;
  const [label, text] = cells.map(textOf);
  const isLabel = MARK.test(slice(label.replace(ARROW_BEFORE, ""), 0, MAX_LABEL_CHARS + 1));
  return isLabel && length(text) > length(label) ? rows[0] : null;
}

/** @param {Element} element @param {Element} outer */
function isIn(element, outer) {
  let above = /** @type {Element | null} */ (element);
  for (let level = 1; level < 4 * MAX_LEVELS && above && above !== outer; level++) above = above.parentElement;
  return above === outer;
}

/** The labels of the notes of a page, each of which has one of its own. */
export class Labels {
  /**
   * @param {Set<string>} used the labels of other notes
   * @param {Set<string>} numbers those that marks show and no note has yet
   */
  constructor(used, numbers) {
    this.used = used;
    this.numbers = numbers;
    /** The last one that was looked for: the next one is above it. */
    this.number = 0;
  }

  /**
   * @param {string} label
   * @returns {string} the label, or the next number if another note has it or Markdown cannot have it; no other
   *   note has it
   */
  unused(label) {
    let wanted = label.replace(OTHERS, "");
    if (!DIGIT.test(wanted)) wanted = wanted.toLowerCase();
    if (this.used.has(wanted.toLowerCase()) || !wanted || length(wanted) > MAX_LABEL) wanted = this.nextNumber();
    this.used.add(wanted.toLowerCase());
    this.numbers.delete(wanted);
    return wanted;
  }

  /** @returns {string} */
  nextNumber() {
    let number = Math.max(this.number, this.used.size + this.numbers.size) + 1;
    while (this.used.has(`${number}`) || this.numbers.has(`${number}`)) number++;
    this.number = number;
    return `${number}`;
  }
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

/** @param {Element} link @returns {Element} the element around a mark that only adds brackets; the mark without one */
function withBrackets(link) {
  const parent = link.parentElement;
  if (!parent || !INLINE.has(tagOf(parent)) || parent.children.length !== 1) return link;
  const outside = strip(leadingText(parent)) + strip(textBehind(link));
  return BRACKET_PAIRS.has(outside) ? parent : link;
}

/** @param {Element} mark or the element that adds its brackets @param {string} label @param {string} href @returns {Reading} */
function markReading(mark, label, href) {
  const tag = tagOf(mark);
  const isRaisedBy = tag === "sup" || (mark.parentElement !== null && tagOf(mark.parentElement) === "sup");
  const ends = LETTERS_OR_DIGITS.test(slice(textBehind(mark), 0, 1)) ? " " : "";
  return { text: isRaisedBy ? `[${label}]` : ` [${label}]${ends}`, marks: NOTE, tag, label: "", href };
}

/** @param {Element} link back to a mark @param {Element} outer the one around it @returns {Reading} nothing, or the number of its note */
function backReading(link, outer) {
  const match = MARK.exec(slice(textOf(link), 0, MAX_LABEL_CHARS + 1));
  if (!match || !/\p{Nd}$/u.test(match[1]) || isBack(link)) return LEFT_OUT;
  if (outer !== link && BACK.test(outer.getAttribute("class") ?? "")) return LEFT_OUT;
  const hasEnd = LABEL_END.test(textBehind(link)); // as in "1. Text"
  return { ...LEFT_OUT, text: hasEnd ? match[1] : `[${match[1]}] ` };
}

/**
 * @param {Element} link
 * @returns {Element} the element of a link back to a mark, with its brackets if these are elements, too, or what a
 *   class names for such links
 */
function aroundBack(link) {
  const inner = (/** @type {Element} */ element) => textOf(element).replace(/^[[\]()]+|[[\]()]+$/g, "");
  let found = link;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = found.parentElement;
    if (!parent || !INLINE.has(tagOf(parent)) || inner(parent) !== inner(link)) break;
    found = parent;
  }
  let above = link.parentElement;
  for (let level = 0; above && level < MAX_LEVELS && (!level || INLINE.has(tagOf(above))); level++) {
    if (BACK.test(above.getAttribute("class") ?? "")) return above;
    above = above.parentElement;
  }
  return found;
}
