/** Chooses the images, embeds and thematic breaks between blocks that belong to the content. */

import tables from "../tables.json" with { type: "json" };
import { INLINE } from "../html/dom.js";
import { fullPattern, length, pattern } from "../python.js";

/** @import { Block, Picture, Rule, Span } from "../page.js" */

const constants = tables["output.pictures"];
const OUTSIDE = new Set(constants.OUTSIDE);
const NO_LEAD = pattern(constants.NO_LEAD);
const IN_QUERY = pattern(constants.IN_QUERY);
const DRAWN = fullPattern(constants.DRAWN);
const NOT_DRAWN = new Set(constants.NOT_DRAWN);
const FORMAT = pattern(constants.FORMAT);
const SIZE = pattern(constants.SIZE, "g");

/**
 * They stand between two kept blocks, of which the first may be the headline, or directly before the first
 * or after the last kept block. Successive ones of one name are one image in several sizes; the first is
 * chosen. A picture that shares an element with dropped text that is mostly links is a teaser of another
 * page, unless both kept blocks are in that element, too, or it stands directly beside one in an element
 * without such text. Dropped captions make no teasers, nor do links beside them in a figure. Hidden
 * pictures are chosen if both kept blocks are hidden, too. An embed whose texts are kept is left out.
 *
 * @param {Picture[]} pictures
 * @param {Block[]} blocks
 * @param {boolean[]} kept
 * @param {number[]} headline the indexes of the lines of the headline
 * @returns {Picture[]} the pictures and embeds of the content, in document order
 */
export function chosenPictures(pictures, blocks, kept, headline) {
  if (!pictures.length || !kept.some(Boolean)) return [];
  const keptIndexes = kept.flatMap((keep, i) => (keep || headline.includes(i) ? [i] : []));
  const hasPosts = pictures.some(({ element }) => element);
  const inside = new Set(hasPosts ? blocks.flatMap(({ nodes }, i) => (kept[i] ? nodes : [])) : []);
  /** @type {Picture[]} */
  const chosen = [];
  let gap = -1;
  /** @type {number[]} */
  let edges = [];
  let { common, teasers } = { common: new Set(), teasers: new Set() };
  /** @type {Span | null} */
  let before = null;
  let place = 0;
  for (const picture of pictures) {
    while (place < keptIndexes.length && keptIndexes[place] < picture.before) place++;
    if (place !== gap) {
      [gap, before, edges] = [place, null, keptIndexes.slice(Math.max(0, place - 1), place + 1)];
      ({ common, teasers } = aroundGap(blocks, edges));
    }
    const isUnseen = picture.hidden && !edges.every((i) => blocks[i].hidden);
    if (inside.has(picture.element) || isUnseen) continue;
    const isEnd = edges.length === 1;
    const isOfTeaser = picture.nodes.some((node) => teasers.has(node));
    const mayBeOther = isEnd || isOfTeaser || !kept[edges[0]];
    if (mayBeOther && NO_LEAD.test(`${picture.span.src} ${picture.span.alt}`)) continue;
    const isOwn = edges.some((i) => kept[i] && isBeside(picture, blocks, i, teasers));
    if ((isEnd || isOfTeaser) && !isOwn) continue;
    const isAgain = before && isSameImage(before, picture.span);
    if (!isAgain && !isIcon(picture.span) && !isOutside(picture, common)) {
      before = picture.span;
      chosen.push(picture);
    }
  }
  return chosen;
}

/**
 * @param {Picture} picture
 * @param {Set<number>} common the elements around the kept blocks on both sides
 * @returns {boolean} whether it is in an element whose images are not content
 */
function isOutside({ nodes, tags }, common) {
  const showsLarger = tags.includes(constants.FIGURE) ? constants.SHOWN_LARGER : "";
  return tags.some((tag, i) => OUTSIDE.has(tag) && tag !== showsLarger && !common.has(nodes[i]));
}

/**
 * @param {Block[]} blocks
 * @param {number[]} edges the indexes of the kept blocks beside a gap; of one, if it is before or after all of them
 * @returns {{common: Set<number>, teasers: Set<number>}} the elements around both kept blocks, and those of
 *   teasers between them
 */
