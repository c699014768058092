/** What stands apart from the text by its class: the footer of the page, what is said of its author and the like. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths, HEADING_TAGS } from "../page.js";
import { pattern, slice } from "../python.js";
import { tellOfTheText } from "./about_lines.js";
import { labelControls } from "./control_labels.js";
import { tellOfMembers } from "./members.js";
import { isPlaceholderBlock } from "./placeholders.js";
import { isThread } from "./threads.js";
import { blockWords } from "./threshold.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.apart"];
const APART = pattern(constants.APART);
const WHOLE = pattern({ ...constants.APART, pattern: `\\A(?:${constants.APART.pattern})\\Z` });
const WORD = pattern(constants.WORD, "g");
const OF_HEADING = pattern(constants.OF_HEADING);
const APART_OF_TAG = new Map(Object.entries(constants.APART_OF_TAG).map(([tag, each]) => [tag, pattern(each)]));
const BESIDE_POSTS = pattern(constants.BESIDE_POSTS);
const NO_BOXES = new Set(constants.NO_BOXES);
const PLACES_IN_CODE = new Set(constants.PLACES_IN_CODE);
const OF_DOXYGEN = pattern(constants.OF_DOXYGEN);
const OF_FUNCTION = pattern(tables["decide.class_names"].OF_FUNCTION);
const NAME_TAGS = new Set(tables["decide.class_names"].NAME_TAGS);
const OF_TEXT = new Set(constants.OF_TEXT);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which of the kept blocks stand apart from the text
 */
export function standsApart(page, kept) {
  const thread = isThread(page);
  const ids = idsOfSections(page);
  const named = new BlockPaths(page).map((tags, classWords) => areApart(tags, classWords, thread, ids));
  const members = tellOfMembers(page, kept);
  const controls = labelControls(page, kept);
  const lines = tellOfTheText(page, kept);
  const isApart = page.blocks.map((block, i) => named[i] || members[i] || controls[i] || lines[i] || isPlaceholderBlock(block));
  const words = blockWords(page);
  const rest = kept.reduce((total, keep, i) => total + (keep && !isApart[i] ? words[i] : 0), 0);
  return kept.map((keep, i) => keep && isApart[i] && rest >= constants.MIN_WORDS);
}

/**
 * @param {Page} page
 * @returns {Set<string>} the class words that are the id of a section, which is made of its heading
 */
function idsOfSections({ blocks }) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const { classWords, tags, text } of blocks) {
    if (!tags.slice(-constants.NEAR).some((tag) => HEADING_TAGS.has(tag))) continue;
    const words = slice(text, 0, constants.MAX_HEADING_CHARS).toLowerCase().match(WORD) ?? [];
    const slug = [...new Set(words)].slice(0, constants.MAX_ID_WORDS).join(" ");
    if (slug !== constants.POPOVER && WHOLE.test(slug)) continue;
    for (const own of classWords) {
      const id = own.startsWith(constants.OF_DOCUTILS) ? own.slice(constants.OF_DOCUTILS.length) : own;
      if (id === slug) found.add(own);
    }
  }
  return found;
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @param {boolean} thread whether the page says that it is a thread
 * @param {Set<string>} ids class words that are ids of sections
 * @returns {boolean} whether blocks of this path stand apart
 */
function areApart(tags, classWords, thread, ids) {
  const footer = tags.indexOf(constants.PAGE_FOOTER);
  if (footer >= 0 && !tags.slice(0, footer).some((tag) => OF_TEXT.has(tag))) return true;
  if (tags.at(-1) === "p" && PLACES_IN_CODE.has(classWords.at(-1) ?? "")) {
    return classWords.some((words) => OF_DOXYGEN.test(words));
  }
  /** @param {string} words @param {string} tag */
  const isBesidePosts = (words, tag) => thread && !NO_BOXES.has(tag) && BESIDE_POSTS.test(words);
  /** @param {string} words @param {string} tag */
  const isApart = (words, tag) =>
    (APART.test(words) && !ids.has(words) && (!NAME_TAGS.has(tag) || OF_HEADING.test(words))) ||
    APART_OF_TAG.get(tag)?.test(words);
  return classWords.some(
    (words, step) =>
      (isApart(words, tags[step]) && !OF_FUNCTION.test(words)) || isBesidePosts(words, tags[step]),
  );
}
