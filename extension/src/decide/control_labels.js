/** Labels of links and buttons that act on a page: "Reply", "Add to cart", "Show more". */

import tables from "../tables.json" with { type: "json" };
import { onlyLabels } from "./ad_labels.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.control_labels"];
const LABELS = new Set(constants.LABELS);
const NOT_IN = new Set(constants.NOT_IN);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which kept blocks are nothing but such a label
 */
export function labelControls(page, kept) {
  const found = onlyLabels(page, kept, LABELS, NOT_IN);
  return page.blocks.map(
    ({ tags, text }, i) =>
      found[i] && !constants.COLONS.includes(text[text.length - 1]) && tags[tags.length - 1] !== constants.ITEM,
  );
}
