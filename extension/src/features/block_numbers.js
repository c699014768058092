/** Computes the numbers of a page's blocks that `scrapy_boilernet/extractor/features/numbers.py` lists. */

import tables from "../tables.json" with { type: "json" };
import { counter, length } from "../python.js";
import { distinct, pathKey } from "../page.js";
import { countTexts, HEAD_TOKENS, MAX_TEXT_CHARS, TAIL_TOKENS } from "./texts.js";

/** @import { Page } from "../page.js" */
/** @import { TextCounts } from "./texts.js" */

const { FAR_BLOCKS, LIST, SUBTREES } = tables["features.numbers"];
const { HEADING_ANCESTORS, HEADING_TAGS, PROSE_WORDS } = tables["features.block_numbers"];
const { KIND_CLASSES } = tables["features.table"];
const { SINGLES_PER_WORD } = tables["features.words"];
const COLUMNS = new Map(LIST.map((number, column) => [number.name, column]));
export const NUMBERS = LIST.length;
const LEVELS = new Map(Object.entries(HEADING_TAGS));

/**
 * @param {Page} page
 * @returns {Float32Array} the numbers of every block, block after block: (blocks * NUMBERS,)
 */
export function blockNumbers(page) {
  const blocks = page.blocks;
  const n = blocks.length;
  const counts = countTexts(blocks.map((block) => block.text), page.title, page.head);
  const chars = blocks.map((block) => length(block.text));
  const words = counts.map((textCounts, i) => wordCount(textCounts, chars[i]));
  const linkWords = words.map((number, i) => (number * blocks[i].linkChars) / Math.max(chars[i], 1));
  const tags = distinct(blocks.map((block) => block.tags), pathKey);

  const values = new Float32Array(n * NUMBERS);
  const put = (/** @type {string} */ name, /** @type {(block: number) => number} */ valueOf) => {
    const column = /** @type {number} */ (COLUMNS.get(name));
    const { most, divisor, log_divisor: logDivisor } = LIST[column];
    for (let i = 0; i < n; i++) {
      let value = valueOf(i);
      if (logDivisor) value = Math.log1p(value) / logDivisor;
      if (most !== null) value = Math.max(Math.min(value, most), -most);
      values[i * NUMBERS + column] = value / divisor;
    }
  };
  putTexts(put, page, counts, chars, words, linkWords);
  putPlaces(put, tags, words, linkWords);
  putSameTags(put, tags.places, words, linkWords);
  putKin(put, page, tags, words, linkWords);
  putHeadings(put, tags);
  putSubtrees(put, page, words, linkWords);
  return values;
}

/** @typedef {(name: string, valueOf: (block: number) => number) => void} Put Scales a number of all blocks and stores it. */
/** @typedef {{values: string[][], places: number[]}} Paths */

/**
 * `SINGLES_PER_WORD` characters of CJK count as a word.
 *
 * @param {TextCounts} counts
 * @param {number} chars
 * @returns {number} the words of a block, in any script; long blocks are extrapolated from characters
 */
function wordCount(counts, chars) {
  const words = counts.tokens - counts.singles + counts.singles / SINGLES_PER_WORD;
  if (counts.tokens < HEAD_TOKENS + TAIL_TOKENS) return words;
  return Math.max(words, (words * chars) / (counts.token_chars + counts.tokens - counts.singles));
}

/**
 * Stores the numbers of the groups "text" and "claims".
 *
 * @param {Put} put
 * @param {Page} page
 * @param {TextCounts[]} counts
 * @param {number[]} chars
 * @param {number[]} words
 * @param {number[]} linkWords
 */
