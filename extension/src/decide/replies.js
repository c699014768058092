/** The replies of a thread of which the model keeps hardly more than the first post. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { pattern, setDefault } from "../python.js";
import { isSurelyThread } from "./threads.js";
import { blockWords } from "./threshold.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.replies"];
const BODY = pattern(constants.BODY);
const NO_BODY = pattern(constants.NO_BODY);
const NO_POST_TAGS = new Set(constants.NO_POST_TAGS);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the replies of a thread, if hardly any of them are kept, and no other posts but
 *   the first; hidden blocks are not added
 */
export function completeReplies(page, kept) {
  if (!kept.some(Boolean) || !isSurelyThread(page)) return kept;
  const paths = new BlockPaths(page);
  const steps = paths.map(stepOf);
  /** @type {Map<string, number[]>} */
  const groups = new Map();
  /** @type {Map<string, Set<number>>} */
  const posts = new Map();
  page.blocks.forEach(({ hidden, nodes }, i) => {
    if (!steps[i] || hidden) return;
    const group = paths.pairs[paths.places[i]].classWords[steps[i]];
    setDefault(groups, group, /** @type {number[]} */ ([])).push(i);
    if (kept[i]) setDefault(posts, group, /** @type {Set<number>} */ (new Set())).add(nodes[steps[i]]);
  });
  const words = blockWords(page);
  /** @param {number[]} places */
  const sum = (places) => places.reduce((total, i) => total + words[i], 0);
  const allKept = sum([...kept.keys()].filter((i) => kept[i]));
  const completed = [...kept];
  for (const [group, places] of groups) {
    const own = sum(places);
    const ownKept = sum(places.filter((i) => kept[i]));
    const others = [...posts].reduce((total, [name, found]) => total + (name === group ? 0 : found.size), 0);
    if (
      own >= constants.MIN_WORDS &&
      ownKept <= constants.MOST_KEPT * own &&
      own - ownKept >= constants.LEAST_OF_KEPT * (allKept - ownKept) &&
      others < constants.POSTS
    ) {
      for (const i of places) completed[i] = true;
    }
  }
  return completed;
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {number} the step of the innermost element that holds the text of a post; 0 if there is none
 */
function stepOf(tags, classWords) {
  if (tags.some((tag) => NO_POST_TAGS.has(tag))) return 0;
  for (let step = classWords.length - 1; step > 0; step--) {
    if (NO_BODY.test(classWords[step])) return 0;
    if (BODY.test(classWords[step])) return step;
  }
  return 0;
}
