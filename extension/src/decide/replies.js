/** The replies of a thread of which the model keeps hardly more than the first post, and single lost posts. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { length, pattern, setDefault } from "../python.js";
import { isSurelyThread } from "./threads.js";
import { blockWords } from "./threshold.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.replies"];
const BODY = pattern(constants.BODY);
const NO_BODY = pattern(constants.NO_BODY);
const NO_POSTS = pattern(constants.NO_POSTS);
const NO_POST_TAGS = new Set(constants.NO_POST_TAGS);
const PAGE_TAGS = new Set(constants.PAGE_TAGS);
const NO_TEXT_TAGS = new Set(constants.NO_TEXT_TAGS);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the replies of a thread, if hardly any of them are kept, and no other posts but
 *   the first; and with posts of which nothing is kept, if most posts like them are; hidden blocks and copies of what
 *   is kept are not added
 */
export function completeReplies(page, kept) {
  if (!kept.some(Boolean) || !isSurelyThread(page)) return kept;
  const groups = postsOf(page);
  const words = blockWords(page);
  /** @param {number[]} places */
  const sum = (places) => places.reduce((total, i) => total + words[i], 0);
  const allKept = sum([...kept.keys()].filter((i) => kept[i]));
  /** @type {Map<string, number>} */
  const inPart = new Map();
  for (const [name, posts] of groups) inPart.set(name, posts.filter((post) => post.some((i) => kept[i])).length);
  const all = [...inPart.values()].reduce((total, count) => total + count, 0);
  const texts = new Set(page.blocks.filter((_, i) => kept[i]).map(({ text }) => text));
  const completed = [...kept];
  for (const [name, posts] of groups) {
    const places = posts.flat();
    const own = sum(places);
    const ownKept = sum(places.filter((i) => kept[i]));
    const count = inPart.get(name) ?? 0;
    if (ownKept > constants.MOST_KEPT * own) {
      const lost = count >= Math.max(constants.POSTS, posts.length / 2) ? lostAmong(page, posts, kept, texts) : [];
      for (const i of lost) completed[i] = true;
    } else if (
      own >= constants.MIN_WORDS &&
      own - ownKept >= constants.LEAST_OF_KEPT * (allKept - ownKept) &&
      all - count < constants.POSTS
    ) {
      for (const i of places) completed[i] = true;
    }
  }
  return completed;
}

/**
 * @param {Page} page
 * @returns {Map<string, number[][]>} the shown blocks of each text of a post, by the class words of the texts
 */
function postsOf(page) {
  const paths = new BlockPaths(page);
  const steps = paths.map(stepOf);
  /** @type {Map<string, Map<number, number[]>>} */
  const groups = new Map();
  page.blocks.forEach(({ hidden, nodes }, i) => {
    if (!steps[i] || hidden) return;
    const group = paths.pairs[paths.places[i]].classWords[steps[i]];
    const posts = setDefault(groups, group, /** @type {Map<number, number[]>} */ (new Map()));
    setDefault(posts, nodes[steps[i]], /** @type {number[]} */ ([])).push(i);
  });
  return new Map([...groups].map(([name, posts]) => [name, [...posts.values()]]));
}

/**
 * @param {Page} page
 * @param {number[][]} posts
 * @param {boolean[]} kept
 * @param {Set<string>} texts the kept ones
 * @returns {number[]} the blocks of the posts of which nothing is kept, but for copies of kept texts
 */
function lostAmong(page, posts, kept, texts) {
  /** @param {number[]} post */
  const longest = (post) =>
    post.map((i) => page.blocks[i].text).reduce((best, text) => (length(text) > length(best) ? text : best));
  return posts.filter((post) => !post.some((i) => kept[i]) && !texts.has(longest(post))).flat();
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {number} the step of the innermost element that holds the text of a post; 0 if there is none
 */
function stepOf(tags, classWords) {
  if (tags.some((tag) => NO_POST_TAGS.has(tag))) return 0;
  for (let step = classWords.length - 1; step > 0; step--) {
    if (NO_TEXT_TAGS.has(tags[step]) || NO_BODY.test(classWords[step])) return 0;
    if (BODY.test(classWords[step])) return isElsewhere(tags, classWords.slice(0, step)) ? 0 : step;
  }
  return 0;
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords those of the elements around the text of a post
 * @returns {boolean} whether no posts are in one of these elements, or those of other threads
 */
function isElsewhere(tags, classWords) {
  return classWords.some((words, step) => !PAGE_TAGS.has(tags[step]) && NO_POSTS.test(words));
}
