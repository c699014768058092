/** Asides between the texts of an article, such as a box of related articles. */

import tables from "../tables.json" with { type: "json" };

/** @import { Page } from "../page.js" */

const ASIDES = new Set(tables["decide.asides"].ASIDES);

/**
 * @param {Page} page
 * @param {number[]} order the shown blocks
 * @param {boolean[]} kept
 * @returns {[Map<number, number>, Map<number, number>]} where one comes to from the last, and from the first,
 *   place of a run of blocks in asides of which nothing is kept: to the place before it, and behind it
 */
export function beyondAsides({ blocks }, order, kept) {
  const back = new Map();
  const forth = new Map();
  const inside = order.map((i) => !kept[i] && blocks[i].tags.some((tag) => ASIDES.has(tag)));
  for (let place = 0; place < order.length; place++) {
    const first = place;
    while (inside[place]) place += 1;
    if (place === first) continue;
    back.set(place - 1, first - 1);
    forth.set(first, place);
  }
  return [back, forth];
}
