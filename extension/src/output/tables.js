/** Tables of data: which tables of the content are such, and their cells in rows and columns. */

import tables from "../tables.json" with { type: "json" };
import { length } from "../python.js";

/** @import { Cell, Markup } from "../page.js" */
/** @import { Item, TableCell } from "./document.js" */

const own = tables["output.tables"];
const CELLS = new Set(own.CELLS);
const NO_CELL_TEXT = new Set(own.NO_CELL_TEXT);

/** @template K, V @param {Map<K, V>} map @param {K} key @param {V} otherwise @returns {V} */
function setDefault(map, key, otherwise) {
  const value = map.get(key);
  if (value !== undefined) return value;
  map.set(key, otherwise);
  return otherwise;
}

/**
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
  return new Set([...inside].filter(([node, own]) => !around.has(node) && isData(own)).map(([node]) => node));
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
  const wide = [...rows.values()].filter((own) => own.size > 1).length;
  if (2 * wide < rows.size || wide < (hasTh ? 1 : 2)) return false;
  return [...cells.values()].every(
    ({ blocks, chars }) => blocks <= own.MAX_CELL_BLOCKS && chars <= own.MAX_CELL_CHARS,
  );
}

/** @param {Item[]} items @returns {boolean} whether the first row of their table is its header */
export function hasHeader(items) {
  const first = where(items[0]).row;
  return items
    .filter((item) => where(item).row === first)
    .every((item) => where(item).tag === "th" || item.tags.includes("thead"));
}

/** @param {Item[]} items @returns {boolean} whether half of the rows of their table begin with a `<th>` */
export function hasRowHeaders(items) {
  /** @type {Map<number, string>} */
  const first = new Map();
  for (const item of items) setDefault(first, where(item).row, where(item).tag);
  const begins = [...first.values()].slice(Number(hasHeader(items)));
  return 2 * begins.filter((tag) => tag === "th").length >= Math.max(1, begins.length);
}

/**
 * @param {Item[]} items
 * @param {Markup} markup
 * @returns {TableCell[][]} the rows of their table, each cell in its column; one that spans several
 *   stands in the first
 */
export function grid(items, markup) {
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
    rows.push(placed(cellsOf(texts, index, allCells.get(row) ?? []), taken));
  }
  return rows;
}

/** @param {Item} item @returns {{row: number, cell: number, tag: string}} the numbers of its row and cell */
function where({ nodes, tags }) {
  let row = 0;
  let cell = 0;
  let tag = "";
  for (let i = tags.length - 1; i >= 0; i--) {
    if (!cell && CELLS.has(tags[i])) [cell, tag] = [nodes[i], tags[i]];
    else if (!row && tags[i] === "tr") row = nodes[i];
    else if (tags[i] === "table") break;
  }
  return { row: row || cell || nodes[nodes.length - 1], cell, tag };
}

/**
 * @param {Map<number, TableCell>} texts
 * @param {Map<number, number>} index
 * @param {Cell[]} all
 * @returns {[Cell, TableCell][]} the cells of a row; what stands outside of cells comes first
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
 * @param {Map<number, number>} taken columns that cells of rows above span, and for how many more
 *   rows; it is updated
 * @returns {TableCell[]} the cells in their columns
 */
function placed(cells, taken) {
  /** @type {TableCell[]} */
  const row = [];
  /** @type {Map<number, number>} */
  const spanned = new Map();
  for (const [cell, text] of cells) {
    while (row.length < own.MAX_COLUMNS && taken.get(row.length)) row.push([]);
    if (row.length >= own.MAX_COLUMNS) {
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
