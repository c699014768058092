/** Finds the headline of a page. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths, HEADING_TAGS } from "../page.js";
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
const IN_BRACKETS = pattern(constants.IN_BRACKETS);
const BEFORE_NAME = pattern(constants.BEFORE_NAME);
const HEADINGS = new Set(constants.HEADINGS);
const BOLD = new Set(constants.BOLD);
const IN_MENU = new Set(constants.IN_MENU);
const FIRST_SECTIONS = new Set(constants.FIRST_SECTIONS);
const OUTSIDE = new Set(constants.OUTSIDE);

/**
 * Candidates are headings, with all of their lines or one of them, and blocks of a class such as `headline`,
 * before or at the beginning of the content, but not the site's name. The headline is the candidate that is
 * most like the page's title or the longest part of it; if none is like it, the first `h1` that is the first
 * part of the title, or the first section of a manual page without a title, else the last one; without one, the first bold text or the like that is the title, as old pages have it.
 *
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {Set<number>} the indexes of the lines of the page's headline, or its index and those of equal
 *   blocks right after it
 */
export function findTitle(page, decided) {
  const { blocks } = page;
  const parts = page.title.split(PARTS).map(tokens);
  const title = tokens(page.title);
  const longest = parts.reduce((a, b) => (b.length > a.length ? b : a));
  const end = endOfLead(page, decided);
  let best = bestHeading(page, end, title, longest);
  if (!best.length) best = partOfTitle(page, decided, end);
  if (!best.length) best = boldTitle(page, end, [title, longest]);
  if (best.length !== 1) return new Set(best);
  const same = new Set();
  for (let i = best[0]; blocks[i]?.text === blocks[best[0]].text; i++) {
    if (!blocks[i].hidden) same.add(i);
  }
  return same;
}

/**
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {number} the index behind the last block in which the headline may be; 0 without content
 */
function endOfLead({ blocks }, decided) {
  let lead = 0;
  for (let i = 0; i < blocks.length; i++) {
    lead += decided[i] ? length(blocks[i].text) : 0;
    if (lead > 6 * constants.LEAD_WORDS) return i + 1;
  }
  return lead ? blocks.length : 0;
}

/**
 * @param {Page} page
 * @param {number} end
 * @param {string[]} title
 * @param {string[]} longest the longest part of it
 * @returns {number[]} the indexes of the lines of the heading before `end` that is most like the title of the page,
 *   or else of an `h1`; none without one
 */
function bestHeading(page, end, title, longest) {
  const { blocks } = page;
  const sides = page.title.split(SITE).map(tokens);
  const side = sides.reduce((a, b) => (b.length > a.length ? b : a));
  const titles = [title, longest, side].map((words) => ({ counts: counter(words), size: words.length }));
  const isHeading = new BlockPaths(page).map((tags, classWords) => isOfHeading(tags, classWords, HEADINGS));
  /** @type {number[]} */
  let best = [];
  /** @type {number[]} */
  let lastH1 = [];
  let [bestScore, seen, isNamed] = [0, -1, false];
  for (let i = 0; i < end; i++) {
    if (!isHeading[i] || blocks[i].hidden || isNoHeadline(blocks[i].text) || leadsHome(page, i)) continue;
    const lines = linesFrom(page, i);
    const isH1 = blocks[i].tags.slice(-3).includes("h1");
    for (const own of i > seen && lines.length > 1 ? [[i], lines] : [[i]]) {
      const words = tokens(own.map((line) => blocks[line].text).join(" "));
      const counts = counter(words);
      let score = Math.max(...titles.map((title) => likeness(counts, title)));
      score += score && isH1 ? constants.H1_BONUS : 0;
      const isFirst = own.length > 1 && best.length === 1 && best[0] === i;
      if (score > bestScore || (score && isFirst && goesOn(words, blocks[i].text, page.title))) {
        [best, bestScore] = [own, Math.max(score, bestScore)];
      }
    }
    if (isH1 && i > seen && !isNamed) {
      const text = lines.map((line) => blocks[line].text).join(" ");
      const isSection = !title.length && !lastH1.length && FIRST_SECTIONS.has(blocks[i].text.toLowerCase());
      [lastH1, isNamed] = [lines, isSection || tokens(text).join(" ") === sides[0].join(" ")];
    }
    seen = Math.max(seen, lines[lines.length - 1]);
  }
  return best.length ? best : lastH1;
}

/**
 * @param {string[]} words
 * @param {string} firstLine
 * @param {string} title
 * @returns {boolean} whether a heading of several lines has more words of the page's title than its first line,
 *   although this is a part of it; the rest is no other part, such as the name of the site
 */
function goesOn(words, firstLine, title) {
  const line = tokens(firstLine);
  const rest = words.slice(line.length);
  const inTitle = new Set(tokens(title));
  if (title.split(PARTS).some((part) => tokens(part).join(" ") === rest.join(" "))) return false;
  return rest.some((word) => inTitle.has(word) && !line.includes(word));
}

/**
 * @param {Page} page
 * @param {boolean[]} decided
 * @param {number} end
 * @returns {number[]} the index of the first heading right above the content that is the first part of the page's
 *   title, or a part of it; [] without one; its number and the like are left out
 */
function partOfTitle(page, decided, end) {
  const { blocks } = page;
  const side = page.title.split(SITE)[0].replace(IN_BRACKETS, "");
  const parts = new Set([side, ...side.split(PARTS)].map((part) => tokens(part).join(" ")).filter(Boolean));
  const content = decided.indexOf(true);
  const first = content < 0 ? end : Math.min(content, end);
  const isHeading = new BlockPaths(page).map((tags, classWords) => isOfHeading(tags, classWords, HEADING_TAGS));
  for (let i = Math.max(0, first - constants.NEAR_TEXT); i < end; i++) {
    const { hidden, text } = blocks[i];
    if (!isHeading[i] || hidden || isNoHeadline(text)) continue;
    const names = [text, text.replace(BEFORE_NAME, "")].map((name) => tokens(name).join(" "));
    if (names.some((name) => parts.has(name))) return leadsHome(page, i) ? [] : [i];
  }
  return [];
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
 * @param {Set<string>} headings the tags of headings
 * @returns {boolean} whether a block of this path may be the page's headline
 */
function isOfHeading(tags, classWords, headings) {
  const near =
    tags.slice(-3).some((tag) => headings.has(tag)) || HEADLINE.test(classWords.slice(-3).join(" "));
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
