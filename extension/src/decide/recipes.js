/** The ingredients and the steps of recipes, which are kept as a whole. */

import tables from "../tables.json" with { type: "json" };
import { BlockPaths } from "../page.js";
import { length, pattern, setDefault } from "../python.js";
import { areLikely, middleOdds } from "./odds.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.recipes"];
const { BETWEEN } = tables["decide.odds"];
const INGREDIENTS = pattern(constants.INGREDIENTS);
const STEPS = pattern(constants.STEPS);
const RECIPE = pattern(constants.RECIPE);
const BESIDE = pattern(constants.BESIDE);
const AMONG = pattern(constants.AMONG);
const CONTROLS = new Set(constants.CONTROLS);
const PAGE_TAGS = new Set(constants.PAGE_TAGS);

/**
 * @param {Page} page
 * @param {boolean[]} kept
 * @param {ArrayLike<number>} probabilities per block, those by which the threshold decided
 * @param {number} threshold
 * @returns {boolean[]} `kept` with the lists of ingredients of a recipe and its steps, each as a whole; hidden
 *   blocks are not added, nor lines that stand elsewhere in what is kept
 */
export function completeRecipes(page, kept, probabilities, threshold) {
  const { blocks } = page;
  const middle = middleOdds(probabilities, threshold);
  const paths = new BlockPaths(page);
  const hasIngredients = paths.pairs.some(({ classWords }) => classWords.some((words) => INGREDIENTS.test(words)));
  if (middle === null || !hasIngredients || !kept.some(Boolean)) return kept;
  const steps = paths.map(stepOf);
  /** @type {Map<number, number[]>} */
  const parts = new Map();
  blocks.forEach(({ hidden, nodes }, i) => {
    if (!hidden && steps[i]) setDefault(parts, nodes[steps[i]], /** @type {number[]} */ ([])).push(i);
  });
  const completed = [...kept];
  const known = new Set(blocks.filter((_, i) => kept[i]).map(({ text }) => text));
  for (const places of parts.values()) {
    for (const i of missing(page, places, kept, probabilities, middle - BETWEEN)) {
      completed[i] ||= !known.has(blocks[i].text);
      known.add(blocks[i].text);
    }
  }
  return completed;
}

/**
 * @param {Page} page
 * @param {number[]} places
 * @param {boolean[]} kept
 * @param {ArrayLike<number>} probabilities
 * @param {number} least
 * @returns {number[]} which blocks of a part of a recipe belong to it beside those that are kept: if most of its
 *   text is kept, the blocks with the path of a kept one, else all, if they are likely and not mostly links
 */
function missing(page, places, kept, probabilities, least) {
  const { blocks } = page;
  /** @param {number[]} those @param {(i: number) => number} count */
  const sum = (those, count) => those.reduce((total, i) => total + count(i), 0);
  /** @param {number} i */
  const charsOf = (i) => length(blocks[i].text);
  const chars = sum(places, charsOf);
  const those = places.filter((i) => kept[i]);
  if (2 * sum(those, charsOf) > chars) {
    const paths = new BlockPaths(page).places;
    const alike = new Set(those.map((i) => paths[i]));
    return places.filter((i) => alike.has(paths[i]));
  }
  const leads = sum(places, (i) => blocks[i].linkChars) > constants.MAX_LINKED * chars;
  return !leads && areLikely(page, places, probabilities, least) ? places : [];
}

/**
 * @param {string[]} tags
 * @param {string[]} classWords
 * @returns {number} the step of the element of ingredients, or of the steps of a recipe, that a block is in, the
 *   outermost; 0 if it is in none. Steps may be in an element that also has the ingredients.
 */
function stepOf(tags, classWords) {
  let [found, ofSteps, inRecipe] = [0, false, false];
  for (const [step, tag] of tags.entries()) {
    const words = classWords[step];
    if (CONTROLS.has(tag) || BESIDE.test(words)) return 0;
    inRecipe ||= RECIPE.test(words);
    const names = INGREDIENTS.test(words);
    const namesSteps = inRecipe && !names && STEPS.test(words);
    const isNew = !found || (namesSteps && !ofSteps);
    if (!PAGE_TAGS.has(tag) && (names || namesSteps) && isNew) [found, ofSteps] = [step, namesSteps];
    if (found && AMONG.test(words)) return 0;
  }
  return found;
}
