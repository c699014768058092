/** What kind of content a block is: title, main text, a caption, or readers' comments. */

import tables from "../tables.json" with { type: "json" };
import { counter, length, pattern } from "../python.js";
import { distinct, pathKey } from "../page.js";
import { tokens } from "../features/words.js";

/** @import { Kind, Page } from "../page.js" */
/** @typedef {"model" | "keep" | "drop"} KindOption */

const own = tables["decide.kinds"];
const COMMENT_AREA = pattern(own.COMMENT_AREA);
const NO_COMMENT_AREA = pattern(own.NO_COMMENT_AREA);
const ELSEWHERE = pattern(own.ELSEWHERE);
const TOOLS = pattern(own.TOOLS);
const HEADLINE = pattern(own.HEADLINE);
const LOGO = pattern(own.LOGO);
const PARTS = pattern(own.PARTS);
const CAPTION = pattern(own.CAPTION);
const CREDIT = pattern(own.CREDIT, "y");
const HEADINGS = new Set(own.HEADINGS);
const OUTSIDE = new Set(own.OUTSIDE);
const OUTSIDE_CAPTIONS = new Set(own.OUTSIDE_CAPTIONS);
const NO_AREA_TAGS = new Set(own.NO_AREA_TAGS);

/** The different pairs of tags and class words of a page's blocks. */
class Places {
  /** @param {Page} page */
  constructor({ blocks }) {
    const tags = distinct(blocks.map((block) => block.tags), pathKey);
    const words = distinct(blocks.map((block) => block.classWords), pathKey);
    const pairs = tags.places.map((place, i) => `${place} ${words.places[i]}`);
    const { kinds, places } = distinct(pairs, (pair) => pair);
    /** Per block the place of its pair. */
    this.places = places;
    this.pairs = kinds.map((pair) => {
      const [tagsPlace, wordsPlace] = pair.split(" ").map(Number);
      return { tags: tags.kinds[tagsPlace], classWords: words.kinds[wordsPlace] };
    });
  }

  /**
   * @template T
   * @param {(tags: string[], classWords: string[]) => T} of
   * @returns {T[]} per block what `of` returns for its pair
   */
  map(of) {
    const values = this.pairs.map(({ tags, classWords }) => of(tags, classWords));
    return this.places.map((place) => values[place]);
  }
}

/**
 * @param {Page} page
 * @param {boolean[]} decided per block whether it was content before the settings were applied
 * @param {boolean[]} kept
 * @param {Set<number>} comments
 * @returns {Kind[]}
 */
export function blockKinds(page, decided, kept, comments) {
  const title = findTitle(page, decided);
  const captions = findCaptions(page, decided);
  return kept.map((keep, i) => {
    if (!keep) return page.blocks[i].hidden ? "hidden" : "boilerplate";
    if (title.has(i)) return "title";
    if (comments.has(i)) return "comment";
    return captions.has(i) ? "caption" : "main";
  });
}

/**
 * @param {Page} page
 * @param {boolean[]} decided
 * @param {boolean[]} content with completed tables
 * @param {{title: KindOption, comments: KindOption, captions: KindOption}} options
 * @returns {boolean[]} per block whether it is content once the options are applied
 */
export function chosenBlocks(page, decided, content, { title, comments, captions }) {
  const kept = [...content];
  /** @type {[KindOption, (page: Page, decided: boolean[]) => Set<number>][]} */
  const rules = [
    [captions, findCaptions],
    [comments, findComments],
    [title, findTitle],
  ];
  for (const [option, find] of rules) {
    if (option !== "model") for (const i of find(page, decided)) kept[i] = option === "keep";
  }
  return kept;
}

/** @param {Page} page @returns {boolean} whether it calls itself one of a forum or a question */
export function isThread({ head, url }) {
  const said = `${head.words.join(" ")} ${url.toLowerCase()}`;
  return own.THREAD_WORDS.some((word) => said.includes(word));
}

