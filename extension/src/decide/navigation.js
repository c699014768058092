/** Lines that lead to the pages before and behind: "Previous | Contents | Next". */

import tables from "../tables.json" with { type: "json" };
import { findall, length, pattern, split } from "../python.js";

/** @import { Page } from "../page.js" */
/** @typedef {{words: number, hasDirection: boolean}} Line what is nothing but links to other pages */

const constants = tables["decide.navigation"];
const WORDS = new Set(constants.WORDS);
const DIRECTIONS = new Set(constants.DIRECTIONS);
const LABELS = new Set(constants.LABELS);
const ARROWS = new Set(constants.ARROWS);
const NOT_IN = new Set(constants.NOT_IN);
const ITEMS = new Map(Object.entries(constants.ITEMS));
const FIRST_WORD = pattern(constants.WORD);
const WORD = pattern(constants.WORD, "g");
const LABEL = pattern(constants.LABEL, "g");
const SEPARATOR = pattern(constants.SEPARATOR);
const NUMBER = /^\p{Nd}+$/u;

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which kept blocks are nothing but links to the pages before and behind, and to others that
 *   such a line has
 */
export function leadToPagesBeside({ blocks }, kept) {
  const found = blocks.map(() => false);
  blocks.forEach(({ linkChars, tags, text }, i) => {
    const most = Math.min(constants.MAX_LINK_FACTOR * linkChars, constants.MAX_CHARS);
    if (!kept[i] || found[i] || !linkChars || length(text) > most) return;
    const first = FIRST_WORD.exec(text);
    if (!first || !belongs(first[0].toLowerCase()) || !mayLead(tags)) return;
    if (namesPages(text, linkChars)) {
      found[i] = true;
    } else if (lineOf(text)) {
      const run = runAround(blocks, i);
      if (leads(blocks, run)) for (const place of run) found[place] = true;
    }
  });
  return found.map((leads, i) => leads && kept[i]);
}

/** @param {string} word @returns {boolean} */
function belongs(word) {
  return WORDS.has(word) || (length(word) <= constants.MAX_DIGITS && NUMBER.test(word));
}

/** @param {string[]} tags @returns {boolean} */
function mayLead(tags) {
  return !tags.slice(-constants.NEAR).some((tag) => NOT_IN.has(tag));
}

/** @param {string} text @returns {Line | null} what it says if it has nothing but words of such lines, or arrows */
function lineOf(text) {
  const words = findall(text, WORD).map((word) => word.toLowerCase());
  if (words.length) {
    return words.every(belongs) ? { words: words.length, hasDirection: words.some((word) => DIRECTIONS.has(word)) } : null;
  }
  const arrows = split(text.replace(/^[[\] ]+|[[\] ]+$/g, ""));
  return arrows.length && arrows.every((arrow) => ARROWS.has(arrow)) ? { words: arrows.length, hasDirection: true } : null;
}

/**
 * @param {string} text
 * @param {number} linkChars
 * @returns {boolean} whether it is a line such as "Next: Notation, Up: Top": it begins with such a word and a colon,
 *   and all but such words is a link
 */
function namesPages(text, linkChars) {
  const labels = [...text.matchAll(LABEL)].filter(([, ...words]) =>
    words.every((word) => word === undefined || LABELS.has(word.toLowerCase())),
  );
  if (!labels.length || FIRST_WORD.test(text.slice(0, labels[0].index))) return false;
  const words = labels.flatMap(([label]) => findall(label, WORD));
  if (!words.some((word) => DIRECTIONS.has(word.toLowerCase()))) return false;
  const own = sum(words.map(length));
  const letters = sum(findall(text, WORD).map(length));
  return letters > own && linkChars >= letters - own;
}

/** @param {Page["blocks"]} blocks @param {number} place @returns {number[]} the blocks around that may belong to it */
function runAround(blocks, place) {
  const run = [place];
  while (place - run[0] < constants.MAX_RUN && continues(blocks[run[0] - 1])) run.unshift(run[0] - 1);
  for (let i = place + 1; i <= place + constants.MAX_RUN && continues(blocks[i]); i++) run.push(i);
  return run;
}

/** @param {Page["blocks"][number] | undefined} block @returns {boolean} whether it may belong to the line beside it */
function continues(block) {
  if (!block || length(block.text) > constants.MAX_CHARS || !mayLead(block.tags)) return false;
  const line = lineOf(block.text);
  return line !== null && (line.hasDirection || block.text.startsWith("[") || block.linkChars > 0);
}

/**
 * @param {Page["blocks"]} blocks
 * @param {number[]} run
 * @returns {boolean} whether its blocks lead to pages beside: in a list or a row, they are all that it has, or each
 *   of them has several links
 */
function leads(blocks, run) {
  const lines = run.flatMap((i) => lineOf(blocks[i].text) ?? []);
  if (sum(lines.map(({ words }) => words)) < constants.MIN_WORDS) return false;
  if (!lines.some(({ hasDirection }) => hasDirection)) return false;
  if (run.length === 1 && SEPARATOR.test(blocks[run[0]].text)) return true;
  return !isOneOfSeveral(blocks, run);
}

/** @param {Page["blocks"]} blocks @param {number[]} run @returns {boolean} whether it is in a list or row with others */
function isOneOfSeveral(blocks, run) {
  const { nodes, tags } = blocks[run[0]];
  const step = tags.findIndex((tag, at) => at >= tags.length - constants.NEAR && ITEMS.has(tag));
  const outer = ITEMS.get(tags[step]);
  const around = outer ? tags.slice(0, step).findLastIndex((tag) => outer.includes(tag)) : -1;
  if (around < 0) return false;
  return [run[0] - 1, run[run.length - 1] + 1].some((i) => blocks[i]?.nodes.includes(nodes[around]));
}

/** @param {number[]} numbers @returns {number} */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
