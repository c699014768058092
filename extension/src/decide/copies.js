/**
 * Copies of a text for another device, for print, for browsers without scripts, or for a slider; and subjects of
 * replies.
 */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { counter, length, pattern, setDefault, slice } from "../python.js";

/** @import { Page } from "../page.js" */
/** @typedef {{rank: number, places: number[]}} Part its rank and its kept blocks; the first is dropped first */

const constants = tables["decide.copies"];
const PATTERNS = [constants.COPY, constants.SLIDE, constants.SMALL, constants.LARGE].map((each) => pattern(each));
const REPLY = pattern({ ...constants.REPLY, pattern: `\\A(?:${constants.REPLY.pattern})` });
const WRITTEN_BY = pattern(constants.WRITTEN_BY);
const PAGE_TAGS = new Set(constants.PAGE_TAGS);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which kept blocks are copies: those whose text is kept outside of a part of the page for
 *   another device or the like, of which most of what is kept stands outside; and subjects of replies
 */
export function copied(page, kept) {
  const places = [...page.blocks.keys()].filter((i) => kept[i]);
  const found = copiedParts(page, places);
  for (const i of subjectsOf(page, places)) found[i] = true;
  return found;
}

/**
 * @param {Page} page
 * @param {number[]} places
 * @returns {number[]} which of these blocks are subjects of replies that say again what another text of the page says
 */
function subjectsOf({ blocks }, places) {
  /** @type {Map<number, string>} */
  const rest = new Map();
  for (const i of places) {
    const { tags, text } = blocks[i];
    const reply = length(text) <= constants.MAX_SUBJECT_CHARS && text.match(REPLY);
    if (reply && !tags.slice(-constants.LISTED).includes("li")) rest.set(i, subjectOf(text.slice(reply[0].length)));
  }
  if (rest.size < constants.SUBJECTS) return [];
  const number = counter([...rest.values()]);
  const said = new Set(blocks.map(({ text }) => subjectOf(text)));
  return [...rest].flatMap(([i, subject]) =>
    (number.get(subject) ?? 0) >= constants.SUBJECTS && said.has(subject) ? [i] : [],
  );
}

/** @param {string} text @returns {string} its beginning, without who wrote it */
function subjectOf(text) {
  const [begin] = slice(text, 0, 2 * constants.SUBJECT_CHARS).split(WRITTEN_BY, 1);
  return slice(begin, 0, constants.SUBJECT_CHARS).toLowerCase();
}

/**
 * @param {Page} page
 * @param {number[]} places
 * @returns {boolean[]} which blocks, of the kept ones at these places, are copies in such parts
 */
function copiedParts(page, places) {
  const { blocks } = page;
  const found = blocks.map(() => false);
  /** @param {number} i */
  const text = (i) => blocks[i].text;
  const number = counter(places.map(text));
  if (number.size === places.length) return found;
  /** @param {number[]} those */
  const charsOf = (those) => those.reduce((total, i) => total + length(text(i)), 0);
  for (const part of partsOf(page, places)) {
    const own = part.places.filter((i) => !found[i]);
    const inside = counter(own.map(text));
    const most = part.rank <= constants.SLIDES ? Infinity : 1 + constants.MOST_TIMES;
    const copies = own.filter((i) => {
      const [times, all] = [inside.get(text(i)) ?? 0, number.get(text(i)) ?? 0];
      return times < all && all <= most * times;
    });
    if (charsOf(copies) < Math.max(constants.MIN_CHARS, constants.MIN_COPIED * charsOf(own))) continue;
    for (const i of copies) {
      found[i] = true;
      number.set(text(i), (number.get(text(i)) ?? 0) - 1);
    }
  }
  return found;
}

/**
 * @param {Page} page
 * @param {number[]} places
 * @returns {Part[]} the parts around kept blocks, in the order in which they are dropped
 */
function partsOf(page, places) {
  const steps = new BlockPaths(page).map(stepsOf);
  /** @type {Map<number, Part>} */
  const parts = new Map();
  for (const i of places) {
    for (const { rank, step } of steps[i]) {
      setDefault(parts, page.blocks[i].nodes[step], { rank, places: /** @type {number[]} */ ([]) }).places.push(i);
    }
  }
  return [...parts.values()].sort(
    (a, b) => a.rank - b.rank || b.places[0] - a.places[0] || b.places.length - a.places.length,
  );
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {{step: number, rank: number}[]} the steps of a path that are parts, the outermost first
 */
function stepsOf(tags, classWords) {
  return tags
    .map((tag, step) => ({ step, rank: tag === constants.NO_SCRIPT ? 1 : rankOf(classWords[step]) }))
    .filter(({ step, rank }) => rank && !PAGE_TAGS.has(tags[step]))
    .slice(0, constants.MAX_PARTS);
}

/** @param {string} words @returns {number} the rank of a part with these class words; 0 if it is none */
function rankOf(words) {
  return 1 + PATTERNS.findIndex((each) => each.test(words));
}
