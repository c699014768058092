/** The links below a heading such as "See also" or "References" at the end of a text. */

import tables from "../tables.json" with { type: "json" };
import { length, pattern } from "../python.js";
import { areLikely, middleOdds } from "./odds.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.references"];
const HEADINGS = new Set(constants.HEADINGS);
const NAMES = pattern(constants.NAMES, "y");

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @param {ArrayLike<number>} probabilities per block, those by which the threshold decided
 * @param {number} threshold
 * @returns {boolean[]} `kept` with the links in the element behind such a kept heading, if none of them is kept, and
 *   if they are not unlikely; hidden blocks are not added
 */
export function completeReferences(page, kept, probabilities, threshold) {
  const { blocks } = page;
  const named = [...blocks.keys()].filter((i) => {
    const isLast = i + 1 === blocks.length || blocks[i + 1].hidden;
    if (!kept[i] || isLast || kept[i + 1] || length(blocks[i].text) > constants.MAX_CHARS) return false;
    NAMES.lastIndex = 0;
    return isInHeading(blocks[i].tags) && NAMES.test(blocks[i].text);
  });
  const middle = named.length ? middleOdds(probabilities, threshold) : null;
  if (middle === null) return kept;
  const completed = [...kept];
  for (const i of named) {
    const links = linksBehind(blocks, i);
    if (!links.length || links.some((link) => kept[link])) continue;
    if (!areLikely(page, links, probabilities, middle - constants.BELOW)) continue;
    for (const link of links) completed[link] = !blocks[link].hidden;
  }
  return completed;
}

/** @param {string[]} tags @returns {boolean} */
function isInHeading(tags) {
  return tags.some((tag) => HEADINGS.has(tag));
}

/**
 * @param {Page["blocks"]} blocks
 * @param {number} index
 * @returns {number[]} the indexes of the blocks in the element behind the heading of a block; [] if they are too many,
 *   or not for the most part links
 */
function linksBehind(blocks, index) {
  const step = blocks[index].tags.findIndex((tag) => HEADINGS.has(tag));
  const behind = blocks.slice(index + 1, index + constants.MAX_LINKS + 2);
  /** @type {(block: Page["blocks"][number], as: Page["blocks"][number], steps: number) => boolean} */
  const isIn = (block, as, steps) => block.nodes.slice(0, steps).join() === as.nodes.slice(0, steps).join();
  if (!isIn(behind[0], blocks[index], step) || isInHeading(behind[0].tags)) return [];
  const end = behind.findIndex((block) => !isIn(block, behind[0], step + 1));
  const inside = end < 0 ? behind : behind.slice(0, end);
  const chars = inside.reduce((sum, { text }) => sum + length(text), 0);
  const linkChars = inside.reduce((sum, block) => sum + block.linkChars, 0);
  const isList = linkChars >= constants.MIN_LINK_SHARE * chars && inside.length <= constants.MAX_LINKS;
  return isList ? inside.map((_, at) => index + 1 + at) : [];
}
