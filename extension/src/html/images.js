/** The images of a page: their addresses and alternative texts. */

import tables from "../tables.json" with { type: "json" };
import { firstElementsIn, tagOf } from "./dom.js";
import { collapsed, fullPattern, pattern, slice, split, strip } from "../python.js";

const constants = tables["html.images"];
const { MAX_ALT_CHARS, MAX_SOURCE_CHARS, NO_SIZE } = constants;
const PLACEHOLDER = pattern(constants.PLACEHOLDER, "y");
const TRACKER = pattern(constants.TRACKER, "y");
const CONTROL = pattern(constants.CONTROL);
const LAZY_NAME = pattern(constants.LAZY_NAME, "y");
const IMAGE_ADDRESS = fullPattern(constants.IMAGE_ADDRESS);
const PERSON = pattern(constants.PERSON);
const OF_PERSON = pattern(constants.OF_PERSON);
const UNSHOWN = pattern(constants.UNSHOWN);
/** Elements that are images. */
export const IMAGE_TAGS = new Set(constants.IMAGE_TAGS);
const BLURRED = pattern(constants.BLURRED);
const NUMBER = pattern(constants.NUMBER, "y");
/** The width or density of an image of a `srcset`. */
const SIZE = pattern(constants.SIZE, "y");
const OTHER_MEDIA = pattern(constants.OTHER_MEDIA);
const MIN_WIDTH = pattern(constants.MIN_WIDTH);
const STATED_WIDTH = pattern(constants.STATED_WIDTH);
const SIZED = pattern(constants.SIZED);
const DIGITS = pattern(constants.DIGITS, "g");

/**
 * @typedef {object} Candidate An image of a `srcset`.
 * @property {string} address
 * @property {number} size Its width or its density.
 * @property {boolean} isWidth
 * @property {number} minWidth The width of the screen from which on its `<source>` is shown.
 */

/**
 * @param {Element} image
 * @param {boolean} inText
 * @returns {{src: string, alt: string} | null} the address and the alternative text; null for a
 *   tracking pixel, for an icon or a person's picture outside of text, for an image that hides itself, and
 *   for one that has no address or only a placeholder's
 */
export function imageOf(image, inText) {
  let src = sourceOf(image);
  const picture = pictureSources(image);
  for (const source of picture) src ||= sourceOf(source);
  if (src && (picture.length || constants.SETS.some((name) => image.getAttribute(name)))) src = larger(src, image, picture);
  const side = Math.min(givenNumber(image, "width", NO_SIZE), givenNumber(image, "height", NO_SIZE));
  if (!src || side <= (inText ? constants.PIXEL : constants.ICON) || isUnseen(image, src)) return null;
  if (!inText && PERSON.test(slice(image.getAttribute("class") ?? "", 0, constants.MAX_STYLE_CHARS))) return null;
  const alt = collapsed(slice(image.getAttribute("alt") ?? "", 0, MAX_ALT_CHARS));
  if (!inText && OF_PERSON.test(`${slice(src, 0, MAX_SOURCE_CHARS)} ${alt}`)) return null;
  return { src, alt: constants.ADDRESS_BEGINS.some((begin) => alt.startsWith(begin)) ? "" : alt };
}

/** @param {Element} image @returns {string} its address; "" if it has none, or only a placeholder's */
function sourceOf(image) {
  for (const name of constants.SOURCES) {
    let value = slice(strip(image.getAttribute(name) ?? ""), 0, MAX_SOURCE_CHARS + 1);
    if (name.endsWith("srcset") || holdsSeveral(value)) value = largest(value);
    value = ofPair(value);
    if (value.includes(constants.FOR_WIDTH)) value = value.replaceAll(constants.FOR_WIDTH, widest(image));
    PLACEHOLDER.lastIndex = 0;
    if (value && !PLACEHOLDER.test(slice(value, 0, MAX_SOURCE_CHARS))) return sharp(value, image);
  }
  return unnamed(image);
}

