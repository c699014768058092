/** Blocks of one template are judged together: their log-odds are drawn to the template's mean. */

import tables from "../tables.json" with { type: "json" };
import { distinct, pathKey } from "../page.js";
import { blockWords } from "./threshold.js";

/** @import { Page } from "../page.js" */

const { CLASS_STEPS, TAG_STEPS } = tables["decide.pooling"];
const LEAST = 1e-7;

/**
 * @param {Page} page
 * @param {Float32Array} probabilities
 * @param {number} share how far each block's log-odds go to the mean of its template's
 * @returns {Float32Array} P(content) per block after pooling
 */
export function pooled(page, probabilities, share) {
  if (!share) return probabilities;
  const logits = Array.from(probabilities, (p) => {
    const inside = Math.min(Math.max(p, LEAST), 1 - LEAST);
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
    const own = sums.get(template) ?? { words: 0, logits: 0 };
    own.words += words[i];
    own.logits += words[i] * logits[i];
    sums.set(template, own);
  });
  return Float32Array.from(logits, (logit, i) => {
    const own = /** @type {{words: number, logits: number}} */ (sums.get(templates[i]));
    return 1 / (1 + Math.exp(-((1 - share) * logit + share * (own.logits / own.words))));
  });
}
