/** Pages that have no content of their own, as `scrapy_boilernet/extractor/decide/stubs.py` finds them. */

import tables from "../tables.json" with { type: "json" };
import { dialogsOf } from "./dialogs.js";
import { isSurelyThread } from "./threads.js";
import { length, pattern, slice } from "../python.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.stubs"];
const CONSENT_TEXT = pattern(tables["decide.dialogs"].CONSENT_TEXT);
const WALL = pattern(constants.WALL);
const ERROR = pattern(constants.ERROR);
const NOTHING_FOUND = pattern(constants.NOTHING_FOUND);
const STATUS = pattern(constants.STATUS);

/** The greatest confidence of such a page. */
export const { STUB_CONFIDENCE } = constants;

/**
 * @param {Page} page
 * @param {boolean[]} kept per block whether it is content
 * @returns {boolean}
 */
export function isStub(page, kept) {
  const texts = page.blocks.filter((_, i) => kept[i]).map(({ text }) => text);
  const chars = sum(texts);
  if (chars > constants.MAX_STUB_CHARS) return leadsWithMessage(page, texts);
  const dialogs = dialogsOf(page).filter((_, i) => kept[i]);
  const asking = sum(texts.filter((text, i) => dialogs[i] || CONSENT_TEXT.test(text)));
  if (asking > constants.MIN_CONSENT_SHARE * chars) return true;
  const said = texts.map((text) => slice(text, 0, constants.LOOKED_AT_CHARS));
  if (said.some((text) => WALL.test(text) || NOTHING_FOUND.test(text))) return true;
  return [...said, slice(page.title, 0, constants.LOOKED_AT_CHARS)].some((text) => ERROR.test(text));
}

/**
 * @param {Page} page
 * @param {string[]} texts
 * @returns {boolean} whether a content begins with the message that there is none, but for other texts of the page
 */
function leadsWithMessage(page, texts) {
  const first = texts
    .slice(0, constants.LEADING_TEXTS)
    .filter((text) => length(text) <= constants.LOOKED_AT_CHARS && !STATUS.test(text));
  const says = first.some((text) =>
    [ERROR, NOTHING_FOUND].some((each) => {
      const said = text.match(each);
      return said && length(said[0]) >= constants.MIN_SAID_SHARE * length(text);
    }),
  );
  return says && !isSurelyThread(page);
}

/** @param {string[]} texts @returns {number} their characters */
function sum(texts) {
  return texts.reduce((all, text) => all + length(text), 0);
}
