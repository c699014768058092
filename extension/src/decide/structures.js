/** Lists, quotes, tables, headings, code and boxes that stand between kept texts are kept, too. */

import tables from "../tables.json" with { type: "json" };
import { length, pattern, setDefault, slice } from "../python.js";
import { BlockPaths } from "../page.js";
import { beyondAsides } from "./asides.js";
import { isCaption } from "./captions.js";
import { indexOfH1 } from "./headline.js";
import { isInNotes } from "./notes.js";
import { areLikely, logOdds, middleOdds } from "./odds.js";
import { listContents } from "./read_also.js";
import { boxesOfOneCell, dataTables, leads } from "./tables.js";

/** @import { Page } from "../page.js" */
/** @typedef {{places: number[], step: number, kind: string, captions: number[], labels: number[]}} Structure */

const constants = tables["decide.structures"];
const { BESIDE, BETWEEN } = tables["decide.odds"];
const { BOX, CAPTION, CODE, H1, LABEL, PROFILE, QUESTION, QUOTED, TABLE } = constants;
const STRUCTURES = new Set(constants.STRUCTURES);
const HEADINGS = new Set(constants.ANY_HEADING);
const LISTS = new Set(constants.LISTS);
const ALONE = new Set(constants.ALONE);
const IN_FIGURE = new Set(constants.IN_FIGURE);
const WRAPPERS = new Set(constants.WRAPPERS);
const HEADING_WRAPPERS = new Set(constants.HEADING_WRAPPERS);
const PASSED = new Set(constants.PASSED);
const NO_BOX_TAGS = new Set(constants.NO_BOX_TAGS);
const BOXES = pattern(constants.BOXES);
const PROFILES = pattern(constants.PROFILES);
const QUESTIONS = pattern(constants.QUESTIONS);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @param {ArrayLike<number>} probabilities per block, those by which the threshold decided
 * @param {number} threshold
 * @returns {boolean[]} `kept` with the structures that stand beside kept texts, each as a whole; hidden
 *   blocks are not added, and a text beside counts only if it is in the element around the structure
 */
export function completeStructures(page, kept, probabilities, threshold) {
  const { blocks } = page;
  const middle = middleOdds(probabilities, threshold);
  if (middle === null) return kept;
  const odds = Array.from(probabilities, (p) => logOdds(p) - middle);
  const near = blocks.map((_, i) => !kept[i] && odds[i] > -BETWEEN);
  if (!near.some(Boolean)) return kept;
  const order = [...blocks.keys()].filter((i) => !blocks[i].hidden);
  const completed = [...kept];
  const firstH1 = indexOfH1(page);
  const title = slice(page.title, 0, constants.MAX_TITLE_CHARS);
  const steps = new BlockPaths(page).map(stepsOf(page));
  const found = structures(page, order, steps);
  /** @type {(place: number, by: number) => number} the place of the first kept block from a place on, behind at
      most two blocks that are captions, or short and no headings; -1 without one */
  const over = (place, by) => {
    for (let i = 0; i <= constants.MAX_OVER; i++, place += by) {
      if (!(place in order)) return -1;
      if (kept[order[place]]) return place;
      const block = blocks[order[place]];
      const isLong = length(block.text) > constants.MAX_OVER_CHARS && !isCaption(block);
      if (isLong || HEADINGS.has(steps[order[place]][1])) return -1;
    }
    return -1;
  };
  const [back, forth] = passed(found, (place) => kept[order[place]]);
  const [beforeAside, behindAside] = beyondAsides(page, order, kept);
  for (const structure of found) {
    const { captions, kind, places, step } = structure;
    if (![...places, ...captions].some((place) => near[order[place]])) continue;
    let [first, last] = ends(structure);
    [first, last] = [beforeAside.get(first - 1) ?? first - 1, behindAside.get(last + 1) ?? last + 1];
    for (let i = 0; i < (PASSED.has(kind) ? constants.MAX_PASSED : 0); i++) {
      [first, last] = [back.get(first) ?? first, forth.get(last) ?? last];
    }
    const needsBoth = HEADINGS.has(kind) && !kept[order[last]];
    if (needsBoth) [first, last] = [over(first, -1), over(last, 1)];
    const own = places.map((place) => order[place]);
    const { nodes, tags } = blocks[own[0]];
    /** @type {(place: number, node: number) => boolean} */
    const isIn = (place, node) => place in order && blocks[order[place]].nodes.includes(node);
    const node = nodes[aroundOf(tags, step, kind, (at) => isIn(first, nodes[at]) || isIn(last, nodes[at]))];
    const before = kept[order[first]] && isIn(first, node);
    const isEnd = kind === TABLE && before && !isIn(last, node) && !leads(page, own);
    const after = isEnd || (kept[order[last]] && isIn(last, node));
    let beside = before || (after && (kind === CODE || own.some((i) => kept[i])));
    if (kind === QUESTION) beside = after && own.length <= constants.MAX_QUESTION_BLOCKS;
    else if (kind === QUOTED) beside = own.every((i) => kept[i]);
    else if (LISTS.has(kind) && listContents(page, own)) beside = false;
    else if (HEADINGS.has(kind)) beside = after && (before || !needsBoth) && !isInNotes(blocks[order[last]]);
    const isSection = kind === H1 && own[0] > firstH1 && !title.includes(blocks[own[0]].text);
    const least = (before && after) || kind === QUESTION || isSection ? BETWEEN : BESIDE;
    if (!beside || !areLikely(page, own, probabilities, middle - least)) continue;
    for (const place of [...places, ...captions]) completed[order[place]] = true;
  }
  return completed;
}