/** @param {string} source @param {Element} image @returns {string} the address of the large image if it is a blurred one of it; else itself */
function sharp(source, image) {
  const large = BLURRED.test(slice(source, 0, MAX_SOURCE_CHARS)) ? unnamed(image) : "";
  return large && !BLURRED.test(large) ? large : source;
}

/**
 * @param {string} source
 * @returns {string} the second of two addresses of one image, which is that for dense screens, as bLazy has them;
 *   else itself
 */
function ofPair(source) {
  const [one, ...rest] = source.split("|").map(strip);
  const dense = rest.join("|");
  return rest.length && IMAGE_ADDRESS.test(one) && IMAGE_ADDRESS.test(dense) ? dense : source;
}

/** @param {Element} image @returns {string} the largest width of which a script may choose */
function widest(image) {
  const widths = slice(image.getAttribute("data-widths") ?? "", 0, constants.MAX_STYLE_CHARS).match(DIGITS) ?? [];
  return widths.reduce((best, width) => (Number(width) > Number(best) ? width : best), widths[0] ?? constants.OTHERWISE);
}

/** @param {Element} image @returns {string} an address in an attribute that no script is known for; "" if there is none */
function unnamed(image) {
  const names = image.getAttributeNames();
  for (const name of names.length <= constants.MANY_ATTRIBUTES ? names : []) {
    LAZY_NAME.lastIndex = PLACEHOLDER.lastIndex = 0;
    if (!LAZY_NAME.test(name)) continue;
    let value = strip(slice(image.getAttribute(name) ?? "", 0, MAX_SOURCE_CHARS + 1));
    if (name.endsWith("srcset")) value = largest(value);
    if (IMAGE_ADDRESS.test(value) && !PLACEHOLDER.test(value)) return value;
  }
  return "";
}

/** @param {Element} image @returns {Element[]} the `<source>` elements of the `<picture>` of which it is the first image */
function pictureSources(image) {
  let above = image.parentElement;
  for (let i = 0; above && i < constants.MAX_PICTURE_SOURCES; i++) {
    if (above.localName === "picture") {
      const inside = firstElementsIn(above, constants.MAX_PICTURE_SOURCES + 2);
      const isFirst = inside.find((one) => IMAGE_TAGS.has(tagOf(one))) === image;
      return isFirst ? inside.filter((one) => tagOf(one) === "source") : [];
    }
    if (above.localName !== "source") break;
    above = above.parentElement;
  }
  return [];
}

/** @param {Element} image @param {string} src @returns {boolean} whether it hides itself, only counts readers, or is a button of a forum */
function isUnseen(image, src) {
  const style = slice(image.getAttribute("style") ?? "", 0, constants.MAX_STYLE_CHARS);
  TRACKER.lastIndex = 0;
  const hides = image.hasAttribute("hidden") || (!style.includes("min-") && UNSHOWN.test(style));
  const source = slice(src, 0, MAX_SOURCE_CHARS);
  return hides || isControl(source) || TRACKER.test(source);
}

/** @param {string} source @returns {boolean} whether an address is that of a button of a forum, or of the state of a post */
export function isControl(source) {
  return CONTROL.test(source);
}

/** @param {string} source @returns {boolean} whether a `src` has what belongs into a `srcset` */
function holdsSeveral(source) {
  return (source.includes("w, ") || source.includes("x, ")) && !source.startsWith("data:");
}

/** @param {string} srcset @returns {string} the address of its largest image; the first of several */
function largest(srcset) {
  return first(candidates(srcset), ({ size }) => [size])?.address ?? "";
}

/**
 * @param {Candidate[]} found
 * @param {(one: Candidate) => number[]} key
 * @returns {Candidate | undefined} the one with the largest key, the first of several
 */
