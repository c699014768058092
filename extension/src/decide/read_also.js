/**
 * Lines among the paragraphs of an article that lead to another one: "Read also: …". So do a label with the links
 * below it, and a link that says only "Read more".
 */

import tables from "../tables.json" with { type: "json" };
import { length, pattern } from "../python.js";
import { leadToPagesBeside } from "./navigation.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.read_also"];
const LINE = pattern(constants.LINE, "y");
const LABEL = pattern(constants.LABEL, "y");
const CONTENTS = pattern(constants.CONTENTS, "y");

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which kept blocks are lines that lead to another article: most of their text is a link,
 *   and they begin with words that say so, or they are links below a label that does, or they lead to the pages
 *   beside; and headings of lists of links to sections that are not kept
 */
export function leadElsewhere(page, kept) {
  const { blocks } = page;
  const found = blocks.map(({ linkChars, text }, i) => {
    const chars = length(text);
    if (!kept[i] || !linkChars || chars > constants.MAX_CHARS) return false;
    return linkChars >= constants.MIN_LINK_SHARE * chars && begins(LINE, text);
  });
  blocks.forEach(({ linkChars, text }, i) => {
    if (!kept[i] || linkChars || length(text) > constants.MAX_LABEL_CHARS) return;
    const links = begins(LABEL, text) ? linksBelow(blocks, i) : 0;
    if (links && links <= constants.MAX_LINKS) found.fill(true, i, i + links + 1);
    if (blocks[i + 1]?.linkChars && !kept[i + 1] && begins(CONTENTS, text)) found[i] = true;
  });
  const beside = leadToPagesBeside(page, kept);
  return found.map((leads, i) => (leads || beside[i]) && kept[i]);
}

/**
 * @param {Page} page
 * @param {number[]} places
 * @returns {boolean} whether these blocks, which follow each other, are the links of a list of contents
 */
export function listContents({ blocks }, places) {
  const before = blocks[places[0] - 1];
  return (
    before !== undefined &&
    length(before.text) <= constants.MAX_LABEL_CHARS &&
    begins(CONTENTS, before.text) &&
    places.every((i) => blocks[i].linkChars >= constants.MIN_SHARE_BELOW * length(blocks[i].text))
  );
}

/** @param {RegExp} sticky @param {string} text @returns {boolean} whether it is at the text's beginning */
function begins(sticky, text) {
  sticky.lastIndex = 0;
  return sticky.test(text);
}

/**
 * @param {Page["blocks"]} blocks
 * @param {number} label
 * @returns {number} how many blocks behind a label are links and near it; at most one more than a label has
 */
function linksBelow(blocks, label) {
  const around = blocks[label].nodes;
  const box = around[Math.max(around.length - 1 - constants.MAX_STEPS, 0)];
  const below = blocks.slice(label + 1, label + 2 + constants.MAX_LINKS);
  const end = below.findIndex(
    ({ linkChars, nodes, text }) => !nodes.includes(box) || linkChars < constants.MIN_SHARE_BELOW * length(text),
  );
  return end < 0 ? below.length : end;
}
