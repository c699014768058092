/** Labels that a page puts where an advertisement stands or stood: "Advertisement". */

import tables from "../tables.json" with { type: "json" };
import { length } from "../python.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.ad_labels"];
const LABELS = new Set(constants.LABELS);
const AROUND = new Set(constants.AROUND);
const NOT_IN = new Set(constants.NOT_IN);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which kept blocks are nothing but such a label
 */
export function labelAds(page, kept) {
  const short = page.blocks.map(({ text }, i) => kept[i] && length(text) <= constants.MAX_CHARS);
  return onlyLabels(page, short, LABELS, NOT_IN);
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @param {Set<string>} labels in lower case
 * @param {Set<string>} notIn tags that such a block has not around it
 * @returns {boolean[]} which kept blocks are nothing but one of these labels
 */
export function onlyLabels({ blocks }, kept, labels, notIn) {
  return blocks.map(({ tags, text }, i) => {
    if (!kept[i] || !labels.has(bare(text).toLowerCase())) return false;
    return !tags.slice(-constants.NEAR).some((tag) => notIn.has(tag));
  });
}

/** @param {string} text @returns {string} without the signs around it */
function bare(text) {
  const signs = [...text];
  const isInner = (/** @type {string} */ sign) => !AROUND.has(sign);
  return signs.slice(signs.findIndex(isInner), signs.findLastIndex(isInner) + 1).join("");
}
