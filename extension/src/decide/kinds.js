/** The kind of a block: title, main text, caption or readers' comment. */

import tables from "../tables.json" with { type: "json" };
import { findCaptions } from "./captions.js";
import { areOfArticle, findComments, findSignatures } from "./comments.js";
import { findTitle } from "./headline.js";
import { isThread } from "./threads.js";
import { blockWords } from "./threshold.js";

/** @import { Kind, Page, Step } from "../page.js" */
/** @typedef {"model" | "keep" | "drop"} KindOption */

const { MIN_COMMENT_MEAN } = tables["decide.kinds"];

/**
 * @typedef {object} Found The indexes of the blocks of some kinds, by the names of the options for them.
 * @property {Set<number>} captions
 * @property {Set<number>} comments
 * @property {Set<number>} title
 * @property {Set<number>} signatures below the posts of a thread; "auto" of comments drops them
 */

/**
 * @param {Page} page
 * @param {boolean[]} decided per block whether it is content before the options for these kinds are
 *   applied, so that the options do not change what is found
 * @param {boolean} alsoHidden whether hidden blocks may be among them, since hidden text may be content
 * @returns {Found}
 */
export function foundIn(page, decided, alsoHidden) {
  if (alsoHidden) page = { ...page, blocks: page.blocks.map((block) => ({ ...block, hidden: false })) };
  return {
    captions: findCaptions(page, decided),
    comments: findComments(page, decided),
    title: findTitle(page, decided),
    signatures: findSignatures(page),
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
 * @param {ArrayLike<number> | null} learned the probability of each block, of a model that has
 *   learned which comments are content
 */
export function applyOptions(options, page, found, kept, steps, learned) {
  for (const option of /** @type {const} */ (["captions", "comments", "title"])) {
    let choice = options[option];
    let places = found[option];
    if (choice === "auto") {
      choice = "drop";
      if (!dropsComments(page, found.comments, learned)) places = found.signatures;
    }
    for (const i of choice === "model" ? [] : places) {
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
 * @param {Set<number>} comments the indexes of their blocks
 * @param {ArrayLike<number> | null} learned as of applyOptions
 * @returns {boolean} whether "auto" drops the comments of this page
 */
function dropsComments(page, comments, learned) {
  if (!comments.size || isThread(page)) return false;
  if (!learned || areOfArticle(page, comments)) return true;
  const words = blockWords(page);
  let [all, kept] = [0, 0];
  for (const i of [...comments].sort((a, b) => a - b)) {
    all += words[i];
    kept += words[i] * learned[i];
  }
  return kept < MIN_COMMENT_MEAN * all;
}
