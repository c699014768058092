/** The texts of a run, from which the walk makes a block, and markup its spans. */

import tables from "../tables.json" with { type: "json" };
import { isSpace, length } from "../python.js";
import { CODE } from "./paths.js";
import { MARK_TAGS } from "./raised.js";

/** @import { Frame } from "./paths.js" */

const TYPED_TAGS = new Set(tables["html.paths"].TYPED_TAGS);

/** @typedef {{text: string, frame: Frame, nodes: Text[]}} Piece A text of the DOM and the element that it is in. */

/**
 * @param {Piece[]} run
 * @returns {Piece[]} the run; texts that only a comment or a skipped element separates are joined
 */
export function whole(run) {
  /** @type {Piece[]} */
  const pieces = [];
  for (const piece of run) {
    const before = pieces.at(-1);
    if (before && before.frame === piece.frame) before.text += piece.text;
    else pieces.push({ ...piece });
  }
  return pieces;
}

/** @param {Piece[]} run @returns {Piece[]} from its first text that has more than white space */
export function withoutLeadingSpace(run) {
  const first = run.findIndex(({ text }) => !isSpace(text));
  return first < 0 ? [] : run.slice(first);
}

/**
 * @param {Piece[]} run
 * @returns {string} its text, with a space between elements side by side, as margins show it
 */
export function joined(run) {
  return run.map(({ text }, i) => (i && isApart(run[i - 1], run[i]) ? ` ${text}` : text)).join("");
}

/**
 * @param {Piece} before
 * @param {Piece} piece
 * @returns {boolean} whether a space is shown between them; none is before what is raised or lowered, or between code
 *   and a variable
 */
export function isApart(before, piece) {
  if (length(before.text) <= 1 || length(piece.text) <= 1) return false;
  const { frame } = piece;
  if (before.frame.link && frame.link && before.frame.link !== frame.link) return true;
  if (TYPED_TAGS.has(before.frame.tag) && TYPED_TAGS.has(frame.tag)) return false;
  return frame.parent === before.frame.parent && !(frame.flags & CODE) && !MARK_TAGS.has(frame.tag);
}
