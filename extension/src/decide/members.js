/** Lines of a thread that tell of the members who wrote it: "Posts: 1,226", "Joined: May 2008". */

import tables from "../tables.json" with { type: "json" };
import { length, pattern } from "../python.js";
import { isSurelyThread } from "./threads.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.members"];
const LINE = pattern(constants.LINE, "y");
const WHEN = pattern(constants.WHEN, "y");
const HEADINGS = new Set(constants.HEADINGS);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which kept blocks are such lines
 */
export function tellOfMembers(page, kept) {
  const lines = page.blocks.map(({ text }, i) => (kept[i] ? lineOf(text) : null));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const line of lines) if (line) counts.set(line.label, (counts.get(line.label) ?? 0) + 1);
  const often = lines.map((line) => (line && (counts.get(line.label) ?? 0) >= constants.LEAST ? line : null));
  const kinds = new Set(often.flatMap((line) => (line && line.kind !== constants.OF_MORE ? [line.kind] : [])));
  const inThread = isSurelyThread(page);
  const ofMembers = kinds.size > 1 || (kinds.size === 1 && inThread);
  const dates = inThread ? datesOfPosts(page, kept) : [];
  return often.map((line, i) => (ofMembers && line !== null) || (dates[i] ?? false));
}

/**
 * A page that lists threads has dates, too, but no texts.
 *
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which blocks say only when a post was written, if several do and there are as many texts
 */
function datesOfPosts({ blocks }, kept) {
  const found = blocks.map(({ tags, text }, i) => {
    WHEN.lastIndex = 0;
    const isDate = kept[i] && length(text) <= constants.MAX_CHARS && WHEN.test(text);
    return isDate && !tags.slice(-2).some((tag) => HEADINGS.has(tag));
  });
  const posts = blocks.filter(
    ({ text, linkChars }, i) => kept[i] && length(text) >= constants.MIN_TEXT_CHARS && 2 * linkChars <= length(text),
  ).length;
  const dates = found.filter(Boolean).length;
  return dates >= constants.LEAST && posts >= dates ? found : [];
}

/** @param {string} text @returns {{ kind: number, label: string } | null} */
function lineOf(text) {
  if (length(text) > constants.MAX_CHARS) return null;
  LINE.lastIndex = 0;
  const groups = LINE.exec(text) ?? [];
  const kind = groups.findIndex((group, i) => i > 0 && group !== undefined);
  return kind > 0 ? { kind, label: groups[kind].toLowerCase() } : null;
}
