/** The elements of a live page as a reader sees them, with what shadow trees show. */

import tables from "../tables.json" with { type: "json" };

const own = tables["html.walk"];
/** Elements that do not end a run of text; every other element does. */
export const INLINE = new Set(own.INLINE_TAGS);
/** These, and skipped ones that stand inside a sentence without ending it. */
export const SEAMLESS = new Set(own.SEAMLESS_TAGS);
/** Elements whose text is not read. */
export const SKIPPED = new Set(own.SKIPPED_TAGS);

/** @param {Element} element @returns {string} its name in lower case */
export function tagOf(element) {
  return element.localName.toLowerCase();
}

/**
 * @param {Element} element
 * @returns {ChildNode[]} its children as they are shown: those of its open shadow tree, and in a
 *   slot what is put there
 */
export function childrenOf(element) {
  if (element.shadowRoot) return [...element.shadowRoot.childNodes];
  if (element.localName === "slot" && element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes({ flatten: true });
    if (assigned.length) return /** @type {ChildNode[]} */ (assigned);
  }
  return [...element.childNodes];
}
