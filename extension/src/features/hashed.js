/** The hashed featurizer, which turns a page into arrays, as in `scrapy_boilernet/extractor/features/hashed.py`. */

import tables from "../tables.json" with { type: "json" };
import { distinct, pathKey } from "../page.js";
import { split } from "../python.js";
import { blockNumbers } from "./block_numbers.js";
import { clippedTokens } from "./texts.js";
import { isSingle, urlWords } from "./words.js";

/** @import { Page } from "../page.js" */

export const { BAG_ROWS, FEATURIZER, PAGE_ROWS } = tables["features.hashed"];
const { CLASS_BEGINS, TAG_BEGINS } = tables["features.hashed"];

/**
 * @typedef {object} Bag Hashed ids of all blocks.
 * @property {Int32Array[]} lists The different lists of ids.
 * @property {number[]} places Per block the index of its list in `lists`.
 *
 * @typedef {object} Features The arrays that the network reads of a page of n blocks.
 * @property {number} blocks n
 * @property {Float32Array} numbers Block after block: (n * NUMBERS,).
 * @property {Record<string, Bag>} bags By the names of `BAG_ROWS`.
 * @property {Int32Array} page Hashed ids of the words of the page's head and its URL.
 */

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/**
 * @param {string} text
 * @param {number} [begin] the checksum of the text before it
 * @returns {number} the CRC-32 of its UTF-8; a lone surrogate is encoded in three bytes
 */
export function crc32(text, begin = 0) {
  let crc = ~begin;
  const add = (/** @type {number} */ byte) => {
    crc = CRC[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  };
  for (let i = 0; i < text.length; i++) {
    const code = /** @type {number} */ (text.codePointAt(i));
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xc0 | (code >> 6));
      add(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
      add(0xe0 | (code >> 12));
      add(0x80 | ((code >> 6) & 0x3f));
      add(0x80 | (code & 0x3f));
    } else {
      add(0xf0 | (code >> 18));
      add(0x80 | ((code >> 12) & 0x3f));
      add(0x80 | ((code >> 6) & 0x3f));
      add(0x80 | (code & 0x3f));
      i++;
    }
  }
  return ~crc >>> 0;
}

/**
 * @param {Page} page
 * @param {string[]} bags the names of the wanted bags, since a model need not read all of them
 * @returns {Features}
 */
export function featurize(page, bags) {
  const { blocks, head, url } = page;
  /** @type {Record<string, () => Bag>} */
  const makers = {
    tags: () => pathBag(blocks.map((block) => block.tags), TAG_BEGINS, BAG_ROWS.tags, (tag) => [tag]),
    classes: () =>
      pathBag(blocks.map((block) => block.classWords), CLASS_BEGINS, BAG_ROWS.classes, split),
    words: () => wordBag(blocks.map((block) => block.text)),
  };
  return {
    blocks: blocks.length,
    numbers: blockNumbers(page),
    bags: Object.fromEntries(bags.map((name) => [name, makers[name]()])),
    page: Int32Array.from([...head.words, ...urlWords(url)], (word) => crc32(word) % PAGE_ROWS),
  };
}

/**
 * @param {string[][]} paths
 * @param {number[]} begins per step of a path, innermost first, the checksum of the beginning of its key
 * @param {number} rows
 * @param {(step: string) => string[]} wordsOf
 * @returns {Bag} the ids of each path's steps
 */
function pathBag(paths, begins, rows, wordsOf) {
  const { values, places } = distinct(paths, pathKey);
  const lists = values.map((path) => {
    /** @type {number[]} */
    const ids = [];
    for (let step = 0; step < Math.min(begins.length, path.length); step++) {
      for (const word of wordsOf(path[path.length - 1 - step])) {
        ids.push(crc32(word, begins[step]) % rows);
      }
    }
    return Int32Array.from(ids);
  });
  return { lists, places };
}

/** @param {string[]} texts @returns {Bag} */
function wordBag(texts) {
  const lists = texts.map((text) =>
    Int32Array.from(wordKeys(clippedTokens(text)), (key) => crc32(key) % BAG_ROWS.words),
  );
  return { lists, places: texts.map((_, i) => i) };
}

/**
 * @param {string[]} tokens
 * @returns {string[]} the tokens; runs of single CJK characters become pairs, which mean more than one
 */
function wordKeys(tokens) {
  let before = "";
  return tokens.map((token) => {
    const single = isSingle(token);
    const key = single && before ? before + token : token;
    before = single ? token : "";
    return key;
  });
}
