/**
 * Lists whose styles say the other kind: a `<ul>` with numbers or letters, an `<ol>` with bullets. They count as what
 * readers see.
 */

import tables from "../tables.json" with { type: "json" };
import { pattern, slice } from "../python.js";
import { tagOf } from "./dom.js";
import { READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.list_styles"];
const TYPE = pattern(constants.TYPE);
const OTHERS = new Map(Object.entries(constants.OTHERS));
const KINDS = new Map(Object.entries(constants.KINDS).map(([tag, kind]) => [tag, pattern(kind)]));

/** @param {string} source of a page @returns {boolean} whether it can have such lists */
export function mayHaveListStyles(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of such lists: an item's own style counts more */
export function listStylesOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const kind = KINDS.get(tagOf(element));
    if (!kind) continue;
    const usual = typeOf(element);
    const items = [...element.children].filter((child) => tagOf(child) === constants.ITEM);
    const isOther = items.length > 0 && items.every((item) => kind.test(typeOf(item) || usual));
    if (isOther) found.set(element, { ...READ_INSIDE, tag: OTHERS.get(tagOf(element)) ?? "" });
  }
  return found;
}

/** @param {Element} element @returns {string} the type of a list or an item that its style names */
function typeOf(element) {
  return TYPE.exec(slice(element.getAttribute("style") ?? "", 0, constants.MAX_STYLE_CHARS))?.[1] ?? "";
}
