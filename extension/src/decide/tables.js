/** Data tables: a table or row of which the model keeps at least half is kept as a whole. */

import tables from "../tables.json" with { type: "json" };
import { length, setDefault } from "../python.js";

/** @import { Block, Page } from "../page.js" */

const { CELL_CHARS, CELL_TAGS, MIN_KEPT, MIN_ROWS } = tables["decide.tables"];
const CELLS = new Set(CELL_TAGS);

/** @typedef {{table: number, row: number, cell: number}} CellNodes Numbers of elements; table 0: the row is not in a table. */

/**
 * @param {Block} block
 * @returns {CellNodes | null} the innermost table cell and row that hold the block
 */
export function cellOf({ tags, nodes }) {
  let row = -1;
  let cell = -1;
  for (let step = tags.includes("tr") ? tags.length - 1 : -1; step >= 0; step--) {
    if (cell < 0 && CELLS.has(tags[step])) {
      cell = step;
    } else if (row < 0 && tags[step] === "tr") {
      if (cell < 0) return null;
      row = step;
    } else if (row >= 0 && tags[step] === "table") {
      return { table: nodes[step], row: nodes[row], cell: nodes[cell] };
    }
  }
  return row >= 0 ? { table: 0, row: nodes[row], cell: nodes[cell] } : null;
}

/**
 * A data table has at least two rows with two or more cells with text, and they are at least half of its
 * rows. Most of its cells are short and hold one block, and no table with text is inside it. Other tables
 * are layout.
 *
 * @param {Page} page
 * @returns {number[][][]} per data table and row, the indexes of its blocks
 */
function dataTables({ blocks }) {
  /** @type {Map<number, Map<number, Map<number, number[]>>>} */
  const cellsOf = new Map();
  const around = new Set();
  blocks.forEach((block, i) => {
    const tableNodes = block.tags.flatMap((tag, step) => (tag === "table" ? [block.nodes[step]] : []));
    tableNodes.slice(0, -1).forEach((node) => around.add(node));
    const cell = tableNodes.length ? cellOf(block) : null;
    if (!cell || cell.table !== tableNodes.at(-1)) return;
    const rows = setDefault(cellsOf, cell.table, new Map());
    const row = setDefault(rows, cell.row, new Map());
    setDefault(row, cell.cell, /** @type {number[]} */ ([])).push(i);
  });
  return [...cellsOf]
    .filter(([table]) => !around.has(table))
    .map(([, rows]) => [...rows.values()].map((row) => [...row.values()]))
    .filter((rows) => isData(blocks, rows))
    .map((rows) => rows.map((row) => row.flat()));
}

/**
 * @param {Block[]} blocks
 * @param {number[][][]} rows per row and cell, the indexes of its blocks
 * @returns {boolean} whether a table has data
 */
function isData(blocks, rows) {
  const wide = rows.filter((row) => row.length > 1).length;
  if (wide < MIN_ROWS || 2 * wide < rows.length) return false;
  const cells = rows.flat();
  const chars = (/** @type {number[]} */ cell) =>
    cell.reduce((sum, i) => sum + length(blocks[i].text), 0);
  const long = cells.filter((cell) => chars(cell) > CELL_CHARS).length;
  const several = cells.filter((cell) => cell.length > 1).length;
  return 4 * Math.max(long, several) <= cells.length;
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with all of a data table, or of a row, if half of its characters are kept;
 *   hidden blocks are not added
 */
export function completeTables(page, kept) {
  const completed = [...kept];
  const { blocks } = page;
  for (const rows of dataTables(page)) {
    for (const indexes of [rows.flat(), ...rows]) {
      const shown = indexes.filter((i) => !blocks[i].hidden);
      const chars = shown.reduce((sum, i) => sum + length(blocks[i].text), 0);
      const keptChars = shown.reduce((sum, i) => sum + (kept[i] ? length(blocks[i].text) : 0), 0);
      if (keptChars >= MIN_KEPT * chars) for (const i of shown) completed[i] = true;
    }
  }
  return completed;
}
