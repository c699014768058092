/** Finds the comments and reviews of readers. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { length, pattern } from "../python.js";
import { statesArticleOrProduct } from "./threads.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.comments"];
const COMMENT_AREA = pattern(constants.COMMENT_AREA);
const NO_COMMENT_AREA = pattern(constants.NO_COMMENT_AREA);
const ELSEWHERE = pattern(constants.ELSEWHERE);
const TOOLS = pattern(constants.TOOLS);
const SURE_AREA = pattern(constants.SURE_AREA);
const WRITTEN_BY = pattern(constants.WRITTEN_BY);
const OF_ARTICLES = pattern(constants.OF_ARTICLES);
const REPLIES = pattern(constants.REPLIES);
const SIGNATURE = pattern(constants.SIGNATURE);
const OF_POST = pattern(constants.OF_POST);
const OF_CODE = pattern(constants.OF_CODE);
const NO_SIGNATURES = new Set(constants.NO_SIGNATURES);
const ROOTS = new Set(constants.ROOTS);
const HEADINGS = new Set(constants.HEADINGS);
const ALL_HEADINGS = new Set(constants.ALL_HEADINGS);
const CODE_TAGS = new Set(constants.CODE_TAGS);
const WRITTEN_BY_TAGS = new Set(constants.WRITTEN_BY_TAGS);
const NO_AREA_TAGS = new Set(constants.NO_AREA_TAGS);

/**
 * @param {Page} page
 * @param {boolean[]} decided
 * @returns {Set<number>} the indexes of the blocks of readers' comments, with their authors and dates;
 *   none if no main text comes before them: such a thread is the main text itself
 */
export function findComments(page, decided) {
  const found = new Set();
  const paths = new BlockPaths(page);
  const areas = areasOfReaders(paths.pairs, page.head.words.includes("ld:product"));
  const places = paths.map((tags, classWords) => placeOf(tags, classWords, areas));
  const isHeading = paths.map((tags) => tags.slice(-3).some((tag) => HEADINGS.has(tag)));
  const mainNodes = new Set();
  let mainWords = 0;
  page.blocks.forEach(({ hidden, nodes, text }, i) => {
    const { area, beside } = places[i];
    if (area === "elsewhere" && decided[i]) for (const node of nodes) mainNodes.add(node);
    if (area === "elsewhere" || (beside.length && !beside.every((depth) => mainNodes.has(nodes[depth])))) {
      mainWords += decided[i] && !isHeading[i] ? length(text) / 6 : 0;
    } else if (mainWords >= constants.MIN_MAIN_WORDS && area === "comments" && !hidden) {
      found.add(i);
    }
  });
  return found;
}

/**
 * @param {Page} page
 * @param {Set<number>} comments the indexes of their blocks
 * @returns {boolean} whether these comments are below an article or a product: their class words tell it, or the
 *   page states it, and they are not named replies
 */
export function areOfArticle(page, comments) {
  const found = new Set([...comments].flatMap((i) => page.blocks[i].classWords));
  if ([...found].some((words) => OF_ARTICLES.test(words))) return true;
  return statesArticleOrProduct(page) && ![...found].some((words) => REPLIES.test(words));
}

/**
 * @param {Page} page
 * @returns {Set<number>} the indexes of the blocks of signatures below the posts of a thread
 */
export function findSignatures(page) {
  const isSigned = new BlockPaths(page).map(isSignature);
  const found = page.blocks.flatMap((_, i) => (isSigned[i] ? [i] : []));
  return new Set(found.length >= constants.MIN_SIGNATURES ? found : []);
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {boolean} whether a block of this path is in the signature of a post, not of a function
 */
function isSignature(tags, classWords) {
  const isNamed = classWords.some((words) => SIGNATURE.test(words) && !OF_CODE.test(words));
  if (!isNamed || tags.some((tag) => NO_SIGNATURES.has(tag))) return false;
  return classWords.some((words, i) => !ROOTS.has(tags[i]) && OF_POST.test(words));
}

/**
 * A manual may have a section with the id `comments`. An area with a heading that is not named beyond
 * doubt counts only if a block in it has class words that tell who wrote it, and when; or, on the page of
 * a product, if it names reviews.
 *
 * @param {{tags: string[], classWords: string[]}[]} pairs
 * @param {boolean} isProduct
 * @returns {Set<string>} the class words that surely name comments of readers
 */
function areasOfReaders(pairs, isProduct) {
  const named = new Set(pairs.flatMap(({ classWords }) => classWords).filter(namesArea));
  const sure = new Set(
    [...named].filter((words) => SURE_AREA.test(words) || (isProduct && words.includes("reviews"))),
  );
  const unsure = new Set();
  const withHeading = new Set();
  for (const { tags, classWords } of pairs) {
    const depth = areaDepth(tags, classWords, named);
    if (depth < 0 || sure.has(classWords[depth])) continue;
    unsure.add(classWords[depth]);
    const inside = tags.slice(depth + 1);
    const tells = inside.some(
      (tag, d) => WRITTEN_BY_TAGS.has(tag) || (tag !== "section" && tellsWriter(classWords[depth + 1 + d])),
    );
    if (tells && !tags.some((tag) => CODE_TAGS.has(tag))) sure.add(classWords[depth]);
    else if (inside.some((tag) => ALL_HEADINGS.has(tag))) withHeading.add(classWords[depth]);
  }
  return new Set([...sure, ...[...unsure].filter((words) => !withHeading.has(words))]);
}

/** @param {string} words @returns {boolean} */
function tellsWriter(words) {
  return WRITTEN_BY.test(words) && !words.includes("section");
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @param {Set<string>} areas
 * @returns {number} the depth of the outermost element that holds comments; -1 if none does
 */
function areaDepth(tags, classWords, areas) {
  const code = tags.findIndex((tag) => CODE_TAGS.has(tag));
  const depth = tags.findIndex((tag, d) => areas.has(classWords[d]) && !NO_AREA_TAGS.has(tag));
  return code >= 0 && code <= depth ? -1 : depth;
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @param {Set<string>} areas
 * @returns {{area: "comments" | "tools" | "elsewhere", beside: number[]}} the area that a block of this
 *   path is in: comments, their controls, or neither; and the depths of elements around the area that
 *   are named like a widget
 */
function placeOf(tags, classWords, areas) {
  const depth = areaDepth(tags, classWords, areas);
  if (depth < 0 || tags.slice(0, depth).includes("aside")) return { area: "elsewhere", beside: [] };
  const beside = [];
  for (let d = Math.max(0, depth - constants.NEAR_LEVELS); d < depth; d++) {
    if (ELSEWHERE.test(classWords[d])) beside.push(d);
  }
  const inside = tags.slice(depth);
  const isWritten =
    !inside.includes("form") &&
    !inside.includes("button") &&
    !TOOLS.test(classWords.slice(depth + 1).join("\n"));
  return { area: isWritten ? "comments" : "tools", beside };
}

/** @param {string} words of a class @returns {boolean} whether they name a comment area */
function namesArea(words) {
  return words !== "" && COMMENT_AREA.test(words) && !NO_COMMENT_AREA.test(words);
}
