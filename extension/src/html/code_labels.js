/** Labels beside code, which are not read: the name of its language, and buttons that copy it. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, isSpace, length, pattern, split, strip } from "../python.js";
import { classesOf, namesGutter } from "./code.js";
import { tagOf, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.code_labels"];
const { EDGES, GIST_META, MAX_CHILDREN, MAX_LABEL_CHARS, MAX_LABEL_ELEMENTS, MAX_WRAPPERS, PROMPT } = constants;
const WRAPPERS = new Set(constants.WRAPPERS);
const LABEL_TAGS = new Set(constants.LABEL_TAGS);
const NAMES = new Set([...tables["html.code"].KNOWN_LANGUAGES, ...constants.OTHER_NAMES, ...constants.BUTTON_WORDS]);
const PROMPT_TEXT = fullPattern(constants.PROMPT_TEXT);
const WORD = pattern(constants.WORD);

/**
 * @param {Element[]} elements of a page
 * @param {Readings} listings of the elements that are code as a `<pre>` is
 * @returns {Readings} a reading of nothing for the labels that stand beside code, and for nothing else, in an
 *   element
 */
export function labelsOf(elements, listings) {
  const codes = elements.filter((element) => tagOf(element) === "pre");
  const labels = [...codes, ...listings.keys()].flatMap(labelsBeside);
  const others = elements.filter((element) => {
    const classes = classesOf(element).toLowerCase();
    if (classes.includes(GIST_META)) return true;
    return classes.includes(PROMPT) && PROMPT_TEXT.test(strip(textsIn(element, MAX_LABEL_ELEMENTS).join("")));
  });
  return new Map([...labels, ...others].map((label) => [label, LEFT_OUT]));
}

/** @param {Element} code @returns {Element[]} the labels in the elements that hold it and nothing but labels */
function labelsBeside(code) {
  /** @type {Element[]} */
  const found = [];
  let inner = code;
  for (let level = 0; level < MAX_WRAPPERS; level++) {
    const wrapper = inner.parentElement;
    if (!wrapper || !WRAPPERS.has(tagOf(wrapper)) || childCount(wrapper) > MAX_CHILDREN) break;
    const others = [...wrapper.children].filter((one) => one !== inner && !namesGutter(classesOf(one)));
    const texts = [...wrapper.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    if (!texts.every(({ nodeValue }) => isSpace(nodeValue ?? "")) || !others.every(isLabel)) break;
    found.push(...others);
    inner = wrapper;
  }
  return found;
}

/** @param {Element} element @returns {number} how many children it has, with comments */
function childCount(element) {
  return [...element.childNodes].filter(({ nodeType }) => nodeType !== Node.TEXT_NODE).length;
}

/** @param {Element} element @returns {boolean} whether all its words name languages or are those of buttons */
function isLabel(element) {
  const inside = [element, ...element.querySelectorAll("*")];
  if (inside.length > MAX_LABEL_ELEMENTS || inside.some((one) => !LABEL_TAGS.has(tagOf(one)))) return false;
  const texts = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.nodeValue ?? "");
  const text = texts.join(" ");
  if (length(text) > MAX_LABEL_CHARS && !isSpace(text)) return false;
  return split(text.toLowerCase()).map(withoutEdges).every((word) => !WORD.test(word) || NAMES.has(word));
}

/** @param {string} word @returns {string} */
function withoutEdges(word) {
  let [begin, end] = [0, word.length];
  while (begin < end && EDGES.includes(word[begin])) begin++;
  while (begin < end && EDGES.includes(word[end - 1])) end--;
  return word.slice(begin, end);
}
