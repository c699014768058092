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
const ACTIONS = new Set(constants.ACTIONS);
const TITLE_PARTS = pattern(constants.TITLE_PARTS);
const ACCOUNT_TITLE = fullPattern(constants.ACCOUNT_TITLE);
const PASSWORD = pattern(constants.PASSWORD);
const INDEX = pattern(constants.INDEX);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean} whether what is kept belongs to a form of an account, or to an index
 */
export function hasNoText(page, kept) {
  if (!kept.includes(true)) return false;
  return isIndex(page, kept) || (asksForAccount(page) && isForm(page, kept));
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

/** @param {Page} page @returns {boolean} whether the title or the URL names a form to sign in or to register */
function asksForAccount({ title, url }) {
  const [, path = "", query = ""] = ADDRESS.exec(url.toLowerCase()) ?? [];
  for (const step of path.split("/")) {
    if (ACCOUNT_STEP.test(step) || ACCOUNT_STEP.test(step.replace(EXTENSION, ""))) return true;
  }
  for (const pair of query.split("&")) {
    const [name, ...value] = pair.split("=");
    if (ACTIONS.has(name) && ACCOUNT_STEP.test(value.join("="))) return true;
  }
  return strip(title.toLowerCase()).split(TITLE_PARTS).some((part) => ACCOUNT_TITLE.test(part));
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean} whether there is a field for a password, and little text outside of forms
 */
function isForm(page, kept) {
  const inForm = new BlockPaths(page).map((tags) => tags.slice(constants.FORM_STEP).includes(constants.FORM));
  const words = blockWords(page);
  const beside = kept.reduce((total, keep, i) => total + (keep && !inForm[i] ? words[i] : 0), 0);
  if (beside > constants.MAX_BESIDE_WORDS) return false;
  return page.blocks.some(
    ({ text }) => length(text) <= constants.MAX_FIELD_CHARS && PASSWORD.test(text.toLowerCase()),
  );
}
