/** Tables that lay out the posts of a thread, which are no data tables. */

import tables from "../tables.json" with { type: "json" };
import { pattern } from "../python.js";
import { BlockPaths } from "../page.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.post_tables"];
const TEXT = pattern(constants.TEXT);
const CELLS = new Set(constants.CELLS);

/** @param {Page} page @returns {Set<number>} the numbers of the tables that have the text of a post in a cell */
export function postTables(page) {
  const steps = new BlockPaths(page).map(tableSteps);
  return new Set(page.blocks.flatMap(({ nodes }, i) => steps[i].map((step) => nodes[step])));
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {number[]} the steps of the tables in a path with the text of a post in one of their cells
 */
function tableSteps(tags, classWords) {
  if (!tags.includes("table")) return [];
  const last = classWords.findLastIndex((words) => TEXT.test(words));
  const hasCell = (/** @type {number} */ step) => tags.slice(step, last + 1).some((tag) => CELLS.has(tag));
  return [...tags.keys()].filter((step) => step <= last && tags[step] === "table" && hasCell(step));
}
