/** Bounds the size of Markdown, as in `scrapy_boilernet/extractor/output/budget.py`. */

import tables from "../tables.json" with { type: "json" };
import { length } from "../python.js";

/** @import { Container, Part } from "./document.js" */
/** @import { Block, Markup, Span } from "../page.js" */

const constants = tables["output.budget"];
const { MAX_NESTED } = constants;

/** The bytes that are left for addresses, marks, nesting and empty cells. */
export class Budget {
  /**
   * @param {Block[]} blocks
   * @param {Markup} markup
   * @param {number} pageBytes the size of the page
   */
  constructor(blocks, markup, pageBytes) {
    const { BLOCK_BYTES, CODE_BYTES, FREE_BYTES, ROW_BYTES, TIMES_BYTES } = constants;
    let left = FREE_BYTES + TIMES_BYTES * pageBytes - ROW_BYTES * markup.rows.length;
    for (const { preformatted, text } of blocks) {
      left -= TIMES_BYTES * Math.max(length(text), length(preformatted));
      left -= BLOCK_BYTES + (preformatted ? CODE_BYTES : 0);
    }
    this.left = Math.max(0, left);
  }

  /** @param {number} size @returns {boolean} whether so many bytes were left; they are taken */
  gives(size) {
    this.left = size > this.left ? -1 : this.left - size;
    return this.left >= 0;
  }

  /** @param {number} size @returns {boolean} whether so many bytes are left */
  has(size) {
    return size <= this.left;
  }

  /**
   * @param {Part} part
   * @param {Container[]} before the quotes and list items around the part before
   * @returns {Container[]} those around this part that are given, at most 20
   */
  containers(part, before) {
    const within = part.within.slice(0, MAX_NESTED);
    return this.gives(nestingBytes(part, within, before)) ? within : [];
  }
}

/** @param {Span} span @returns {number} how many bytes it takes besides its text, with its addresses */
export function spanBytes({ alt, href, marks, src }) {
  let size = constants.MARKS_BYTES[marks];
  if (href) size += constants.LINK_BYTES + addressBytes(href) * (marks & tables.markup.EMBED ? 2 : 1);
  if (src) size += constants.IMAGE_BYTES + addressBytes(src) + altBytes(alt);
  return size;
}

/** @param {string} address */
function addressBytes(address) {
  return bytes(address) + 4 * count(address, /&/g) + 2 * count(address, /[()]/g);
}

/** @param {string} alt @returns {number} its size in HTML, and one byte for each backslash in Markdown */
function altBytes(alt) {
  const escapes = 4 * count(alt, /&/g) + 3 * count(alt, /[<>]/g) + 5 * count(alt, /["']/g);
  return bytes(alt) + escapes + length(alt);
}

/** @param {string} text @param {RegExp} signs */
function count(text, signs) {
  return text.match(signs)?.length ?? 0;
}

/** @param {string} text */
function bytes(text) {
  return new TextEncoder().encode(text).length;
}

/**
 * @param {Part} part
 * @param {Container[]} within
 * @param {Container[]} before
 */
function nestingBytes(part, within, before) {
  const { code, kind, lines, rows } = part;
  const isLong = kind === "table" || kind === "code";
  const written = isLong ? rows.length + code.split("\n").length + 3 : lines.length + 1;
  const signs = within.reduce((sum, { number }) => sum + 2 + (number === null ? 0 : `${number}`.length), 0);
  const common = sharedContainers(before, within);
  let opened = (within.length - common) * constants.CONTAINER_BYTES;
  for (const { label, number } of within.slice(common)) {
    opened += (label ? constants.LABEL_BYTES : 0) + (number === null ? 0 : constants.VALUE_BYTES);
  }
  const list = within[common]?.listNode;
  if (list && list === before[common]?.listNode) opened += constants.ITEM_BYTES - constants.CONTAINER_BYTES;
  return written * signs + opened;
}

/**
 * @param {Container[]} one
 * @param {Container[]} other
 * @returns {number} how many containers, from the outermost, two parts share
 */
export function sharedContainers(one, other) {
  const key = (/** @type {Container} */ { kind, listNode, node, number }) => `${kind} ${node} ${listNode} ${number}`;
  let number = 0;
  while (number < Math.min(one.length, other.length) && key(one[number]) === key(other[number])) number++;
  return number;
}
