/** How likely several blocks are together, beside what decides on single ones. */

import { length } from "../python.js";

/** @import { Page } from "../page.js" */

/**
 * @param {ArrayLike<number>} probabilities
 * @param {number} threshold
 * @returns {number | null} the middle between the log-odds of the threshold and of the most likely block below it;
 *   null if there is none below
 */
export function middleOdds(probabilities, threshold) {
  const below = Array.from(probabilities).filter((p) => p < threshold);
  if (!below.length) return null;
  return (logOdds(threshold) + logOdds(below.reduce((most, p) => Math.max(most, p)))) / 2;
}

/**
 * @param {Page} page
 * @param {number[]} places
 * @param {ArrayLike<number>} probabilities
 * @param {number} least
 * @returns {boolean} whether the mean log-odds of the blocks, weighted by their characters, are above `least`
 */
export function areLikely({ blocks }, places, probabilities, least) {
  const chars = places.map((i) => length(blocks[i].text));
  const sum = places.reduce((total, i, place) => total + chars[place] * logOdds(probabilities[i]), 0);
  return sum > least * chars.reduce((total, count) => total + count, 0);
}

/** @param {number} p @returns {number} its log-odds, finite */
export function logOdds(p) {
  const inside = Math.min(Math.max(p, 1e-7), 1 - 1e-7);
  return Math.log(inside / (1 - inside));
}
