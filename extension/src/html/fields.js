/**
 * Buttons and fields in a sentence: a button directly beside a word is read as a word of its own, and a
 * field, with or without a label, does not end the sentence.
 */

import tables from "../tables.json" with { type: "json" };
import { collapsed, isSpace, length, strip } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBefore, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";
import { ENDS, isAlphanumeric, isGlued } from "./selects.js";

/** @import { Reading, Readings } from "./reading.js" */

const constants = tables["html.fields"];
const { BOXES, MAX_CHARS, MAX_ELEMENTS } = constants;
const { COLONS } = tables["html.selects"];

/** @param {string} source of a page @returns {boolean} whether it can have buttons and fields */
export function mayHaveFields(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} what is read of the buttons and fields of sentences */
export function fieldsOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const button of elements.filter((element) => tagOf(element) === "button")) {
    const reading = ofButton(button);
    if (reading) found.set(button, reading);
  }
  for (const field of elements.filter((element) => tagOf(element) === "input")) {
    const { parentElement: parent } = field;
    if (parent && tagOf(parent) === constants.LABEL && isInSentence(parent)) {
      found.set(parent, { ...LEFT_OUT, text: null });
      found.set(field, LEFT_OUT);
    } else if (!BOXES.includes((field.getAttribute("type") ?? "").toLowerCase()) && isInSentence(field)) found.set(field, LEFT_OUT);
  }
  return found;
}

/** @param {Element} button @returns {Reading | null} what is read of one between two texts; null if it is not beside a word */
function ofButton(button) {
  const inside = firstElementsIn(button, MAX_ELEMENTS + 1).filter((one) => one !== button);
  if (!inside.map(leadingText).every(isSpace) || inside.length === MAX_ELEMENTS) return null;
  const text = collapsed(textsIn(button, MAX_ELEMENTS).join(""));
  if (!text || length(text) > MAX_CHARS) return null;
  const [before, after] = [textBefore(button), textBehind(button)];
  const [first, last] = [[...text][0], [...text].at(-1) ?? ""];
  const leading = isGlued(first) && isGlued([...before].at(-1) ?? "") ? " " : "";
  const trailing = isGlued(last) && isGlued([...after][0] ?? "") ? " " : "";
  const isGluedIn = (leading || trailing) && strip(before) && strip(after);
  return isGluedIn ? { ...LEFT_OUT, text: leading + text + trailing } : null;
}

/** @param {Element} element @returns {boolean} whether texts stand directly before and after it */
function isInSentence(element) {
  const before = [...strip(textBefore(element))].at(-1) ?? "";
  const after = [...strip(textBehind(element))][0] ?? "";
  return Boolean(before) && !COLONS.includes(before) && (isAlphanumeric(after) || ENDS.has(after));
}
