/**
 * Tables that hold nothing but a piece of code: the numbers of its lines in a `<pre>` of their own, and the name
 * of its file in a row of its own.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, split } from "../python.js";
import { namesGutter } from "./code.js";
import { tagOf, textsIn } from "./dom.js";
import { LEFT_OUT, READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const { CELLS, LEVELS, MAX_ROWS, MAX_TEXTS, MIN_LINES, PARTS, SIGNS, ...constants } = tables["html.code_tables"];
const NUMBER = fullPattern(constants.NUMBER);
/** What stands around the lines of code. */
const LINE_ENDS = /^[\r\n]+|[\r\n]+$/g;

/** @param {string} source of a page @returns {boolean} whether it can have such tables */
export function mayHaveCodeTables(source) {
  return SIGNS.every((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} a reading of nothing for cells of numbers, and those of the parts of tables with the name of
 *   a file, which are no tables
 */
export function codeTablesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const pre of elements.filter((element) => tagOf(element) === "pre")) {
    const cell = cellAround(pre);
    const numbers = cell?.previousElementSibling;
    if (!cell || !numbers || !CELLS.includes(tagOf(numbers))) continue;
    if (!namesGutter(numbers.getAttribute("class") ?? "")) {
      if (!areNumbersOf(numbers, pre)) continue;
      found.set(numbers, LEFT_OUT);
    }
    for (const part of partsOf(cell, numbers)) found.set(part, { ...READ_INSIDE, tag: "div" });
  }
  return found;
}

/** @param {Element} pre @returns {Element | null} the cell near around it */
function cellAround(pre) {
  let above = pre.parentElement;
  for (let level = 0; above && level < LEVELS; level++, above = above.parentElement) {
    if (CELLS.includes(tagOf(above))) return above;
  }
  return null;
}

/**
 * @param {Element} cell
 * @param {Element} code
 * @returns {boolean} whether the cell, the first one of the only row, holds the numbers of all lines of the code
 */
function areNumbersOf(cell, code) {
  const rows = cell.closest("table")?.querySelectorAll("tr") ?? [];
  if (rows.length !== 1 || cell.previousElementSibling || !cell.querySelector("pre")) return false;
  const numbers = split(textsIn(cell, MAX_TEXTS).join(""));
  if (numbers.length < MIN_LINES || !NUMBER.test(numbers[0])) return false;
  const lines = textsIn(code, MAX_TEXTS).join("").replace(LINE_ENDS, "").split("\n").length;
  return numbers.length === lines && numbers.every((number, i) => number === String(Number(numbers[0]) + i));
}

/**
 * @param {Element} cell
 * @param {Element} numbers
 * @returns {Element[]} the parts of a table of two rows, of which the first one has the name of a file, and the
 *   second one the code
 */
function partsOf(cell, numbers) {
  const table = cell.closest("table");
  const rows = [...(table?.querySelectorAll("tr") ?? [])];
  const isNamed = rows.length === MAX_ROWS && rows[1] === cell.parentElement && rows[0].children.length === 1;
  if (!table || !isNamed || table.querySelector("table")) return [];
  return [table, ...table.querySelectorAll(PARTS.join(","))].filter((part) => part !== numbers);
}
