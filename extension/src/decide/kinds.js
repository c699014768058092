/** The kind of a block: title, main text, caption or readers' comment. */

import tables from "../tables.json" with { type: "json" };
import { counter, length, pattern } from "../python.js";
import { distinct, pathKey } from "../page.js";
import { tokens } from "../features/words.js";

/** @import { Kind, Page, Step } from "../page.js" */
/** @typedef {"model" | "keep" | "drop"} KindOption */

const constants = tables["decide.kinds"];
const COMMENT_AREA = pattern(constants.COMMENT_AREA);
const NO_COMMENT_AREA = pattern(constants.NO_COMMENT_AREA);
const ELSEWHERE = pattern(constants.ELSEWHERE);
const TOOLS = pattern(constants.TOOLS);
const SURE_AREA = pattern(constants.SURE_AREA);
const WRITTEN_BY = pattern(constants.WRITTEN_BY);
const HEADLINE = pattern(constants.HEADLINE);
const LOGO = pattern(constants.LOGO);
const PARTS = pattern(constants.PARTS);
const CAPTION = pattern(constants.CAPTION);
const CREDIT = pattern(constants.CREDIT, "y");
const HEADINGS = new Set(constants.HEADINGS);
const ALL_HEADINGS = new Set([...constants.HEADINGS, "h4", "h5", "h6"]);
const CODE_TAGS = new Set(constants.CODE_TAGS);
const WRITTEN_BY_TAGS = new Set(constants.WRITTEN_BY_TAGS);
const OUTSIDE = new Set(constants.OUTSIDE);
const OUTSIDE_CAPTIONS = new Set(constants.OUTSIDE_CAPTIONS);
const NO_AREA_TAGS = new Set(constants.NO_AREA_TAGS);

/** The paths of a page's blocks; blocks of one template share a path. */
export class BlockPaths {
  /** @param {Page} page */
  constructor({ blocks }) {
    const tags = distinct(blocks.map((block) => block.tags), pathKey);
    const words = distinct(blocks.map((block) => block.classWords), pathKey);
    const pairs = tags.places.map((place, i) => `${place} ${words.places[i]}`);
    const { values, places } = distinct(pairs, (pair) => pair);
    /** Per block the index of its pair in `pairs`. */
    this.places = places;
    /** The different pairs of tags and class words, in the order of their first blocks. */
    this.pairs = values.map((pair) => {
      const [tagsPlace, wordsPlace] = pair.split(" ").map(Number);
      return { tags: tags.values[tagsPlace], classWords: words.values[wordsPlace] };
    });
  }

  /**
   * @template T
   * @param {(tags: string[], classWords: string[]) => T} valueOf
   * @returns {T[]} per block what `valueOf` returns for its pair
   */
  map(valueOf) {
    const values = this.pairs.map(({ tags, classWords }) => valueOf(tags, classWords));
    return this.places.map((place) => values[place]);
  }
}

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
 */
