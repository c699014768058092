/** Finds a page's threshold from its probabilities, and the confidence of its labels. */

import tables from "../tables.json" with { type: "json" };
import { length } from "../python.js";

/** @import { Page } from "../page.js" */
/** @import { Spec } from "../labelers/model.js" */
/** @typedef {"precision" | "balanced" | "recall"} Favor */

const { BETAS, CORRELATION, FACTORS, FACTOR_WEIGHTS, NORMAL, NORMAL_CDF, ODDS } = tables["decide.threshold"];

/**
 * @param {Page} page
 * @returns {number[]} the length of each block in words of six characters: its weight in the page
 */
export function blockWords(page) {
  return page.blocks.map((block) => length(block.text) / 6);
}

/**
 * @param {ArrayLike<number>} probabilities
 * @param {number[]} words the weight of each block
 * @param {number} floor blocks below it are never kept
 * @param {Favor} favor
 * @param {"expected-f" | "correlated-f"} [decision]
 * @returns {number} the threshold of the best expected F-beta, in [0, 1]: the least probability kept, or
 *   the floor if no block reaches it
 */
export function chooseThreshold(probabilities, words, floor, favor, decision = "expected-f") {
  const order = words.map((_, i) => i).sort((a, b) => probabilities[b] - probabilities[a]);
  if (!order.length || !(probabilities[order[0]] >= floor)) return floor;
  const isCorrelated = decision === "correlated-f";
  const shares = isCorrelated ? FACTOR_WEIGHTS : [1];
  const chances = order.map((i) => (isCorrelated ? byFactor(probabilities[i]) : [probabilities[i]]));
  const allHits = shares.map((_, k) => order.reduce((sum, i, place) => sum + words[i] * chances[place][k], 0));
  const weight = BETAS[favor] ** 2;
  const hits = shares.map(() => 0);
  let size = 0;
  let best = floor;
  let bestExpected = -1;
  order.forEach((i, place) => {
    for (const k of hits.keys()) hits[k] += words[i] * chances[place][k];
    size += words[i];
    const next = order[place + 1];
    if (probabilities[i] < floor || (next !== undefined && probabilities[next] === probabilities[i])) return;
    const expected = shares.reduce(
      (sum, share, k) => sum + (share * ((1 + weight) * hits[k])) / (weight * allHits[k] + size),
      0,
    );
    if (expected > bestExpected) {
      best = probabilities[i];
      bestExpected = expected;
    }
  });
  return best;
}

/** @param {number} probability @returns {number[]} the probability for each value of the page's factor */
function byFactor(probability) {
  const behind = interpolated(probability, NORMAL_CDF, NORMAL);
  return FACTORS.map((factor) => {
    const moved = behind + Math.sqrt(CORRELATION) * factor;
    return interpolated(moved / Math.sqrt(1 - CORRELATION), NORMAL, NORMAL_CDF);
  });
}

/**
 * @param {number} x
 * @param {number[]} xs rising
 * @param {number[]} ys
 * @returns {number} the value at `x` of the line through the points (xs, ys); the outermost ones beyond them
 */
function interpolated(x, xs, ys) {
  if (x <= xs[0]) return ys[0];
  if (x >= xs[xs.length - 1]) return ys[ys.length - 1];
  let [low, high] = [0, xs.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle] <= x) low = middle;
    else high = middle;
  }
  return ys[low] + ((ys[high] - ys[low]) / (xs[high] - xs[low])) * (x - xs[low]);
}

/**
 * @param {Spec} spec
 * @param {Page} page
 * @param {ArrayLike<number>} probabilities
 * @param {Favor} favor
 * @returns {number} the probability from which the page's blocks are content, in [0, 1]
 */
export function thresholdFor(spec, page, probabilities, favor) {
  if (spec.decision !== "fixed") {
    return chooseThreshold(probabilities, blockWords(page), spec.threshold, favor, spec.decision);
  }
  if (favor === "balanced") return spec.threshold;
  const forContent = spec.threshold * ODDS[favor];
  return forContent / (forContent + (1 - spec.threshold));
}

/**
 * @param {Spec} spec
 * @param {Page} page
 * @param {ArrayLike<number>} probabilities
 * @param {boolean[]} kept
 * @returns {number} the calibrated expected word-F1 of keeping the blocks that `kept` marks, in [0, 1];
 *   0 if it marks none
 */
export function confidence(spec, page, probabilities, kept) {
  if (!kept.some(Boolean)) return 0;
  let hits = 0;
  let extra = 0;
  let missed = 0;
  blockWords(page).forEach((words, i) => {
    const p = probabilities[i];
    if (kept[i]) {
      hits += words * p;
      extra += words * (1 - p);
    } else {
      missed += words * p;
    }
  });
  const total = 2 * hits + extra + missed;
  const raw = total ? (2 * hits) / total : 0;
  /** @type {[number, number][]} */
  const points = [[0, 0], ...spec.confidence];
  const after = points.findIndex(([expected]) => expected > raw);
  if (after < 0) return points[points.length - 1][1];
  const [[x0, y0], [x1, y1]] = [points[after - 1], points[after]];
  return y0 + ((raw - x0) / (x1 - x0)) * (y1 - y0);
}
