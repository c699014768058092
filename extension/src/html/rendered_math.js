/**
 * What KaTeX and MathJax draw of a formula as MathML, for pages that keep nothing else of it.
 *
 * Both draw fractions and scripts from bottom to top, or with signs that only a style sheet has, so the
 * texts in their order are no formula.
 */

import { leadingText } from "./dom.js";
import formulaTables from "./formulas.json" with { type: "json" };
import { fullPattern, pattern, slice, strip } from "../python.js";

/** @typedef {[number, Element]} Row What a vertical list holds, with its place. */

const constants = formulaTables["html.rendered_math"];
const { LINE_THROUGH, MAX_DEPTH, MAX_ELEMENTS, MAX_LEVELS, MAX_VALUE, NOT, SLASH } = constants;
const FENCES = new Set(constants.FENCES);
const HEIGHT = pattern(constants.HEIGHT);
const TOP = pattern(constants.TOP);
const ZERO_WIDTH = pattern(constants.ZERO_WIDTH, "g");
const CODE = pattern(constants.CODE);
const HEX = fullPattern(constants.HEX);
const UNREAD = new Set(constants.UNREAD);
const OPERATORS = new Set(constants.OPERATORS);
const TOKENS = new Set(constants.TOKENS);
const PARTS = new Map(Object.entries(constants.PARTS));
const WITH_PARTS = new Set(constants.WITH_PARTS);
const ROWS = new Set(constants.ROWS);
const LIMITS = new Set(constants.LIMITS);
const ROLES = new Set(constants.ROLES);
const NO_PARTS = new Set(constants.NO_PARTS);
const BETWEEN = new Set(["mjx-box", "mjx-row", "mjx-munder", "mjx-mover"]);

/**
 * @param {Element} drawn a `katex-html`, a `<mjx-math>`, or a `<g>` of MathJax
 * @returns {Element | null} the `<math>` of a drawing; null if it is too large
 */
export function drawnMath(drawn) {
  if (drawn.getElementsByTagName("*").length >= MAX_ELEMENTS) return null;
  const math = drawn.ownerDocument.createElement("math");
  if (classesOf(drawn).includes("html")) addKatex(drawn, math, 0);
  else addMathjax(drawn, math, 0);
  return math;
}

/** @param {Element} element @returns {string[]} its classes, without the prefix that KaTeX has given them since 0.17 */
function classesOf(element) {
  const names = strip(element.getAttribute("class") ?? "").split(/\s+/);
  return names.filter(Boolean).map((name) => name.replace(/^katex-/, ""));
}

/** @param {Element} element @param {string} name */
function has(element, name) {
  return classesOf(element).includes(name);
}

/** @param {Element} element @param {string} name @returns {boolean} whether it, or an element in it, has the class */
function holds(element, name) {
  return [element, ...element.querySelectorAll("span")].some((one) => one.localName === "span" && has(one, name));
}

/** @param {Element} element */
function textOf(element) {
  return strip((element.textContent ?? "").replace(ZERO_WIDTH, ""));
}

/** @param {Element} parent @param {string} name @returns {Element} a new element in it */
function added(parent, name) {
  return parent.appendChild(parent.ownerDocument.createElement(name));
}

/** @param {Element} parent @param {string} name @param {string} text adds a token; one behind the line of a negated sign is negated */
function addToken(parent, name, text) {
  if (!text) return;
  const isNegated = lastTokenOf(parent) === NOT;
  if (isNegated) parent.lastElementChild?.remove();
  added(parent, name).textContent = isNegated ? negated(text) : text;
}

/** @param {Element} parent @returns {string} the text of the token that was added last */
function lastTokenOf(parent) {
  return parent.lastElementChild ? leadingText(parent.lastElementChild) : "";
}

/** @param {Element} parent */
function negateLast(parent) {
  const text = negated(lastTokenOf(parent));
  if (parent.lastElementChild) parent.lastElementChild.textContent = text;
}

/** @param {string} text */
function negated(text) {
  return (text + LINE_THROUGH).normalize("NFC");
}

/** @param {Element} element @param {Element} parent @param {number} depth adds what an element of KaTeX draws */
function addKatex(element, parent, depth) {
  const classes = new Set(classesOf(element));
  if (depth > MAX_DEPTH || element.localName === "svg" || [...classes].some((name) => UNREAD.has(name))) return;
  if (classes.has("text")) addToken(parent, "mtext", textOf(element));
  else if (classes.has("mfrac")) addFraction(element, parent, depth);
  else if (classes.has("llap") && textOf(element) === SLASH && lastTokenOf(parent)) negateLast(parent);
  else if (classes.has("msupsub")) addScripts(element, parent, depth);
  else if (classes.has("sqrt")) addRoot(element, parent, depth);
  else if (classes.has("accent")) addAccent(element, parent, depth);
  else if (classes.has("op-limits")) addLimits(element, parent, depth);
  else if (classes.has("mtable")) addTable(element, parent, depth);
  else if (!element.children.length) addSign(element, classes, parent);
  else if (classes.has("mop") && nameIn(element)) addToken(parent, "mi", nameIn(element));
  else {
    const row = classes.has("minner") ? added(parent, "mrow") : parent;
    for (const child of element.children) addKatex(child, row, depth + 1);
  }
}