function putTexts(put, { blocks }, counts, chars, words, linkWords) {
  const repeats = counter(blocks.map((block) => block.text));
  const seenChars = chars.map((number) => Math.min(number, MAX_TEXT_CHARS));
  const leastOne = words.map((number) => Math.max(number, 1));
  const seen = leastOne.map((number, i) =>
    Math.max(1, Math.min(number, (number * seenChars[i]) / Math.max(chars[i], 1))),
  );
  put("words", (i) => words[i]);
  put("characters", (i) => chars[i]);
  put("link density", (i) => linkWords[i] / leastOne[i]);
  put("punctuation per word", (i) => counts[i].punctuation / seen[i]);
  put("sentence ends per word", (i) => counts[i].stops / seen[i]);
  put("ends as a sentence", (i) => counts[i].ends);
  put("share of digits", (i) => counts[i].digits / Math.max(seenChars[i], 1));
  put("capitalized words", (i) => counts[i].capitalized / seen[i]);
  put("characters per word", (i) => seenChars[i] / seen[i]);
  put("text is repeated", (i) => Number(/** @type {number} */ (repeats.get(blocks[i].text)) > 1));
  put("hidden", (i) => Number(blocks[i].hidden));
  put("in noscript", (i) => Number(blocks[i].noscript));
  put("begins in lower case", (i) => counts[i].lower);
  put("has a date or time", (i) => counts[i].dated);
  put("has a layout symbol", (i) => Number(counts[i].symbols > 0));
  put("has an address", (i) => counts[i].addressed);
  put("words shared with the title", (i) => counts[i].in_title);
  put("words in the description", (i) => counts[i].in_description);
  put("text in the JSON-LD body", (i) => counts[i].in_body);
  put("page has a JSON-LD body", (i) => counts[i].has_body);
}

/** @param {Iterable<number>} values */
function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/**
 * Stores the numbers of the group "place".
 *
 * @param {Put} put
 * @param {Paths} tags
 * @param {number[]} words
 * @param {number[]} linkWords
 */
function putPlaces(put, tags, words, linkWords) {
  const n = words.length;
  const total = Math.max(sum(words), 1);
  const prose = sum(words.filter((number, i) => linkWords[i] < number / 3 && number >= PROSE_WORDS));
  const before = new Float64Array(n);
  for (let i = 1; i < n; i++) before[i] = before[i - 1] + words[i - 1];
  const links = sum(linkWords);
  put("place in the page", (i) => i / Math.max(n, 1));
  put("blocks from the start", (i) => i);
  put("blocks to the end", (i) => n - 1 - i);
  put("words of the page before", (i) => before[i] / total);
  put("depth in elements", (i) => tags.values[tags.places[i]].length);
  put("link density of the page", () => links / total);
  put("prose of the page", () => prose / total);
  put("words of the page", () => total);
}

/**
 * @param {number[]} places
 * @param {number[]} words
 * @param {number[]} linkWords
 * @returns {{blocks: Float64Array, words: Float64Array, links: Float64Array}} sums by place
 */
function sums(places, words, linkWords) {
  const size = places.reduce((most, place) => Math.max(most, place + 1), 0);
  const blocks = new Float64Array(size);
  const ofWords = new Float64Array(size);
  const links = new Float64Array(size);
  places.forEach((place, i) => {
    blocks[place]++;
    ofWords[place] += words[i];
    links[place] += linkWords[i];
  });
  return { blocks, words: ofWords, links };
}

/**
 * Stores the numbers of all blocks under the same tags.
 *
 * @param {Put} put
 * @param {number[]} places
 * @param {number[]} words
 * @param {number[]} linkWords
 */
function putSameTags(put, places, words, linkWords) {
  const same = sums(places, words, linkWords);
  const total = Math.max(sum(words), 1);
  put("page's words under the same tags", (i) => same.words[places[i]] / total);
  put(
    "link density under the same tags",
    (i) => same.links[places[i]] / Math.max(same.words[places[i]], 1),
  );
  put(
    "words per block under the same tags",
    (i) => same.words[places[i]] / Math.max(same.blocks[places[i]], 1),
  );
}

/**
 * Stores the numbers of the blocks with the same tags and near class words, such as the cards of a
 * listing.
 *
 * @param {Put} put
 * @param {Page} page
 * @param {Paths} tags
 * @param {number[]} words
 * @param {number[]} linkWords
 */
