/** The kept content as plain text. */

import { cellOf } from "../decide/tables.js";

/** @import { Block } from "../page.js" */

const CELL_SEPARATOR = " | ";

/**
 * @param {Block[]} blocks the kept blocks, in document order
 * @returns {string} each block on a line of its own, except for the cells of a table row, which share one
 */
export function toText(blocks) {
  const cells = blocks.map(cellOf);
  /** @type {Map<number, number>} */
  const blocksInCell = new Map();
  for (const cell of cells) if (cell) blocksInCell.set(cell.cell, (blocksInCell.get(cell.cell) ?? 0) + 1);
  // A cell with several blocks, or with lines of <pre>, marks the row of a layout table.
  const layoutRows = new Set();
  cells.forEach((cell, i) => {
    if (!cell) return;
    const isLayout = (blocksInCell.get(cell.cell) ?? 0) > 1 || blocks[i].preformatted.includes("\n");
    if (isLayout) layoutRows.add(cell.row);
  });
  /** @type {string[][]} */
  const lines = [];
  /** @type {number | null} */
  let rowBefore = null;
  /** @type {number | null} */
  let preBefore = null;
  blocks.forEach((block, i) => {
    const cell = cells[i];
    const row = cell && !layoutRows.has(cell.row) ? cell.row : null;
    const pre = block.preformatted ? block.nodes[block.tags.indexOf("pre")] : null;
    if (row !== null && row === rowBefore) lines[lines.length - 1].push(block.text);
    else if (pre === null || row !== null) lines.push([block.text]);
    else lines.push([pre === preBefore ? block.preformatted : block.preformatted.replace(/^\n+/, "")]);
    rowBefore = row;
    preBefore = pre;
  });
  return lines.map((line) => line.join(CELL_SEPARATOR)).join("\n");
}
