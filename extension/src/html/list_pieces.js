/**
 * Lists that a page writes in pieces, which Markdown writes as one: a list for each item, as Notion writes
 * them, or one that goes on counting; and the levels of items that a class names, as Google Docs and Quill
 * write them. Lists whose styles say the other kind: a `<ul>` with numbers or letters, an `<ol>` with bullets; they
 * count as what readers see.
 */

import tables from "../tables.json" with { type: "json" };
import { pattern, slice, strip } from "../python.js";
import { tagOf, textBefore } from "./dom.js";
import { givenNumber } from "./images.js";
import { READ_INSIDE } from "./reading.js";

/** @import { Reading, Readings } from "./reading.js" */

const constants = tables["html.list_pieces"];
const NOTION = pattern(constants.NOTION);
const GOOGLE = pattern(constants.GOOGLE);
const BOXES = new Map(Object.entries(/** @type {Record<string, string>} */ (constants.BOXES)));
const QUILL = pattern(constants.QUILL);
const TYPE = pattern(constants.TYPE);
const OTHERS = new Map(Object.entries(constants.OTHERS));
const KINDS = new Map(Object.entries(constants.KINDS).map(([tag, kind]) => [tag, pattern(kind)]));

/** @param {string} source of a page @returns {boolean} whether it can have such lists */
export function mayHavePieces(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of such lists and items, whose own texts are read */
export function piecesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  /** The role of each list, and its next number. @type {Map<Element, {role: string, end: number}>} */
  const ends = new Map();
  elements.forEach((own) => {
    const tag = tagOf(own);
    if (!constants.LISTS.includes(tag)) return;
    const items = [...own.children].filter((child) => tagOf(child) === "li");
    const start = Math.min(givenNumber(own, "start", 1), constants.MAX_START);
    const google = GOOGLE.exec(classOf(own));
    if (google) {
      const number = (/** @type {number} */ i) => (tag === "ol" ? start + i : null);
      items.forEach((item, i) => found.set(item, itemAt(Number(google[1]), number(i))));
      return;
    }
    if (isOfQuill(tag, items)) addItemsOfQuill(tag, items, found);
    const before = elementBefore(own);
    const known = before && ends.get(before);
    let role = `${constants.LIST}${ends.size}`;
    if (before && known && tagOf(before) === tag && goesOn(before, own, known.end)) {
      ({ role } = known);
      for (const list of [before, own]) found.set(list, { ...READ_INSIDE, tag, role });
    }
    ends.set(own, { role, end: start + items.length });
  });
  return found;
}

/** @param {Element} own @returns {Element | null} the element before it, if no text stands between */
function elementBefore(own) {
  return strip(textBefore(own)) ? null : own.previousElementSibling;
}

/** @param {Element} before @param {Element} own @param {number} end the next number of the list before @returns {boolean} whether a list goes on with it */
function goesOn(before, own, end) {
  if (tagOf(own) === "ol" && own.hasAttribute("start")) return end > 1 && givenNumber(own, "start", 0) === end;
  const classes = classOf(own);
  return classOf(before) === classes && NOTION.test(classes);
}

/** @param {string} tag @param {Element[]} items @returns {boolean} whether items of a list have levels, or some of an `<ol>` no numbers, as in Quill */
function isOfQuill(tag, items) {
  const kinds = items.map((item) => item.getAttribute(constants.KIND) ?? constants.ORDERED);
  const isMixed = tag === "ol" && kinds.some((kind) => kind !== constants.ORDERED);
  return isMixed || items.some((item) => QUILL.test(classOf(item)));
}

/** @param {string} tag @param {Element[]} items of a list of Quill @param {Readings} found to which they are added, but those of a `<ul>` with a box */
function addItemsOfQuill(tag, items, found) {
  const counts = Array(10).fill(0);
  for (const item of items) {
    const stated = item.getAttribute(constants.KIND) ?? "";
    const box = BOXES.get(stated) ?? null;
    if (box && tag !== "ol") continue;
    const level = Number(QUILL.exec(classOf(item))?.[1] ?? 0);
    const isCounted = tag === "ol" && stated !== constants.BULLET && !box;
    counts[level] += isCounted ? 1 : 0;
    counts.fill(0, level + 1);
    found.set(item, itemAt(level, isCounted ? counts[level] : box));
  }
}

/** @param {number} level @param {number | string | null} label its number, or what the role of one with a box ends with @returns {Reading} */
function itemAt(level, label) {
  return { ...READ_INSIDE, tag: "li", role: `${constants.ITEM}${level}${label === null ? "" : ` ${label}`}` };
}

/** @param {Element} element @returns {string} */
function classOf(element) {
  return slice(element.getAttribute("class") ?? "", 0, constants.MAX_CLASS_CHARS);
}

/** @param {string} source of a page @returns {boolean} whether it can have such lists */
export function mayHaveListStyles(source) {
  return constants.STYLE_SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of such lists: an item's own style counts more */
export function listStylesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const kind = KINDS.get(tagOf(element));
    if (!kind) continue;
    const usual = typeOf(element);
    const items = [...element.children].filter((child) => tagOf(child) === constants.LI);
    const isOther = items.length > 0 && items.every((item) => kind.test(typeOf(item) || usual));
    if (isOther) found.set(element, { ...READ_INSIDE, tag: OTHERS.get(tagOf(element)) ?? "" });
  }
  return found;
}

/** @param {Element} element @returns {string} the type of a list or an item that its style names */
function typeOf(element) {
  return TYPE.exec(slice(element.getAttribute("style") ?? "", 0, constants.MAX_CLASS_CHARS))?.[1] ?? "";
}
