/**
 * Tables of names and what is said of them that have too few rows for a data table, such as that of the only
 * parameter of a function. The class of the table or of its cells says what it is, or it is a row and has the
 * class of a data table of the page.
 */

import tables from "../tables.json" with { type: "json" };
import { pattern, setDefault } from "../python.js";

/** @import { Block } from "../page.js" */
/** @import { ContentItem } from "./document.js" */
/** @import { InTable } from "../decide/tables.js" */

const constants = tables["output.entry_tables"];
const { CELL_CHARS, MAX_CELL_CHARS } = tables["decide.tables"];
const NAMES = pattern(constants.NAMES);
const LIST = pattern(constants.LIST);

/**
 * @param {Map<number, InTable[]>} byTable what is inside of each table
 * @param {Set<number>} written the tables that are written as tables anyway
 * @param {ContentItem[]} items
 * @param {Block[]} blocks
 * @returns {number[]} the numbers of the elements of these tables
 */
export function entryTables(byTable, written, items, blocks) {
  /** @type {Map<number, string[]>} */
  const words = new Map();
  for (const [node, [first]] of byTable) {
    const { block } = items[first.place];
    if (block >= 0) words.set(node, blocks[block].classWords);
  }
  /** @type {Set<string>} */
  const known = new Set();
  for (const [node, own] of words) {
    if (written.has(node)) known.add(own[firstOf(byTable, node).steps.table]);
  }
  known.delete("");
  return [...words].flatMap(([node, own]) => {
    if (written.has(node)) return [];
    const first = firstOf(byTable, node);
    const isNamed = hasNames(own, first);
    const isKnown = known.has(own[first.steps.table]);
    return (isNamed || isKnown) && hasEntries(byTable.get(node) ?? [], !isNamed) ? [node] : [];
  });
}

/** @param {Map<number, InTable[]>} byTable @param {number} node @returns {InTable} the first in a table */
const firstOf = (byTable, node) => /** @type {InTable[]} */ (byTable.get(node))[0];

/**
 * @param {string[]} words around the first text of a table
 * @param {InTable} first
 * @returns {boolean} whether they show that it has entries
 */
function hasNames(words, { steps: { table, cell } }) {
  const around = words.slice(Math.max(table - 1, 0), table + 1).join(" ");
  return (cell >= 0 && NAMES.test(words[cell])) || LIST.test(around);
}

/**
 * @param {InTable[]} inside
 * @param {boolean} isRow whether it must have no other row
 * @returns {boolean} whether a table has a row of several cells, and nothing that belongs to layout. Of lists, which
 *   lose their marks in a cell, it has none either.
 */
function hasEntries(inside, isRow) {
  if (inside.some(({ isLayout, steps }) => isLayout || Math.min(steps.table, steps.row, steps.cell) < 0)) return false;
  if (inside.some(({ tags, steps }) => tags.indexOf("li", steps.cell) >= 0)) return false;
  /** @type {Map<number, Map<number, InTable[]>>} */
  const rows = new Map();
  for (const one of inside) {
    const { nodes, steps } = one;
    const row = setDefault(rows, nodes[steps.row], /** @type {Map<number, InTable[]>} */ (new Map()));
    setDefault(row, nodes[steps.cell], /** @type {InTable[]} */ ([])).push(one);
  }
  const cells = [...rows.values()].map((row) => [...row.values()]);
  const chars = cells.map((row) => row.map((cell) => cell.reduce((sum, one) => sum + one.chars, 0)));
  const wide = chars.filter((row) => row.length > 1);
  return (
    wide.length > 0 &&
    (rows.size === 1 || !isRow) &&
    cells.flat().every((cell) => cell.length <= constants.MAX_CELL_TEXTS) &&
    chars.flat().every((count) => count <= MAX_CELL_CHARS) &&
    wide.every((row) => row[0] <= CELL_CHARS && Math.min(...row) > 0)
  );
}