export function applyOptions(options, page, found, kept, steps) {
  for (const option of /** @type {const} */ (["captions", "comments", "title"])) {
    let choice = options[option];
    if (choice === "auto") choice = isThread(page) ? "model" : "drop";
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
  return constants.THREAD_WORDS.some((word) => stated.includes(word));
}

/**
 * Candidates are headings and blocks of a class such as `headline`, before or at the beginning of the
 * content, but not the site's name. The headline is the candidate that is most like the page's title or
 * the longest part of it; if none is like it, the last `h1` among them.
 *
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {Set<number>} the index of the page's headline, and the indexes of equal blocks right after it
 */
function findTitle(page, decided) {
  const { blocks } = page;
  const candidates = [page.title, ...page.title.split(PARTS)].map(tokens);
  const longest = candidates.slice(1).reduce((a, b) => (b.length > a.length ? b : a));
  const titles = [candidates[0], longest].map((words) => ({ counts: counter(words), size: words.length }));
  const isHeading = new BlockPaths(page).map(isOfHeading);
  let best = -1;
  let bestScore = 0;
  let lastH1 = -1;
  let lead = 0;
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
    lead += decided[i] ? length(blocks[i].text) : 0;
    if (lead > 6 * constants.LEAD_WORDS) break;
  }
  if (best < 0) best = lastH1;
  const same = new Set();
  for (let i = best; i >= 0 && blocks[i]?.text === blocks[best].text; i++) {
    if (!blocks[i].hidden) same.add(i);
  }
  return same;
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
  return !LOGO.test(classWords.slice(-constants.LOGO_LEVELS).join(" "));
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

/**
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {Set<number>} the indexes of captions and photo credits
 */
function findCaptions(page, decided) {
  const found = new Set();
  const first = decided.indexOf(true);
  if (first < 0) return found;
  const end = Math.min(decided.length, decided.lastIndexOf(true) + constants.BLOCKS_AFTER + 1);
  const named = new BlockPaths(page).map(isNamedCaption);
  for (let i = Math.max(0, first - constants.BLOCKS_BEFORE); i < end; i++) {
    const { hidden, text } = page.blocks[i];
    const chars = length(text);
    if (hidden || chars > constants.CAPTION_CHARS) continue;
    CREDIT.lastIndex = 0;
    if (named[i] || (named[i] === false && chars < constants.CREDIT_CHARS && CREDIT.test(text))) found.add(i);
  }
  return found;
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {boolean | null} null if a block of this path cannot be a caption
 */
function isNamedCaption(tags, classWords) {
  if (tags.some((tag) => OUTSIDE_CAPTIONS.has(tag))) return null;
  if (tags.includes("figcaption")) return true;
  return CAPTION.test(classWords.at(-1) ?? "") && !tags.includes("table");
}

/**
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {Set<number>} the indexes of the blocks of readers' comments, with their authors and dates;
 *   none if no main text comes before them: such a thread is the main text itself
 */
function findComments(page, decided) {
  const found = new Set();
  const paths = new BlockPaths(page);
  const areas = areasOfReaders(paths.pairs, page.head.words.includes("ld:product"));
  const places = paths.map((tags, classWords) => placeOf(tags, classWords, areas));
  const isHeading = paths.map((tags) => tags.slice(-3).some((tag) => HEADINGS.has(tag)));
  const mainNodes = new Set();
  let mainWords = 0;
  page.blocks.forEach(({ hidden, nodes, text }, i) => {
    const { area, beside } = places[i];
    if (area === "elsewhere" && decided[i]) for (const node of nodes) mainNodes.add(node);
    if (area === "elsewhere" || (beside.length && !beside.every((depth) => mainNodes.has(nodes[depth])))) {
      mainWords += decided[i] && !isHeading[i] ? length(text) / 6 : 0;
    } else if (mainWords >= constants.MIN_MAIN_WORDS && area === "comments" && !hidden) {
      found.add(i);
    }
  });
  return found;
}

/**
 * A manual may have a section with the id `comments`. An area with a heading that is not named beyond
 * doubt counts only if a block in it has class words that tell who wrote it, and when; or, on the page of
 * a product, if it names reviews.
 *
 * @param {{tags: string[], classWords: string[]}[]} pairs
 * @param {boolean} isProduct
 * @returns {Set<string>} the class words that surely name comments of readers
 */
function areasOfReaders(pairs, isProduct) {
  const named = new Set(pairs.flatMap(({ classWords }) => classWords).filter(namesArea));
  const sure = new Set(
    [...named].filter((words) => SURE_AREA.test(words) || (isProduct && words.includes("reviews"))),
  );
  const unsure = new Set();
  const withHeading = new Set();
  for (const { tags, classWords } of pairs) {
    const depth = areaDepth(tags, classWords, named);
    if (depth < 0 || sure.has(classWords[depth])) continue;
    unsure.add(classWords[depth]);
    const inside = tags.slice(depth + 1);
    const tells = inside.some(
      (tag, d) => WRITTEN_BY_TAGS.has(tag) || (tag !== "section" && tellsWriter(classWords[depth + 1 + d])),
    );
    if (tells && !tags.some((tag) => CODE_TAGS.has(tag))) sure.add(classWords[depth]);
    else if (inside.some((tag) => ALL_HEADINGS.has(tag))) withHeading.add(classWords[depth]);
  }
  return new Set([...sure, ...[...unsure].filter((words) => !withHeading.has(words))]);
}

/** @param {string} words @returns {boolean} */
function tellsWriter(words) {
  return WRITTEN_BY.test(words) && !words.includes("section");
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @param {Set<string>} areas
 * @returns {number} the depth of the outermost element that holds comments; -1 if none does
 */
function areaDepth(tags, classWords, areas) {
  const code = tags.findIndex((tag) => CODE_TAGS.has(tag));
  const depth = tags.findIndex((tag, d) => areas.has(classWords[d]) && !NO_AREA_TAGS.has(tag));
  return code >= 0 && code <= depth ? -1 : depth;
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @param {Set<string>} areas
 * @returns {{area: "comments" | "tools" | "elsewhere", beside: number[]}} the area that a block of this
 *   path is in: comments, their controls, or neither; and the depths of elements around the area that
 *   are named like a widget
 */
function placeOf(tags, classWords, areas) {
  const depth = areaDepth(tags, classWords, areas);
  if (depth < 0 || tags.slice(0, depth).includes("aside")) return { area: "elsewhere", beside: [] };
  const beside = [];
  for (let d = Math.max(0, depth - constants.NEAR_LEVELS); d < depth; d++) {
    if (ELSEWHERE.test(classWords[d])) beside.push(d);
  }
  const inside = tags.slice(depth);
  const isWritten =
    !inside.includes("form") &&
    !inside.includes("button") &&
    !TOOLS.test(classWords.slice(depth + 1).join("\n"));
  return { area: isWritten ? "comments" : "tools", beside };
}

/** @param {string} words of a class @returns {boolean} whether they name a comment area */
function namesArea(words) {
  return words !== "" && COMMENT_AREA.test(words) && !NO_COMMENT_AREA.test(words);
}
