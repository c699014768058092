/** Lists to choose from in a sentence: the chosen option is read, or else the first. */

import tables from "../tables.json" with { type: "json" };
import { collapsed, length, strip } from "../python.js";
import { tagOf, textBefore, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.selects"];
const { MAX_CHARS, MAX_OPTIONS, MAX_STEPS, MAX_TEXTS } = constants;
const INLINE = new Set(constants.INLINE);
export const ENDS = new Set(constants.ENDS);

/** @param {string} source of a page @returns {boolean} whether it can have such lists */
export function mayHaveSelects(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} what is read of lists between two texts of a sentence */
export function selectsOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const select of elements.filter((element) => tagOf(element) === "select")) {
    const before = [...beside(select, true)].at(-1) ?? "";
    const after = [...beside(select, false)][0] ?? "";
    if (!before || constants.COLONS.includes(before) || !(isAlphanumeric(after) || ENDS.has(after))) continue;
    const text = chosen(select);
    if (!text || length(text) > MAX_CHARS) continue;
    const space = (/** @type {string} */ sign) => (isGlued(sign) ? " " : "");
    found.set(select, { ...LEFT_OUT, text: space(before) + text + space(after) });
  }
  return found;
}

/** @param {string} sign @returns {boolean} whether a text needs a space beside a character of another */
export function isGlued(sign) {
  return isAlphanumeric(sign) && sign < constants.WIDE;
}

/** @param {string} sign @returns {boolean} */
export function isAlphanumeric(sign) {
  return /^[\p{L}\p{N}]$/u.test(sign);
}

/** @param {Element} select @returns {string} the text of the option that is chosen, or of the first */
function chosen(select) {
  const options = [...select.querySelectorAll("option")].slice(0, MAX_OPTIONS);
  const option = options.find((one) => one.hasAttribute("selected")) ?? options[0];
  return option ? collapsed(textsIn(option, MAX_TEXTS).join("")) : "";
}

/**
 * @param {Element} select
 * @param {boolean} isBefore
 * @returns {string} the text before or after it in its sentence; "" without one
 */
function beside(select, isBefore) {
  let node = select;
  for (let step = 0; step < MAX_STEPS; step++) {
    const text = strip(isBefore ? textBefore(node) : textBehind(node));
    if (text) return text;
    const other = isBefore ? node.previousElementSibling : node.nextElementSibling;
    if (!other) {
      const parent = node.parentElement;
      if (!parent || !INLINE.has(tagOf(parent))) return "";
      node = parent;
      continue;
    }
    const tag = tagOf(other);
    if (!INLINE.has(tag)) return "";
    const inner = tag === "select" ? "" : strip(textsIn(other, MAX_TEXTS).join(""));
    if (inner) return inner;
    node = other;
  }
  return "";
}
