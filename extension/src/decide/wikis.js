/** Lists of wikis: MediaWiki, which runs them, states what the content of a page is. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { pattern } from "../python.js";
import { blockWords } from "./threshold.js";

/** @import { Page } from "../page.js" */

const CONTENT = pattern(tables["decide.wikis"].CONTENT);
const BESIDE = pattern(tables["decide.wikis"].BESIDE);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the whole text of a page of MediaWiki of which less than half is kept; hidden
 *   blocks are not added, nor boxes for navigation, notices and sources
 */
export function completeWikis(page, kept) {
  const own = new BlockPaths(page).map((_, classWords) => isText(classWords));
  const inside = page.blocks.map(({ hidden }, i) => own[i] && !hidden);
  if (!inside.includes(true)) return kept;
  const words = blockWords(page);
  let [all, some] = [0, 0];
  for (const [i, isInside] of inside.entries()) {
    if (!isInside) continue;
    all += words[i];
    if (kept[i]) some += words[i];
  }
  return 2 * some >= all ? kept : kept.map((keep, i) => keep || inside[i]);
}

/** @param {string[]} classWords @returns {boolean} whether what has them is in the text of a page of MediaWiki */
function isText(classWords) {
  const step = classWords.findIndex((words) => CONTENT.test(words));
  return step >= 0 && !classWords.slice(step + 1).some((words) => BESIDE.test(words));
}
