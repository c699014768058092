/** Data tables: what one is, where its cells are, and which are kept as a whole. */

import tables from "../tables.json" with { type: "json" };
import { length, setDefault } from "../python.js";
import { postTables } from "./post_tables.js";

/** @import { Block, Page } from "../page.js" */

const {
  CELL_CHARS, CELL_TAGS, LAYOUT, MAX_CELL_BLOCKS, MAX_CELL_CHARS, MIN_KEPT, MIN_PLAIN_ROWS, MIN_ROWS,
} = tables["decide.tables"];
const CELLS = new Set(CELL_TAGS);
const LAYOUTS = new Set(LAYOUT);
const ROWS = new Set(tables["html.walk"].ROW_TAGS);

/** @typedef {{table: number, row: number, cell: number}} CellSteps Where in a path they are; -1: none. */
/** @typedef {{table: number, row: number, cell: number}} CellNodes Numbers of elements; table 0: the row is not in a table. */

/**
 * @param {string[]} tags
 * @returns {CellSteps} the steps of the innermost table, of its row and of the cell in that row
 */
export function cellSteps(tags) {
  let row = -1;
  let cell = -1;
  for (let step = tags.length - 1; step >= 0; step--) {
    const tag = tags[step];
    if (tag === "table") {
      if (row < 0 && cell >= 0 && ROWS.has(tags[cell - 1])) row = cell - 1;
      return { table: step, row, cell };
    }
    if (tag === "tr" && row < 0) row = step;
    else if (CELLS.has(tag) && cell < 0 && row < 0) cell = step;
  }
  return { table: -1, row, cell };
}

/**
 * @param {Block} block
 * @returns {CellNodes | null} the innermost table cell and row that hold the block
 */
export function cellOf({ tags, nodes }) {
  if (!tags.includes("tr") && !tags.includes("table")) return null;
  const { table, row, cell } = cellSteps(tags);
  if (row < 0 || cell < 0) return null;
  return { table: table >= 0 ? nodes[table] : 0, row: nodes[row], cell: nodes[cell] };
}

/**
 * @param {string[]} tags
 * @param {CellSteps} steps
 * @returns {boolean} whether a text with these tags is code or a heading in a `<td>`
 */
function holdsLayout(tags, { cell }) {
  return (cell < 0 || tags[cell] !== "th") && tags.some((tag) => LAYOUTS.has(tag));
}

/**
 * @typedef {object} InTable A text or picture inside of a table.
 * @property {number} place Among the blocks, or the other things that are looked at.
 * @property {number} chars
 * @property {string[]} tags
 * @property {number[]} nodes
 * @property {CellSteps} steps
 * @property {boolean} isLayout Whether a class or an element in its cell shows that the table is for layout.
 */
/**
 * @typedef {object} Table
 * @property {Map<number, Map<number, InTable[]>>} rows What is in its cells, by row and cell.
 * @property {boolean} hasHeader
 * @property {boolean} isLayout
 * @property {number[]} captions The places of its captions.
 */

/**
 * A data table has at least two rows with two or more filled cells, and they are at least half of its rows.
 * No filled table is inside it. Three quarters of its cells are short and hold one block; or else it has a
 * `<th>` or three such rows, half of its cells hold one block and none has more than 6 blocks or 1,000
 * characters, and no heading, code or class shows that it is for layout. One such row is enough beside a
 * `<th>`, if all cells are short and hold one block. Other tables are layout.
 *
 * @param {Iterable<InTable>} inside what is inside of tables, in the order of the page
 * @returns {Map<number, number[][]>} per data table, by the number of its element, the places in each row; its
 *   captions are a row
 */
export function dataRows(inside) {
  return rowsOf(innermost(inside), isData);
}

/**
 * @param {Map<number, Table>} found
 * @param {(table: Table) => boolean} isWanted
 * @returns {Map<number, number[][]>} the places in each row of the wanted tables; captions are a row
 */
function rowsOf(found, isWanted) {
  const wanted = [...found].filter(([, table]) => isWanted(table));
  return new Map(
    wanted.map(([node, { captions, rows }]) => {
      const places = [...rows.values()].map((row) => [...row.values()].flat().map(({ place }) => place));
      return [node, captions.length ? [captions, ...places] : places];
    }),
  );
}

/**
 * @param {Iterable<InTable>} inside
 * @returns {Map<number, Table>} the filled tables that hold no other one, by the numbers of their elements
 */