/** @param {Element} element @returns {string} the name of a function of which each letter has an element of its own, or "" */
function nameIn(element) {
  const isLetter = (/** @type {Element} */ child) => !child.childElementCount && /^\p{L}$/u.test(child.textContent ?? "");
  return element.childElementCount > 1 && [...element.children].every(isLetter) ? textOf(element) : "";
}

/** @param {Element} element @param {Element} parent @param {number} depth adds a fraction, which may have no line */
function addFraction(element, parent, depth) {
  const first = [element, ...element.querySelectorAll("span")].find((one) => has(one, "vlist"));
  const drawn = [...(first?.children ?? [])].flatMap((row) => [...row.children]);
  const fraction = added(parent, "mfrac");
  if (!drawn.some((child) => has(child, "frac-line"))) fraction.setAttribute("linethickness", "0");
  addRows(rowsOf(element), fraction, depth);
}

/** @param {Element} element @param {Set<string>} classes @param {Element} parent */
function addSign(element, classes, parent) {
  const text = textOf(element);
  const isOperator = FENCES.has(text) || [...classes].some((name) => OPERATORS.has(name));
  addToken(parent, /^\p{Nd}+$/u.test(text.replaceAll(".", "")) ? "mn" : isOperator ? "mo" : "mi", text);
}

/** @param {Element} element @returns {Row[]} what a vertical list of KaTeX holds, from top to bottom */
function rowsOf(element) {
  const first = [element, ...element.querySelectorAll("span")].find((one) => one.localName === "span" && has(one, "vlist"));
  /** @type {Row[]} */
  const rows = [];
  for (const row of first?.children ?? []) {
    const own = [...row.children].filter((child) => !has(child, "pstrut"));
    if (!own.some((child) => !classesOf(child).some((name) => UNREAD.has(name)))) continue;
    const top = TOP.exec(slice(row.getAttribute("style") ?? "", 0, 200));
    rows.push([Number(top?.[1] || 0), row]);
  }
  return rows.sort(([one], [other]) => one - other);
}

/** @param {Row[]} rows @param {Element} parent @param {number} depth */
function addRows(rows, parent, depth) {
  for (const [, row] of rows) {
    const own = added(parent, "mrow");
    for (const child of row.children) addKatex(child, own, depth + 1);
  }
}

/** @param {Element} element @param {Element} parent @param {number} depth adds the scripts of the part before */
function addScripts(element, parent, depth) {
  let rows = rowsOf(element);
  const base = parent.lastElementChild ?? parent.ownerDocument.createElement("mrow");
  let name = rows.length && rows[0][0] < constants.RAISED_ABOVE ? "msup" : "msub";
  if (rows.length > 1) [name, rows] = ["msubsup", [rows[rows.length - 1], rows[0]]];
  const both = added(parent, name);
  both.append(base);
  addRows(rows, both, depth);
}

/** @param {Element} element @param {Element} parent @param {number} depth */
function addRoot(element, parent, depth) {
  const index = [...element.children].find((child) => has(child, "root"));
  const drawn = [...element.children].find((child) => child !== index) ?? element;
  const root = added(parent, index ? "mroot" : "msqrt");
  addRows(rowsOf(drawn).slice(-1), root, depth);
  if (index) addRows(rowsOf(index).slice(0, 1), root, depth);
}

/** @param {Element} element @param {Element} parent @param {number} depth adds a text with an accent; without it if it is only drawn */
function addAccent(element, parent, depth) {
  const rows = rowsOf(element);
  const accents = rows.filter(([, row]) => holds(row, "accent-body"));
  const sign = accents.map(([, row]) => textOf(row)).join("");
  const own = added(parent, sign ? "mover" : "mrow");
  addRows(rows.filter((row) => !accents.includes(row)).slice(0, 1), own, depth);
  if (sign) added(own, "mo").textContent = sign;
}

