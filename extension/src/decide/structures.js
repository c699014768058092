/** Lists, quotes, tables and headings that stand between kept texts are kept, too. */

import tables from "../tables.json" with { type: "json" };
import { length, setDefault } from "../python.js";
import { dataTables } from "./tables.js";

/** @import { Page } from "../page.js" */
/** @typedef {{blocks: number[], around: number, isHeading: boolean}} Structure */

const { BESIDE, BETWEEN } = tables["decide.structures"];
const STRUCTURES = new Set(tables["decide.structures"].STRUCTURES);
const HEADINGS = new Set(tables["decide.structures"].HEADINGS);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @param {ArrayLike<number>} probabilities per block, those by which the threshold decided
 * @param {number} threshold
 * @returns {boolean[]} `kept` with the structures that stand beside kept texts, each as a whole; hidden
 *   blocks are not added, and a text beside counts only if it is in the element around the structure
 */
export function completeStructures(page, kept, probabilities, threshold) {
  const { blocks } = page;
  const odds = Array.from(probabilities, (p) => logOdds(p) - logOdds(threshold));
  const near = blocks.map((block, i) => !block.hidden && !kept[i] && odds[i] > -BETWEEN);
  if (!near.some(Boolean)) return kept;
  const order = [...blocks.keys()].filter((i) => !blocks[i].hidden);
  const completed = [...kept];
  /** @type {(place: number, around: number) => boolean} */
  const isBeside = (place, around) => kept[order[place]] && blocks[order[place]].nodes.includes(around);
  for (const { blocks: all, around, isHeading } of structures(page, near)) {
    const own = all.filter((i) => !blocks[i].hidden);
    if (own.every((i) => kept[i])) continue;
    const before = isBeside(order.indexOf(own[0]) - 1, around);
    const after = isBeside(order.indexOf(own[own.length - 1]) + 1, around);
    const isPartly = own.some((i) => kept[i]);
    const beside = isHeading ? after : before || (isPartly && after);
    const least = before && after ? BETWEEN : BESIDE;
    if ((beside || (before && after)) && mean(page, own, odds) > -least) for (const i of own) completed[i] = true;
  }
  return completed;
}

/**
 * @param {Page} page
 * @param {boolean[]} near
 * @returns {Structure[]} those that have a block in `near`; a block belongs to the innermost structure, a
 *   heading to none
 */
function structures(page, near) {
  /** @type {Map<number, Structure>} */
  const found = new Map();
  page.blocks.forEach(({ tags, nodes }, i) => {
    const step = stepOf(tags);
    if (step <= 0) return;
    const one = { blocks: [], around: nodes[step - 1], isHeading: HEADINGS.has(tags[step]) };
    setDefault(found, nodes[step], /** @type {Structure} */ (one)).blocks.push(i);
  });
  for (const [table, rows] of dataTables(page)) {
    const blocks = rows.flat().sort((a, b) => a - b);
    const { nodes } = page.blocks[blocks[0]];
    found.set(-table, { blocks, around: nodes[Math.max(0, nodes.indexOf(table) - 1)], isHeading: false });
  }
  return [...found.values()].filter(({ blocks }) => blocks.some((i) => near[i]));
}

/** @param {string[]} tags @returns {number} the step of the innermost structure, or of a heading in none; 0: neither */
function stepOf(tags) {
  const structure = tags.findLastIndex((tag) => STRUCTURES.has(tag));
  if (structure >= 0) return structure;
  return Math.max(0, tags.findIndex((tag) => HEADINGS.has(tag)));
}

/** @param {Page} page @param {number[]} own @param {number[]} odds @returns {number} the mean by characters */
function mean({ blocks }, own, odds) {
  const chars = own.map((i) => length(blocks[i].text));
  const sum = own.reduce((total, i, place) => total + chars[place] * odds[i], 0);
  return sum / chars.reduce((total, count) => total + count, 0);
}

/** @param {number} p @returns {number} its log-odds, finite */
function logOdds(p) {
  const inside = Math.min(Math.max(p, 1e-7), 1 - 1e-7);
  return Math.log(inside / (1 - inside));
}