function aroundGap(blocks, edges) {
  const first = edges[0];
  const last = edges[edges.length - 1];
  const after = new Set(blocks[last].nodes);
  const common = new Set(blocks[first].nodes.filter((node) => after.has(node)));
  const captioned = new Set(blocks.slice(first, last + 1).map(captionedFigure));
  const isTeaser = (/** @type {Block} */ { tags, nodes }) =>
    !tags.includes("figcaption") && !nodes.some((node) => captioned.has(node));
  const links = blocks.slice(first + 1, last).filter(isMostlyLink);
  const teasers = links.filter(isTeaser).flatMap(({ nodes }) => nodes);
  return { common, teasers: new Set(teasers.filter((node) => !common.has(node))) };
}

/**
 * @param {Picture} picture
 * @param {Block[]} blocks
 * @param {number} index
 * @param {Set<number>} teasers
 * @returns {boolean} whether it stands directly before or after a kept block, in the element that holds the
 *   block, and in none that a teaser shares and the block does not
 */
function isBeside(picture, blocks, index, teasers) {
  if (picture.before !== index && picture.before !== index + 1) return false;
  const { nodes, tags } = blocks[index];
  const depth = tags.findLastIndex((tag) => !INLINE.has(tag));
  const at = depth > 0 ? picture.nodes.indexOf(nodes[depth - 1]) : -1;
  if (at < 0 || picture.nodes.length - at > constants.MAX_BELOW + 1) return false;
  const begin = picture.nodes.includes(nodes[depth], at) ? at + 1 : at;
  return !picture.nodes.slice(begin).some((node) => teasers.has(node));
}

/**
 * @param {Span} one
 * @param {Span} other
 * @returns {boolean} whether two successive images are one in several sizes or formats, or two embeds the same
 */
export function isSameImage(one, other) {
  if (one.href !== other.href && !(one.src && other.src)) return false;
  if (one.alt && other.alt && one.alt !== other.alt) return false;
  return nameOf(one.src) === nameOf(other.src);
}

/** @param {string} source @returns {string} the name of an image's file, without its size and its format */
function nameOf(source) {
  const [path, ...query] = source.split("?");
  const name = path.split("/").at(-1) ?? "";
  const named = name.includes(".") ? null : IN_QUERY.exec(`?${query.join("?")}`);
  return named?.[1] ?? name.replace(SIZE, "").replace(FORMAT, "");
}

/**
 * @param {Rule[]} rules
 * @param {Block[]} blocks
 * @param {boolean[]} kept
 * @returns {{rules: Rule[], texts: boolean[]}} the thematic breaks between two kept blocks of which one
 *   stands directly beside it, one for each gap; and `kept` without the blocks that are one, drawn with signs
 */
export function chosenRules(rules, blocks, kept) {
  const drawn = drawnRules(blocks, kept);
  const signs = [...drawn].map((before) => ({ before, tags: blocks[before].tags, nodes: blocks[before].nodes }));
  const texts = kept.map((keep, i) => keep && !drawn.has(i));
  const textIndexes = texts.flatMap((isText, i) => (isText ? [i] : []));
  let gap = -1;
  let place = 0;
  const chosen = [...rules, ...signs].sort((one, other) => one.before - other.before).filter(({ before }) => {
    while (place < textIndexes.length && textIndexes[place] < before) place++;
    if (place === gap || place === 0 || place === textIndexes.length) return false;
    if (!kept[before - 1] && !kept[before]) return false;
    gap = place;
    return true;
  });
  return { rules: chosen, texts };
}

/** @param {Block[]} blocks @param {boolean[]} kept @returns {Set<number>} the kept blocks that are rows of signs between two others */
function drawnRules(blocks, kept) {
  const indexes = kept.flatMap((keep, i) => (keep ? [i] : [])).slice(1, -1);
  return new Set(indexes.filter((i) => {
    const { tags, text } = blocks[i];
    return length(text) <= constants.MAX_DRAWN_CHARS && DRAWN.test(text) && !tags.some((tag) => NOT_DRAWN.has(tag));
  }));
}

/** @param {Block} block */
function isMostlyLink(block) {
  return block.linkChars > constants.MOSTLY_LINK * length(block.text);
}

/** @param {Block} block @returns {number} the element of the figure whose caption it is, 0 if it is none */
function captionedFigure(block) {
  const depth = block.tags.indexOf(constants.FIGURE);
  if (depth < 0 || isMostlyLink(block)) return 0;
  const named = block.tags.includes("figcaption") || block.classWords.slice(depth + 1).join(" ").includes(constants.CAPTION);
  return named ? block.nodes[depth] : 0;
}

/**
 * @param {Span} image
 * @returns {boolean} whether the image is a drawing without meaning, such as an arrow
 */
function isIcon(image) {
  return !image.alt && image.src.split("?")[0].toLowerCase().endsWith(".svg");
}
