/** Puts the cells of the content's data tables in rows and columns. */

import tables from "../tables.json" with { type: "json" };
import { cellSteps, dataRows, dataTables } from "../decide/tables.js";
import { postTables } from "../decide/post_tables.js";
import { entryTables } from "./entry_tables.js";
import { length, setDefault, strip } from "../python.js";

/** @import { Budget } from "./budget.js" */
/** @import { Cell, Markup, Page } from "../page.js" */
/** @import { ContentItem, Line, TableCell } from "./document.js" */
/** @import { InTable } from "../decide/tables.js" */

const constants = tables["output.tables"];
const { CELL_CHARS, MAX_CELL_CHARS } = tables["decide.tables"];
const { CODE_LINE_BYTES, EMPTY_CELL_BYTES, PADDING_BYTES } = tables["output.budget"];
const { CODE } = tables.markup;
const HEADINGS = new Set(constants.HEADINGS);

/**
 * These are the data tables of the page, and those of what is kept. So are tables with a row of `<th>` at
 * their head, a row of three or more short cells, and a column of short cells under a `<th>`. The cell of a
 * table is one line, so a table of cells with headings or long code is not written as a table. A heading that
 * is a row of its own stands between tables.
 *
 * @param {ContentItem[]} items
 * @param {Page} page
 * @param {Markup} markup
 * @returns {Set<number>} the numbers of the elements of the data tables that are written as tables
 */
export function writtenTables(items, page, markup) {
  const inside = withoutHeadingRows(
    items.flatMap(({ tags, nodes, line, presentation }, place) => {
      if (!tags.includes("table") || tags.includes("caption")) return [];
      const chars = line.reduce((sum, span) => sum + length(span.text), 0);
      return [{ place, chars, tags, nodes, steps: cellSteps(tags), isLayout: presentation }];
    }),
  );
  if (!inside.length) return new Set();
  /** @type {Map<number, InTable[]>} */
  const byTable = new Map();
  /** @type {Set<number>} */
  const around = new Set();
  for (const one of inside) {
    const { nodes, steps, tags } = one;
    setDefault(byTable, nodes[steps.table], /** @type {InTable[]} */ ([])).push(one);
    for (let i = 0; i < steps.table; i++) if (tags[i] === "table") around.add(nodes[i]);
  }
  const allCells = new Map(markup.rows);
  const whole = [...dataTables(page).keys()].filter((node) => (byTable.get(node)?.length ?? 0) > 1);
  const small = [...byTable].filter(
    ([node, own]) => !around.has(node) && (isRow(own) || isColumn(own, allCells) || hasHead(own)),
  );
  const found = new Set([...dataRows(inside).keys(), ...whole, ...small.map(([node]) => node)]);
  const innermost = new Map([...byTable].filter(([node]) => !around.has(node)));
  for (const node of entryTables(innermost, found, items, page.blocks)) found.add(node);
  const posts = postTables(page);
  return new Set([...found].filter((node) => !posts.has(node) && !holdsLayout(byTable.get(node) ?? [], items)));
}

/** @param {InTable} one @returns {string} the tag of its cell, or "" */
const cellTag = ({ steps, tags }) => (steps.cell < 0 ? "" : tags[steps.cell]);
/** @param {InTable} one @returns {number} the number of its cell, or 0 */
const cellNode = ({ nodes, steps }) => (steps.cell < 0 ? 0 : nodes[steps.cell]);
/** @param {InTable} one @returns {number} the number of its row, or 0 */
const rowNode = ({ nodes, steps }) => (steps.row < 0 ? 0 : nodes[steps.row]);
/** @param {InTable} one @returns {boolean} whether it is in a cell of a table that may have data */
const isPlaced = ({ isLayout, steps }) => Math.min(steps.row, steps.cell) >= 0 && !isLayout;

/** @param {string[]} tags of a text @returns {boolean} whether it is in a heading in a `<td>` */
export function isHeadingInCell(tags) {
  if (!tags.some((tag) => HEADINGS.has(tag))) return false;
  const { cell } = cellSteps(tags);
  return cell >= 0 && tags[cell] !== "th" && tags.slice(cell).some((tag) => HEADINGS.has(tag));
}

/**
 * @param {InTable[]} inside
 * @returns {InTable[]} what is inside of tables without the rows that have nothing but headings in one `<td>`
 */
function withoutHeadingRows(inside) {
  const headings = new Set(inside.filter(({ tags }) => isHeadingInCell(tags)));
  if (!headings.size) return inside;
  /** @type {Map<number, Set<number>>} */
  const cells = new Map();
  for (const one of inside) {
    setDefault(cells, rowNode(one), /** @type {Set<number>} */ (new Set())).add(headings.has(one) ? cellNode(one) : 0);
  }
  const isHeadingRow = (/** @type {Set<number>} */ own) => own.size === 1 && !own.has(0);
  const rows = new Set([...cells].flatMap(([row, own]) => (isHeadingRow(own) ? [row] : [])));
  return inside.filter((one) => !headings.has(one) || !rows.has(rowNode(one)));
}

