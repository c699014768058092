/**
 * The blocks of a page as vectors and as a graph of similarity, as in
 * `scrapy_boilernet/extractor/labelers/grf/block_graph.py`: an edge weighs exp(-d²/2), where d is the distance of
 * two blocks' vectors.
 */

import mixing from "./mixing.json" with { type: "json" };
import tables from "../../tables.json" with { type: "json" };
import { crc32 } from "../../features/hashed.js";
import { CAPITAL, countCharacters, DIGIT, kindsOf, PUNCTUATION, STOP, SYMBOL, tokens } from "../../features/words.js";
import { distinct, HEADING_TAGS, pathKey } from "../../page.js";
import { characters, counter, slice, split } from "../../python.js";

/** @import { Block, Page } from "../../page.js" */
/** @import { Graph } from "./harmonic.js" */

/** @typedef {Map<number, number>} Counts How often each hashed string occurs, by its column. */

const {
  COLUMNS, ENDS, GRAM, HASHED, LEAST, MAX_PART, MAX_TEXT_CHARS, NEAR_ANCESTORS,
  NUMBERS, OPTIONS,
} = tables["labelers.grf.block_graph"];
const { CLOSERS } = tables["features.texts"];
const WIDTH = 3 * COLUMNS + NUMBERS;

/**
 * @param {Page} page
 * @returns {{graph: Graph, nodes: number[]}} the graph, and the node of each block: blocks with the
 *   same text and tags share one
 */
export function blockGraph(page) {
  const { values: first, places: nodes } = distinct(page.blocks, keyOf);
  const vectors = vectorsOf(first, placesOf(nodes, first.length));
  /** @type {Graph} */
  const graph = first.map(() => new Map());
  for (const part of partsOf(vectors, first.length)) addNearest(graph, vectors, part);
  addAdjacent(graph, page.blocks, nodes);
  return { graph, nodes };
}

/** @param {Block} block */
function keyOf(block) {
  return `${block.text}\n\n${pathKey(block.tags)}`;
}

/**
 * @param {number[]} nodes
 * @param {number} count
 * @returns {number[]} per node the mean place of its blocks, in [0, 1]
 */
function placesOf(nodes, count) {
  const sums = new Array(count).fill(0);
  const sizes = new Array(count).fill(0);
  nodes.forEach((node, i) => {
    sums[node] += i / Math.max(nodes.length - 1, 1);
    sizes[node]++;
  });
  return sums.map((sum, node) => sum / sizes[node]);
}

/**
 * @param {Block[]} blocks
 * @param {number[]} places
 * @returns {Float32Array[]} per block its vector: (WIDTH,)
 */
function vectorsOf(blocks, places) {
  const texts = blocks.map(({ text }) => slice(text, 0, MAX_TEXT_CHARS).toLowerCase());
  const words = texts.map((text) => counter(tokens(text).map((word) => crc32(word) % HASHED)));
  const groups = [
    { rows: mixed([tfIdf(words), tfIdf(texts.map(gramCounts))]), width: OPTIONS.text },
    { rows: blocks.map((block, i) => numbersOf(block, places[i])), width: OPTIONS.numbers },
    { rows: perPath(blocks, ({ tags }) => tags, prefixes), width: OPTIONS.path },
    { rows: perPath(blocks, nearClasses, classMarks), width: OPTIONS.classes },
  ];
  return blocks.map((_, i) => {
    const vector = new Float32Array(WIDTH);
    let column = 0;
    for (const { rows, width } of groups) {
      for (const value of rows[i]) vector[column++] = value / width;
    }
    return vector;
  });
}

/**
 * @param {string} text
 * @returns {Counts} of its hashed n-grams of characters, with spaces around the text
 */
function gramCounts(text) {
  const codes = characters(` ${text}${" ".repeat(GRAM - 1)}`).map((char) => char.codePointAt(0) ?? 0);
  const columns = [];
  for (let begin = 0; begin + GRAM <= codes.length; begin++) {
    let hash = 0;
    for (let i = begin; i < begin + GRAM; i++) hash = Math.imul(hash ^ codes[i], 0x01000193);
    hash >>>= 0;
    columns.push(((hash ^ (hash >>> 15)) >>> 0) % HASHED);
  }
  return counter(columns);
}

