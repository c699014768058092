/** TeX in texts: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, which scripts of a page show. */

import tables from "../tables.json" with { type: "json" };
import { isSpace, length, pattern, strip } from "../python.js";
import { isProse } from "../html/stated_tex.js";

const constants = tables["output.tex"];
const { MAX_CHARS, PREFIX } = constants;
const INLINE = new Set(constants.INLINE);
const CUT_SIGN = pattern(constants.CUT_SIGN, "g");
const OPENING = pattern(constants.OPENING, "g");
const LOOKS_TEX = pattern(constants.LOOKS_TEX);
const NAME = pattern({ ...constants.NAME, pattern: `\\A${constants.NAME.pattern}` });
const ENVIRONMENTS = new Set(constants.ENVIRONMENTS);
const QUOTED = pattern(constants.QUOTED);
const LIVE = pattern(constants.LIVE, "g");
const CLOSING = /** @type {Record<string, string>} */ (constants.CLOSING);

/** @typedef {[number, number, string, string]} Formula Its begin and end, its TeX, and the sign to write around it. */

/** @param {string} text @returns {boolean} whether it has a sign that opens a formula */
export function mayHaveTex(text) {
  return text.includes("$") || text.includes("\\") || text.includes("[latex]");
}

/**
 * A sign that nothing closes is text. No part of the text is searched twice for the same sign.
 *
 * @param {string} text
 * @returns {Generator<Formula>} the formulas in it
 */
export function* formulasIn(text) {
  /** @type {Map<string, number>} */
  const ends = new Map();
  let at = 0;
  for (;;) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(text);
    if (!opening) return;
    const [sign, environment] = opening;
    const start = opening.index;
    const begin = start + sign.length;
    at = begin;
    if (environment && !ENVIRONMENTS.has(environment.replace(/\*+$/, ""))) continue;
    const closing = environment ? `\\end{${environment}}` : CLOSING[sign];
    let end = ends.get(closing) ?? -1;
    if (end < begin) {
      const found = text.indexOf(closing, begin);
      end = found >= 0 ? found : text.length;
      ends.set(closing, end);
    }
    if (end === text.length) continue;
    const stop = end + closing.length;
    const tex = text.slice(begin, end);
    if (tex.length > 2 * MAX_CHARS || length(tex) > MAX_CHARS || text[start - 1] === "\\") continue;
    if (!isFormula(sign, tex, text.slice(stop, stop + 1))) continue;
    const inner = environment ? text.slice(start, stop) : strip(tex);
    const plain = inner.startsWith(PREFIX) ? inner.slice(PREFIX.length) : inner;
    yield [start, stop, plain.replace(QUOTED, "$1"), INLINE.has(sign) ? "$" : "$$"];
    at = stop;
  }
}

/**
 * @param {string} sign
 * @param {string} between the text between the signs
 * @param {string} following the character after it
 */
function isFormula(sign, between, following) {
  const tex = between.replace(CUT_SIGN, "");
  if (!strip(tex)) return false;
  if (sign.startsWith("\\begin")) return true;
  const isAmount = isSpace(tex[0]) || isSpace(tex[tex.length - 1]) || /[a-zA-Z0-9]/.test(following);
  if (sign === "$" && isAmount) return false;
  if (!NAME.test(strip(tex)) && !LOOKS_TEX.test(tex)) return false;
  return !isProse(tex);
}

/**
 * @param {string} tex
 * @returns {string} TeX in which no Markdown renderer finds tags, entities, links or code; spaces and
 *   empty groups mean nothing in formulas
 */
export function harmless(tex) {
  return tex.replace(LIVE, (sign) => `${sign} `).replaceAll("`", "\\lq{}");
}