/** @param {Page} page @param {boolean[]} decided @returns {Set<number>} the page's headline */
function findTitle(page, decided) {
  const { blocks } = page;
  const candidates = [page.title, ...page.title.split(PARTS)].map(tokens);
  const longest = candidates.slice(1).reduce((a, b) => (b.length > a.length ? b : a));
  const titles = [candidates[0], longest].map((words) => ({ counts: counter(words), size: words.length }));
  const isOfHeading = new Places(page).map(isHeading);
  let best = -1;
  let bestScore = 0;
  let lastH1 = -1;
  let lead = 0;
  for (let i = 0; i < (decided.some(Boolean) ? blocks.length : 0); i++) {
    if (isOfHeading[i] && !blocks[i].hidden) {
      const counts = counter(tokens(blocks[i].text));
      let score = Math.max(...titles.map((title) => likeness(counts, title)));
      if (blocks[i].tags.slice(-3).includes("h1")) {
        lastH1 = i;
        score += score ? own.H1_BONUS : 0;
      }
      if (score > bestScore) [best, bestScore] = [i, score];
    }
    lead += decided[i] ? length(blocks[i].text) / 6 : 0;
    if (lead > own.LEAD_WORDS) break;
  }
  if (best < 0) best = lastH1;
  const same = new Set();
  for (let i = best; i >= 0 && blocks[i]?.text === blocks[best].text; i++) {
    if (!blocks[i].hidden) same.add(i);
  }
  return same;
}

/** @param {string[]} tags @param {string[]} classWords */
function isHeading(tags, classWords) {
  const near =
    tags.slice(-3).some((tag) => HEADINGS.has(tag)) || HEADLINE.test(classWords.slice(-3).join(" "));
  if (!near || tags.some((tag) => OUTSIDE.has(tag))) return false;
  return !LOGO.test(classWords.slice(-own.LOGO_LEVELS).join(" "));
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
  return common >= own.MIN_CONTAINED * size && score >= own.MIN_SCORE ? score : 0;
}

/** @param {Page} page @param {boolean[]} decided @returns {Set<number>} captions and photo credits */
function findCaptions(page, decided) {
  const found = new Set();
  const first = decided.indexOf(true);
  if (first < 0) return found;
  const end = Math.min(decided.length, decided.lastIndexOf(true) + own.BLOCKS_AFTER + 1);
  const named = new Places(page).map(isNamedCaption);
  for (let i = Math.max(0, first - own.BLOCKS_BEFORE); i < end; i++) {
    const { hidden, text } = page.blocks[i];
    const chars = length(text);
    if (hidden || chars > own.CAPTION_CHARS) continue;
    CREDIT.lastIndex = 0;
    if (named[i] || (named[i] === false && chars < own.CREDIT_CHARS && CREDIT.test(text))) found.add(i);
  }
  return found;
}

/** @param {string[]} tags @param {string[]} classWords @returns {boolean | null} */
function isNamedCaption(tags, classWords) {
  if (tags.some((tag) => OUTSIDE_CAPTIONS.has(tag))) return null;
  if (tags.includes("figcaption")) return true;
  return CAPTION.test(classWords.at(-1) ?? "") && !tags.includes("table");
}

/**
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {Set<number>} readers' comments with their authors and dates; none where no main text
 *   stands before them
 */
export function findComments(page, decided) {
  const found = new Set();
  const where = new Places(page);
  const places = where.map(placeOf);
  const heads = where.map((tags) => tags.slice(-3).some((tag) => HEADINGS.has(tag)));
  const mainNodes = new Set();
  let mainWords = 0;
  page.blocks.forEach(({ hidden, nodes, text }, i) => {
    const { area, beside } = places[i];
    if (area === "elsewhere" && decided[i]) for (const node of nodes) mainNodes.add(node);
    if (area === "elsewhere" || (beside.length && !beside.every((depth) => mainNodes.has(nodes[depth])))) {
      mainWords += decided[i] && !heads[i] ? length(text) / 6 : 0;
    } else if (mainWords >= own.MIN_MAIN_WORDS && area === "comments" && !hidden) {
      found.add(i);
    }
  });
  return found;
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {{area: "comments" | "tools" | "elsewhere", beside: number[]}}
 */
function placeOf(tags, classWords) {
  const depth = tags.findIndex((tag, d) => namesArea(classWords[d]) && !NO_AREA_TAGS.has(tag));
  if (depth < 0 || tags.slice(0, depth).includes("aside")) return { area: "elsewhere", beside: [] };
  const beside = [];
  for (let d = Math.max(0, depth - own.NEAR_LEVELS); d < depth; d++) {
    if (ELSEWHERE.test(classWords[d])) beside.push(d);
  }
  const inside = tags.slice(depth);
  const isWritten =
    !inside.includes("form") &&
    !inside.includes("button") &&
    !TOOLS.test(classWords.slice(depth + 1).join("\n"));
  return { area: isWritten ? "comments" : "tools", beside };
}

/** @param {string} words */
function namesArea(words) {
  return words !== "" && COMMENT_AREA.test(words) && !NO_COMMENT_AREA.test(words);
}