/** @param {Element} element @param {Element} parent @param {number} depth adds a sign with limits */
function addLimits(element, parent, depth) {
  const rows = rowsOf(element);
  const base = Math.max(0, rows.findIndex(([, row]) => holds(row, "mop")));
  const above = rows.slice(Math.max(0, base - 1), base);
  const below = rows.slice(base + 1, base + 2);
  const limited = below.length ? "munder" : "mrow";
  const name = above.length ? (below.length ? "munderover" : "mover") : limited;
  addRows([...rows.slice(base, base + 1), ...below, ...above], added(parent, name), depth);
}

/** @param {Element} element @param {Element} parent @param {number} depth adds a table, which KaTeX draws column by column */
function addTable(element, parent, depth) {
  const isColumn = (/** @type {Element} */ child) => classesOf(child).some((name) => name.startsWith("col-align"));
  const columns = [...element.children].filter(isColumn).map(rowsOf);
  const table = added(parent, "mtable");
  for (let number = 0; number < Math.max(0, ...columns.map(({ length }) => length)); number++) {
    const row = added(table, "mtr");
    for (const column of columns) {
      const cell = added(row, "mtd");
      for (const child of column[number]?.[1].children ?? []) addKatex(child, cell, depth + 1);
    }
  }
}

/** @param {Element} element @param {Element} parent @param {number} depth adds what an element of MathJax draws */
function addMathjax(element, parent, depth) {
  const tag = element.localName;
  const name = element.getAttribute("data-mml-node") || (tag.startsWith("mjx-") ? tag.slice(4) : "");
  if (depth > MAX_DEPTH || NO_PARTS.has(tag)) return;
  if (TOKENS.has(name)) {
    addToken(parent, name, signsOf(element));
    return;
  }
  let children = [...element.children].filter((child) => !isSurd(child));
  const found = LIMITS.has(name) ? rolesOf(element) : new Map();
  if (found.size) children = ["mjx-base", "mjx-under", "mjx-over"].flatMap((role) => found.get(role) ?? []);
  if (name === "mroot" && children[0]?.localName === "mjx-root") children.reverse();
  let own = parent;
  if (PARTS.has(name) || WITH_PARTS.has(name)) own = added(parent, name);
  else if (ROWS.has(name) || (tag === "g" && !name)) own = added(parent, "mrow");
  for (const child of children) addMathjax(child, own, depth + 1);
  if (PARTS.has(name)) putInOrder(own, name, !found.size && !hasUpperLast(children));
}

/** @param {Element[]} drawn @returns {boolean} whether an SVG draws the lower of two limits before the upper one */
function hasUpperLast(drawn) {
  if (drawn.length !== 3) return false;
  const [lower, upper] = drawn.slice(1).map((one) => HEIGHT.exec(slice(one.getAttribute("transform") ?? "", 0, MAX_VALUE)));
  return Boolean(lower && upper && Number(lower[1]) < Number(upper[1]));
}

/** @param {Element} element @returns {Map<string, Element>} the base and the limits of a sign or text, as MathJax draws them in HTML */
function rolesOf(element) {
  /** @type {Map<string, Element>} */
  const found = new Map();
  let left = [element];
  for (let level = 0; level < MAX_LEVELS; level++) {
    left = left.flatMap((one) => [...one.children]);
    for (const one of left) if (ROLES.has(one.localName) && !found.has(one.localName)) found.set(one.localName, one);
    left = left.filter(({ localName }) => BETWEEN.has(localName));
  }
  return found;
}

/** @param {Element} element */
function isSurd(element) {
  const kind = element.getAttribute("data-mml-node") || element.localName;
  return kind === "mjx-surd" || (kind === "mo" && signsOf(element) === "√");
}

/** @param {Element} element @returns {string} the characters of a token */
function signsOf(element) {
  let signs = "";
  for (const sign of [element, ...element.querySelectorAll("*")]) {
    const own = CODE.exec(sign.getAttribute("class") ?? "")?.[1] ?? (sign.getAttribute("data-c") || "");
    const code = HEX.test(own) ? parseInt(own, 16) : 0x110000;
    if (code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)) signs += String.fromCodePoint(code);
  }
  return strip(signs.replace(ZERO_WIDTH, "")) || textOf(element);
}

/** @param {Element} element @param {string} name @param {boolean} isLastFirst makes its parts those of MathML, in its order */
function putInOrder(element, name, isLastFirst) {
  const wanted = PARTS.get(name) ?? 0;
  let parts = [...element.children];
  if (parts.length === 2 && wanted > 2 && parts[1].children.length === wanted - 1) parts = [parts[0], ...parts[1].children];
  if (isLastFirst && parts.length === 3) parts = [parts[0], parts[2], parts[1]];
  const own = parts.length === wanted ? element : element.ownerDocument.createElement("mrow");
  if (own !== element) element.replaceWith(own);
  own.replaceChildren(...parts);
}
