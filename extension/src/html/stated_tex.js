/**
 * TeX in forms that only some makers of formulas have: in the text of an element that is called so, in a label, in
 * JSON, between other signs than those of markup, and in an address with settings.
 */

import formulaTables from "./formulas.json" with { type: "json" };
import { length, pattern, strip } from "../python.js";
import { isOnlyElement, leadingText, tagOf, textBehind } from "./dom.js";
import { nameOf } from "./mathml.js";

/** @typedef {{tex: string, isDisplay: boolean}} Source A TeX, and whether it shows that it stands alone. */

const constants = formulaTables["html.stated_tex"];
const { DISPLAYED, FENCES, KEY, MAX_CHARS, SIGNS_OF_ADDRESS, WIRIS } = constants;
const NAMED = pattern(constants.NAMED);
const LABELED = pattern(constants.LABELED);
const LABEL = pattern({ ...constants.LABEL, pattern: `\\A(?:${constants.LABEL.pattern})` });
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
  if (!NAMED.test(classes) || isInPre) return null;
  if (element.firstElementChild) return name === "div" ? numbered(element) : null;
  const tex = strip(leadingText(element));
  const isDisplay = name === "div" || classes.includes("math-display");
  return !FENCES.some((sign) => tex.startsWith(sign)) && isTex(tex) ? { tex, isDisplay } : null;
}

/** @param {Element} element @returns {Source | null} the TeX behind a number, as Sphinx writes it */
function numbered(element) {
  const number = element.firstElementChild;
  const [opening, closing] = DISPLAYED;
  if (!number?.getAttribute("class")?.includes("eqno")) return null;
  if (!isOnlyElement(number)) return null;
  const fenced = strip(textBehind(number));
  const label = LABEL.exec(strip(leadingText(number)))?.[1];
  if (!label || strip(leadingText(element)) || !fenced.startsWith(opening) || !fenced.endsWith(closing)) return null;
  const tex = strip(fenced.slice(opening.length, -closing.length));
  return isTex(tex) ? { tex: `${tex} \\tag{${label}}`, isDisplay: true } : null;
}

/** @param {string} text @returns {boolean} whether it is TeX, between signs of TeX or without any */
export function isTex(text) {
  const size = text ? length(text) : 0;
  if (!size || size > MAX_CHARS || !IS_TEX.test(text)) return false;
  return !isProse(text);
}

/** @param {string} text @returns {boolean} whether it is words, and no TeX */
export function isProse(text) {
  return !text.includes("\\") && PROSE.test(text);
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
