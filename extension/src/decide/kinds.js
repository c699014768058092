/** The kind of a block: title, main text, caption or readers' comment. */

import tables from "../tables.json" with { type: "json" };
import { findCaptions } from "./captions.js";
import { findComments } from "./comments.js";
import { findTitle } from "./headline.js";

/** @import { Kind, Page, Step } from "../page.js" */
/** @typedef {"model" | "keep" | "drop"} KindOption */

const { THREAD_WORDS } = tables["decide.kinds"];

/**
 * @typedef {object} Found The indexes of the blocks of some kinds, by the names of the options for them.
 * @property {Set<number>} captions
 * @property {Set<number>} comments
 * @property {Set<number>} title
 */

/**
 * @param {Page} page
 * @param {boolean[]} decided per block whether it is content before the options for these kinds are
 *   applied, so that the options do not change what is found
 * @returns {Found}
 */
export function foundIn(page, decided) {
  return {
    captions: findCaptions(page, decided),
    comments: findComments(page, decided),
    title: findTitle(page, decided),
  };
}

/**
 * Applies the options for captions, comments and titles.
 *
 * @param {{title: KindOption, comments: KindOption | "auto", captions: KindOption}} options
 * @param {Page} page
 * @param {Found} found
 * @param {boolean[]} kept per block whether it is content; is changed
 * @param {Step[]} steps per block the step that decided it; is changed
 * @param {boolean} judgesComments whether "auto" leaves comments to the model on every page
 */
export function applyOptions(options, page, found, kept, steps, judgesComments) {
  for (const option of /** @type {const} */ (["captions", "comments", "title"])) {
    let choice = options[option];
    if (choice === "auto") choice = judgesComments || isThread(page) ? "model" : "drop";
    for (const i of choice === "model" ? [] : found[option]) {
      if (kept[i] !== (choice === "keep")) [kept[i], steps[i]] = [!kept[i], option];
    }
  }
}

/**
 * @param {Page} page
 * @param {boolean[]} kept per block whether it is content in the end
 * @param {Found} found
 * @returns {Kind[]} per block
 */
export function blockKinds(page, kept, { captions, comments, title }) {
  return kept.map((keep, i) => {
    if (title.has(i)) return "title";
    if (comments.has(i)) return "comment";
    if (captions.has(i)) return "caption";
    return keep ? "main" : page.blocks[i].hidden ? "hidden" : "boilerplate";
  });
}

/**
 * @param {Page} page
 * @returns {boolean} whether its head or URL shows that it is a forum, discussion or question
 */
function isThread({ head, url }) {
  const stated = `${head.words.join(" ")} ${url.toLowerCase()}`;
  return THREAD_WORDS.some((word) => stated.includes(word));
}
