/** Puts the cells of the content's data tables in rows and columns. */

import tables from "../tables.json" with { type: "json" };
import { cellSteps, dataRows, holdsLayout } from "../decide/tables.js";
import { length, setDefault } from "../python.js";

/** @import { Budget } from "./budget.js" */
/** @import { Cell, Markup } from "../page.js" */
/** @import { ContentItem, TableCell } from "./document.js" */

const constants = tables["output.tables"];
const { EMPTY_CELL_BYTES } = tables["output.budget"];

/**
 * The cell of a table is one line, so a table of cells with code or headings is not written as one.
 *
 * @param {ContentItem[]} items
 * @returns {Set<number>} the numbers of the elements of the data tables that are written as tables
 */
export function writtenTables(items) {
  const inside = /** @type {import("../decide/tables.js").InTable[]} */ ([]);
  const leftOut = new Set();
  items.forEach(({ tags, nodes, line, presentation }, place) => {
    const steps = cellSteps(tags);
    if (steps.table < 0 || tags.includes("caption")) return;
    if (holdsLayout(tags, steps)) leftOut.add(nodes[steps.table]);
    const chars = line.reduce((sum, span) => sum + length(span.text), 0);
    inside.push({ place, chars, tags, nodes, steps, isLayout: presentation });
  });
  return new Set([...dataRows(inside).keys()].filter((node) => !leftOut.has(node)));
}

/** @param {ContentItem[]} items of a table @returns {boolean} whether its first row is its header */
export function hasHeader(items) {
  const first = where(items[0]).row;
  return items
    .filter((item) => where(item).row === first)
    .every((item) => where(item).tag === "th" || item.tags.includes("thead"));
}

/**
 * @param {ContentItem[]} items of a table
 * @returns {boolean} whether half of its rows, without a header row, begin with a `<th>`
 */
export function hasRowHeaders(items) {
  /** @type {Map<number, string>} */
  const first = new Map();
  for (const item of items) setDefault(first, where(item).row, where(item).tag);
  const begins = [...first.values()].slice(Number(hasHeader(items)));
  return 2 * begins.filter((tag) => tag === "th").length >= Math.max(1, begins.length);
}

/**
 * @param {ContentItem[]} items of a table
 * @param {Markup} markup
 * @param {Budget} budget
 * @returns {TableCell[][]} its rows, each cell in its column; a cell that spans several columns or rows
 *   stands in the first, and the others are empty; without empty cells if the budget is used up
 */
export function grid(items, markup, budget) {
  /** @type {Map<number, number>} */
  const taken = new Map();
  const index = new Map(markup.cells);
  const allCells = new Map(markup.rows);
  const rows = [];
  for (let begin = 0; begin < items.length; ) {
    const { row } = where(items[begin]);
    /** @type {Map<number, TableCell>} */
    const texts = new Map();
    for (; begin < items.length && where(items[begin]).row === row; begin++) {
      setDefault(texts, where(items[begin]).cell, []).push(items[begin].line);
    }
    const all = placed(cellsOf(texts, index, allCells.get(row) ?? []), taken);
    const filled = all.filter((cell) => cell.length);
    rows.push(budget.gives(EMPTY_CELL_BYTES * (all.length - filled.length)) ? all : filled);
  }
  return rows;
}

/**
 * @param {ContentItem} item
 * @returns {{row: number, cell: number, tag: string}} the numbers of its row and cell, and the
 *   cell's tag; cell 0: outside of cells
 */
function where({ nodes, tags }) {
  const steps = cellSteps(tags);
  const [cell, tag] = steps.cell >= 0 ? [nodes[steps.cell], tags[steps.cell]] : [0, ""];
  return { row: steps.row >= 0 ? nodes[steps.row] : cell || nodes[nodes.length - 1], cell, tag };
}

/**
 * @param {Map<number, TableCell>} texts
 * @param {Map<number, number>} index
 * @param {Cell[]} all
 * @returns {[Cell, TableCell][]} the cells of a row with their texts; text outside of cells comes first
 */
function cellsOf(texts, index, all) {
  const one = { columns: 1, rows: 1, header: false };
  /** @type {[Cell, TableCell][]} */
  const cells = [];
  /** @type {Map<number, TableCell>} */
  const byIndex = new Map();
  for (const [node, text] of texts) {
    const place = index.get(node);
    if (place === undefined) cells.push([one, text]);
    else byIndex.set(place, text);
  }
  if (byIndex.size) {
    all.forEach((cell, i) => {
      cells.push([cell, byIndex.get(i) ?? []]);
      byIndex.delete(i);
    });
  }
  for (const text of byIndex.values()) cells.push([one, text]);
  return cells;
}

/**
 * @param {[Cell, TableCell][]} cells
 * @param {Map<number, number>} taken the columns that cells of rows above span, each with the number of
 *   rows left; it is updated
 * @returns {TableCell[]} the cells of a row, each in its column
 */
function placed(cells, taken) {
  /** @type {TableCell[]} */
  const row = [];
  /** @type {Map<number, number>} */
  const spanned = new Map();
  for (const [cell, text] of cells) {
    while (row.length < constants.MAX_COLUMNS && taken.get(row.length)) row.push([]);
    if (row.length >= constants.MAX_COLUMNS) {
      if (text.length) row.push(text);
      continue;
    }
    for (let i = 0; i < cell.columns; i++) spanned.set(row.length + i, cell.rows - 1);
    row.push(text);
    for (let i = 1; i < cell.columns; i++) row.push([]);
  }
  for (const [column, rows] of [...taken]) {
    if (rows <= 1) taken.delete(column);
    else taken.set(column, rows - 1);
  }
  for (const [column, rows] of spanned) if (rows) taken.set(column, rows);
  while (row.length && !row[row.length - 1].length) row.pop();
  return row;
}
