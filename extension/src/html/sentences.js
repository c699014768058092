/**
 * Elements that are part of a sentence only if they stand in one: controls, custom elements, and others
 * that HTML does not know.
 *
 * A browser shows them in line, unless a style makes them blocks. So one is read as part of a sentence if
 * text stands beside it and it holds no block. One that stands alone is a block of its own. A `<noscript>`
 * counts only if it has no text, as one that repeats an image.
 */

import tables from "../tables.json" with { type: "json" };
import { isSpace } from "../python.js";
import { childrenOf, elementsOf, isSkipped, SEAMLESS, tagOf, textOfNodes } from "./dom.js";
import { PREFORMATTED } from "./paths.js";

/** @import { Child } from "./dom.js" */
/** @import { Frame } from "./paths.js" */
/** @import { Readings } from "./reading.js" */

/** @typedef {{frame: Frame | null, children: Child[], next: number}} Open An open element, and which of its children is read next. */

const constants = tables["html.sentences"];
/** Elements that end a sentence wherever they stand. */
const ENDING = new Set(constants.ENDING_TAGS);
const CONTROLS = new Set(constants.CONTROLS);
const METADATA = new Set(constants.METADATA_TAGS);
/** The tag that an element in a sentence counts as. */
export const COUNTS_AS = constants.COUNTS_AS;

/**
 * @param {Element} element
 * @param {string} tag
 * @param {Open[]} open the open elements, of which the last one holds the element
 * @param {boolean} follows whether it follows a text of the sentence
 * @param {Readings} readings what is read of other elements, such as a list to choose from
 * @returns {boolean} whether an element that is not inline is part of a sentence
 */
export function standsInSentence(element, tag, open, follows, readings) {
  const around = open[open.length - 1].frame;
  const isControl = CONTROLS.has(tag);
  if (tag === "noscript" && !isWithoutText(element)) return false;
  if (ENDING.has(tag) || !around || around.flags & PREFORMATTED || (isControl && !follows)) return false;
  if (METADATA.has(tag)) return isInParagraph(around);
  let seen = -1;
  for (const inner of elementsOf(element)) {
    if (seen === constants.MOST_ELEMENTS || (seen >= 0 && ENDING.has(tagOf(inner)))) return false;
    seen++;
  }
  return (follows && !isControl) || textFollows(open, readings);
}

/** @param {Frame} around @returns {boolean} whether the nearest element that is not inline is a paragraph */
function isInParagraph(around) {
  let above = /** @type {Frame | null} */ (around);
  while (above && SEAMLESS.has(above.tag)) above = above.parent;
  return above !== null && above.tag === constants.PARAGRAPH;
}

/** @param {Element} noscript @returns {boolean} whether it has at most images; where scripts run, its content is a text */
function isWithoutText(noscript) {
  return /^\s*(?:<img\b[^>]*>\s*)*$/i.test(noscript.textContent ?? "");
}

/** @param {Open[]} open @param {Readings} readings @returns {boolean} whether text follows in the sentence */
function textFollows(open, readings) {
  let left = constants.MOST_ELEMENTS;
  for (let depth = open.length - 1; depth > 0; depth--) {
    const { frame, children, next } = open[depth];
    /** The children that come next, the last one first. */
    const following = children.slice(next).reverse();
    for (let child = following.pop(); child; child = following.pop()) {
      if (Array.isArray(child)) {
        if (!isSpace(textOfNodes(child))) return true;
        continue;
      }
      const tag = tagOf(child);
      left--;
      if (tag === constants.SELECT && readings.has(child)) return true;
      if (!left || !SEAMLESS.has(tag)) return false;
      if (!isSkipped(child, tag)) following.push(...childrenOf(child).reverse());
    }
    if (!--left || !frame || !SEAMLESS.has(frame.tag) || !frame.parent) return false;
  }
  return false;
}
