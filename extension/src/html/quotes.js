/** Quotes in posts of forums, by the markup of their programs. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, isSpace, length, pattern, rstrip, slice } from "../python.js";
import { firstElementsIn, isOnlyElement, leadingText, tagOf, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT, NOTHING, READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.quotes"];
const { LEVELS, MAX_CLASS_CHARS, MAX_CONTROL_CHARS, MAX_ELEMENTS, MAX_HEAD_CHARS, MAX_HEAD_ELEMENTS } = constants;
const TAGS = new Set(constants.TAGS);
const BLOCKS = new Set(constants.BLOCKS);
const INLINE = new Set(constants.INLINE);
const SURE = pattern(constants.SURE);
const LIKELY = pattern(constants.LIKELY);
const POST = pattern(constants.POST);
const WHOLE = pattern(constants.WHOLE);
const HEAD = pattern(constants.HEAD);
const CONTROL = pattern(constants.CONTROL);
const INSET_BORDER = pattern(constants.INSET_BORDER);
const COLON = pattern(constants.COLON);
const GLUED = pattern(constants.GLUED, "y");
const LABEL = fullPattern(constants.LABEL);
const WORD = pattern(constants.WORD);
const AS_QUOTE = Object.freeze({ ...READ_INSIDE, tag: "blockquote" });
const AS_BLOCK = Object.freeze({ ...READ_INSIDE, tag: "div" });
const NO_BLOCK = Object.freeze({ ...NOTHING, tag: "div" });

/** @param {string} source of a page @returns {boolean} whether it can have such quotes */
export function mayHaveQuotes(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} those of quotes in posts, of their heads and controls, and of posts that are in a
 *   `<blockquote>`
 */
export function quotesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  /** The quotes, each with whether a `<blockquote>` in it is a part of it. @type {Map<Element, boolean>} */
  const quotes = new Map();
  for (const element of elements) {
    const tag = tagOf(element);
    if (tag === "blockquote") {
      const around = aroundOf(element).find((one) => quotes.has(one));
      if (WHOLE.test(classOf(element))) {
        found.set(element, AS_BLOCK);
      } else if (around && quotes.get(around)) {
        quotes.set(around, false);
        found.set(element, AS_BLOCK);
      } else if (isInPost(element)) {
        quotes.set(element, false);
      }
    } else if (TAGS.has(tag) && isQuote(element, tag) && !isPart(element, quotes)) {
      quotes.set(element, true);
      found.set(element, AS_QUOTE);
    }
  }
  for (const quote of quotes.keys()) {
    const head = headOf(quote);
    const label = tagOf(quote) === "td" ? labelOf(quote) : null;
    if (label) found.set(label, NO_BLOCK);
    if (!head) continue;
    if (needsLine(head)) found.set(head, AS_BLOCK);
    for (const sign of signsIn(head)) found.set(sign, LEFT_OUT);
    for (const [element, text] of setApart(head)) found.set(element, { ...LEFT_OUT, text });
  }
  /** The elements of which is known whether they have texts of their own. @type {Map<Element | null, boolean>} */
  const known = new Map();
  for (const element of quotes.size ? elements : []) {
    if (isControl(element, known) && aroundOf(element).some((one) => quotes.has(one))) {
      found.set(element, BLOCKS.has(tagOf(element)) ? NO_BLOCK : LEFT_OUT);
    }
  }
  return found;
}

/** @param {Element} element @returns {string} */
function classOf(element) {
  return slice(element.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS);
}

/** @param {Element} element @returns {string} its first texts */
function textOf(element) {
  return textsIn(element, constants.MAX_TEXTS).join("");
}

/** @param {Element} element @returns {Element[]} the nearest elements around it */
function aroundOf(element) {
  const found = [];
  for (let each = element.parentElement; each && found.length < LEVELS; each = each.parentElement) found.push(each);
  return found;
}

/**
 * @param {Element} element
 * @param {string} tag
 * @returns {boolean} whether it is a quote by its class, or by the border of a lone cell
 */
function isQuote(element, tag) {
  const classValue = classOf(element);
  if (HEAD.test(classValue) || CONTROL.test(classValue)) return false;
  if (SURE.test(classValue)) return hasText(element);
  const style = tag === "td" ? slice(element.getAttribute("style") ?? "", 0, MAX_CLASS_CHARS) : "";
  if (INSET_BORDER.test(style)) return isAlone(element) && isInPost(element);
  return LIKELY.test(classValue) && isInPost(element) && hasText(element);
}

/** @param {Element} element @returns {boolean} whether it has more than a few links beside the line that says who is quoted */
function hasText(element) {
  let text = length(textOf(element));
  let links = 0;
  let left = 0; // in a head
  for (const inner of firstElementsIn(element, MAX_ELEMENTS).slice(1)) {
    if (left) {
      left--;
    } else if (HEAD.test(classOf(inner))) {
      text -= length(textOf(inner));
      left = firstElementsIn(inner, MAX_ELEMENTS).length - 1;
    } else if (["a", "button"].includes(tagOf(inner))) {
      links += length(textOf(inner));
    }
  }
  return text > 2 * links;
}

