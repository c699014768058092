/** Items of lists with a box to tick. */

import tables from "../tables.json" with { type: "json" };
import { pattern, strip } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBehind } from "./dom.js";
import { NOTHING } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const { BOX_TAGS, DONE, MAX_ELEMENTS, TASK, ...constants } = tables["html.tasks"];
const BOX = pattern(constants.BOX);
const ON = pattern(constants.ON);
const SWITCH = pattern(constants.SWITCH);

/** @param {string} source of a page @returns {boolean} whether it can have items with boxes to tick */
export function mayHaveTasks(source) {
  return constants.SIGNS.some((sign) => source.includes(sign)) || source.includes("CHECKBOX");
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} those of items with a box before their text, whose own texts are read
 */
export function tasksOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const item of elements) {
    const done = tagOf(item) === "li" ? (stated(item) ?? isDone(item)) : null;
    if (done !== null) found.set(item, { ...NOTHING, text: null, tag: "li", role: done ? DONE : TASK });
  }
  return found;
}

/** @param {Element} item @returns {boolean | null} whether an attribute says that it is done; null if none does */
function stated(item) {
  const [checked, kind, mark, task] = constants.STATES.map((name) => item.getAttribute(name));
  if (checked === "true" || checked === "false") return checked === "true";
  const isPiece = item.parentElement && tagOf(item.parentElement) === "ol"; // which has a role of its own
  if (kind === "checked" || kind === "unchecked") return isPiece ? null : kind === "checked";
  if (mark !== null) return strip(mark) !== "";
  return task === null ? null : item.classList.contains("checked");
}

/** @param {Element} item @returns {boolean | null} whether its box is ticked; null without one before its text */
function isDone(item) {
  let text = leadingText(item);
  for (const element of firstElementsIn(item, MAX_ELEMENTS).slice(1)) {
    if (strip(text) || ["ul", "ol"].includes(tagOf(element))) return null;
    const done = state(element);
    if (done !== null) return done;
    text = leadingText(element) + (element.firstElementChild ? "" : textBehind(element));
  }
  return null;
}

/** @param {Element} element @returns {boolean | null} whether it is a ticked box; null if it is no box */
function state(element) {
  const stated = element.getAttribute("aria-checked");
  if (tagOf(element) === "input") {
    if (SWITCH.test(element.getAttribute("class") ?? "")) return null;
    if ((element.getAttribute("type") ?? "").toLowerCase() !== "checkbox") return null;
    return element.hasAttribute("checked") || stated === "true";
  }
  if (element.getAttribute("role") === "checkbox" && stated !== null) return stated === "true";
  const classValue = element.getAttribute("class") ?? "";
  if (BOX_TAGS.includes(tagOf(element)) && BOX.test(classValue) && !element.textContent) return ON.test(classValue);
  return null;
}
