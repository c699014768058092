/** Pages that have no text of their own: forms to sign in or to register, and indexes of manuals. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { fullPattern, length, pattern, strip } from "../python.js";
import { blockWords } from "./threshold.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.no_text"];
const ADDRESS = pattern(constants.ADDRESS);
const EXTENSION = pattern(constants.EXTENSION);
const ACCOUNT_STEP = fullPattern(constants.ACCOUNT_STEP);
const ACCOUNT_PATH = fullPattern(constants.ACCOUNT_PATH);
const OTHER_STEP = fullPattern(constants.OTHER_STEP);
const OTHER_TITLE = fullPattern(constants.OTHER_TITLE);
const ACTIONS = new Set(constants.ACTIONS);
const TITLE_PARTS = pattern(constants.TITLE_PARTS);
const ACCOUNT_TITLE = fullPattern(constants.ACCOUNT_TITLE);
const PASSWORD = pattern(constants.PASSWORD);
const INDEX = pattern(constants.INDEX);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean} whether what is kept belongs to a form of an account, to search or to subscribe, or to an index
 */
export function hasNoText(page, kept) {
  if (!kept.includes(true)) return false;
  if (isIndex(page, kept)) return true;
  const [, path = ""] = ADDRESS.exec(page.url.toLowerCase()) ?? [];
  const isAccount = asksFor(page, ACCOUNT_STEP, ACCOUNT_TITLE) || ACCOUNT_PATH.test(path);
  if (!isAccount && !asksFor(page, OTHER_STEP, OTHER_TITLE)) return false;
  const paths = new BlockPaths(page);
  const inForm = paths.map((tags) => tags.slice(constants.FORM_STEP).includes(constants.FORM));
  const words = blockWords(page);
  let [own, beside] = [0, 0];
  for (const [i, keep] of kept.entries()) {
    if (keep && inForm[i]) own += words[i];
    else if (keep) beside += words[i];
  }
  if (isAccount && beside <= constants.MAX_BESIDE_WORDS && hasPassword(page)) return true;
  const isForm = own >= constants.MIN_FORM_SHARE * (own + beside);
  return isForm && textsIn(page, constants.LABEL) >= constants.LEAST_LABELS;
}

/** @param {Page} page @param {boolean[]} kept @returns {boolean} whether it is an index of a manual */
function isIndex(page, kept) {
  const own = new BlockPaths(page).map((_, classWords) => classWords.some((words) => INDEX.test(words)));
  const words = blockWords(page);
  let [all, indexed] = [0, 0];
  for (const [i, keep] of kept.entries()) {
    if (!keep) continue;
    all += words[i];
    if (own[i]) indexed += words[i];
  }
  return own.includes(true) && indexed >= constants.MIN_INDEX_SHARE * all;
}

/**
 * @param {Page} page
 * @param {RegExp} stepPattern
 * @param {RegExp} titlePattern
 * @returns {boolean} whether the URL, by a step of its path or an action in its query, or the title names such a form
 */
function asksFor({ title, url }, stepPattern, titlePattern) {
  const [, path = "", query = ""] = ADDRESS.exec(url.toLowerCase()) ?? [];
  for (const step of path.split("/")) {
    if (stepPattern.test(step) || stepPattern.test(step.replace(EXTENSION, ""))) return true;
  }
  for (const pair of query.split("&")) {
    const [name, ...value] = pair.split("=");
    if (ACTIONS.has(name) && stepPattern.test(value.join("="))) return true;
  }
  return strip(title.toLowerCase()).split(TITLE_PARTS).some((part) => titlePattern.test(part));
}

/** @param {Page} page @returns {boolean} whether it has forms, and the name of a field for a password */
function hasPassword(page) {
  if (textsIn(page, constants.FORM) < constants.LEAST_FORM_TEXTS) return false;
  return page.blocks.some(
    ({ text }) => length(text) <= constants.MAX_FIELD_CHARS && PASSWORD.test(text.toLowerCase()),
  );
}

/** @param {Page} page @param {string} tag @returns {number} how many blocks are in an element with this tag */
function textsIn({ blocks }, tag) {
  return blocks.filter(({ tags }) => tags.includes(tag)).length;
}
