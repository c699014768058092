/** The names of places in a page, and the links that lead to them, also by the page's own address. */

import tables from "../tables.json" with { type: "json" };
import { setDefault, strip } from "../python.js";
import { tagOf } from "./dom.js";

const { LEAST } = tables["html.page_names"];

/**
 * @param {Element[]} elements of a page
 * @returns {Map<Element, string>} the names in the page to which links lead, by the links, in order; an address is
 *   the page's own if links with it lead to several names, most of them in the page
 */
export function linksInto(elements) {
  /** @type {Map<Element, {own: string, name: string}>} */
  const parts = new Map();
  /** @type {Map<string, {names: Set<string>, links: number}>} */
  const others = new Map();
  for (const element of elements) {
    const address = strip(element.getAttribute("href") ?? "");
    const at = address.indexOf("#");
    if (at < 0) continue;
    const [own, name] = [address.slice(0, at), address.slice(at + 1)];
    if (own && !name) continue;
    parts.set(element, { own, name });
    if (!own) continue;
    const other = setDefault(others, own, { names: new Set(), links: 0 });
    other.names.add(name);
    other.links++;
  }
  const several = [...others].filter(([, { links }]) => links >= LEAST);
  const every = new Set(several.length ? elements.flatMap(namesOf) : []);
  const isOwn = new Set([""]);
  for (const [own, { names }] of several) {
    const known = [...names].filter((name) => every.has(name)).length;
    if (known >= Math.max(LEAST, names.size - known + 1)) isOwn.add(own);
  }
  const into = [...parts].filter(([element, { own }]) => isOwn.has(own) && tagOf(element) === "a");
  return new Map(into.map(([element, { name }]) => [element, name]));
}

/**
 * @param {Element[]} elements
 * @param {Set<string>} names
 * @returns {Map<string, Element>} the first element of each id or name
 */
export function elementsByName(elements, names) {
  /** @type {Map<string, Element>} */
  const found = new Map();
  for (const element of elements) {
    for (const own of namesOf(element)) if (names.has(own) && !found.has(own)) found.set(own, element);
  }
  return found;
}

/** @param {Element} element @returns {string[]} its id and its name */
function namesOf(element) {
  return [element.getAttribute("id"), element.getAttribute("name")].flatMap((name) => (name === null ? [] : [name]));
}
