/** What a kept post of a thread quotes is kept with it. */

import tables from "../tables.json" with { type: "json" };
import { pattern } from "../python.js";
import { BlockPaths } from "../page.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.quotes"];
const POST = pattern(constants.POST);
const HEAD = pattern(constants.HEAD);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the quotes in posts of which other text is kept, if there are several; hidden
 *   blocks are not added
 */
export function completeQuotes(page, kept) {
  const { blocks } = page;
  if (!blocks.some(({ tags }) => tags.includes("blockquote"))) return kept;
  const found = new BlockPaths(page).map(postAndQuote);
  /** The posts of each template. @type {Map<string, Set<number>>} */
  const ofTemplate = new Map();
  blocks.forEach(({ classWords, nodes, tags }, i) => {
    const { depth, inQuote } = found[i];
    if (!depth || inQuote || !kept[i]) return;
    const template = JSON.stringify([tags.slice(0, depth + 1), classWords.slice(0, depth + 1)]);
    ofTemplate.set(template, (ofTemplate.get(template) ?? new Set()).add(nodes[depth]));
  });
  const wanted = new Set([...ofTemplate.values()].filter(({ size }) => size >= constants.MIN_POSTS).flatMap((nodes) => [...nodes]));
  return blocks.map(({ hidden, nodes }, i) => {
    const { depth, inQuote } = found[i];
    return kept[i] || (depth > 0 && inQuote && !hidden && wanted.has(nodes[depth]));
  });
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {{depth: number, inQuote: boolean}} the depth of the innermost element that is a post, outside of
 *   quotes, 0 if there is none; whether the path leads into a quote in it, or to its head
 */
function postAndQuote(tags, classWords) {
  let depth = 0;
  for (let i = 0; i < tags.length; i++) {
    if (depth && (tags[i] === "blockquote" || HEAD.test(classWords[i]))) return { depth, inQuote: true };
    if (!["html", "body"].includes(tags[i]) && POST.test(classWords[i])) depth = i;
  }
  return { depth, inQuote: false };
}
