/** The network: embedding bags and numbers, a dense layer, a BiLSTM, one logit per block. */

import { inputWidth } from "./model.js";

/** @import { Features } from "../features/hashed.js" */
/** @import { Model } from "./model.js" */

/**
 * @param {Model} model
 * @param {Features} features
 * @returns {Float32Array} P(content) per block, in [0, 1], before pooling
 */
export function score({ spec, tensors }, features) {
  const { dense, hidden, layers } = spec.architecture;
  const weights = (/** @type {string} */ name) => /** @type {Float32Array} */ (tensors.get(name));
  const n = features.blocks;
  let width = inputWidth(spec.architecture);
  let states = encode(spec.architecture, weights, features, width);
  if (dense) {
    states = product(states, n, width, weights("dense.weight"), dense);
    width = dense;
  }
  const bias = weights("dense.bias");
  for (let i = 0; i < states.length; i++) states[i] = Math.max(states[i] + bias[i % width], 0);
  for (let layer = 0; layer < layers; layer++) {
    const joined = new Float32Array(n * 2 * hidden);
    for (const [side, backwards] of /** @type {[string, boolean][]} */ ([
      ["forwards", false],
      ["backwards", true],
    ])) {
      const lstmWeights = (/** @type {string} */ name) => weights(`bilstm.${layer}.${side}.${name}_l0`);
      lstm(joined, states, n, width, hidden, lstmWeights, backwards);
    }
    states = joined;
    width = 2 * hidden;
  }
  const out = product(states, n, width, weights("out.weight"), 1);
  const outBias = weights("out.bias")[0];
  return out.map((logit) => 1 / (1 + Math.exp(-(logit + outBias))));
}

/**
 * @param {Model["spec"]["architecture"]} shape
 * @param {(name: string) => Float32Array} weights
 * @param {Features} features
 * @param {number} width
 * @returns {Float32Array} per block its bags, the page's bag and its numbers: (n, width)
 */
function encode(shape, weights, features, width) {
  const n = features.blocks;
  const rows = new Float32Array(n * width);
  let column = 0;
  for (const [name, [, columns]] of Object.entries(shape.bags)) {
    const { lists, places } = features.bags[name];
    const reduced = lists.map((ids) => reduce(weights(`bags.${name}.weight`), columns, ids, shape.bag_mode));
    for (let i = 0; i < n; i++) rows.set(reduced[places[i]], i * width + column);
    column += columns;
  }
  if (shape.page_bag) {
    const columns = shape.page_bag[1];
    const row = reduce(weights("page_bag.weight"), columns, features.page, shape.bag_mode);
    for (let i = 0; i < n; i++) rows.set(row, i * width + column);
    column += columns;
  }
  for (let i = 0; i < n; i++) {
    rows.set(features.numbers.subarray(i * shape.numbers, (i + 1) * shape.numbers), i * width + column);
  }
  return rows;
}

/**
 * @param {Float32Array} table
 * @param {number} columns
 * @param {Int32Array} ids
 * @param {"mean" | "sum"} mode
 * @returns {Float32Array} the sum or mean of the table's rows for the ids; zeros without ids
 */
function reduce(table, columns, ids, mode) {
  const row = new Float32Array(columns);
  for (const id of ids) {
    for (let c = 0; c < columns; c++) row[c] += table[id * columns + c];
  }
  if (mode === "mean" && ids.length) {
    for (let c = 0; c < columns; c++) row[c] /= ids.length;
  }
  return row;
}

/**
 * It has four sums, which is faster: an addition must wait for the one before it in the same sum.
 *
 * @param {Float32Array} one
 * @param {number} i the index of the first number in `one`
 * @param {Float32Array} other
 * @param {number} k the index of the first number in `other`
 * @param {number} width
 * @returns {number} the dot product of `width` numbers of the two arrays
 */
function dot(one, i, other, k, width) {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const end = i + width;
  for (; i + 3 < end; i += 4, k += 4) {
    a += one[i] * other[k];
    b += one[i + 1] * other[k + 1];
    c += one[i + 2] * other[k + 2];
    d += one[i + 3] * other[k + 3];
  }
  for (; i < end; i++, k++) a += one[i] * other[k];
  return a + b + (c + d);
}

/**
 * @param {Float32Array} rows (n, width)
 * @param {number} n
 * @param {number} width
 * @param {Float32Array} weights (units, width)
 * @param {number} units
 * @returns {Float32Array} the dot product of each row with each unit's weights: (n, units)
 */
function product(rows, n, width, weights, units) {
  const result = new Float32Array(n * units);
  for (let i = 0; i < n; i++) {
    for (let unit = 0; unit < units; unit++) {
      result[i * units + unit] = dot(rows, i * width, weights, unit * width, width);
    }
  }
  return result;
}

/**
 * Runs one LSTM over the steps of `x` and writes its states into its half of `joined`.
 *
 * @param {Float32Array} joined (n, 2 hidden)
 * @param {Float32Array} x (n, width)
 * @param {number} n
 * @param {number} width
 * @param {number} hidden
 * @param {(name: string) => Float32Array} weights
 * @param {boolean} backwards from the last block to the first
 */
function lstm(joined, x, n, width, hidden, weights, backwards) {
  const gates = 4 * hidden;
  const inputs = product(x, n, width, weights("weight_ih"), gates);
  const biasIn = weights("bias_ih");
  const biasState = weights("bias_hh");
  const recurrent = weights("weight_hh");
  const state = new Float32Array(hidden);
  const cell = new Float32Array(hidden);
  const sums = new Float32Array(gates);
  for (let step = 0; step < n; step++) {
    const i = backwards ? n - 1 - step : step;
    for (let gate = 0; gate < gates; gate++) {
      const fromState = dot(recurrent, gate * hidden, state, 0, hidden);
      sums[gate] = inputs[i * gates + gate] + biasIn[gate] + biasState[gate] + fromState;
    }
    const begin = i * 2 * hidden + (backwards ? hidden : 0);
    for (let h = 0; h < hidden; h++) {
      // The gates: input, forget, candidate, output.
      const candidate = Math.tanh(sums[2 * hidden + h]);
      cell[h] = sigmoid(sums[hidden + h]) * cell[h] + sigmoid(sums[h]) * candidate;
      state[h] = sigmoid(sums[3 * hidden + h]) * Math.tanh(cell[h]);
      joined[begin + h] = state[h];
    }
  }
}

/** @param {number} x */
function sigmoid(x) {
  return 1 / (1 + Math.exp(-x));
}
