/** Dialogs and consent boxes, which are not content unless the page has nothing else. */

import tables from "../tables.json" with { type: "json" };
import { length, pattern } from "../python.js";
import { BlockPaths } from "../page.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.dialogs"];
const DIALOG_WORDS = pattern(constants.DIALOG_WORDS);
const CONSENT_PRODUCTS = pattern(constants.CONSENT_PRODUCTS);
const CONSENT_BOX = pattern(constants.CONSENT_BOX);
const CONSENT_TEXT = pattern(constants.CONSENT_TEXT);
const SECTION = pattern(constants.SECTION);
const OF_FUNCTION = pattern(tables["decide.class_names"].OF_FUNCTION);
const BOX_TAGS = new Set(constants.BOX_TAGS);
const ROOT_TAGS = new Set(constants.ROOT_TAGS);

/** @typedef {"consent" | "dialog" | ""} Place */

/**
 * @param {Page} page
 * @returns {Place[]} per block whether it is in a dialog, and whether that is a consent box by its names
 */
export function dialogsOf(page) {
  return new BlockPaths(page).map(placeOf);
}

/**
 * Dialogs that ask for no consent are the page itself if the model keeps nothing else, or if they hold an
 * article and nearly all kept text.
 *
 * @param {Page} page
 * @param {boolean[]} kept per block whether the model keeps it if nothing is known of dialogs
 * @param {Place[]} places the result of `dialogsOf`
 * @returns {boolean}
 */
export function isThePage({ blocks }, kept, places) {
  const chars = (/** @type {(i: number) => boolean} */ counts) =>
    blocks.reduce((sum, { text }, i) => sum + (counts(i) ? length(text) : 0), 0);
  const isOther = (/** @type {number} */ i) => places[i] === "dialog";
  const own = chars((i) => kept[i] && isOther(i));
  const isArticle = own >= constants.MIN_PAGE_CHARS && own >= constants.MOSTLY * chars((i) => kept[i]);
  if (!own || (!isArticle && kept.some((keep, i) => keep && !places[i]))) return false;
  const asking = chars((i) => isOther(i) && CONSENT_TEXT.test(blocks[i].text));
  return asking < constants.MAX_ASKING * chars(isOther);
}

/** @param {string[]} tags @param {string[]} classWords @returns {Place} */
function placeOf(tags, classWords) {
  /** @type {Place} */
  let found = "";
  for (let d = 0; d < tags.length; d++) {
    const words = classWords[d];
    if (ROOT_TAGS.has(tags[d])) continue;
    if (tags[d] !== "section" && asksConsent(words)) return "consent";
    if (isDialog(tags[d], words)) found = "dialog";
  }
  return found;
}

/** @param {string} tag @param {string} words @returns {boolean} */
function isDialog(tag, words) {
  if (tag === "dialog" || (tag === "section" && words === "dialog")) return true;
  const isNamed = (BOX_TAGS.has(tag) || tag.includes("-")) && DIALOG_WORDS.test(words);
  return isNamed && !SECTION.test(words) && !OF_FUNCTION.test(words);
}

/** @param {string} words @returns {boolean} */
function asksConsent(words) {
  return CONSENT_PRODUCTS.test(words) || (CONSENT_BOX.test(words) && !SECTION.test(words));
}
