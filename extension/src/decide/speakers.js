/** Lines that say who wrote or says the text below them: bylines of posts, turns of a conversation. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths, HEADING_TAGS } from "../page.js";
import { counter, length, pattern } from "../python.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.speakers"];
const DIGIT = pattern(constants.DIGIT);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with what says who wrote or says a kept text: bylines of a template of which
 *   most are kept, and headings for screen readers that end with a colon, if there are at least two
 */
export function completeSpeakers(page, kept) {
  const turns = turnsOf(page, kept);
  const completed = withBylines(page, kept);
  for (const i of turns) completed[i] = true;
  return completed;
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the bylines directly above kept texts, if at least half of those of their
 *   template are kept
 */
function withBylines(page, kept) {
  const { blocks } = page;
  const templates = new BlockPaths(page).map(templateOf);
  const shown = [...blocks.keys()].filter((i) => !blocks[i].hidden);
  const bylines = shown.filter((i, place) => {
    const { text } = blocks[i];
    const isShort = templates[i] && length(text) <= constants.MAX_BYLINE_CHARS;
    return place + 1 < shown.length && kept[shown[place + 1]] && isShort && DIGIT.test(text);
  });
  const number = counter(bylines.map((i) => templates[i]));
  const ofKept = counter(bylines.filter((i) => kept[i]).map((i) => templates[i]));
  const completed = [...kept];
  for (const i of bylines) {
    const share = 2 * (ofKept.get(templates[i]) ?? 0);
    completed[i] ||= share >= (number.get(templates[i]) ?? 0);
  }
  return completed;
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {string} what bylines of one template share; "" for an element without a class
 */
function templateOf(tags, classWords) {
  if (!classWords.at(-1)) return "";
  return JSON.stringify([tags.slice(-constants.NEAR), classWords.slice(-constants.NEAR)]);
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {number[]} the hidden headings that name the speakers of kept texts
 */
function turnsOf({ blocks }, kept) {
  const turns = [...blocks.keys()].filter((i) => {
    const { hidden, tags, text } = blocks[i];
    const isLabel = constants.COLONS.some((/** @type {string} */ colon) => text.endsWith(colon));
    return hidden && kept[i + 1] && isLabel && isShortHeading(text, tags);
  });
  return turns.length >= constants.MIN_TURNS ? turns : [];
}

/** @param {string} text @param {string[]} tags @returns {boolean} whether it is a short heading */
function isShortHeading(text, tags) {
  return length(text) <= constants.MAX_TURN_CHARS && tags.some((tag) => HEADING_TAGS.has(tag));
}
