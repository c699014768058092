/** Aligns two lists of texts: the blocks of a page before and after it changed, or read in two ways. */

/**
 * Pairs equal texts by a longest common subsequence: as many as possible, without changing the order of
 * either list. Hunt and Szymanski, *A Fast Algorithm for Computing Longest Common Subsequences*, 1977.
 *
 * @param {string[]} one
 * @param {string[]} other
 * @returns {Int32Array} per text of `one` the index of its pair in `other`, or -1
 */
export function aligned(one, other) {
  /** Per text its indexes in `other`, the last one first. @type {Map<string, number[]>} */
  const placesOf = new Map();
  for (let j = other.length - 1; j >= 0; j--) {
    const places = placesOf.get(other[j]);
    if (places) places.push(j);
    else placesOf.set(other[j], [j]);
  }
  /** Per length of a common subsequence, the least index in `other` at which one ends. @type {number[]} */
  const ends = [];
  /** Per length the last pair of that subsequence. @type {Pair[]} */
  const last = [];
  one.forEach((text, i) => {
    for (const j of placesOf.get(text) ?? []) {
      const at = firstNotBelow(ends, j);
      if (ends[at] === j) continue;
      ends[at] = j;
      last[at] = { i, j, before: at ? last[at - 1] : null };
    }
  });
  const pairs = new Int32Array(one.length).fill(-1);
  for (let pair = last.at(-1) ?? null; pair; pair = pair.before) pairs[pair.i] = pair.j;
  return pairs;
}

/** @typedef {{i: number, j: number, before: Pair | null}} Pair */

/**
 * @param {number[]} sorted
 * @param {number} value
 * @returns {number} the index of the first number that is not less than `value`
 */
function firstNotBelow(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
