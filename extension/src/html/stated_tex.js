/**
 * TeX in forms that only some makers of formulas have: in the text of an element that is called so, in a label, in
 * JSON, between other signs than those of markup, and in an address with settings.
 */

import formulaTables from "./formulas.json" with { type: "json" };
import { length, pattern, strip } from "../python.js";
import { tagOf } from "./dom.js";
import { leadingText, nameOf } from "./mathml.js";

/** @typedef {{tex: string, isDisplay: boolean}} Source A TeX, and whether it shows that it stands alone. */

const constants = formulaTables["html.stated_tex"];
const { FENCES, KEY, MAX_CHARS, SIGNS_OF_ADDRESS, WIRIS } = constants;
const NAMED = pattern(constants.NAMED);
const LABELED = pattern(constants.LABELED);
const TAGS = new Set(constants.TAGS);
const IS_TEX = pattern(constants.IS_TEX);
const PROSE = pattern(constants.PROSE);
const SETTINGS = pattern(constants.SETTINGS, "y");

/** @param {Element} element @returns {Source | null} the TeX that it has as its text, or as its label */
export function statedTex(element) {
  const classes = element.getAttribute("class") ?? "";
  const name = nameOf(element);
  if (!classes.includes("math") || !TAGS.has(name)) return null;
  if (name === "span" && LABELED.test(classes)) {
    const label = element.getAttribute("aria-label") ?? "";
    return isTex(label) ? { tex: label, isDisplay: false } : null;
  }
  const isInPre = element.parentElement !== null && tagOf(element.parentElement) === "pre";
  if (!NAMED.test(classes) || hasInner(element) || isInPre) return null;
  const tex = strip(leadingText(element));
  const isDisplay = name === "div" || classes.includes("math-display");
  return !FENCES.some((sign) => tex.startsWith(sign)) && isTex(tex) ? { tex, isDisplay } : null;
}

/** @param {Element} element @returns {boolean} whether it holds elements or comments, as lxml counts them */
function hasInner(element) {
  return [...element.childNodes].some(({ nodeType }) => nodeType === Node.ELEMENT_NODE || nodeType === Node.COMMENT_NODE);
}

/** @param {string} text */
function isTex(text) {
  const size = text ? length(text) : 0;
  if (!size || size > MAX_CHARS || !IS_TEX.test(text)) return false;
  return text.includes("\\") || !PROSE.test(text);
}

/** @param {string} value @returns {Source | null} the TeX of a line of its own that Substack's JSON has */
export function expressionOf(value) {
  if (!value.includes(KEY)) return null;
  try {
    const tex = /** @type {unknown} */ (JSON.parse(value)?.[KEY]);
    return typeof tex === "string" && tex && length(tex) <= MAX_CHARS ? { tex, isDisplay: true } : null;
  } catch {
    return null;
  }
}

/** @param {string} text @returns {string} markup with the usual signs, if it has those of WIRIS */
export function plainMarkup(text) {
  if (!text.trimStart().startsWith(WIRIS[0][0])) return text;
  return WIRIS.reduce((before, [sign, plain]) => before.replaceAll(sign, plain), text);
}

/** @param {string} text of an address @returns {string} its TeX without what only says how an image of it looks */
export function withoutSettings(text) {
  const tex = SIGNS_OF_ADDRESS.reduce((before, [sign, plain]) => before.replaceAll(sign, plain), text);
  SETTINGS.lastIndex = 0;
  return tex.slice(SETTINGS.exec(tex)?.[0].length ?? 0);
}
