/** Finds the headline of a page. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { counter, length, pattern } from "../python.js";
import { tokens } from "../features/words.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.headline"];
const HEADLINE = pattern(constants.HEADLINE);
const LOGO = pattern(constants.LOGO);
const PARTS = pattern(constants.PARTS);
const HEADINGS = new Set(constants.HEADINGS);
const BOLD = new Set(constants.BOLD);
const IN_MENU = new Set(constants.IN_MENU);
const OUTSIDE = new Set(constants.OUTSIDE);

/**
 * Candidates are headings and blocks of a class such as `headline`, before or at the beginning of the
 * content, but not the site's name. The headline is the candidate that is most like the page's title or
 * the longest part of it; if none is like it, the last `h1` among them; without one, the first bold text or
 * the like that is the title, as old pages have it.
 *
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {Set<number>} the index of the page's headline, and the indexes of equal blocks right after it
 */
export function findTitle(page, decided) {
  const { blocks } = page;
  const candidates = [page.title, ...page.title.split(PARTS)].map(tokens);
  const longest = candidates.slice(1).reduce((a, b) => (b.length > a.length ? b : a));
  const titles = [candidates[0], longest].map((words) => ({ counts: counter(words), size: words.length }));
  const isHeading = new BlockPaths(page).map(isOfHeading);
  let best = -1;
  let bestScore = 0;
  let lastH1 = -1;
  let lead = 0;
  let end = 0;
  for (let i = 0; i < (decided.some(Boolean) ? blocks.length : 0); i++) {
    if (isHeading[i] && !blocks[i].hidden) {
      const counts = counter(tokens(blocks[i].text));
      let score = Math.max(...titles.map((title) => likeness(counts, title)));
      if (blocks[i].tags.slice(-3).includes("h1")) {
        lastH1 = i;
        score += score ? constants.H1_BONUS : 0;
      }
      if (score > bestScore) [best, bestScore] = [i, score];
    }
    end = i + 1;
    lead += decided[i] ? length(blocks[i].text) : 0;
    if (lead > 6 * constants.LEAD_WORDS) break;
  }
  if (best < 0) best = lastH1;
  if (best < 0) best = boldTitle(page, end, [candidates[0], longest]);
  const same = new Set();
  for (let i = best; i >= 0 && blocks[i]?.text === blocks[best].text; i++) {
    if (!blocks[i].hidden) same.add(i);
  }
  return same;
}

/**
 * @param {Page} page
 * @param {number} end
 * @param {string[][]} titles
 * @returns {number} the index of the first bold text before `end` that is one of the titles and no link, nor an
 *   item of a list, as in a menu; -1 without one
 */
function boldTitle({ blocks, title }, end, titles) {
  const wanted = titles.filter((words) => words.length >= constants.MIN_WORDS).map((words) => words.join(" "));
  const found = blocks.slice(0, wanted.length ? end : 0).findIndex(
    ({ classWords, hidden, tags, text }) =>
      !hidden &&
      tags.slice(-3).some((tag) => BOLD.has(tag)) &&
      length(text) <= 2 * length(title) &&
      !tags.some((tag) => OUTSIDE.has(tag) || IN_MENU.has(tag)) &&
      wanted.includes(tokens(text).join(" ")) &&
      !isLogo(classWords),
  );
  return blocks[found]?.linkChars ? -1 : found;
}

/** @param {string[]} classWords @returns {boolean} */
function isLogo(classWords) {
  return LOGO.test(classWords.slice(-constants.LOGO_LEVELS).join(" "));
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {boolean} whether a block of this path may be the page's headline
 */
function isOfHeading(tags, classWords) {
  const near =
    tags.slice(-3).some((tag) => HEADINGS.has(tag)) || HEADLINE.test(classWords.slice(-3).join(" "));
  if (!near || tags.some((tag) => OUTSIDE.has(tag))) return false;
  return !isLogo(classWords);
}

/** @param {Map<string, number>} block @param {{counts: Map<string, number>, size: number}} title */
function likeness(block, title) {
  let size = 0;
  let common = 0;
  for (const [token, number] of block) {
    size += number;
    common += Math.min(number, title.counts.get(token) ?? 0);
  }
  const score = (2 * common) / Math.max(size + title.size, 1);
  return common >= constants.MIN_CONTAINED * size && score >= constants.MIN_SCORE ? score : 0;
}
