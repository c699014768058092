/** Chooses the images and thematic breaks between blocks that belong to the content. */

import tables from "../tables.json" with { type: "json" };
import { length } from "../python.js";

/** @import { Block, Picture, Rule, Span } from "../page.js" */

const constants = tables["output.pictures"];
const OUTSIDE = new Set(constants.OUTSIDE);

/**
 * Successive pictures with one file name are one image in several sizes; the first is chosen. A picture
 * that shares an element with dropped text that is mostly links is a teaser of another page, unless both
 * kept blocks are in that element, too. Dropped captions make no teasers. Hidden pictures are chosen if
 * both kept blocks are hidden, too.
 *
 * @param {Picture[]} pictures
 * @param {Block[]} blocks
 * @param {boolean[]} kept
 * @returns {Picture[]} the pictures between two kept blocks, in document order
 */
export function chosenPictures(pictures, blocks, kept) {
  const keptIndexes = kept.flatMap((keep, i) => (keep ? [i] : []));
  /** @type {Picture[]} */
  const chosen = [];
  let gap = -1;
  let common = new Set();
  let teasers = new Set();
  let nameBefore = "";
  let place = 0;
  for (const picture of pictures) {
    while (place < keptIndexes.length && keptIndexes[place] < picture.before) place++;
    if (place === 0 || place === keptIndexes.length) continue;
    const isSeen = !blocks[keptIndexes[place - 1]].hidden || !blocks[keptIndexes[place]].hidden;
    if (picture.hidden && isSeen) continue;
    if (place !== gap) {
      const [first, last] = [keptIndexes[place - 1], keptIndexes[place]];
      [gap, nameBefore] = [place, ""];
      const after = new Set(blocks[last].nodes);
      common = new Set(blocks[first].nodes.filter((node) => after.has(node)));
      teasers = new Set();
      for (const block of blocks.slice(first + 1, last)) {
        if (!isTeaser(block)) continue;
        for (const node of block.nodes) if (!common.has(node)) teasers.add(node);
      }
    }
    const isOutside = picture.nodes.some(
      (node, i) => !common.has(node) && (teasers.has(node) || OUTSIDE.has(picture.tags[i])),
    );
    const name = picture.span.src.split("?")[0].split("/").at(-1) ?? "";
    if (!isOutside && name !== nameBefore && !isIcon(picture.span)) {
      nameBefore = name;
      chosen.push(picture);
    }
  }
  return chosen;
}

/**
 * @param {Rule[]} rules
 * @param {boolean[]} kept
 * @returns {Rule[]} those between two kept blocks of which one stands directly beside it, one for each gap
 */
export function chosenRules(rules, kept) {
  const keptIndexes = kept.flatMap((keep, i) => (keep ? [i] : []));
  let gap = -1;
  let place = 0;
  return rules.filter(({ before }) => {
    while (place < keptIndexes.length && keptIndexes[place] < before) place++;
    if (place === gap || place === 0 || place === keptIndexes.length) return false;
    if (!kept[before - 1] && !kept[before]) return false;
    gap = place;
    return true;
  });
}

/** @param {Block} block */
function isTeaser(block) {
  return block.linkChars > constants.MOSTLY_LINK * length(block.text) && !block.tags.includes("figcaption");
}

/**
 * @param {Span} image
 * @returns {boolean} whether the image is a drawing without meaning, such as an arrow
 */
function isIcon(image) {
  return !image.alt && image.src.split("?")[0].toLowerCase().endsWith(".svg");
}