function innermost(inside) {
  /** @type {Map<number, Table>} */
  const found = new Map();
  const around = new Set();
  for (const placed of inside) {
    const { tags, nodes, steps } = placed;
    for (let step = 0; step < steps.table; step++) if (tags[step] === "table") around.add(nodes[step]);
    const isInCell = steps.row >= 0 && steps.cell >= 0;
    const isCaption = !isInCell && steps.table >= 0 && tags.includes("caption", steps.table);
    if (!isInCell && !isCaption) continue;
    /** @type {Table} */
    const none = { rows: new Map(), hasHeader: false, isLayout: false, captions: [] };
    const table = setDefault(found, nodes[steps.table], none);
    if (isCaption) {
      table.captions.push(placed.place);
      continue;
    }
    const row = setDefault(table.rows, nodes[steps.row], new Map());
    setDefault(row, nodes[steps.cell], /** @type {InTable[]} */ ([])).push(placed);
    table.hasHeader ||= tags[steps.cell] === "th";
    table.isLayout ||= placed.isLayout;
  }
  return new Map([...found].filter(([node]) => !around.has(node)));
}

/** @param {Table} table @returns {boolean} whether it has data */
function isData({ rows, hasHeader, isLayout }) {
  const wide = [...rows.values()].filter((row) => row.size > 1).length;
  if (!wide || 2 * wide < rows.size) return false;
  const cells = [...rows.values()].flatMap((row) => [...row.values()]);
  const sizes = cells.map((cell) => cell.reduce((sum, { chars }) => sum + chars, 0));
  const long = sizes.filter((chars) => chars > CELL_CHARS).length;
  const several = cells.filter((cell) => cell.length > 1).length;
  if (wide < MIN_ROWS) return hasHeader && !long && !several;
  if (4 * Math.max(long, several) <= cells.length) return true;
  return (
    !isLayout &&
    wide >= (hasHeader ? MIN_ROWS : MIN_PLAIN_ROWS) &&
    2 * several <= cells.length &&
    cells.every((cell, i) => cell.length <= MAX_CELL_BLOCKS && sizes[i] <= MAX_CELL_CHARS)
  );
}

/**
 * @param {Page} page
 * @returns {Map<number, number[][]>} its data tables, as `dataRows` finds them among its blocks;
 *   the table of a post of a thread is none
 */
export function dataTables(page) {
  return rowsOf(tablesOf(page), isData);
}

/**
 * @param {Page} page
 * @returns {Map<number, number[][]>} the same of its tables of one cell, which are boxes in its text; more than
 *   half of their characters are outside of links
 */
export function boxesOfOneCell(page) {
  const hasOneCell = (/** @type {Table} */ { captions, rows }) =>
    !captions.length && rows.size === 1 && [...rows.values()][0].size === 1;
  const isText = (/** @type {number[]} */ places) => {
    const own = places.map((i) => page.blocks[i]);
    const chars = own.reduce((sum, { text }) => sum + length(text), 0);
    return 2 * own.reduce((sum, { linkChars }) => sum + linkChars, 0) < chars;
  };
  return new Map([...rowsOf(tablesOf(page), hasOneCell)].filter(([, rows]) => isText(rows[0])));
}

/** @param {Page} page @returns {Map<number, Table>} its filled tables that hold no other one and no post of a thread */
function tablesOf(page) {
  /** @type {InTable[]} */
  const inside = [];
  page.blocks.forEach(({ text, tags, classWords, nodes }, place) => {
    if (!tags.includes("table")) return;
    const steps = cellSteps(tags);
    const isLayout = holdsLayout(tags, steps) || classWords.join(" ").includes("presentation");
    inside.push({ place, chars: length(text), tags, nodes, steps, isLayout });
  });
  const posts = inside.length ? postTables(page) : new Set();
  return new Map([...innermost(inside)].filter(([node]) => !posts.has(node)));
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
  for (const rows of dataTables(page).values()) {
    for (const indexes of [rows.flat(), ...rows]) {
      const shown = indexes.filter((i) => !blocks[i].hidden);
      const chars = shown.reduce((sum, i) => sum + length(blocks[i].text), 0);
      const keptChars = shown.reduce((sum, i) => sum + (kept[i] ? length(blocks[i].text) : 0), 0);
      if (keptChars >= MIN_KEPT * chars) for (const i of shown) completed[i] = true;
    }
  }
  return completed;
}

/**
 * @param {Page} page
 * @param {number[]} places
 * @returns {boolean} whether a table has no `<th>`, or at least a fourth of its characters in links
 */
export function leads({ blocks }, places) {
  let [chars, linked, hasHeader] = [0, 0, false];
  for (const i of places) {
    chars += length(blocks[i].text);
    linked += blocks[i].linkChars;
    hasHeader ||= blocks[i].tags.includes("th");
  }
  return !hasHeader || 4 * linked >= chars;
}
