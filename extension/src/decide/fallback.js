/** The fallback: the steps that are tried, in order, on a page of which the model keeps nothing. */

import tables from "../tables.json" with { type: "json" };
import { length } from "../python.js";
import { tokens, trigrams } from "../features/words.js";
import { blockWords, chooseThreshold } from "./threshold.js";

/** @import { Block, Page } from "../page.js" */
/** @import { Favor } from "./threshold.js" */

const constants = tables["decide.fallback"];
const MAIN_TAGS = new Set(constants.MAIN_TAGS);
const OUTSIDE = new Set(constants.OUTSIDE);

/** @typedef {{source: string, kept: boolean[], threshold: number}} Selection */

/**
 * @param {Page} page
 * @param {Float32Array} probabilities
 * @param {number} threshold the probability that no block reached
 * @param {Favor} favor
 * @returns {Selection} what the first step keeps that finds something, else an empty selection
 */
export function fallBack(page, probabilities, threshold, favor) {
  const inBody = inJsonLdBody(page);
  if (inBody.some(Boolean)) return { source: "json-ld", kept: inBody, threshold };
  if (page.blocks.length >= constants.MIN_BLOCKS && probabilities.some((p) => p >= threshold / 2)) {
    const words = blockWords(page);
    const lower = chooseThreshold(probabilities, words, 0, favor, "correlated-f");
    const kept = Array.from(probabilities, (p) => p >= lower);
    const ofKept = words.filter((_, i) => kept[i]);
    if (ofKept.reduce((sum, own) => sum + own, 0) >= constants.MIN_MEAN_WORDS * ofKept.length) {
      return { source: "lower-threshold", kept, threshold: lower };
    }
  }
  const inMain = inMainElement(page);
  if (inMain.some(Boolean)) return { source: "main-element", kept: inMain, threshold };
  return { source: "nothing", kept: page.blocks.map(() => false), threshold };
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @param {ArrayLike<number>} probabilities
 * @returns {boolean} whether the page hides its main text, not only passages beside what it shows; a
 *   script shows the main text of such a page later
 */
export function isHiddenAsAWhole({ blocks }, kept, probabilities) {
  const chars = blocks.map((block) => length(block.text));
  const sumOf = (/** @type {(i: number) => boolean} */ wanted) =>
    chars.reduce((sum, number, i) => sum + (wanted(i) ? number : 0), 0);
  const isSure = (/** @type {number} */ i) => probabilities[i] >= constants.SURE;
  const isHidden = (/** @type {number} */ i) => blocks[i].hidden;
  const shown = sumOf((i) => isSure(i) && !isHidden(i));
  if (shown >= constants.SURE_CHARS || !kept.some((keep, i) => keep && isHidden(i))) return false;
  if (!shown && sumOf(isHidden) >= constants.NEARLY_ALL * sumOf(() => true)) return true;
  const isKept = (/** @type {number} */ i) => kept[i];
  const keptAndSure = (/** @type {number} */ i) => kept[i] && isSure(i);
  return [isKept, keptAndSure].every(
    (some) => sumOf((i) => some(i) && isHidden(i)) >= constants.MOSTLY_HIDDEN * sumOf(some),
  );
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean} whether the visible text that is kept is the main text, whatever the page hides: it
 *   is as long as an article, or longer than a teaser while the hidden text is out of proportion
 */
export function showsMainText({ blocks }, kept) {
  const sumOf = (/** @type {boolean} */ isHidden) =>
    blocks.reduce((sum, { text, hidden }, i) => sum + (kept[i] && hidden === isHidden ? length(text) : 0), 0);
  const shown = sumOf(false);
  const isHeap = sumOf(true) > constants.MAX_TIMES * shown;
  return shown >= constants.ARTICLE_CHARS || (shown >= constants.LEAD_CHARS && isHeap);
}

/**
 * @param {Page} page
 * @returns {boolean[]} the blocks that are in the JSON-LD body; none if they cover less than half
 *   of it
 */
function inJsonLdBody({ blocks, head }) {
  const bodyTokens = tokens(head.articleBody);
  const nothing = blocks.map(() => false);
  if (bodyTokens.length < constants.MIN_WORDS) return nothing;
  const body = trigrams(bodyTokens);
  const covered = new Set();
  const kept = blocks.map(({ text }) => {
    const runs = trigrams(tokens(text));
    const common = [...runs].filter((run) => body.has(run));
    if (!common.length || common.length < constants.MIN_CLAIMED * runs.size) return false;
    for (const run of common) covered.add(run);
    return true;
  });
  return covered.size >= constants.MIN_COVERED * body.size ? kept : nothing;
}

/**
 * @param {Page} page
 * @returns {boolean[]} the paragraphs of `<main>` or `<article>`; none if they have too few words
 */
function inMainElement({ blocks }) {
  const words = blocks.map((block) => tokens(block.text).length);
  const kept = blocks.map((block, i) => isInMain(block) && words[i] >= constants.MIN_BLOCK_WORDS);
  const keptWords = words.reduce((sum, number, i) => sum + (kept[i] ? number : 0), 0);
  return keptWords >= constants.MIN_WORDS ? kept : blocks.map(() => false);
}

/**
 * @param {Block} block
 * @returns {boolean} whether it is visible text of a main element, outside of forms in it
 */
function isInMain(block) {
  const depth = block.tags.findIndex((tag) => MAIN_TAGS.has(tag));
  if (depth < 0 || block.hidden || block.noscript) return false;
  if (block.tags.some((tag) => OUTSIDE.has(tag)) || block.tags.slice(depth).includes("form")) return false;
  return block.linkChars < constants.MAX_LINK_SHARE * length(block.text);
}
