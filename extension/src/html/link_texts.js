/**
 * Links of which something else is read than all their texts: an address that is cut into pieces is read whole,
 * as in Mastodon; the card of a bookmark as its title and description, as in Ghost and Notion; and nothing of what
 * Discourse says of the file of an image, and Hatena below a card.
 */

import tables from "../tables.json" with { type: "json" };
import { collapsed, fullPattern, length, pattern, slice, split, strip } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Reading, Readings } from "./reading.js" */

const constants = tables["html.link_texts"];
const { CITATION, FILE, LIGHTBOX, MAX_CHARS, MAX_CLASS_CHARS, MAX_ELEMENTS, MAX_LEVELS, PIECE } = constants;
const PIECES = new Set(constants.PIECES);
const ADDRESS = fullPattern(constants.ADDRESS);
const TITLE = pattern(constants.TITLE);
const DESCRIPTION = pattern(constants.DESCRIPTION);

/** @param {string} source of a page @returns {boolean} whether it can have such links */
export function mayHaveLinkTexts(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} what is read of such links, and of what is left out of them or below them */
export function linkTextsOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  /** The links with a piece of an address that were looked at. */
  const inPieces = new Set();
  for (const element of elements) {
    const named = namesOf(element);
    if (!constants.STEMS.some((stem) => named.toLowerCase().includes(stem))) continue;
    const classes = split(named);
    const link = linkAround(element);
    if (classes.includes(CITATION)) {
      found.set(element, LEFT_OUT);
    } else if (!link || found.has(link)) {
      continue;
    } else if (classes.includes(PIECE) && !inPieces.has(link)) {
      inPieces.add(link);
      const address = addressIn(link);
      if (address) found.set(link, readAs(address));
    } else if (TITLE.test(named)) {
      found.set(link, readAs(cardOf(link, element)));
    } else if (classes.includes(LIGHTBOX) && link === element) {
      const inside = [...link.children].filter((one) => tagOf(one) === "div").slice(0, MAX_ELEMENTS);
      const files = inside.filter((one) => split(one.getAttribute("class") ?? "").includes(FILE));
      for (const one of files) found.set(one, { ...LEFT_OUT, tag: "div" });
    }
  }
  return found;
}

/** @param {string} text @returns {Reading} */
function readAs(text) {
  return { text, marks: 0, tag: "a", label: "" };
}

/** @param {Element} element @returns {string} */
function namesOf(element) {
  return slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS);
}

/** @param {Element} element @returns {Element | null} the link that it is, or is in; null if there is none near to it */
function linkAround(element) {
  let above = /** @type {Element | null} */ (element);
  for (let level = 0; above && tagOf(above) !== "a" && level < MAX_LEVELS; level++) above = above.parentElement;
  return above && tagOf(above) === "a" ? above : null;
}

/** @param {Element} link @returns {string} the address that the pieces in it make up; "" if they are something else */
function addressIn(link) {
  const pieces = [...link.children].slice(0, MAX_ELEMENTS + 1);
  const isPiece = (/** @type {Element} */ one) =>
    tagOf(one) === "span" && !one.firstElementChild && split(one.getAttribute("class") ?? "").every((name) => PIECES.has(name));
  if (!pieces.every(isPiece)) return "";
  const texts = pieces.flatMap((one) => [leadingText(one), textBehind(one)]);
  const address = strip(leadingText(link) + texts.join(""));
  const isWhole = pieces.length <= MAX_ELEMENTS && length(address) <= MAX_CHARS;
  return isWhole && ADDRESS.test(address) ? address : "";
}

/** @param {Element} link @param {Element} title @returns {string} the title and the description of a card */
function cardOf(link, title) {
  const inside = firstElementsIn(link, MAX_ELEMENTS);
  const described = inside.filter((one) => DESCRIPTION.test(namesOf(one))).slice(0, 1);
  const texts = [title, ...described].map((one) => slice(textsIn(one, MAX_ELEMENTS).join(""), 0, MAX_CHARS));
  return texts.map(collapsed).filter(Boolean).join(constants.BETWEEN);
}
