/**
 * Images of emoji and smileys in a sentence, which are read as the characters that they show; those that are all
 * of a paragraph, too.
 */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, isSpace, length, pattern, slice, strip } from "../python.js";
import { ownTexts } from "./dom.js";

/** @import { Reading, Readings } from "./reading.js" */

const constants = tables["html.emoji"];
const { IMAGE, MAX_ADDRESS_CHARS, MAX_CHARS, MAX_IMAGES, MAX_LEVELS, PARAGRAPH } = constants;
const NAMED = pattern(constants.NAMED);
const EMOJI = fullPattern(constants.EMOJI);
const SMILEY = fullPattern(constants.SMILEY);
const TITLE = fullPattern(constants.TITLE);
const OF_CODE = pattern(constants.OF_CODE);
const INLINE = new Set(constants.INLINE);
const SIGNS = /emoji|smilie|smiley|emoticon|alt="[\u{1f000}-\u{1ffff}]/v;

/** @param {string} source @returns {boolean} whether the page can have images of emoji */
export function mayHaveEmoji(source) {
  return SIGNS.test(source);
}

/** @param {Element[]} elements of a page @returns {Readings} the characters of the images of emoji that stand beside text or alone in a paragraph */
export function emojiOf(elements) {
  /** @type {Map<Element, boolean>} */
  const beside = new Map();
  const images = elements.filter(({ localName }) => localName === IMAGE);
  return new Map(
    images.flatMap((image) => {
      const text = textOf(image);
      /** @type {[Element, Reading][]} */
      const found = text && isBesideText(image, beside) ? [[image, { text, marks: 0, tag: IMAGE, label: "" }]] : [];
      return found;
    }),
  );
}

/** @param {Element} image @returns {string} the characters that it shows; "" if it is no emoji */
function textOf(image) {
  const alt = image.getAttribute("alt") || image.getAttribute("data-emoji") || "";
  const text = strip(slice(alt, 0, MAX_CHARS + 1));
  const title = text ? "" : strip(image.getAttribute("title") ?? "");
  if (!(text || title) || length(text) > MAX_CHARS || length(title) > MAX_CHARS) return "";
  if (EMOJI.test(text)) return text;
  const names = ["class", "src"].map((name) => slice(image.getAttribute(name) ?? "", 0, MAX_ADDRESS_CHARS));
  if (!names.some((name) => NAMED.test(name)) || !(title || SMILEY.test(text))) return "";
  const codes = OF_CODE.exec(names[1])?.[1].split("-").map((code) => parseInt(code, 16)) ?? [];
  const shown = String.fromCodePoint(...codes);
  return EMOJI.test(shown) ? shown : text || (TITLE.test(title) ? `:${title}:` : title);
}

/**
 * @param {Element} image
 * @param {Map<Element, boolean>} beside what is known of other elements; it is added to
 * @returns {boolean} whether the element around it, or one around it in its line, has a text, or is a paragraph of
 *   nothing but such images
 */
function isBesideText(image, beside) {
  let above = image.parentElement;
  for (let level = 0; above && level < MAX_LEVELS; level++) {
    let known = beside.get(above);
    if (known === undefined) {
      known = !ownTexts(above).every(isSpace);
      known ||= above.localName === PARAGRAPH && hasOnlyEmoji(above);
      beside.set(above, known);
    }
    if (known) return true;
    if (!INLINE.has(above.localName)) return false;
    above = above.parentElement;
  }
  return false;
}

/** @param {Element} paragraph @returns {boolean} whether it has no other images than those of emoji */
function hasOnlyEmoji(paragraph) {
  const images = [...paragraph.querySelectorAll(IMAGE)];
  return images.length <= MAX_IMAGES && images.every(textOf);
}