function first(found, key) {
  /** @type {Candidate | undefined} */
  let best;
  for (const one of found) {
    if (!best) best = one;
    const [mine, theirs] = [key(one), key(best)];
    const at = mine.findIndex((value, i) => value !== theirs[i]);
    if (at >= 0 && mine[at] > theirs[at]) best = one;
  }
  return best;
}

/** @param {string} srcset @param {number} [minWidth] @returns {Candidate[]} its images */
function candidates(srcset, minWidth = 0) {
  /** @type {Candidate[]} */
  const found = [];
  let address = "";
  const add = (/** @type {string} */ one, /** @type {RegExpExecArray | null} */ match = null) =>
    found.push({ address: one, size: Number(match?.[1] ?? 1), isWidth: match?.[2] === "w", minWidth });
  for (const token of split(srcset)) {
    let following = token;
    if (address) {
      const size = token.split(",", 1)[0];
      SIZE.lastIndex = 0;
      add(address, SIZE.exec(size));
      following = token.slice(size.length + 1);
    }
    address = following.replace(/^,+/, "");
    if (address.endsWith(",")) {
      add(address.replace(/,+$/, ""));
      address = "";
    }
  }
  if (address) add(address);
  return found;
}

/**
 * @param {string} src
 * @param {Element} image
 * @param {Element[]} picture
 * @returns {string} the address of the largest of the images that a page names for one, or `src`
 */
function larger(src, image, picture) {
  const found = [...sized(image, picture)].filter(({ address }) => {
    PLACEHOLDER.lastIndex = 0;
    return !PLACEHOLDER.test(address);
  });
  const known = found.find(({ address }) => address === src);
  const best = first(found.filter(({ isWidth }) => isWidth), ({ size }) => [size]);
  if (!best) {
    const densest = first(found, ({ minWidth, size }) => [minWidth, size]);
    return densest && (densest.minWidth > 0 || densest.size > 1) ? unlessWhole(src, densest, known) : src;
  }
  const own = known ? known.size : ownWidth(src, image);
  return own < best.size && (own > 0 || best.size > constants.SMALL_WIDTH) ? unlessWhole(src, best, known) : src;
}

/**
 * @param {string} src
 * @param {Candidate} best
 * @param {Candidate | undefined} known the one that has the address `src`
 * @returns {string} the address of the best, or `src` if the best is a smaller copy of it
 */
function unlessWhole(src, best, known) {
  const isWhole = src === best.address.replace(SIZED, "") || src === best.address.split("?")[0];
  return isWhole && !known ? src : best.address;
}

/** @param {string} src @param {Element} image @returns {number} the width that its address states, or itself; 0 if none does */
function ownWidth(src, image) {
  const stated = STATED_WIDTH.exec(src);
  const width = stated && (stated[1] ?? stated[2] ?? stated[3]);
  return width ? Number(width) : givenNumber(image, "width", 0);
}

/** @param {Element} image @param {Element[]} picture @returns {Generator<Candidate>} the images of each `srcset` */
function* sized(image, picture) {
  for (const element of [image, ...picture]) {
    const media = element === image ? "" : slice(element.getAttribute("media") ?? "", 0, constants.MAX_STYLE_CHARS);
    if (OTHER_MEDIA.test(media)) continue;
    const match = MIN_WIDTH.exec(media);
    const minWidth = match ? Number(match[1]) * (match[2].toLowerCase() === "px" ? 1 : constants.EM) : 0;
    for (const name of constants.SETS) {
      const srcset = slice(element.getAttribute(name) ?? "", 0, MAX_SOURCE_CHARS);
      if (srcset) yield* candidates(srcset, minWidth);
    }
  }
}

/** @param {Element} element @param {string} name @param {number} otherwise */
export function givenNumber(element, name, otherwise) {
  NUMBER.lastIndex = 0;
  const digits = NUMBER.exec(element.getAttribute(name) ?? "")?.[1];
  return digits ? Number(digits) : otherwise;
}
