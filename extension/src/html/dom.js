/**
 * The elements and texts of a live page as a browser shows them, with open shadow trees and without comments.
 *
 * Frameworks put comments and empty texts between others as marks for themselves. They part no texts here, as the
 * package takes comments out of a page; so other modules do not look at nodes that stand beside each other.
 */

import tables from "../tables.json" with { type: "json" };

const constants = tables["html.walk"];
/** Elements that do not end a run of text; every other element does, `<br>` too. */
export const INLINE = new Set(constants.INLINE_TAGS);
/** Elements that do not end a sentence: inline elements, and some that are skipped. */
export const SEAMLESS = new Set(constants.SEAMLESS_TAGS);
/** Elements whose text is not read. */
const SKIPPED = new Set(constants.SKIPPED_TAGS);

/** @typedef {Element | Text[]} Child An element, or the texts that stand between two elements. */

const SHADOW_ROOTS = tables["html.preformatted"].SHADOW_ROOTS;

/**
 * @param {Element} element
 * @param {string} tag
 * @returns {boolean} whether its text is not read; that of a `<template>` is if it stands for a shadow tree
 */
export function isSkipped(element, tag) {
  return SKIPPED.has(tag) && !(tag === "template" && SHADOW_ROOTS.some((name) => element.hasAttribute(name)));
}

/** @param {Element} element @returns {string} its name in lower case */
export function tagOf(element) {
  return element.localName.toLowerCase();
}

/**
 * @param {Element} element
 * @returns {Child[]} its children as they are shown: those of its open shadow tree, the nodes that are
 *   assigned to it if it is a slot, or those of a template
 */
export function childrenOf(element) {
  if (element.shadowRoot) return childrenIn(element.shadowRoot.childNodes);
  if (element.localName === "slot" && element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes({ flatten: true });
    if (assigned.length) return childrenIn(assigned);
  }
  if (element.localName === "template" && element instanceof HTMLTemplateElement) {
    return childrenIn(element.content.childNodes);
  }
  return childrenIn(element.childNodes);
}

/** @param {Iterable<Node>} nodes @returns {Child[]} */
function childrenIn(nodes) {
  /** @type {Child[]} */
  const children = [];
  /** The texts behind the last element. @type {Text[]} */
  let texts = [];
  for (const node of nodes) {
    if (isElement(node)) {
      children.push(node);
      texts = [];
    } else if (isText(node)) {
      if (!texts.length) children.push(texts);
      texts.push(node);
    }
  }
  return children;
}

/** @param {Node} node @returns {node is Element} */
function isElement(node) {
  return node.nodeType === Node.ELEMENT_NODE;
}

/** @param {Node} node @returns {node is Text} whether it is a text that is not empty */
function isText(node) {
  const { nodeType } = node;
  return (nodeType === Node.TEXT_NODE || nodeType === Node.CDATA_SECTION_NODE) && node.nodeValue !== "";
}

/** @param {Element} root @returns {Generator<Element>} it and the elements in it, in document order */
export function* elementsOf(root) {
  const left = [root];
  while (left.length) {
    const element = /** @type {Element} */ (left.pop());
    yield element;
    for (const child of childrenOf(element).reverse()) if (!Array.isArray(child)) left.push(child);
  }
}

/**
 * @param {Element} element
 * @param {number} most
 * @returns {string[]} its first texts and those of the elements in it, at most so many
 */
export function textsIn(element, most) {
  /** @type {string[]} */
  const texts = [];
  let last = null;
  for (const node of textsOf(element)) {
    if (last && lastBefore(node) === last) texts[texts.length - 1] += node.data;
    else if (texts.length < most) texts.push(node.data);
    else break;
    last = node;
  }
  return texts;
}

/** @param {Element} element @returns {Text[]} all nodes of texts in it */
export function textNodesIn(element) {
  return [...textsOf(element)];
}

/** @param {Element} element @param {number} most @returns {Element[]} it and the first elements in it, at most so many */
export function firstElementsIn(element, most) {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_ELEMENT);
  const found = [element];
  while (found.length < most && walker.nextNode()) found.push(/** @type {Element} */ (walker.currentNode));
  return found;
}

/** @param {Element} element @returns {Generator<Text>} the nodes of its texts and of those of the elements in it */
function* textsOf(element) {
  const texts = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION;
  const walker = element.ownerDocument.createTreeWalker(element, texts);
  while (walker.nextNode()) if (isText(walker.currentNode)) yield walker.currentNode;
}

/** @param {Node} node @returns {Node | null} the element or text before it */
function lastBefore(node) {
  let before = node.previousSibling;
  while (before && !isElement(before) && !isText(before)) before = before.previousSibling;
  return before;
}

/** @param {ParentNode} parent @returns {string} its text before the first element in it, as lxml's `text` */
export function leadingText(parent) {
  return textFrom(parent.firstChild);
}

/** @param {Element} element @returns {string} the text between it and the next element, as lxml's `tail` */
export function textBehind(element) {
  return textFrom(element.nextSibling);
}

/** @param {ChildNode | null} first @returns {string} the text from a node on, up to the next element */
function textFrom(first) {
  let text = "";
  for (let node = first; node && !isElement(node); node = node.nextSibling) if (isText(node)) text += node.data;
  return text;
}

/** @param {Element} element @returns {string} the text between it and the element before it */
export function textBefore(element) {
  let text = "";
  for (let node = element.previousSibling; node && !isElement(node); node = node.previousSibling) {
    if (isText(node)) text = node.data + text;
  }
  return text;
}

/** @param {ParentNode} parent @returns {string[]} the texts directly in it, not those of the elements in it */
export function ownTexts(parent) {
  return childrenIn(parent.childNodes).flatMap((child) => (Array.isArray(child) ? [textOfNodes(child)] : []));
}

/** @param {Text[]} nodes @returns {string} */
export function textOfNodes(nodes) {
  return nodes.length === 1 ? nodes[0].data : nodes.map(({ data }) => data).join("");
}

/** @param {Element} element @returns {boolean} whether there is no other element in its parent */
export function isOnlyElement(element) {
  return !element.previousElementSibling && !element.nextElementSibling;
}

/** @param {Text} text @returns {boolean} whether nothing follows it in its parent, not even a comment */
export function isLastNode(text) {
  return !text.nextSibling;
}
