/** Labels in the cells of layout tables, such as "(a)", which stand before the text of the next cell. */

import tables from "../tables.json" with { type: "json" };
import { pattern } from "../python.js";
import { cellOf } from "../decide/tables.js";
import { sharedContainers } from "./budget.js";

/** @import { Block } from "../page.js" */
/** @import { Part } from "./document.js" */

const LABEL = pattern(tables["output.cell_labels"].LABEL);

/**
 * @param {Part[]} parts
 * @param {Block[]} blocks those of the page
 * @returns {Part[]} the parts, each label of a cell in the paragraph of the next cell of its row
 */
export function withLabels(parts, blocks) {
  /** @type {Part[]} */
  const found = [];
  let label = null;
  for (const part of parts) {
    if (label && labels(label, part, blocks)) {
      const [first, ...others] = part.lines;
      const space = { text: " ", href: "", marks: 0, src: "", alt: "" };
      found[found.length - 1] = { ...part, lines: [[...label.lines[0], space, ...first], ...others] };
      label = null;
      continue;
    }
    label = isLabel(part) ? part : null;
    found.push(part);
  }
  return found;
}

/** @param {Part} part @returns {boolean} whether it is a paragraph of one line, which is a label */
function isLabel({ blocks, kind, lines }) {
  if (kind !== "paragraph" || lines.length !== 1 || lines[0].length !== 1) return false;
  return blocks[0] >= 0 && LABEL.test(lines[0][0].text);
}

/** @param {Part} label @param {Part} part @param {Block[]} blocks @returns {boolean} whether the part is in the cell behind that of the label */
function labels(label, part, blocks) {
  const { length } = part.within;
  const isBeside = length === label.within.length && length === sharedContainers(part.within, label.within);
  if (part.kind !== "paragraph" || !isBeside || !(part.blocks[0] >= 0)) return false;
  const [cell, following] = [cellOf(blocks[label.blocks[0]]), cellOf(blocks[part.blocks[0]])];
  return Boolean(cell && following) && cell?.row === following?.row && cell?.cell !== following?.cell;
}