/** @param {Counts[]} rows @returns {Counts[]} the counts as tf-idf, in rows of length 1 or 0 */
function tfIdf(rows) {
  const held = counter(rows.flatMap((row) => [...row.keys()]));
  return rows.map((row) => {
    const weighed = Array.from(row, ([column, count]) => {
      const idf = Math.log((1 + rows.length) / (1 + (held.get(column) ?? 0))) + 1;
      return /** @type {[number, number]} */ ([column, (1 + Math.log(count)) * idf]);
    });
    const length = Math.sqrt(weighed.reduce((sum, [, value]) => sum + value * value, 0));
    return new Map(weighed.map(([column, value]) => [column, value / length]));
  });
}

/**
 * @param {Counts[][]} groups per group its rows
 * @returns {Float32Array[]} the groups side by side, their columns added up to COLUMNS sums with random
 *   signs; rows are scaled by the length that they had before
 */
function mixed(groups) {
  const { signs, sums } = mixingOf(groups.length);
  return groups[0].map((_, i) => {
    const totals = new Float64Array(COLUMNS);
    let squares = 0;
    groups.forEach((rows, number) => {
      for (const [hashed, value] of rows[i]) {
        const column = hashed + number * HASHED;
        totals[sums[column]] += signs[column] * value;
        squares += value * value;
      }
    });
    return Float32Array.from(totals, (value) => value / (Math.sqrt(squares) || 1));
  });
}

/** @type {Map<number, {signs: Int8Array, sums: Uint8Array}>} */
const mixings = new Map();

/**
 * @param {number} groups
 * @returns {{signs: Int8Array, sums: Uint8Array}} per column its sign, 1 or -1, and the sum that it
 *   goes to
 */
function mixingOf(groups) {
  let known = mixings.get(groups);
  if (!known) {
    const packed = atob(/** @type {Record<string, string>} */ (mixing)[String(groups * HASHED)]);
    const bytes = Uint8Array.from(packed, (char) => char.charCodeAt(0));
    known = { signs: Int8Array.from(bytes, (byte) => (byte & 128 ? -1 : 1)), sums: bytes.map((byte) => byte & 127) };
    mixings.set(groups, known);
  }
  return known;
}

/**
 * @template {string[]} K
 * @param {Block[]} blocks @param {(block: Block) => K} pathOf @param {(path: K) => string[]} marksOf
 * @returns {Float32Array[]} the mixed rows of the blocks' marks; blocks with the same path share one
 */
function perPath(blocks, pathOf, marksOf) {
  const { values, places } = distinct(blocks.map(pathOf), pathKey);
  const rows = mixed([values.map((path) => counter(marksOf(path).map((mark) => crc32(mark) % HASHED)))]);
  return places.map((place) => rows[place]);
}

/** @param {string[]} tags @returns {string[]} a mark for each prefix of the path */
function prefixes(tags) {
  let above = "";
  return tags.map((tag) => (above = String(crc32(`${above}/${tag}`))));
}

/**
 * @param {Block} block
 * @returns {string[]} the tag and the class words of each of its nearest ancestors
 */
function nearClasses({ tags, classWords }) {
  return tags.slice(-NEAR_ANCESTORS).map((tag, i) => `${tag} ${classWords.slice(-NEAR_ANCESTORS)[i]}`);
}

/** @param {string[]} near @returns {string[]} the class words, also with their tags */
function classMarks(near) {
  return [...near.flatMap((each) => split(each).slice(1)), ...near];
}

/**
 * @param {Block} block
 * @param {number} place
 * @returns {number[]} length, links, punctuation, place and others, about 0 to 1 each
 */
