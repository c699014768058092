/** Lines about a text: when somebody edited it, who shared a picture, whose rights it is under, and the like. */

import tables from "../tables.json" with { type: "json" };
import { length, pattern } from "../python.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.about_lines"];
const LINE = pattern(constants.LINE, "y");
const FILED = pattern(constants.FILED, "y");
const RIGHTS = pattern(constants.RIGHTS, "y");
const HEADINGS = new Set(constants.HEADINGS);
const NOT_IN = new Set(constants.NOT_IN);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which kept blocks are such lines
 */
export function tellOfTheText(page, kept) {
  const found = page.blocks.map(({ tags, text, linkChars }, i) => {
    if (!kept[i] || length(text) > constants.MAX_FILED_CHARS) return false;
    const most = text[0] < "一" ? constants.MAX_CHARS : constants.MAX_CHINESE_CHARS;
    const isLine = length(text) <= most && begins(LINE, text);
    const isFiled = linkChars >= constants.MIN_LINK_SHARE * length(text) && begins(FILED, text);
    return (isLine || isFiled) && !tags.slice(-2).some((tag) => NOT_IN.has(tag));
  });
  const last = kept.flatMap((keep, i) => (keep ? [i] : [])).slice(-constants.LAST);
  for (const i of last) found[i] ||= tellsOfRights(page, i);
  return found;
}

/** @param {Page} page @param {number} place @returns {boolean} whether a block says who has the rights, without a heading of its own */
function tellsOfRights({ blocks }, place) {
  const { tags, text } = blocks[place];
  const before = blocks[Math.max(place - 1, 0)].tags;
  return (
    length(text) <= constants.MAX_RIGHTS_CHARS &&
    begins(RIGHTS, text) &&
    !tags.some((tag) => NOT_IN.has(tag)) &&
    !before.slice(-2).some((tag) => HEADINGS.has(tag))
  );
}

/** @param {RegExp} line @param {string} text @returns {boolean} */
function begins(line, text) {
  line.lastIndex = 0;
  return line.test(text);
}
