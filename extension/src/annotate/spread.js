/** Spreads the labels that a person gave over the rest of the page, by a Gaussian random field. */

import { blockGraph } from "../labelers/grf/block_graph.js";
import { spread } from "../labelers/grf/harmonic.js";

/** @import { Page } from "../page.js" */

/**
 * @param {Page} page
 * @param {Map<number, boolean>} given the blocks that a person labeled: whether they are content
 * @returns {Float64Array} P(content) per block, in [0, 1]; the blocks of `given` keep their labels
 * @throws {RangeError} if none of them is content, or none is boilerplate
 */
export function spreadLabels(page, given) {
  const values = [...given.values()];
  for (const [isContent, name] of /** @type {[boolean, string][]} */ ([[true, "content"], [false, "boilerplate"]])) {
    if (!values.includes(isContent)) throw new RangeError(`label a block as ${name} first; labels of both kinds are needed`);
  }
  const { graph, nodes } = blockGraph(page);
  const sums = new Float64Array(graph.length);
  const sizes = new Float64Array(graph.length);
  for (const [i, isContent] of given) {
    sums[nodes[i]] += Number(isContent);
    sizes[nodes[i]]++;
  }
  const labels = sums.map((sum, node) => sum / Math.max(sizes[node], 1));
  const known = Array.from(sizes, (size) => size > 0);
  const knownLabels = Array.from(labels).filter((_, node) => known[node]);
  const mean = knownLabels.reduce((sum, label) => sum + label, 0) / knownLabels.length;
  const solution = spread(graph, labels, known, mean);
  const scores = Float64Array.from(nodes, (node) => solution[node]);
  for (const [i, isContent] of given) scores[i] = Number(isContent);
  return scores;
}
