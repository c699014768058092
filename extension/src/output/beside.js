/** Blocks that Markdown has although they are no content: the headline, and the captions of pictures. */

import tables from "../tables.json" with { type: "json" };
import { headlineLines } from "../decide/headline.js";

/** @import { Block, Page, Picture } from "../page.js" */

/**
 * @typedef {object} Beside
 * @property {number[]} headline Indexes of the lines that are written as a heading of level 1, whether or not
 *   they are content; []: none.
 * @property {number[]} captions Indexes of captions that are no content. Each is written below or above its
 *   picture, if that is written.
 */

const { BEGIN, NEAR } = tables["output.beside"];
const HEADINGS = new Set(tables.page.HEADING_TAGS);

/** @type {Readonly<Beside>} */
export const NOTHING = Object.freeze({ headline: [], captions: [] });

/**
 * @param {Page} page
 * @param {string[]} kinds
 * @param {boolean[]} kept
 * @param {string[]} wanted the kinds that are written, of `title` and `caption`
 * @returns {Beside} the headline and the captions that are no content; none without content
 */
export function besideOf(page, kinds, kept, wanted) {
  if (!kept.some(Boolean)) return NOTHING;
  const isCaption = (/** @type {string} */ kind, /** @type {number} */ i) => kind === "caption" && !kept[i];
  return {
    headline: wanted.includes("title") ? headlineOf(page, kinds, kept) : [],
    captions: wanted.includes("caption") ? kinds.flatMap((kind, i) => (isCaption(kind, i) ? [i] : [])) : [],
  };
}

/**
 * @param {Page} page
 * @param {string[]} kinds
 * @param {boolean[]} kept
 * @returns {number[]} the lines of the headline; if it is no content, the heading that repeats it at the beginning
 *   of the content, if there is one
 */
function headlineOf(page, kinds, kept) {
  const lines = headlineLines(page, kinds);
  const [headline] = lines;
  if (lines.length !== 1 || kept[headline]) return lines;
  const { blocks } = page;
  const begin = kept.flatMap((keep, i) => (keep ? [i] : [])).slice(0, BEGIN);
  const repeat = begin.find((i) => {
    return blocks[i].text === blocks[headline].text && blocks[i].tags.some((tag) => HEADINGS.has(tag));
  });
  return repeat === undefined ? lines : [repeat];
}

/**
 * A picture stands directly before its caption, or near to it in an element that holds neither the kept
 * block before the caption nor the one after it.
 *
 * @param {boolean[]} kept
 * @param {number[]} captions
 * @param {Picture[]} pictures those that are written
 * @param {Block[]} blocks
 * @returns {boolean[]} `kept` with the captions of pictures
 */
export function withCaptions(kept, captions, pictures, blocks) {
  const written = [...kept];
  for (const i of captions) {
    const around = new Set([kept.lastIndexOf(true, i), kept.indexOf(true, i)].flatMap((k) => blocks[k]?.nodes ?? []));
    const apart = blocks[i].nodes.find((node) => !around.has(node)) ?? 0;
    written[i] = pictures.some(
      (picture) =>
        picture.before === i ||
        (apart > 0 && Math.abs(picture.before - i - 0.5) < NEAR + 1 && picture.nodes.includes(apart)),
    );
  }
  return written;
}
