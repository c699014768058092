/** The images of a page: their addresses and alternative texts. */

import tables from "../tables.json" with { type: "json" };
import { collapsed, pattern, slice, split, strip } from "../python.js";

const constants = tables["html.images"];
const { MAX_ALT_CHARS, MAX_SOURCE_CHARS, NO_SIZE } = constants;
const PLACEHOLDER = pattern(constants.PLACEHOLDER, "y");
const NUMBER = pattern(constants.NUMBER, "y");
/** The width or density of an image of a `srcset`. */
const SIZE = pattern(constants.SIZE, "y");

/**
 * @param {Element} image
 * @param {boolean} inText
 * @returns {{src: string, alt: string} | null} the address and the alternative text; null for a
 *   tracking pixel, for an icon outside of text, and for an image that has no address or only a
 *   placeholder's
 */
export function imageOf(image, inText) {
  const src = sourceOf(image);
  const side = Math.min(givenNumber(image, "width", NO_SIZE), givenNumber(image, "height", NO_SIZE));
  if (!src || side <= (inText ? constants.PIXEL : constants.ICON)) return null;
  return { src, alt: collapsed(slice(image.getAttribute("alt") ?? "", 0, MAX_ALT_CHARS)) };
}

/** @param {Element} image @returns {string} its address; "" if it has none, or only a placeholder's */
function sourceOf(image) {
  for (const name of constants.SOURCES) {
    let value = slice(strip(image.getAttribute(name) ?? ""), 0, MAX_SOURCE_CHARS + 1);
    if (name.endsWith("srcset")) value = largest(value);
    PLACEHOLDER.lastIndex = 0;
    if (value && !PLACEHOLDER.test(slice(value, 0, MAX_SOURCE_CHARS))) return value;
  }
  return "";
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
