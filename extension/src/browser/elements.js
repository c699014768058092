/** Helpers for the elements of the extension's own pages. */

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} the element with this id */
export function byId(id) {
  return /** @type {T} */ (document.getElementById(id));
}

/**
 * @param {string} name
 * @param {(Node | string)[]} children
 * @returns {HTMLElement} a new element with these children
 */
export function make(name, ...children) {
  const element = document.createElement(name);
  element.append(...children);
  return element;
}
