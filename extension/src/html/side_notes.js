/**
 * Notes in the sentence that they belong to: side notes, margin notes, and those that scripts show beside
 * their mark. Such a note counts as `<d-footnote>`, which the walk reads as a block of its own behind the
 * sentence.
 */

import tables from "../tables.json" with { type: "json" };
import { length, pattern, split, strip } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBefore, textBehind, textsIn } from "./dom.js";
import { Labels } from "./note_links.js";
import { MARK } from "./note_marks.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const { NOTE } = tables.markup;
const constants = tables["html.side_notes"];
const { MAX_BEFORE, MAX_ELEMENTS, MAX_LEVELS, MAX_MARK_CHARS, MAX_PARTS } = constants;
const { SIDE_NOTE } = tables["html.reading"];
const ENDING = new Set(tables["html.sentences"].ENDING_TAGS);
const CLASS = pattern(constants.CLASS);
const NUMBER = pattern(constants.NUMBER);
const WORD = pattern(constants.WORD);
const BEGINS_WITH_WORD = /^[\p{L}\p{N}_]/u;
const TAGS = new Set(constants.TAGS);
const LINKS = new Set(constants.LINKS);
const MARK_TAGS = new Set(constants.MARK_TAGS);
const ENCLOSING = new Set(constants.ENCLOSING);

/** @param {string} source of a page @returns {boolean} whether it can have notes in its sentences */
export function mayHaveSideNotes(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @param {Readings} others the readings of other notes
 * @returns {Readings} what is read of the notes, of their marks, and of the numbers in them
 */
export function sideNotesOf(elements, others) {
  /** @type {Readings} */
  const readings = new Map();
  const labels = new Labels(new Set([...others.values()].map(({ label }) => label).filter(Boolean)), new Set());
  const notes = elements.filter(isNote);
  const around = new Set();
  for (const note of notes) {
    for (let above = note.parentElement, level = 0; above && level < MAX_LEVELS; above = above.parentElement, level++) {
      around.add(above);
    }
  }
  for (const note of notes) {
    if (around.has(note)) continue; // it is around a note and its mark
    const mark = markOf(note);
    if (!mark && !followsText(note)) continue;
    if (mark && leadsElsewhere(mark, others)) {
      readings.set(note, LEFT_OUT);
      continue;
    }
    const begin = numbersOf(note);
    let label = "";
    if (mark) {
      label = labels.unused(MARK.exec(textOf(mark))?.[1] ?? "*");
      const ends = BEGINS_WITH_WORD.test(textBehind(mark)) ? " " : "";
      readings.set(mark, { text: ` [${label}]${ends}`, marks: NOTE, tag: "span", label: "" });
    }
    readings.set(note, { text: null, marks: 0, tag: SIDE_NOTE, label });
    for (const number of begin) readings.set(number, LEFT_OUT);
    for (const line of note.querySelectorAll("br")) readings.set(line, { ...LEFT_OUT, text: " " });
    for (const box of beforeIn(note)) if (tagOf(box) === "input") readings.set(box, LEFT_OUT);
  }
  return readings;
}

/** @param {Element} mark @param {Readings} others @returns {boolean} whether its note does not stand in the sentence */
function leadsElsewhere(mark, others) {
  return firstElementsIn(mark, MAX_PARTS).some((inner) => (others.get(inner)?.marks ?? 0) & NOTE);
}

/** @param {Element} element @returns {boolean} whether it is a note of more than a mark, without blocks in it */
function isNote(element) {
  const tag = tagOf(element);
  if (!TAGS.has(tag)) return false;
  const isNamed = tag === SIDE_NOTE || CLASS.test(element.getAttribute("class") ?? "");
  if (!isNamed || hasLittle(element)) return false;
  const inside = firstElementsIn(element, MAX_ELEMENTS + 1).slice(1).map(tagOf);
  return inside.length < MAX_ELEMENTS && !inside.some((one) => ENDING.has(one) && one !== "br" && one !== "input");
}

/** @param {Element} element */
function textOf(element) {
  return strip(textsIn(element, MAX_PARTS).join(""));
}

/** @param {Element} element @returns {boolean} whether its text is at most a mark */
function hasLittle(element) {
  const text = textOf(element);
  return length(text) <= MAX_MARK_CHARS && !WORD.test(split(text).slice(1).join(" "));
}

/** @param {Element} note @returns {Element[]} the elements beside it, the nearest first */
function beforeIn(note) {
  const found = [];
  for (let before = note.previousElementSibling; before && found.length < MAX_BEFORE; ) {
    found.push(before);
    before = before.previousElementSibling;
  }
  return found;
}

/** @param {Element} note @returns {Element | null} the mark before it, without text between them */
function markOf(note) {
  let after = note;
  for (const before of beforeIn(note)) {
    if (WORD.test(textBefore(after))) return null;
    after = before;
    if (!MARK_TAGS.has(tagOf(before)) || !hasLittle(before)) continue;
    return !LINKS.has(tagOf(before)) || followsText(before) ? before : null;
  }
  return null;
}

/** @param {Element} note @returns {boolean} whether text stands before it in its paragraph */
function followsText(note) {
  let place = note;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = place.parentElement;
    const before = place.previousElementSibling;
    const tail = textBefore(place);
    const beside = !before || WORD.test(tail) ? tail : textOf(before);
    if (strip(beside)) return !before || !ENDING.has(tagOf(before)) || beside === tail;
    if (!parent || !ENCLOSING.has(tagOf(parent)) || before) return false;
    place = parent;
  }
  return false;
}

/** @param {Element} note @returns {Element[]} the elements at its beginning that only show its number */
function numbersOf(note) {
  /** @type {Element[]} */
  const found = [];
  let outer = note;
  while (outer.children.length && !WORD.test(leadingText(outer)) && !hasLittle(outer)) {
    let last = /** @type {Element | null} */ (null);
    for (const element of outer.children) {
      const isMark = tagOf(element) === "sup" || NUMBER.test(element.getAttribute("class") ?? "");
      if (!isMark || !MARK.test(textOf(element))) {
        last = element;
        break;
      }
      found.push(element);
      if (WORD.test(textBehind(element))) return found;
    }
    if (!last || last !== outer.children[0]) return found;
    outer = last;
  }
  return found;
}