/** @param {Element} cell @returns {boolean} whether it is all of its table */
function isAlone(cell) {
  const row = cell.parentElement;
  const above = row?.parentElement;
  if (!above || !isOnlyElement(cell) || !isOnlyElement(row)) return false;
  return tagOf(above) !== "tbody" || isOnlyElement(above);
}

/** @param {Element} element @returns {boolean} whether it is in a post, or a quote by its own class */
function isInPost(element) {
  if (tagOf(element) === "blockquote" && SURE.test(classOf(element))) return true;
  return aroundOf(element).some((one) => POST.test(`${classOf(one)} ${one.getAttribute("id") ?? ""}`));
}

/**
 * @param {Element} element
 * @param {Map<Element, boolean>} quotes
 * @returns {boolean} whether it is a part of the quote around it, not a quote that is quoted
 */
function isPart(element, quotes) {
  const around = aroundOf(element).filter((one) => quotes.has(one));
  return around.length > 0 && around.every((one) => classOf(one) !== classOf(element));
}

/** @param {Element} quote @returns {Element | null} the line that says who is quoted */
function headOf(quote) {
  let text = leadingText(quote);
  for (const element of firstElementsIn(quote, MAX_HEAD_ELEMENTS).slice(1)) {
    if (WORD.test(text)) return null;
    if (isHead(element, quote)) return element;
    text = leadingText(element) || (element.childElementCount ? "" : textBehind(element));
  }
  return null;
}

/** @param {Element} cell a quote @returns {Element | null} the label above its table */
function labelOf(cell) {
  const label = cell.closest("table")?.previousElementSibling;
  return label && tagOf(label) === "div" && LABEL.test(textOf(label)) ? label : null;
}

/**
 * @param {Element} element the first one with text in a quote
 * @param {Element} quote
 * @returns {boolean} whether it says who is quoted
 */
function isHead(element, quote) {
  const isFirst = tagOf(quote) === "td" && element.parentElement === quote && element.nextElementSibling !== null;
  const isNamed = isFirst || HEAD.test(classOf(element));
  if (!isNamed && tagOf(element) !== "cite") return false;
  const text = textOf(element);
  if (!WORD.test(text) || length(text) > MAX_HEAD_CHARS) return false;
  if (isNamed) return true;
  GLUED.lastIndex = 0;
  const ends = COLON.test(rstrip(text).slice(-1)) || GLUED.test(textBehind(element));
  return ends && COLON.test(text); // else it is part of a sentence
}

/** @param {Element} head @returns {boolean} whether it is no line of its own; a link before a block is, and stays a link */
function needsLine(head) {
  const following = tagOf(head) === "a" && isSpace(textBehind(head)) ? head.nextElementSibling : null;
  const tag = following ? tagOf(following) : "";
  return INLINE.has(tagOf(head)) && !(tag === "br" || TAGS.has(tag) || BLOCKS.has(tag));
}

/** @param {Element} head @returns {Element[]} its images, and its links without a word */
function signsIn(head) {
  return firstElementsIn(head, MAX_ELEMENTS).filter((element) => {
    const tag = tagOf(element);
    return tag === "img" || (tag === "a" && !WORD.test(textOf(element)));
  });
}

/** @param {Element} head @returns {[Element, string][]} its texts that only style sets apart from what follows */
function setApart(head) {
  const spans = [...head.children].filter((child) => tagOf(child) === "span").slice(0, MAX_HEAD_ELEMENTS);
  return spans.flatMap((span) => {
    const text = textOf(span);
    const isApart = !span.childElementCount && WORD.test(text) && WORD.test(textBehind(span).slice(0, 2));
    return isApart ? [[span, `${text} `]] : [];
  });
}

/**
 * @param {Element} element
 * @param {Map<Element | null, boolean>} known of parents; it is added to
 * @returns {boolean} whether it is a control on a line of its own, such as one to unfold a quote
 */
function isControl(element, known) {
  const tag = tagOf(element);
  const isButton = tag === "button" || element.getAttribute("role") === "button";
  if (!isButton && !CONTROL.test(classOf(element))) return false;
  return length(textOf(element)) <= MAX_CONTROL_CHARS && (BLOCKS.has(tag) || !isBesideText(element, known));
}

/** @param {Element} element @param {Map<Element | null, boolean>} known @returns {boolean} */
function isBesideText(element, known) {
  const parent = element.parentElement;
  let found = known.get(parent);
  if (found === undefined) {
    const children = parent ? [...parent.children].slice(0, MAX_ELEMENTS) : [];
    const texts = [parent ? leadingText(parent) : "", ...children.map(textBehind)];
    found = !texts.every(isSpace);
    known.set(parent, found);
  }
  return found;
}
