/** The path of an element from the root, and the words of its attributes. */

import tables from "../tables.json" with { type: "json" };
import { characters, findall, pattern, slice } from "../python.js";
import { isOnlyElement, tagOf, textBefore, textBehind } from "./dom.js";
import { inheritedReason, reasonOf } from "./hiding.js";

const constants = tables["html.paths"];
export const { ASIDE, CODE, MARKED, MAX_ANCESTORS, MAX_ATTRIBUTE_CHARS, NOSCRIPT, PREFORMATTED } = constants;
const SIDE_NOTES = new Set(constants.SIDE_NOTES);
const { TABLE_HEAD } = tables["html.hiding"];
const COLLAPSING = new Set(tables["html.hiding"].COLLAPSING);
const HIDING_HEADS = new Set(tables["html.hiding"].HIDING_HEADS);
const FLAGS = /** @type {Record<string, number>} */ (constants.TAG_FLAGS);
const CLASS_WORDS = pattern(constants.CLASS_WORD, "g");
const LOWER_WORDS = pattern(constants.LOWER_WORD, "g");
const NAMING = Object.keys(constants.NAMING_ATTRIBUTES).sort(
  (a, b) => /** @type {any} */ (constants.NAMING_ATTRIBUTES)[a] - /** @type {any} */ (constants.NAMING_ATTRIBUTES)[b],
);

/**
 * @param {Element} element
 * @param {string} name
 * @returns {string} its value, cut to the length that is read
 */
function attribute(element, name) {
  return slice(element.getAttribute(name) ?? "", 0, MAX_ATTRIBUTE_CHARS);
}

/**
 * @param {Element} element
 * @param {Map<string, string>} cache class words by the text of their attributes; it is added to
 * @returns {string} the words of its class, id, role and itemprop, at most eight
 */
export function classWordsOf(element, cache) {
  if (!element.hasAttributes()) return "";
  const named = NAMING.map((name) => attribute(element, name));
  const class_ = attribute(element, "class");
  const text = named.some(Boolean) ? [class_, ...named].join(" ") : class_;
  if (!text) return "";
  let words = cache.get(text);
  if (words === undefined) cache.set(text, (words = classWords(text)));
  return words;
}

/** @param {string} text of attributes @returns {string} */
function classWords(text) {
  const found =
    text === text.toLowerCase()
      ? findall(text, LOWER_WORDS)
      : findall(text, CLASS_WORDS)
          .map((word) => word.toLowerCase())
          .filter((word) => word.length > 1 && characters(word).length > 1);
  return [...new Set(found)].slice(0, constants.MAX_CLASS_WORDS).join(" ");
}

/** An open element of the walk; its path is set by `PathBuilder.locate`. */
export class Frame {
  /**
   * @param {Element} element
   * @param {string} tag
   * @param {Frame | null} parent
   * @param {number} node its number in document order
   */
  constructor(element, tag, parent, node) {
    this.element = element;
    this.tag = tag;
    this.parent = parent;
    this.node = node;
    /** Its number among the `<li>` children of its parent; 0 if it is no `<li>`. */
    this.step = 0;
    /** How many `<li>` children were found so far. */
    this.items = 0;
    /** Number of the nearest `<a>` at or around the element; 0: none. @type {number} */
    this.link = tagOf(element) === "a" ? node : (parent?.link ?? 0);
    /** @type {number} */
    this.flags = (parent?.flags ?? 0) | (FLAGS[tag] ?? 0);
    /** @type {Located | null} */
    this.located = null;
  }
}

/** @import { Rules } from "./style_sheets.js" */
/** @typedef {{tags: string[], classWords: string[]}} ElementPath */
/** @typedef {{path: ElementPath, nodes: number[], hidden: number}} Located `hidden`: why, the place of the reason in `REASONS`; 0: it is shown. */

/** Builds the paths of one page's elements; those of one template share their path. */
export class PathBuilder {
  /** @param {Rules | null} rules those of the page's own style sheets */
  constructor(rules) {
    this.rules = rules;
    /** Per path the paths of its children. @type {Map<ElementPath | null, Map<string, ElementPath>>} */
    this.children = new Map();
    /** @type {Map<string, string>} */
    this.classWords = new Map();
  }

  /** @param {Frame} frame @returns {Located} */
  locate(frame) {
    const missing = [];
    for (let above = /** @type {Frame | null} */ (frame); above && !above.located; above = above.parent) {
      missing.push(above);
    }
    for (const inner of missing.reverse()) inner.located = this.child(inner, inner.parent?.located ?? null);
    return /** @type {Located} */ (frame.located);
  }

  /** @param {Frame} frame @param {Located | null} parent @returns {Located} */
  child(frame, parent) {
    const { element, node, tag } = frame;
    const above = parent ?? { path: null, nodes: [], hidden: 0 };
    if (above.path && tag === "div" && frame.parent?.tag === "body" && isBare(element)) {
      // A bare <div> around all of the body counts as the body.
      return { ...above, path: above.path, nodes: [...above.nodes.slice(0, -1), node] };
    }
    const words = classWordsOf(element, this.classWords);
    return {
      path: this.longer(above.path, tag, words),
      nodes: [...above.nodes, node].slice(-MAX_ANCESTORS),
      hidden: inheritedReason(above.hidden, this.reasonAs(element, tag), element),
    };
  }

  /** @param {Element} element @returns {number} why it hides itself; 0 if it does not */
  ownReason(element) {
    return reasonOf(element, MAX_ATTRIBUTE_CHARS, this.rules);
  }

  /** @param {Element} element @param {string} tag what it counts as @returns {number} the same; a note and the head of a table are shown */
  reasonAs(element, tag) {
    const reason = this.ownReason(element);
    if (tag === TABLE_HEAD && HIDING_HEADS.has(reason)) return 0;
    return SIDE_NOTES.has(tag) && COLLAPSING.has(reason) ? 0 : reason;
  }

  /**
   * @param {ElementPath | null} path
   * @param {string} tag
   * @param {string} words
   * @returns {ElementPath} the path of a child
   */
  longer(path, tag, words) {
    let children = this.children.get(path);
    if (!children) this.children.set(path, (children = new Map()));
    const key = `${tag}\n${words}`;
    let child = children.get(key);
    if (!child) {
      child = {
        tags: [...(path?.tags ?? []), tag].slice(-MAX_ANCESTORS),
        classWords: [...(path?.classWords ?? []), words].slice(-MAX_ANCESTORS),
      };
      children.set(key, child);
    }
    return child;
  }
}

/** @param {Frame[]} frames @returns {Frame} the innermost frame around all of them */
export function commonAncestor(frames) {
  // The frames between the first and the last are inside of the same elements.
  let a = frames.reduce((first, frame) => (frame.node < first.node ? frame : first));
  let b = frames.reduce((last, frame) => (frame.node > last.node ? frame : last));
  while (a !== b) {
    if (a.node < b.node) [a, b] = [b, a]; // an ancestor comes before its descendants
    if (!a.parent) break;
    a = a.parent;
  }
  return a;
}

/**
 * @param {Element} element
 * @returns {boolean} whether it has no attributes, and neither element nor text beside it
 */
function isBare(element) {
  if (element.hasAttributes()) return false;
  return isOnlyElement(element) && !textBefore(element).trim() && !textBehind(element).trim();
}
