/** The images of a page: their addresses and alternative texts. */

import tables from "../tables.json" with { type: "json" };
import { collapsed, fullPattern, pattern, slice, split, strip } from "../python.js";

const constants = tables["html.images"];
const { MAX_ALT_CHARS, MAX_SOURCE_CHARS, NO_SIZE } = constants;
const PLACEHOLDER = pattern(constants.PLACEHOLDER, "y");
const TRACKER = pattern(constants.TRACKER, "y");
const LAZY_NAME = pattern(constants.LAZY_NAME, "y");
const IMAGE_ADDRESS = fullPattern(constants.IMAGE_ADDRESS);
const PERSON = pattern(constants.PERSON);
const UNSHOWN = pattern(constants.UNSHOWN);
/** Elements that are images. */
export const IMAGE_TAGS = new Set(constants.IMAGE_TAGS);
const NUMBER = pattern(constants.NUMBER, "y");
/** The width or density of an image of a `srcset`. */
const SIZE = pattern(constants.SIZE, "y");

/**
 * @param {Element} image
 * @param {boolean} inText
 * @returns {{src: string, alt: string} | null} the address and the alternative text; null for a
 *   tracking pixel, for an icon or a person's picture outside of text, for an image that hides itself, and
 *   for one that has no address or only a placeholder's
 */
export function imageOf(image, inText) {
  let src = sourceOf(image);
  for (const source of src ? [] : pictureSources(image)) src ||= sourceOf(source);
  const side = Math.min(givenNumber(image, "width", NO_SIZE), givenNumber(image, "height", NO_SIZE));
  if (!src || side <= (inText ? constants.PIXEL : constants.ICON) || isUnseen(image, src)) return null;
  if (!inText && PERSON.test(slice(image.getAttribute("class") ?? "", 0, constants.MAX_STYLE_CHARS))) return null;
  return { src, alt: collapsed(slice(image.getAttribute("alt") ?? "", 0, MAX_ALT_CHARS)) };
}

/** @param {Element} image @returns {string} its address; "" if it has none, or only a placeholder's */
function sourceOf(image) {
  for (const name of constants.SOURCES) {
    let value = slice(strip(image.getAttribute(name) ?? ""), 0, MAX_SOURCE_CHARS + 1);
    if (name.endsWith("srcset") || holdsSeveral(value)) value = largest(value);
    PLACEHOLDER.lastIndex = 0;
    if (value && !PLACEHOLDER.test(slice(value, 0, MAX_SOURCE_CHARS))) return value;
  }
  return unnamed(image);
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

/** @param {Element} image @returns {Element[]} the `<source>` elements of the `<picture>` around it */
function pictureSources(image) {
  let above = image.parentElement;
  for (let i = 0; above && i < constants.MAX_PICTURE_SOURCES; i++) {
    if (above.localName === "picture") {
      return [...above.querySelectorAll("source")].slice(0, constants.MAX_PICTURE_SOURCES);
    }
    if (above.localName !== "source") break;
    above = above.parentElement;
  }
  return [];
}

/** @param {Element} image @param {string} src @returns {boolean} whether it hides itself, or only counts readers */
function isUnseen(image, src) {
  const style = slice(image.getAttribute("style") ?? "", 0, constants.MAX_STYLE_CHARS);
  TRACKER.lastIndex = 0;
  const hides = image.hasAttribute("hidden") || (!style.includes("min-") && UNSHOWN.test(style));
  return hides || TRACKER.test(slice(src, 0, MAX_SOURCE_CHARS));
}

/** @param {string} source @returns {boolean} whether a `src` has what belongs into a `srcset` */
function holdsSeveral(source) {
  return (source.includes("w, ") || source.includes("x, ")) && !source.startsWith("data:");
}

/** @param {string} srcset @returns {string} the address of its largest image; the first of several */
function largest(srcset) {
  /** @type {{size: number, address: string}[]} */
  const found = [];
  let address = "";
  for (const token of split(srcset)) {
    let following = token;
    if (address) {
      const size = token.split(",", 1)[0];
      SIZE.lastIndex = 0;
      found.push({ size: Number(SIZE.exec(size)?.[1] ?? 1), address });
      following = token.slice(size.length + 1);
    }
    address = following.replace(/^,+/, "");
    if (address.endsWith(",")) {
      found.push({ size: 1, address: address.replace(/,+$/, "") });
      address = "";
    }
  }
  if (address) found.push({ size: 1, address });
  const most = Math.max(...found.map(({ size }) => size));
  return found.find(({ size }) => size === most)?.address ?? "";
}

/** @param {Element} element @param {string} name @param {number} otherwise */
export function givenNumber(element, name, otherwise) {
  NUMBER.lastIndex = 0;
  const digits = NUMBER.exec(element.getAttribute(name) ?? "")?.[1];
  return digits ? Number(digits) : otherwise;
}
