/** Notes of the author: footnotes, an aside in a page without class names, and embedded posts. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, pattern } from "../python.js";
import { BlockPaths, HEADING_TAGS } from "../page.js";

/** @import { Page } from "../page.js" */

const { HIDDEN_NOTE, SIDE_NOTE } = tables["html.reading"];
const constants = tables["decide.notes"];
const { TEX_BEGINS, TEX_ENDS } = constants;
const NUMBER = fullPattern(constants.NUMBER);
const FOOTNOTES = pattern(constants.FOOTNOTES);
const NO_FOOTNOTES = pattern(constants.NO_FOOTNOTES);
const POSTS = pattern(constants.POSTS);
const OUTSIDE = new Set(constants.OUTSIDE);
const NO_NOTE_TAGS = new Set(constants.NO_NOTE_TAGS);
const WITH_FOOTERS = new Set(constants.WITH_FOOTERS);

/**
 * They are too short for a model to tell. A formula counts as `<math>`, or is raw TeX.
 *
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the formulas on lines of their own that stand beside a kept block, and with
 *   their numbers
 */
export function completeFormulas(page, kept) {
  const { blocks } = page;
  const completed = [...kept];
  const isRaw = (/** @type {string} */ text) =>
    TEX_BEGINS.some((sign) => text.startsWith(sign)) && TEX_ENDS.some((sign) => text.endsWith(sign));
  const own = blocks.map(({ tags, text }) => tags.at(-1) === "math" || isRaw(text));
  const formulas = blocks.map(({ text }, i) => own[i] || ((own[i - 1] || own[i + 1]) && NUMBER.test(text)));
  for (const step of [1, -1]) {
    let before = false;
    for (let i = step > 0 ? 0 : blocks.length - 1; i >= 0 && i < blocks.length; i += step) {
      if (!formulas[i]) before = kept[i];
      else if (before && !blocks[i].hidden) completed[i] = true;
    }
  }
  return completed;
}

/**
 * Author and date of a post are too short for a model to tell.
 *
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with all of each embedded post of which a block is kept, but what is hidden
 */
export function completePosts(page, kept) {
  const { blocks } = page;
  const depths = new BlockPaths(page).map((tags, classWords) =>
    tags.findIndex((tag, i) => tag === "blockquote" && POSTS.test(classWords[i])),
  );
  const nodes = blocks.map((block, i) => (depths[i] < 0 ? -1 : block.nodes[depths[i]]));
  const wanted = new Set(nodes.filter((_, i) => kept[i]));
  return blocks.map(({ hidden }, i) => kept[i] || (nodes[i] >= 0 && !hidden && wanted.has(nodes[i])));
}

/**
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {boolean[]} `decided` with the notes that stand beside kept text or to which a kept text links; hidden
 *   blocks are not added
 */
export function completeNotes(page, decided) {
  return withLinkedNotes(page, withNotesBeside(page, withSideNotes(page, decided)));
}

/**
 * A note that is added may link to others, such as the short references of an encyclopedia. What stands in the
 * footer of the page is legal notes to offers, mostly.
 *
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the notes and sources to which a kept block links, each as a whole
 */
function withLinkedNotes(page, kept) {
  const { blocks, notes = [] } = page;
  if (!notes.length || !kept.some(Boolean)) return kept;
  const mayBe = new BlockPaths(page).map((tags) => !isInPageFooter(tags));
  let completed = kept;
  for (let link = 0; link < constants.LINKS; link++) {
    const holding = new Set(blocks.filter((_, i) => completed[i]).map(({ nodes }) => nodes.at(-1) ?? 0));
    const wanted = new Set(notes.flatMap(([note, around]) => (around.some((one) => holding.has(one)) ? [note] : [])));
    completed = completed.map(
      (keep, i) => keep || (mayBe[i] && !blocks[i].hidden && blocks[i].nodes.some((node) => wanted.has(node))),
    );
  }
  return completed;
}

/** @param {string[]} tags @returns {boolean} whether they lead into a `<footer>` that is not that of an article */
function isInPageFooter(tags) {
  const footer = tags.indexOf("footer");
  return footer >= 0 && !tags.slice(0, footer).some((tag) => WITH_FOOTERS.has(tag));
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the notes that stand beside kept text, by their tags and class words
 */
function withNotesBeside(page, kept) {
  const { blocks } = page;
  const depths = new BlockPaths(page).map(noteDepth);
  if (!depths.some((depth) => depth > 0)) return kept;
  const beside = new Map();
  blocks.forEach(({ nodes }, i) => {
    if (kept[i]) for (const node of nodes) beside.set(node, (beside.get(node) ?? 0) + 1);
  });
  return blocks.map(({ hidden, linkChars, nodes, tags, text }, i) => {
    const depth = depths[i];
    if (kept[i] || hidden || depth <= 0) return kept[i];
    const around = depth > 1 && tags[depth - 1] === "header" ? depth - 2 : depth - 1;
    const isSentence = !linkChars && constants.SENTENCE_END.some((/** @type {string} */ sign) => text.endsWith(sign));
    if (tags[depth] === "aside" && !isSentence) return false;
    return (beside.get(nodes[around]) ?? 0) >= constants.MIN_BESIDE;
  });
}

/**
 * @param {{classWords: string[]}} block
 * @returns {boolean} whether it is in an element that holds footnotes by its class words, id or role
 */
export function isInNotes({ classWords }) {
  return classWords.some((words) => FOOTNOTES.test(words) && !NO_FOOTNOTES.test(words));
}

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @returns {boolean[]} `kept` with the notes in kept sentences, which count as `<d-footnote>`
 */
function withSideNotes(page, kept) {
  let before = false;
  return page.blocks.map(({ hidden, tags }, i) => {
    if (tags.includes(SIDE_NOTE)) return kept[i] || (before && !hidden);
    before = kept[i];
    return before;
  });
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {number} the depth of the outermost element that holds notes; 0 if none does
 */
function noteDepth(tags, classWords) {
  if (tags.some((tag) => OUTSIDE.has(tag))) return 0;
  for (let depth = 0; depth < tags.length; depth++) {
    if (NO_NOTE_TAGS.has(tags[depth])) continue;
    if (tags[depth] === HIDDEN_NOTE) return depth;
    if (FOOTNOTES.test(classWords[depth])) return NO_FOOTNOTES.test(classWords[depth]) ? 0 : depth;
    if (tags[depth] === "aside") {
      const isNamed = classWords.slice(2).some(Boolean) || tags.slice(depth).some((tag) => HEADING_TAGS.has(tag));
      return isNamed ? 0 : depth;
    }
  }
  return 0;
}