function numbersOf(block, place) {
  const chars = characters(block.text);
  const read = chars.slice(0, MAX_TEXT_CHARS);
  const text = read.join("");
  const words = tokens(text).length;
  const seen = Math.max(words, 1);
  const { capitalized, counts } = countCharacters(text);
  const count = (/** @type {number} */ kind) => counts.get(kind) ?? 0;
  let end = read.length;
  while (end && CLOSERS.includes(read[end - 1])) end--;
  return [
    Math.log1p(words) / Math.log(100),
    block.linkChars / Math.max(chars.length, 1),
    Math.min((count(PUNCTUATION) / seen) * 5, 1),
    Math.min((count(STOP) / seen) * 5, 1),
    end && ENDS.includes(read[end - 1]) ? 1 : 0,
    count(DIGIT) / Math.max(read.length, 1),
    Math.min(capitalized / seen, 1),
    count(SYMBOL) > 0 ? 1 : 0,
    place,
    block.hidden || block.noscript ? 1 : 0,
    block.tags.slice(-3).some((tag) => HEADING_TAGS.has(tag)) ? 1 : 0,
    Math.min((read.filter((char) => kindsOf(char) & CAPITAL).length / Math.max(read.length, 1)) * 2, 1),
  ];
}

/**
 * @param {Float32Array[]} vectors
 * @param {number} count
 * @returns {number[][]} the parts in which neighbours are searched: all nodes or, on a large page, runs
 *   of nodes that are near one another in one column
 */
function partsOf(vectors, count) {
  const all = Array.from({ length: count }, (_, i) => i);
  if (count <= MAX_PART) return [all];
  const parts = Math.ceil(count / MAX_PART);
  return [0, COLUMNS + NUMBERS].flatMap((column) => {
    const order = [...all].sort((a, b) => vectors[a][column] - vectors[b][column] || a - b);
    const size = Math.ceil(count / parts);
    return Array.from({ length: parts }, (_, i) => order.slice(i * size, (i + 1) * size));
  });
}

/**
 * @param {Graph} graph
 * @param {Float32Array[]} vectors
 * @param {number[]} part adds the edges from its nodes to the nearest others
 */
function addNearest(graph, vectors, part) {
  const wanted = Math.min(OPTIONS.neighbours, part.length - 1);
  const squares = new Float64Array(part.length * part.length);
  for (let a = 0; a < part.length; a++) {
    const one = vectors[part[a]];
    for (let b = a + 1; b < part.length; b++) {
      const other = vectors[part[b]];
      let sum = 0;
      for (let i = 0; i < WIDTH; i++) sum += (one[i] - other[i]) ** 2;
      squares[a * part.length + b] = squares[b * part.length + a] = sum;
    }
  }
  for (let a = 0; a < part.length; a++) {
    const row = squares.subarray(a * part.length, (a + 1) * part.length);
    const near = part.map((_, b) => b).filter((b) => b !== a);
    near.sort((one, other) => row[one] - row[other] || one - other);
    for (const b of near.slice(0, wanted)) {
      join(graph, part[a], part[b], Math.max(Math.exp(-row[b] / 2), LEAST));
    }
  }
}

/**
 * @param {Graph} graph
 * @param {number} a
 * @param {number} b
 * @param {number} weight if there is an edge, the greater weight stays
 */
function join(graph, a, b, weight) {
  const most = Math.max(graph[a].get(b) ?? 0, weight);
  graph[a].set(b, most);
  graph[b].set(a, most);
}

/**
 * @param {Graph} graph
 * @param {Block[]} blocks
 * @param {number[]} nodes adds the edges between adjacent blocks
 */
function addAdjacent(graph, blocks, nodes) {
  /** @type {Map<string, {a: number, b: number, sum: number, size: number}>} */
  const pairs = new Map();
  for (let i = 1; i < blocks.length; i++) {
    const [one, other] = [blocks[i - 1].nodes, blocks[i].nodes];
    const common = one.filter((node) => other.includes(node)).length;
    const apart = Math.max(one.length, other.length) - common;
    const [a, b] = [nodes[i - 1], nodes[i]];
    const pair = pairs.get(`${a} ${b}`) ?? { a, b, sum: 0, size: 0 };
    pair.sum += 1 / (1 + Math.max(apart - 1, 0));
    pair.size++;
    pairs.set(`${a} ${b}`, pair);
  }
  /** @type {Graph} */
  const adjacent = graph.map(() => new Map());
  for (const { a, b, sum, size } of pairs.values()) if (a !== b) join(adjacent, a, b, sum / size);
  adjacent.forEach((edges, a) => {
    for (const [b, weight] of edges) graph[a].set(b, (graph[a].get(b) ?? 0) + OPTIONS.adjacent * weight);
  });
}
