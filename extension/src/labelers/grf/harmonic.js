/**
 * The harmonic solution on a graph: a label that is everywhere the mean of its neighbours' labels.
 *
 * Zhu, Ghahramani and Lafferty, *Semi-Supervised Learning Using Gaussian Fields and Harmonic
 * Functions*, ICML 2003, as in `scrapy_boilernet/extractor/labelers/grf/harmonic.py`.
 */

import tables from "../../tables.json" with { type: "json" };

/** @typedef {Map<number, number>[]} Graph Per node the weight of each of its edges, by the other node. */

const { MAX_STEPS, TOLERANCE } = tables["labelers.grf.harmonic"];

/**
 * @param {Graph} graph
 * @param {Float64Array} labels in [0, 1]; read where `known`, and kept there
 * @param {boolean[]} known
 * @param {number} prior the label in parts of the graph without a known label
 * @returns {Float64Array} the label of every node
 */
export function spread(graph, labels, known, prior) {
  const solution = labels.map((label, i) => (known[i] ? label : prior));
  const reached = reachedFrom(graph, known);
  const free = graph.flatMap((_, i) => (reached[i] && !known[i] ? [i] : []));
  const given = Array.from(labels).filter((_, i) => known[i]);
  if (!free.length) return solution;
  const solved = solve(graph, free, labels, known, given.reduce((sum, label) => sum + label, 0) / given.length);
  const min = Math.min(...given);
  const max = Math.max(...given);
  free.forEach((node, i) => (solution[node] = Math.min(Math.max(solved[i], min), max))); // rounding may leave the range
  return solution;
}

/**
 * @param {Graph} graph
 * @param {boolean[]} known
 * @returns {boolean[]} whether each node is in a part of the graph that has a label
 */
function reachedFrom(graph, known) {
  const reached = [...known];
  const open = known.flatMap((isKnown, i) => (isKnown ? [i] : []));
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const other of graph[node].keys()) {
      if (reached[other]) continue;
      reached[other] = true;
      open.push(other);
    }
  }
  return reached;
}

/**
 * Solves (D - W) x = W l for the free nodes, by conjugate gradients scaled by the diagonal.
 *
 * @param {Graph} graph @param {number[]} free @param {Float64Array} labels @param {boolean[]} known
 * @param {number} start the first guess of each label
 * @returns {Float64Array} the label of each free node
 */
function solve(graph, free, labels, known, start) {
  const place = new Map(free.map((node, i) => [node, i]));
  const count = free.length;
  const degrees = new Float64Array(count);
  const right = new Float64Array(count);
  /** Per free node its edges to other free nodes: place, weight, place, weight ... @type {number[][]} */
  const edges = free.map((node, i) => {
    const toFree = [];
    for (const [other, weight] of graph[node]) {
      degrees[i] += weight;
      if (known[other]) right[i] += weight * labels[other];
      else toFree.push(place.get(other) ?? 0, weight);
    }
    return toFree;
  });
  const product = (/** @type {Float64Array} */ x) =>
    x.map((value, i) => {
      let sum = degrees[i] * value;
      for (let e = 0; e < edges[i].length; e += 2) sum -= edges[i][e + 1] * x[edges[i][e]];
      return sum;
    });
  const x = new Float64Array(count).fill(start);
  const first = product(x);
  const rest = right.map((value, i) => value - first[i]);
  let scaled = rest.map((value, i) => value / degrees[i]);
  let direction = scaled;
  let size = dot(rest, scaled);
  const least = TOLERANCE ** 2 * dot(right, right);
  for (let step = 0; step < MAX_STEPS && dot(rest, rest) > least; step++) {
    const image = product(direction);
    const length = size / dot(direction, image);
    for (let i = 0; i < count; i++) {
      x[i] += length * direction[i];
      rest[i] -= length * image[i];
    }
    scaled = rest.map((value, i) => value / degrees[i]);
    const next = dot(rest, scaled);
    const before = direction;
    direction = scaled.map((value, i) => value + (next / size) * before[i]);
    size = next;
  }
  return x;
}

/** @param {Float64Array} a @param {Float64Array} b */
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
