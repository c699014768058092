/** Finds captions of pictures and photo credits. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { length, pattern } from "../python.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.captions"];
const CAPTION = pattern(constants.CAPTION);
const CREDIT = pattern(constants.CREDIT, "y");
const INLINE = new Set(constants.INLINE);
const CELLS = new Set(constants.CELLS);
const OUTSIDE_CAPTIONS = new Set(constants.OUTSIDE_CAPTIONS);

/**
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {Set<number>} the indexes of captions and photo credits
 */
export function findCaptions(page, decided) {
  const found = new Set();
  const first = decided.indexOf(true);
  if (first < 0) return found;
  const end = Math.min(decided.length, decided.lastIndexOf(true) + constants.BLOCKS_AFTER + 1);
  const named = new BlockPaths(page).map(isNamedCaption);
  for (let i = Math.max(0, first - constants.BLOCKS_BEFORE); i < end; i++) {
    const { hidden, text } = page.blocks[i];
    const chars = length(text);
    if (hidden || chars > constants.CAPTION_CHARS) continue;
    CREDIT.lastIndex = 0;
    if (named[i] || (named[i] === false && chars < constants.CREDIT_CHARS && CREDIT.test(text))) found.add(i);
  }
  return found;
}

/** @param {Page["blocks"][number]} block @returns {boolean} whether its tags or class words say that it is a caption */
export function isCaption({ classWords, tags }) {
  return tags.includes("figcaption") || CAPTION.test(classWords.at(-1) ?? "");
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {boolean | null} null if a block of this path cannot be a caption
 */
function isNamedCaption(tags, classWords) {
  if (tags.some((tag) => OUTSIDE_CAPTIONS.has(tag))) return null;
  if (tags.includes("figcaption")) return true;
  let step = tags.length - 1;
  if (step && INLINE.has(tags[step]) && !CAPTION.test(classWords[step])) {
    step -= 1;
    if (!constants.AROUND_INLINE.some((word) => classWords[step].includes(word))) return false;
  }
  const own = classWords[step];
  return CAPTION.test(own) && (!CELLS.has(tags[step]) || own === constants.CELL_OF_CAPTION);
}
