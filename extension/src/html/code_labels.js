/** Labels beside code, which are not read: the name of its language, and buttons that copy it. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, isSpace, length, pattern, slice, split, strip } from "../python.js";
import { classesOf, namesGutter, TOOLBAR } from "./code.js";
import { firstElementsIn, ownTexts, tagOf, textsIn } from "./dom.js";
import { LEFT_OUT } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.code_labels"];
const { EDGES, MAX_CHILDREN, MAX_LABEL_CHARS, MAX_LABEL_ELEMENTS, MAX_WRAPPERS, PROMPT } = constants;
const { BUTTON, CELLS, LABELS_IN_CODE, NAMED_WRAPPERS, NOT_READ, WRAPPER_NAME } = constants;
const { MAX_CLASS_CHARS } = tables["html.code"];
const WRAPPERS = new Set(constants.WRAPPERS);
const LABEL_TAGS = new Set(constants.LABEL_TAGS);
const NAMES = new Set([...tables["html.code"].KNOWN_LANGUAGES, ...constants.OTHER_NAMES, ...constants.BUTTON_WORDS]);
const BUTTON_TAGS = new Set(constants.BUTTON_TAGS);
const COPY_WORDS = new Set(constants.COPY_WORDS);
const HEADER = pattern(constants.HEADER);
const PROMPT_TEXT = fullPattern(constants.PROMPT_TEXT);
const WORD = pattern(constants.WORD);

/**
 * @param {Element[]} elements of a page
 * @param {Readings} listings of the elements that are code as a `<pre>` is
 * @returns {Readings} a reading of nothing for the labels that stand beside code, and for nothing else, in an
 *   element
 */
export function labelsOf(elements, listings) {
  const pres = elements.filter((element) => tagOf(element) === "pre");
  const beside = [...pres, ...listings.keys()].flatMap((code) => labelsBeside(code, null));
  const labels = [...beside, ...pres.flatMap(labelsIn)];
  const others = elements.filter((element) => {
    const classes = classesOf(element).toLowerCase();
    if (NOT_READ.some((name) => classes.includes(name))) return true;
    return classes.includes(PROMPT) && PROMPT_TEXT.test(strip(textsIn(element, MAX_LABEL_ELEMENTS).join("")));
  });
  return new Map([...labels, ...others].map((label) => [label, LEFT_OUT]));
}

/** @param {Element} pre @returns {Element[]} the labels in it beside the only `<code>` in it */
function labelsIn(pre) {
  const codes = [...pre.querySelectorAll("code")];
  if (codes.length !== 1 || (codes[0].parentElement === pre && pre.children.length === 1)) return [];
  return labelsBeside(codes[0], pre).filter((label) => LABELS_IN_CODE.includes(tagOf(label)));
}

/**
 * @param {Element} code
 * @param {Element | null} pre the outermost of the elements that hold the code and nothing but labels
 * @returns {Element[]} the labels in these elements
 */
function labelsBeside(code, pre) {
  let inner = tableOf(code);
  const header = inner.previousElementSibling;
  /** @type {Element[]} */
  const found = [];
  if (header && HEADER.test(slice(header.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS))) {
    found.push(...(isLabel(header) ? [header] : buttonsIn(header, BUTTON_TAGS)));
  }
  for (let level = 0; level < MAX_WRAPPERS && inner !== pre; level++) {
    const wrapper = inner.parentElement;
    if (!wrapper || !mayWrap(wrapper, pre)) break;
    const others = [...wrapper.children].filter((one) => one !== inner && !namesGutter(classesOf(one)));
    if (!ownTexts(wrapper).every(isSpace)) break;
    if (!others.every(isLabel)) {
      found.push(...others.flatMap((one) => buttonsIn(one, new Set([BUTTON]))));
      break;
    }
    found.push(...others);
    inner = wrapper;
  }
  return found;
}

/**
 * @param {Element} element
 * @param {Set<string>} tags
 * @returns {Element[]} the elements of these tags in it that are buttons to copy code, if it is small
 */
function buttonsIn(element, tags) {
  const inside = firstElementsIn(element, MAX_LABEL_ELEMENTS + 1);
  if (inside.length > MAX_LABEL_ELEMENTS) return [];
  return inside.slice(1).filter((one) => {
    if (!tags.has(tagOf(one)) || !isLabel(one)) return false;
    return split(textsIn(one, Infinity).join(" ").toLowerCase()).some((word) => COPY_WORDS.has(word));
  });
}

/**
 * @param {Element} element
 * @param {Element | null} pre
 * @returns {boolean} whether it may hold a piece of code with its labels
 */
function mayWrap(element, pre) {
  if (element.children.length > MAX_CHILDREN) return false;
  if (element === pre || WRAPPERS.has(tagOf(element))) return true;
  const classes = [element, element.parentElement].map((one) => one?.getAttribute("class") ?? "").join(" ");
  return NAMED_WRAPPERS.includes(tagOf(element)) && classes.includes(WRAPPER_NAME);
}

/** @param {Element} code @returns {Element} the table whose only cell, but for the numbers of lines, it is, or itself */
function tableOf(code) {
  const cell = code.parentElement;
  if (!cell || !CELLS.includes(tagOf(cell)) || cell.children.length > 1) return code;
  const table = cell.closest("table");
  const others = [...(table?.querySelectorAll(CELLS.join(",")) ?? [])].filter((one) => one !== cell);
  const isAlone = others.length < 2 && others.every((one) => namesGutter(one.getAttribute("class") ?? ""));
  return table && isAlone ? table : code;
}

/** @param {Element} element @returns {boolean} whether all its words name languages or are those of buttons */
function isLabel(element) {
  const inside = [element, ...element.querySelectorAll("*")];
  const others = inside.filter((one) => !LABEL_TAGS.has(tagOf(one)));
  const isToolbar = others.every((one) => tagOf(one) === "img") && TOOLBAR.test(element.getAttribute("class") ?? "");
  if (inside.length > MAX_LABEL_ELEMENTS || (others.length && !isToolbar)) return false;
  const text = textsIn(element, Infinity).join(" ");
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
