/**
 * Lines and small boxes among the paragraphs of an article that ask readers to sign up for a newsletter.
 */

import tables from "../tables.json" with { type: "json" };
import { length, pattern } from "../python.js";

/** @import { Page } from "../page.js" */

const { MAX_BESIDE_CHARS, MAX_BOX_CHARS, MAX_CHARS, MAX_SHARE, STEPS, ...constants } = tables["decide.sign_up"];
const ASKS = pattern(constants.ASKS);
const NAMED = pattern(constants.NAMED);
const BESIDE = pattern(constants.BESIDE);
const BOX_TAGS = new Set(constants.BOX_TAGS);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} which kept blocks ask readers to sign up for a newsletter, with those in the same small
 *   box, in one whose class says so or in one with a field for an e-mail address, and the lines beside that promise
 *   or explain
 */
export function askToSignUp(page, kept) {
  const { blocks } = page;
  const chars = blocks.map(({ text }) => length(text));
  const lines = [...blocks.keys()].filter(
    (i) => kept[i] && chars[i] <= MAX_CHARS && !blocks[i].tags.includes(STEPS) && ASKS.test(blocks[i].text),
  );
  const found = blocks.map(() => false);
  const boxed = inBoxes(page, lines, chars);
  for (const i of lines) found[i] = true;
  for (const i of boxed) found[i] = kept[i];
  const places = [...blocks.keys()].filter((i) => kept[i]);
  for (const ordered of [places, [...places].reverse()]) {
    for (let at = 1; at < ordered.length; at++) {
      const [before, i] = [ordered[at - 1], ordered[at]];
      if (found[before] && !found[i]) found[i] = chars[i] <= MAX_BESIDE_CHARS && BESIDE.test(blocks[i].text);
    }
  }
  /** @param {boolean[]} those */
  const sum = (those) => chars.reduce((total, own, i) => total + (those[i] ? own : 0), 0);
  return sum(found) <= MAX_SHARE * sum(kept) ? found : blocks.map(() => false);
}

/**
 * @param {Page} page
 * @param {number[]} lines
 * @param {number[]} chars of each block
 * @returns {number[]} the blocks in the largest small box around one of the lines or around a field for an
 *   e-mail address, or in a small box whose class says so
 */
function inBoxes({ blocks, mailFields = [] }, lines, chars) {
  /** @type {Map<number, number>} */
  const charsIn = new Map();
  blocks.forEach(({ nodes }, i) => {
    for (const node of nodes) charsIn.set(node, (charsIn.get(node) ?? 0) + chars[i]);
  });
  /** @param {number} node */
  const isSmall = (node) => (charsIn.get(node) ?? 0) <= MAX_BOX_CHARS;
  const boxes = new Set(
    lines.map((i) => blocks[i].nodes.find((node, step) => BOX_TAGS.has(blocks[i].tags[step]) && isSmall(node))),
  );
  for (const around of mailFields) {
    const withText = around.filter((node) => charsIn.has(node));
    const end = withText.findIndex((node) => !isSmall(node));
    boxes.add((end < 0 ? withText : withText.slice(0, end)).at(-1));
  }
  for (const { classWords, nodes, tags } of blocks) {
    nodes.forEach((node, step) => {
      if (BOX_TAGS.has(tags[step]) && NAMED.test(classWords[step]) && isSmall(node)) boxes.add(node);
    });
  }
  return [...blocks.keys()].filter((i) => blocks[i].nodes.some((node) => boxes.has(node)));
}