/** @param {Structure} structure @returns {[number, number]} its first and last place, with captions and labels */
function ends({ places, captions, labels }) {
  const all = [...places, ...captions, ...labels].sort((a, b) => a - b);
  return [all[0], all[all.length - 1]];
}

/**
 * @param {Structure[]} found
 * @param {(place: number) => boolean} isKept
 * @returns {[Map<number, number>, Map<number, number>]} where one comes to from the last, and from the first,
 *   place of a structure that may be passed: to the place before it, and behind it
 */
function passed(found, isKept) {
  const back = new Map();
  const forth = new Map();
  for (const structure of found) {
    if (!PASSED.has(structure.kind) || structure.places.some(isKept)) continue;
    const [first, last] = ends(structure);
    back.set(last, first - 1);
    forth.set(first, last + 1);
  }
  return [back, forth];
}

/**
 * @param {string[]} tags
 * @param {number} step
 * @param {string} kind
 * @param {(at: number) => boolean} isBeside whether a block before or behind is in the element at a step
 * @returns {number} the step of the element around a structure, without those that hold nothing else
 */
function aroundOf(tags, step, kind, isBeside) {
  let around = Math.max(0, step - 1);
  let levels = IN_FIGURE.has(kind) ? constants.MAX_WRAPPERS : 1;
  const alone = HEADINGS.has(kind) ? HEADING_WRAPPERS : new Set();
  const wrappers = IN_FIGURE.has(kind) ? WRAPPERS : alone;
  while (levels && wrappers.has(tags[around]) && !isBeside(around)) {
    around -= 1;
    levels -= 1;
  }
  return around;
}

/**
 * @param {Page} page
 * @param {number[]} order the shown blocks
 * @param {[number, string][]} steps of each block, as of `stepOf`
 * @returns {Structure[]} with places in `order`; a block belongs to the box around it, else to the figure of
 *   code or of a table, else to the innermost structure, and headings and code belong to none
 */
function structures(page, order, steps) {
  /** @type {Map<number, Structure>} */
  const found = new Map();
  /** @type {[number, "captions" | "labels", number][]} */
  const others = [];
  order.forEach((i, place) => {
    const [step, kind] = steps[i];
    const node = page.blocks[i].nodes[step];
    if (!step) return;
    if (kind === CAPTION || kind === LABEL) others.push([node, kind === CAPTION ? "captions" : "labels", place]);
    else setDefault(found, node, structure([], step, kind)).places.push(place);
  });
  for (const [node, name, place] of others) found.get(node)?.[name].push(place);
  const places = new Map(order.map((i, place) => [i, place]));
  /** @type {(rows: number[][], table: number, kind: string) => void} */
  const add = (rows, table, kind) => {
    const own = rows.flat().flatMap((i) => places.get(i) ?? []);
    if (!own.length) return;
    own.sort((a, b) => a - b);
    const step = page.blocks[order[own[0]]].nodes.indexOf(table);
    found.set(-table, structure(own, step, kind));
  };
  dataTables(page).forEach((rows, table) => add(rows, table, TABLE));
  boxesOfOneCell(page).forEach((rows, table) => add(rows, table, BOX));
  return [...found.values()];
}

/** @param {number[]} places @param {number} step @param {string} kind @returns {Structure} */
function structure(places, step, kind) {
  return { places, step, kind, captions: [], labels: [] };
}

/** @param {Page} page @returns {(tags: string[], classWords: string[]) => [number, string]} `stepOf`, for it */
function stepsOf(page) {
  const hasSections = page.blocks.filter(({ tags }) => isInH1(tags)).length >= constants.MIN_H1;
  return (tags, classWords) => stepOf(tags, classWords, hasSections);
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @param {boolean} hasSections whether several of the page's sections have an `<h1>`
 * @returns {[number, string]} the step of the structure that a block belongs to, and what it is; 0: of none
 */
function stepOf(tags, classWords, hasSections) {
  const kinds = classWords.map(named);
  if (kinds.includes(PROFILE)) return [0, ""];
  const box = kinds.findIndex((kind, i) => i > 1 && kind === BOX && !NO_BOX_TAGS.has(tags[i]));
  if (box > 1) return [box, BOX];
  const [step, kind] = stepByTags(tags);
  if (step) return [step, kind];
  if (hasSections && tags.includes(H1)) return [tags.indexOf(H1), H1];
  const question = kinds.indexOf(QUESTION, 2);
  if (question > 1) return [question, QUESTION];
  return tags.includes("figure") ? [tags.indexOf("figure"), LABEL] : [0, ""];
}

/** @param {string} classWords @returns {string} what they name: a profile, a box, a question, or "" */
function named(classWords) {
  if (PROFILES.test(classWords)) return PROFILE;
  if (BOXES.test(classWords)) return BOX;
  return QUESTIONS.test(classWords) ? QUESTION : "";
}

/** @param {string[]} tags @returns {boolean} whether they lead to an `<h1>` in no structure */
function isInH1(tags) {
  return tags.includes(H1) && !stepByTags(tags)[0];
}

/** @param {string[]} tags @returns {[number, string]} as `stepOf`, by the tags alone */
function stepByTags(tags) {
  if (tags.includes("details")) return [tags.indexOf("details"), BOX];
  const figure = tags.indexOf("figure");
  if (figure >= 0 && tags.slice(figure).some((tag) => IN_FIGURE.has(tag))) return [figure, CODE];
  if (figure >= 0 && tags.includes("blockquote", figure)) return [figure, QUOTED];
  if (figure >= 0 && tags.includes("figcaption")) return [figure, CAPTION];
  const structure = tags.findLastIndex((tag) => STRUCTURES.has(tag));
  const step = structure >= 0 ? structure : tags.findIndex((tag) => ALONE.has(tag));
  return step > 0 ? [step, tags[step]] : [0, ""];
}
