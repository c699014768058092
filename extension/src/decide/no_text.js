/** Pages that have no text of their own: forms to sign in or to register, and indexes of manuals. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { fullPattern, length, pattern, strip } from "../python.js";
import { EXTENSION, addressOf } from "./addresses.js";
import { blockWords } from "./threshold.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.no_text"];
const ACCOUNT_STEP = fullPattern(constants.ACCOUNT_STEP);
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
  const names = namesOf(page.url);
  const parts = strip(page.title.toLowerCase()).split(TITLE_PARTS);
  const isAccount = says(ACCOUNT_STEP, names) || says(ACCOUNT_TITLE, parts);
  if (!isAccount && !says(OTHER_STEP, names) && !says(OTHER_TITLE, parts)) return false;
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

/** @param {string} url @returns {string[]} its path, the steps, with and without extensions, and actions in its query */
function namesOf(url) {
  const address = addressOf(url);
  if (!address) return [];
  const steps = address.path.split("/");
  const pairs = address.query.split("&").map((pair) => pair.split("="));
  const actions = pairs.filter(([name]) => ACTIONS.has(name)).map(([, ...value]) => value.join("="));
  return [address.path.replace(/\/+$/, ""), ...steps, ...steps.map((step) => step.replace(EXTENSION, "")), ...actions];
}

/** @param {RegExp} named @param {string[]} names @returns {boolean} whether one of the names matches */
function says(named, names) {
  return names.some((name) => named.test(name));
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
