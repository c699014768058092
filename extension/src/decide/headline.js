/** Finds the headline of a page. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { counter, length, pattern } from "../python.js";
import { tokens } from "../features/words.js";
import { isPlaceholder } from "./placeholders.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.headline"];
const HEADLINE = pattern(constants.HEADLINE);
const LOGO = pattern(constants.LOGO);
const PAGE_NUMBER = pattern(constants.PAGE_NUMBER);
const PARTS = pattern(constants.PARTS);
const SITE = pattern(constants.SITE);
const HEADINGS = new Set(constants.HEADINGS);
const BOLD = new Set(constants.BOLD);
const IN_MENU = new Set(constants.IN_MENU);
const OUTSIDE = new Set(constants.OUTSIDE);

/**
 * Candidates are headings, with all of their lines or one of them, and blocks of a class such as `headline`,
 * before or at the beginning of the content, but not the site's name. The headline is the candidate that is
 * most like the page's title or the longest part of it; if none is like it, the first `h1` that is the first
 * part of the title, else the last one; without one, the first bold text or the like that is the title, as old pages have it.
 *
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {Set<number>} the indexes of the lines of the page's headline, or its index and those of equal
 *   blocks right after it
 */
export function findTitle(page, decided) {
  const { blocks } = page;
  const candidates = [page.title, ...page.title.split(PARTS)].map(tokens);
  const longest = candidates.slice(1).reduce((a, b) => (b.length > a.length ? b : a));
  const sides = page.title.split(SITE).map(tokens);
  const side = sides.reduce((a, b) => (b.length > a.length ? b : a));
  const titles = [candidates[0], longest, side].map((words) => ({ counts: counter(words), size: words.length }));
  const isHeading = new BlockPaths(page).map(isOfHeading);
  /** @type {number[]} */
  let best = [];
  /** @type {number[]} */
  let lastH1 = [];
  let [bestScore, lead, end, seen, isNamed] = [0, 0, 0, -1, false];
  for (let i = 0; i < (decided.some(Boolean) ? blocks.length : 0); i++) {
    if (isHeading[i] && !blocks[i].hidden && !isNoHeadline(blocks[i].text) && !leadsHome(page, i)) {
      const lines = linesFrom(page, i);
      const isH1 = blocks[i].tags.slice(-3).includes("h1");
      for (const own of i > seen && lines.length > 1 ? [[i], lines] : [[i]]) {
        const counts = counter(tokens(own.map((line) => blocks[line].text).join(" ")));
        let score = Math.max(...titles.map((title) => likeness(counts, title)));
        score += score && isH1 ? constants.H1_BONUS : 0;
        if (score > bestScore) [best, bestScore] = [own, score];
      }
      if (isH1 && i > seen && !isNamed) {
        const text = lines.map((line) => blocks[line].text).join(" ");
        [lastH1, isNamed] = [lines, tokens(text).join(" ") === sides[0].join(" ")];
      }
      seen = Math.max(seen, lines[lines.length - 1]);
    }
    end = i + 1;
    lead += decided[i] ? length(blocks[i].text) : 0;
    if (lead > 6 * constants.LEAD_WORDS) break;
  }
  if (!best.length) best = lastH1;
  if (!best.length) best = boldTitle(page, end, [candidates[0], longest]);
  if (best.length !== 1) return new Set(best);
  const same = new Set();
  for (let i = best[0]; blocks[i]?.text === blocks[best[0]].text; i++) {
    if (!blocks[i].hidden) same.add(i);
  }
  return same;
}

/** @param {Page} page @param {number} i @returns {boolean} whether a block is a link to the home page of its site */
function leadsHome({ blocks, homeLinks = [] }, i) {
  return homeLinks.some((link) => blocks[i].nodes.includes(link));
}

/**
 * @param {Page} page
 * @param {string[]} kinds
 * @returns {number[]} the indexes of the lines of the headline, by the kinds of the blocks, without equal blocks
 *   behind it; [] without one
 */
export function headlineLines(page, kinds) {
  const first = kinds.indexOf("title");
  return first < 0 ? [] : linesFrom(page, first).filter((i) => kinds[i] === "title");
}

/**
 * @param {string} text
 * @returns {boolean} whether a heading is only the number of the page, such as "Page 2 of 5", or a place that a
 *   script would have filled
 */
function isNoHeadline(text) {
  return (length(text) <= constants.MAX_NUMBER_CHARS && PAGE_NUMBER.test(text)) || isPlaceholder(text);
}

/**
 * A heading has several if it has line breaks or blocks inside. One of more than three is probably not closed,
 * and only `first` is returned.
 *
 * @param {Page} page
 * @param {number} first
 * @returns {number[]} the indexes of the blocks of a heading from the one of index `first` on, without its buttons,
 *   and without hidden ones if the first is shown
 */
function linesFrom({ blocks }, first) {
  const { nodes, tags } = blocks[first];
  const heading = tags.findIndex((tag) => HEADINGS.has(tag));
  const step = heading < 0 ? tags.length - 1 : heading;
  const inside = [first];
  for (let i = first + 1; i < blocks.length && inside.length <= constants.MAX_LINES; i++) {
    const isInside = blocks[i].nodes[step] === nodes[step];
    if (!isInside || (heading < 0 && blocks[i].nodes.length !== nodes.length)) break;
    inside.push(i);
  }
  if (inside.length > constants.MAX_LINES) return [first];
  const alike = inside.filter((i) => blocks[i].hidden === blocks[first].hidden);
  const lines = alike.filter((i) => !blocks[i].tags.includes("button"));
  return lines.length ? lines : [first];
}

/**
 * @param {Page} page
 * @param {number} end
 * @param {string[][]} titles
 * @returns {number[]} the index of the first bold text before `end` that is one of the titles and no link, nor an
 *   item of a list, as in a menu; [] without one
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
  return found < 0 || blocks[found].linkChars ? [] : [found];
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
  if (!near || tags.slice(-3).includes("button") || tags.some((tag) => OUTSIDE.has(tag))) return false;
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

/** @param {Page} page @returns {number} the index of the first shown block of an `<h1>`; -1 without one */
export function indexOfH1({ blocks }) {
  return blocks.findIndex(({ hidden, tags }) => !hidden && tags.includes("h1"));
}