function putKin(put, { blocks }, tags, words, linkWords) {
  const near = distinct(blocks.map((block) => block.classWords), (path) =>
    pathKey(path.slice(-KIND_CLASSES)),
  );
  const pairs = tags.places.map((place, i) => `${place} ${near.places[i]}`);
  const { places } = distinct(pairs, (pair) => pair);
  const kin = sums(places, words, linkWords);
  const total = Math.max(sum(words), 1);
  const n = Math.max(blocks.length, 1);
  put("page's words in its kind", (i) => kin.words[places[i]] / total);
  put("link density of its kind", (i) => kin.links[places[i]] / Math.max(kin.words[places[i]], 1));
  put("blocks of its kind", (i) => kin.blocks[places[i]]);
  put("page's blocks in its kind", (i) => kin.blocks[places[i]] / n);
  put("words per block of its kind", (i) => kin.words[places[i]] / kin.blocks[places[i]]);
}

/**
 * Stores the numbers of the group "headings".
 *
 * @param {Put} put
 * @param {Paths} tags
 */
function putHeadings(put, tags) {
  const n = tags.places.length;
  const near = tags.values.map((path) => path.slice(-HEADING_ANCESTORS).reverse());
  const levels = near.map((path) => LEVELS.get(path.find((tag) => LEVELS.has(tag)) ?? "") ?? 0);
  const inH1 = near.map((path) => path.includes("h1"));
  const since = new Float64Array(n);
  const level = new Float64Array(n);
  let last = -1;
  let first = -1;
  for (let i = 0; i < n; i++) {
    const place = tags.places[i];
    if (levels[place] > 0) last = i;
    if (first < 0 && inH1[place]) first = i;
    since[i] = last >= 0 ? i - last : FAR_BLOCKS;
    level[i] = last >= 0 ? levels[tags.places[last]] : 0;
  }
  put("blocks since a heading", (i) => since[i]);
  put("level of the heading above", (i) => level[i]);
  put("after the first h1", (i) => (first < 0 ? 0 : i < first ? -1 : 1));
  put("distance to the first h1", (i) => (first < 0 ? 0 : i - first));
}

/**
 * Stores the numbers of the nearest distinct subtrees.
 *
 * An ancestor that adds no block to the subtree below it is passed over: a wrapper changes nothing. If
 * there are fewer subtrees than `SUBTREES`, the last is repeated.
 *
 * @param {Put} put
 * @param {Page} page
 * @param {number[]} words
 * @param {number[]} linkWords
 */
function putSubtrees(put, { blocks }, words, linkWords) {
  /** @type {Map<number, {blocks: number, words: number, links: number}>} */
  const subtrees = new Map();
  blocks.forEach((block, i) => {
    for (const node of block.nodes) {
      let subtree = subtrees.get(node);
      if (!subtree) subtrees.set(node, (subtree = { blocks: 0, words: 0, links: 0 }));
      subtree.blocks++;
      subtree.words += words[i];
      subtree.links += linkWords[i];
    }
  });
  const nothing = { blocks: 0, words: 0, links: 0 };
  const total = Math.max(sum(words), 1);
  const nearest = blocks.map(({ nodes }) => {
    /** @type {{blocks: number, words: number, links: number}[]} */
    const found = [];
    for (let step = nodes.length - 1; step >= 0 && found.length < SUBTREES; step--) {
      const subtree = /** @type {typeof nothing} */ (subtrees.get(nodes[step]));
      if (subtree.blocks !== found.at(-1)?.blocks) found.push(subtree);
    }
    while (found.length < SUBTREES) found.push(found.at(-1) ?? nothing);
    return found;
  });
  for (let level = 0; level < SUBTREES; level++) {
    const name = `, subtree ${level + 1}`;
    put(`share of the page's words${name}`, (i) => nearest[i][level].words / total);
    put(`link density${name}`, (i) => nearest[i][level].links / Math.max(nearest[i][level].words, 1));
    put(
      `words per block${name}`,
      (i) => nearest[i][level].words / Math.max(nearest[i][level].blocks, 1),
    );
    put(`blocks${name}`, (i) => nearest[i][level].blocks);
  }
}