/** @param {InTable[]} cells of a table @returns {boolean} whether they are one row of short cells */
function isRow(cells) {
  const numbers = new Set(cells.map(cellNode));
  if (numbers.size !== cells.length || cells.length < constants.MIN_LONE_CELLS || numbers.has(0)) return false;
  const isShort = cells.every(({ chars, isLayout }) => chars > 0 && chars <= CELL_CHARS && !isLayout);
  return isShort && new Set(cells.map(rowNode)).size === 1;
}

/**
 * @param {InTable[]} cells of a table
 * @param {Map<number, Cell[]>} allCells
 * @returns {boolean} whether they are one column of short cells under a `<th>`
 */
function isColumn(cells, allCells) {
  if (cells.length < 2 || !cells.every(isPlaced)) return false;
  const [first, ...others] = cells.map(cellTag);
  const rows = new Set(cells.map(rowNode));
  return (
    first === "th" &&
    !others.includes("th") &&
    rows.size === cells.length &&
    cells.every(({ chars }) => chars <= CELL_CHARS) &&
    [...rows].every((row) => allCells.get(row)?.length === 1)
  );
}

/**
 * @param {InTable[]} cells of a table
 * @returns {boolean} whether the first of several rows has two or more `<th>` and nothing else, and no cell
 *   is long
 */
function hasHead(cells) {
  if (!cells.every(isPlaced)) return false;
  const head = cells.filter((one) => rowNode(one) === rowNode(cells[0]));
  /** @type {Map<number, number>} */
  const chars = new Map();
  for (const one of cells) chars.set(cellNode(one), (chars.get(cellNode(one)) ?? 0) + one.chars);
  return (
    head.every((one) => cellTag(one) === "th") &&
    new Set(head.map(cellNode)).size > 1 &&
    head.length < cells.length &&
    Math.max(...chars.values()) <= MAX_CELL_CHARS
  );
}

/**
 * @param {InTable[]} cells
 * @param {ContentItem[]} items
 * @returns {boolean} whether a `<td>` holds a heading, or more code than a cell of a data table does; in a
 *   table without a `<th>`, that is more than a line
 */
function holdsLayout(cells, items) {
  const most = cells.some((one) => cellTag(one) === "th") ? constants.MAX_CODE_LINES : 1;
  return cells.some(
    (one) =>
      cellTag(one) !== "th" &&
      (one.tags.some((tag) => HEADINGS.has(tag)) || isLong(items[one.place].raw, most)),
  );
}

/** @param {string} code @param {number} most @returns {boolean} whether it has more lines, or a long one */
function isLong(code, most) {
  const lines = code.split("\n");
  return lines.length > most || lines.some((line) => length(line) > CELL_CHARS);
}

/** @param {ContentItem[]} items of a table @returns {ContentItem[]} with those of its foot last, wherever the page has it */
export function withFootLast(items) {
  const isInFoot = (/** @type {ContentItem} */ { tags }) => {
    const steps = cellSteps(tags);
    return tags.slice(steps.table + 1, steps.row >= 0 ? steps.row : undefined).includes("tfoot");
  };
  return [...items.filter((item) => !isInFoot(item)), ...items.filter(isInFoot)];
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
 *   stands in the first, and the others are empty; without empty cells if the budget is used up, else
 *   all as long as the longest, if it has enough
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
      setDefault(texts, where(items[begin]).cell, []).push(...linesOf(items[begin], budget));
    }
    const all = placed(cellsOf(texts, index, allCells.get(row) ?? []), taken);
    const filled = all.filter((cell) => cell.length);
    rows.push(budget.gives(EMPTY_CELL_BYTES * (all.length - filled.length)) ? all : filled);
  }
  return padded(withoutGaps(rows), budget);
}

/**
 * @param {TableCell[][]} rows
 * @returns {TableCell[][]} the rows without the columns in which none has a text
 */
function withoutGaps(rows) {
  const used = new Set(rows.flatMap((row) => row.flatMap((cell, i) => (cell.length ? [i] : []))));
  return rows.map((row) => row.filter((_, i) => used.has(i)));
}

/**
 * @param {TableCell[][]} rows
 * @param {Budget} budget
 * @returns {TableCell[][]} the rows with empty cells at their ends, as long as the longest
 */
function padded(rows, budget) {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const size = PADDING_BYTES * rows.reduce((sum, row) => sum + columns - row.length, 0);
  if (!budget.has(size) || !budget.gives(size)) return rows;
  return rows.map((row) => [...row, ...Array.from({ length: columns - row.length }, () => [])]);
}

/**
 * @param {ContentItem} item
 * @param {Budget} budget
 * @returns {Line[]} its lines in a cell; each line of code is code within a line
 */
function linesOf({ line, raw }, budget) {
  if (!raw) return [line];
  const lines = raw.split("\n").filter((one) => strip(one));
  const marks = budget.gives(CODE_LINE_BYTES * lines.length) ? CODE : 0;
  return lines.map((text) => [{ text, href: "", marks, src: "", alt: "" }]);
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
