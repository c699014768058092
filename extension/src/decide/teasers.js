/** The titles of teasers on a page that lists others. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { fullPattern, pattern } from "../python.js";
import { EXTENSION, addressOf } from "./addresses.js";
import { statesKind } from "./threads.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.teasers"];
const OF_ONE = pattern(constants.OF_ONE);
const HOME = fullPattern(constants.HOME);
const LISTING_STEP = fullPattern(constants.LISTING_STEP);
const LISTING_END = fullPattern(constants.LISTING_END);
const HEADINGS = new Set(constants.HEADINGS);
const TITLE = pattern(constants.TITLE);
const BESIDE_TAGS = new Set(constants.BESIDE_TAGS);
const OF_TEXT = new Set(constants.OF_TEXT);
const LISTS = new Set(constants.LISTS);
const BESIDE = pattern(constants.BESIDE);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @param {() => number} confidence returns that of what is kept
 * @returns {boolean[]} `kept` with the titles of teasers, if the page lists others, and with the links in the lists
 *   below them
 */
export function completeTeasers(page, kept, confidence) {
  if (!kept.includes(true) || statesKind(page)) return kept;
  if (!isListing(page.url) && confidence() >= constants.UNSURE) return kept;
  const leads = page.blocks.map(({ hidden, linkChars }) => !hidden && linkChars > 0);
  const titles = new BlockPaths(page).map(titleOf);
  const counts = new Map();
  for (const [i, title] of titles.entries()) {
    if (leads[i] && title !== null) counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  const isTitle = leads.map((lead, i) => lead && (counts.get(titles[i]) ?? 0) >= constants.LEAST);
  const isBelow = below(page, isTitle);
  return kept.map((keep, i) => keep || isTitle[i] || (leads[i] && isBelow[i]));
}

/**
 * @param {Page} page
 * @param {boolean[]} isTitle
 * @returns {boolean[]} whether each block is in a list inside of a list of titles
 */
function below(page, isTitle) {
  const { blocks } = page;
  const isBeside = new BlockPaths(page).map(standsBeside);
  const around = blocks.map(({ nodes, tags }) => nodes.filter((_, step) => LISTS.has(tags[step])));
  const lists = new Set(around.filter((own, i) => isTitle[i] && own.length).map((own) => own[own.length - 1]));
  return around.map((own, i) => !isBeside[i] && own.slice(0, -1).some((list) => lists.has(list)));
}

/** @param {string} url @returns {boolean} whether it is that of a home page, or of one that lists others */
function isListing(url) {
  const address = addressOf(url);
  if (!address) return false;
  const path = address.path.replace(/\/+$/, "");
  if (OF_ONE.test(address.query) || path.split("-").length - 1 > constants.MOST_HYPHENS) return false;
  if (HOME.test(path) || LISTING_END.test(path)) return true;
  return path.replace(EXTENSION, "").split("/").some((step) => LISTING_STEP.test(step));
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {string | null} the path of the title that holds the blocks of this path; null if none does
 */
function titleOf(tags, classWords) {
  if (standsBeside(tags, classWords)) return null;
  const isHeading = (/** @type {number} */ step) =>
    step >= tags.length - constants.HEADING_LEVELS && HEADINGS.has(tags[step]);
  const isTitle = (/** @type {number} */ step) =>
    step >= tags.length - constants.TITLE_LEVELS && TITLE.test(classWords[step]);
  for (const isEnd of [isHeading, isTitle]) {
    for (let step = tags.length - 1; step > 0; step--) {
      if (isEnd(step)) return JSON.stringify([tags.slice(0, step + 1), classWords.slice(0, step + 1)]);
    }
  }
  return null;
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {boolean} whether what has this path stands beside the list, or in the header of the page
 */
function standsBeside(tags, classWords) {
  if (tags.some((tag) => BESIDE_TAGS.has(tag)) || classWords.slice(1).some((words) => BESIDE.test(words))) return true;
  const header = tags.indexOf("header");
  return header >= 0 && !tags.slice(0, header).some((tag) => OF_TEXT.has(tag));
}
