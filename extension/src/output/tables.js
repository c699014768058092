/** Finds the data tables of the content, and puts their cells in rows and columns. */

import tables from "../tables.json" with { type: "json" };
import { length, setDefault } from "../python.js";

/** @import { Budget } from "./budget.js" */
/** @import { Cell, Markup } from "../page.js" */
/** @import { Item, TableCell } from "./document.js" */

const constants = tables["output.tables"];
const { EMPTY_CELL_BYTES } = tables["output.budget"];
const CELLS = new Set(constants.CELLS);
const NO_CELL_TEXT = new Set(constants.NO_CELL_TEXT);

/**
 * A data table has no other table with content inside. At least half of its rows have two cells with
 * content: at least two rows, or one if the table has a `<th>`. Its cells hold neither code nor headings,
 * and each holds at most 12 blocks and 1,000 characters.
 *
 * @param {Item[]} items
 * @returns {Set<number>} the numbers of the table elements that hold data; others are for layout
 */
export function dataTables(items) {
  /** @type {Map<number, Item[]>} */
  const inside = new Map();
  const around = new Set();
  for (const item of items) {
    if (item.tags.includes("caption")) continue;
    const nodes = item.nodes.filter((_, i) => item.tags[i] === "table");
    const last = nodes.pop();
    if (last === undefined) continue;
    setDefault(inside, last, []).push(item);
    for (const node of nodes) around.add(node);
  }
  return new Set([...inside].filter(([node, members]) => !around.has(node) && isData(members)).map(([node]) => node));
}

/** @param {Item[]} items */
function isData(items) {
  /** @type {Map<number, Set<number>>} */
  const rows = new Map();
  /** @type {Map<number, {blocks: number, chars: number}>} */
  const cells = new Map();
  let hasTh = false;
  for (const item of items) {
    const { row, cell, tag } = where(item);
    const isLayout = tag !== "th" && item.tags.some((name) => NO_CELL_TEXT.has(name));
    if (item.presentation || isLayout) return false;
    hasTh ||= tag === "th";
    setDefault(rows, row, new Set()).add(cell);
    const sums = setDefault(cells, cell, { blocks: 0, chars: 0 });
    sums.blocks++;
    sums.chars += item.line.reduce((sum, span) => sum + length(span.text), 0);
  }
  const wide = [...rows.values()].filter((members) => members.size > 1).length;
  if (2 * wide < rows.size || wide < (hasTh ? 1 : 2)) return false;
  return [...cells.values()].every(
    ({ blocks, chars }) => blocks <= constants.MAX_CELL_BLOCKS && chars <= constants.MAX_CELL_CHARS,
  );
}

/** @param {Item[]} items of a table @returns {boolean} whether its first row is its header */
export function hasHeader(items) {
  const first = where(items[0]).row;
  return items
    .filter((item) => where(item).row === first)
    .every((item) => where(item).tag === "th" || item.tags.includes("thead"));
}

/**
 * @param {Item[]} items of a table
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
 * @param {Item[]} items of a table
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
 * @param {Item} item
 * @returns {{row: number, cell: number, tag: string}} the numbers of its row and cell, and the
 *   cell's tag; cell 0: outside of cells
 */
function where({ nodes, tags }) {
  let row = 0;
  let cell = 0;
  let tag = "";
  for (let i = tags.length - 1; i >= 0; i--) {
    if (!cell && !row && CELLS.has(tags[i])) [cell, tag] = [nodes[i], tags[i]];
    else if (!row && tags[i] === "tr") row = nodes[i];
    else if (tags[i] === "table") break;
  }
  return { row: row || cell || nodes[nodes.length - 1], cell, tag };
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
