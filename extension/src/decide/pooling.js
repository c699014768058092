/** Pooling: the log-odds of a template's blocks are moved towards the template's mean. */

import tables from "../tables.json" with { type: "json" };
import { distinct, pathKey } from "../page.js";
import { blockWords } from "./threshold.js";

/** @import { Page } from "../page.js" */

const { CLASS_STEPS, TAG_STEPS } = tables["decide.pooling"];
const MIN_PROBABILITY = 1e-7;

/**
 * @param {Page} page
 * @param {Float32Array} probabilities
 * @param {number} share the share of the distance to its template's mean by which a block's log-odds
 *   move; 0: they stay
 * @returns {Float32Array} P(content) per block after pooling, in [0, 1]
 */
export function pooled(page, probabilities, share) {
  if (!share) return probabilities;
  const logits = Array.from(probabilities, (p) => {
    const inside = Math.min(Math.max(p, MIN_PROBABILITY), 1 - MIN_PROBABILITY);
    return Math.log(inside / (1 - inside));
  });
  const words = blockWords(page);
  const near = distinct(page.blocks.map((block) => block.tags), (path) => pathKey(path.slice(-TAG_STEPS)));
  const classes = distinct(page.blocks.map((block) => block.classWords), (path) =>
    pathKey(path.slice(-CLASS_STEPS)),
  );
  const templates = near.places.map((place, i) => `${place} ${classes.places[i]}`);
  /** @type {Map<string, {words: number, logits: number}>} */
  const sums = new Map();
  templates.forEach((template, i) => {
    const sum = sums.get(template) ?? { words: 0, logits: 0 };
    sum.words += words[i];
    sum.logits += words[i] * logits[i];
    sums.set(template, sum);
  });
  return Float32Array.from(logits, (logit, i) => {
    const sum = /** @type {{words: number, logits: number}} */ (sums.get(templates[i]));
    return 1 / (1 + Math.exp(-((1 - share) * logit + share * (sum.logits / sum.words))));
  });
}
