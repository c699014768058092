/**
 * Equations in several lines: TeX that `<br>` cuts, and rows of equations that LaTeXML writes as cells of a table;
 * links beside the numbers of equations.
 */

import tables from "../tables.json" with { type: "json" };
import { pattern, slice, split, strip } from "../python.js";
import { firstElementsIn, isOnlyElement, leadingText, tagOf, textBefore, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT, NOTHING } from "./reading.js";
import { isTex } from "./stated_tex.js";

/** @import { Readings } from "./reading.js" */

const { DISPLAY, FORMULA } = tables.markup;
const constants = tables["html.equations"];
const { BRACKET, DISPLAY_CLASS, DOLLARS, GROUP, NUMBER_CLASS, NUMBER_SIGN, ROW_SIGN } = constants;
const { MAX_CHARS, MAX_ELEMENTS, MAX_LEVELS, MAX_VALUE } = constants;
const BOXES = new Set(constants.BOXES);
const LINES = new Set(constants.LINES);
const PARAGRAPHS = new Set(constants.PARAGRAPHS);
const CENTER = pattern(constants.CENTER);
const CODE = new Set(constants.CODE);
const OPENING = pattern(constants.OPENING, "g");
const TABLE_TAGS = new Set(constants.TABLE_TAGS);
const WORD = pattern(constants.WORD);

/** @param {string} source of a page @returns {boolean} whether it can have such equations */
export function mayHaveEquations(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @param {string} source
 * @param {Readings} readings those of its formulas
 * @returns {Readings} what is read of line breaks in TeX, of rows of equations, and of the links beside their numbers
 */
export function equationsOf(elements, source, readings) {
  /** @type {Readings} */
  const found = new Map();
  if (constants.CUT_SIGNS.some((sign) => source.includes(sign))) {
    const parents = new Set(elements.flatMap((one) => (tagOf(one) === "br" && one.parentElement ? [one.parentElement] : [])));
    for (const parent of parents) {
      if (CODE.has(tagOf(parent))) continue;
      for (const line of breaksInTex(parent)) found.set(line, { ...LEFT_OUT, text: " " });
    }
  }
  const rows = source.includes(ROW_SIGN) ? elements.filter((one) => tagOf(one) === "tr") : [];
  for (const row of rows) addRow(found, row, readings);
  const links = source.includes(NUMBER_SIGN) ? elements.filter((one) => tagOf(one) === "a") : [];
  for (const link of links) if (isBesideNumber(link)) found.set(link, LEFT_OUT);
  return found;
}

/**
 * @param {Element} formula
 * @returns {boolean} whether it is all of a definition or of a centered line, or stands in an element that is called a
 *   display
 */
export function standsAlone(formula) {
  let inner = formula;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = inner.parentElement;
    if (!parent || !hasNoTextBeside(inner)) return false;
    const tag = tagOf(parent);
    const classes = split(parent.getAttribute("class") ?? "");
    const isOnly = isOnlyElement(inner);
    if (BOXES.has(tag) && classes.includes(DISPLAY_CLASS)) return true;
    if (isOnly && (LINES.has(tag) || isCentered(parent))) return true;
    if (tag !== "span" || !(isOnly || classes.includes("formula"))) return false;
    inner = parent;
  }
  return false;
}

/** @param {Element} element */
function hasNoTextBeside(element) {
  return !strip(textBefore(element)) && !strip(textBehind(element));
}

/** @param {Element} element */
function isCentered(element) {
  if (!PARAGRAPHS.has(tagOf(element))) return false;
  const style = slice(element.getAttribute("style") ?? "", 0, MAX_VALUE);
  return CENTER.test(`${element.getAttribute("align") ?? ""} ${style}`);
}

/** @param {Element} parent @returns {Element[]} the line breaks in it that stand between the signs of a formula */
function breaksInTex(parent) {
  /** @type {Element[]} */
  const found = [];
  /** @type {Element[]} */
  let inside = [];
  let closing = "";
  let tex = "";
  for (const { before, text } of piecesOf(parent)) {
    if (closing && (before?.localName !== "br" || tex.length > MAX_CHARS)) {
      closing = "";
    } else if (closing && before) {
      inside.push(before);
      tex += " ";
    }
    for (let at = 0; ; ) {
      if (!closing) {
        OPENING.lastIndex = at;
        const opening = OPENING.exec(text);
        if (!opening) break;
        closing = closingOf(opening);
        at = OPENING.lastIndex;
        inside = [];
        tex = "";
      }
      const end = text.indexOf(closing, at);
      if (end < 0) {
        tex += text.slice(at, at + MAX_CHARS);
        break;
      }
      if (inside.length && isTex(strip(tex + text.slice(at, end)))) found.push(...inside);
      at = end + closing.length;
      closing = "";
    }
  }
  return found;
}

/** @param {Element} parent @returns {{before: Element | null, text: string}[]} its texts, each with the element before it */
function piecesOf(parent) {
  const behind = [...parent.children].map((before) => ({ before, text: textBehind(before) }));
  return [{ before: null, text: leadingText(parent) }, ...behind];
}

/** @param {RegExpExecArray} opening */
function closingOf(opening) {
  if (opening[1]) return `\\end{${opening[1]}}`;
  return opening[0] === DOLLARS ? DOLLARS : BRACKET;
}

/**
 * Adds the readings of a row of equations: its formulas are one, and its table is none.
 *
 * @param {Readings} found
 * @param {Element} row
 * @param {Readings} readings
 */
function addRow(found, row, readings) {
  /** @type {Element[]} */
  const above = [];
  for (let one = row.parentElement; one && above.length < MAX_LEVELS; one = one.parentElement) above.push(one);
  const group = above.find((one) => (one.getAttribute("class") ?? "").includes(GROUP));
  const inside = group ? firstElementsIn(row, MAX_ELEMENTS) : [];
  const formulas = inside.filter((one) => (readings.get(one)?.marks ?? 0) & FORMULA);
  if (!formulas.length) return;
  for (const one of [...inside, ...above]) {
    if (TABLE_TAGS.has(tagOf(one)) || one === group) found.set(one, { ...LEFT_OUT, text: null, tag: "div" });
  }
  for (const one of formulas.slice(1)) found.set(one, NOTHING);
  const tex = formulas.map((one) => strip(readings.get(one)?.text ?? "")).join(" ");
  found.set(formulas[0], { ...NOTHING, text: ` ${tex} `, marks: FORMULA | DISPLAY });
}

/** @param {Element} link @returns {boolean} whether it is a sign beside the number of an equation, which leads to it */
function isBesideNumber(link) {
  const classes = split(link.parentElement?.getAttribute("class") ?? "");
  return classes.includes(NUMBER_CLASS) && !WORD.test(textsIn(link, 2).join(""));
}
