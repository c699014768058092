/** The elements of a live page as a browser shows them, with open shadow trees. */

import tables from "../tables.json" with { type: "json" };

const constants = tables["html.walk"];
/** Elements that do not end a run of text; every other element does, `<br>` too. */
export const INLINE = new Set(constants.INLINE_TAGS);
/** Elements that do not end a sentence: inline elements, and some that are skipped. */
export const SEAMLESS = new Set(constants.SEAMLESS_TAGS);
/** Elements whose text is not read. */
const SKIPPED = new Set(constants.SKIPPED_TAGS);

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
 * @returns {ChildNode[]} its children as they are shown: the nodes of its open shadow tree, the
 *   nodes that are assigned to it if it is a slot, or those of a template
 */
export function childrenOf(element) {
  if (element.shadowRoot) return [...element.shadowRoot.childNodes];
  if (element.localName === "slot" && element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes({ flatten: true });
    if (assigned.length) return /** @type {ChildNode[]} */ (assigned);
  }
  if (element.localName === "template" && element instanceof HTMLTemplateElement) {
    return [...element.content.childNodes];
  }
  return [...element.childNodes];
}

/** @param {Element} root @returns {Generator<Element>} it and the elements in it, in document order */
export function* elementsOf(root) {
  const left = [root];
  while (left.length) {
    const element = /** @type {Element} */ (left.pop());
    yield element;
    for (const child of childrenOf(element).reverse()) {
      if (child.nodeType === Node.ELEMENT_NODE) left.push(/** @type {Element} */ (child));
    }
  }
}

/**
 * @param {Element} element
 * @param {number} most
 * @returns {string[]} its first texts and those of the elements in it, at most so many
 */
export function textsIn(element, most) {
  return textNodesIn(element, most).map((node) => node.data);
}

/** @param {Element} element @param {number} [most] @returns {Text[]} the nodes of these texts */
export function textNodesIn(element, most = Infinity) {
  return /** @type {Text[]} */ (nodesIn(element, NodeFilter.SHOW_TEXT, most));
}

/** @param {Element} element @param {number} most @returns {Element[]} it and the first elements in it, at most so many */
export function firstElementsIn(element, most) {
  return [element, .../** @type {Element[]} */ (nodesIn(element, NodeFilter.SHOW_ELEMENT, most - 1))];
}

/** @param {Element} element @param {number} what @param {number} most @returns {Node[]} no more nodes are visited */
function nodesIn(element, what, most) {
  const walker = element.ownerDocument.createTreeWalker(element, what);
  /** @type {Node[]} */
  const found = [];
  while (found.length < most && walker.nextNode()) found.push(walker.currentNode);
  return found;
}

/** @param {ChildNode | null} node @returns {string} the text that begins with it */
export function textAt(node) {
  let text = "";
  for (let next = node; next && next.nodeType === Node.TEXT_NODE; next = next.nextSibling) {
    text += next.nodeValue ?? "";
  }
  return text;
}
