/** What stands above a text and names it: terms, summaries, titles of callouts, labels of tabs and names of files. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, length, pattern } from "../python.js";
import { BlockPaths } from "../page.js";
import { statesProduct } from "./threads.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.terms"];
const { CODE } = constants;
const LISTS = new Map(Object.entries(constants.LISTS));
const PANELS = /** @type {string[]} */ (constants.PANELS);
const NO_TERMS = new Set(constants.NO_TERMS);
const CALLOUT = pattern(constants.CALLOUT);
const TITLE = pattern(constants.TITLE);
const CAPTION = pattern(constants.CAPTION);
const CAPTION_OF_TABLE = pattern(constants.CAPTION_OF_TABLE);
const OF_TABLE = pattern(constants.OF_TABLE);
const FILE_NAME = fullPattern(constants.FILE_NAME);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the terms, summaries, titles and labels directly above a kept text that is
 *   in the same list, details, callout or panel of a tab, with captions of kept tables, with the names of
 *   files above kept code, and with the name of a product; hidden blocks are not added
 */
export function completeTerms(page, kept) {
  const { blocks } = page;
  const paths = new BlockPaths(page);
  const isLabel = paths.map((_, classWords) => PANELS.some((words) => classWords[classWords.length - 1].includes(words)));
  const depths = paths.map(depthAround).map((depth, i) => (isLabel[i] ? blocks[i].tags.length - 1 : depth));
  const isName = kept.includes(true) && statesProduct(page) ? namesProduct(page) : [];
  const completed = withFileNames(page, withCaptions(page, kept)).map((keep, i) => keep || isName[i] === true);
  const before = [...completed];
  for (let i = blocks.length - 2; i >= 0; i--) {
    if (depths[i] < 0 || blocks[i].hidden || completed[i] || !completed[i + 1]) continue;
    if (isLabel[i] && length(blocks[i].text) > constants.MAX_LABEL_CHARS) continue;
    completed[i] = blocks[i + 1].nodes.includes(blocks[i].nodes[depths[i]]);
  }
  const labels = [...blocks.keys()].filter((i) => isLabel[i] && completed[i] && !before[i]);
  if (labels.length === 1) completed[labels[0]] = false; // of one panel that is kept
  return completed;
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the captions directly above or below a kept text of a table
 */
function withCaptions(page, kept) {
  const { blocks } = page;
  const depths = new BlockPaths(page).map(depthOfCaption);
  const completed = [...kept];
  for (let i = blocks.length - 1; i >= 0; i--) {
    const { hidden, linkChars, nodes, text } = blocks[i];
    const depth = depths[i];
    if (kept[i] || hidden || !depth || 2 * linkChars >= length(text)) continue;
    completed[i] = [i + 1, i - 1].some((j) => {
      if (!completed[j]) return false;
      const isInTable = blocks[j].nodes.includes(nodes[depth - 1]) && blocks[j].tags.includes("table", depth);
      return isInTable || blocks[j].nodes.includes(nodes[depth]);
    });
  }
  return completed;
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the names of files that stand directly above kept code
 */
function withFileNames({ blocks }, kept) {
  return kept.map((keep, i) => {
    const { hidden, nodes, tags, text } = blocks[i];
    const code = blocks[i + 1];
    if (keep || hidden || !kept[i + 1] || tags.includes(CODE) || !code.tags.includes(CODE)) return keep;
    if (length(text) > constants.MAX_FILE_NAME_CHARS || !FILE_NAME.test(text)) return false;
    return nodes.slice(0, -1).slice(-constants.FILE_LEVELS).some((node) => code.nodes.includes(node));
  });
}

/** @param {string[]} tags @param {string[]} classWords @returns {number} the depth of the table's caption around a block; 0: none */
function depthOfCaption(tags, classWords) {
  if (tags.includes("table")) return 0;
  const depth = classWords.findIndex((own, i) => {
    if (!i) return false;
    return CAPTION_OF_TABLE.test(own) || (CAPTION.test(own) && OF_TABLE.test(classWords[i - 1]));
  });
  return Math.max(depth, 0);
}

/** @param {Page} page @returns {boolean[]} which blocks are in the first heading of level 1 that is shown */
function namesProduct({ blocks }) {
  const headings = blocks.map(({ hidden, tags, nodes }) => (hidden ? undefined : nodes[tags.indexOf(constants.NAME)]));
  const first = headings.find((node) => node !== undefined);
  return headings.map((node) => node !== undefined && node === first);
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {number} the depth of the list, details or callout that a term or title is in; -1: neither
 */
function depthAround(tags, classWords) {
  for (let depth = tags.length - 1; depth > 0; depth--) {
    const around = LISTS.get(tags[depth]);
    if (around) return tags.slice(0, depth).lastIndexOf(around);
    if (NO_TERMS.has(tags[depth])) return -1;
    if (!TITLE.test(classWords[depth])) continue;
    for (let i = depth - 1; i >= Math.max(depth - constants.LEVELS, 0); i--) {
      if (CALLOUT.test(classWords[i])) return i;
    }
    return -1;
  }
  return -1;
}
