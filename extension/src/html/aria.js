/** Headings, lists and tables that a page makes of other elements, and names by their roles (WAI-ARIA). */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, isSpace, pattern, strip } from "../python.js";
import { firstElementsIn, leadingText, tagOf, textBehind, textsIn } from "./dom.js";
import { LEFT_OUT, READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.aria"];
const { HEADING, MAX_ELEMENTS, MAX_LEVEL, MAX_TEXTS, MIN_GRID_ROWS, MIN_ITEMS, STEP_LEVELS, TABLE_LEVELS, USUAL_LEVEL } =
  constants;
const NUMBER_END = pattern(constants.NUMBER_END);
const DIGIT = fullPattern(constants.DIGIT);
const HEADING_TAGS = new Set(constants.HEADING_TAGS);
/** Per role how far a list may be above. */
const LEVELS = new Map(Object.entries(constants.LEVELS));
const TAGS = new Set(constants.TAGS);
const OUTER = new Map(Object.entries(constants.OUTER));
/** Per role of a list or table, what elements in it count as by their roles. */
const INSIDE = new Map(Object.entries(constants.INSIDE).map(([role, tags]) => [role, new Map(Object.entries(tags))]));

/** @param {string} source @returns {boolean} whether the page can have such headings, lists and tables */
export function mayHaveAria(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} those of elements that count as headings, or as those of a list or a table
 */
export function ariaOf(elements) {
  /** The tags of the elements of each list and table. @type {Map<Element, Map<Element, string>>} */
  const inside = new Map();
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const role = roleOf(element);
    if (role === HEADING && HEADING_TAGS.has(tagOf(element))) {
      found.set(element, { ...READ_INSIDE, tag: `h${levelOf(element)}` });
    }
    if (!role || !TAGS.has(tagOf(element))) continue;
    if (OUTER.has(role)) {
      inside.set(element, new Map());
      continue;
    }
    const owner = ownerOf(element, LEVELS.get(role) ?? TABLE_LEVELS, inside);
    const tag = owner && INSIDE.get(roleOf(owner))?.get(role);
    if (owner && tag) inside.get(owner)?.set(element, tag);
  }
  for (const [owner, parts] of inside) {
    const tags = [...parts.values()];
    const count = (/** @type {string[]} */ ...names) => tags.filter((tag) => names.includes(tag)).length;
    const isTable = roleOf(owner) === "table"; // a grid, which may be a board of boxes, has heads
    const hasCells = isTable ? count("tr") && count("td", "th") : count("tr") >= MIN_GRID_ROWS && count("th");
    if (count("li") < MIN_ITEMS && !hasCells) continue;
    const own = /** @type {string} */ (OUTER.get(roleOf(owner)));
    for (const [element, tag] of [[owner, own], ...parts]) {
      found.set(/** @type {Element} */ (element), { ...READ_INSIDE, tag: /** @type {string} */ (tag) });
    }
    if (roleOf(owner) === "list" && !isInSteps(owner, found)) addSteps([...parts.keys()], found);
  }
  return found;
}

/** @param {Element} list @param {Readings} found @returns {boolean} whether it is in one with steps */
function isInSteps(list, found) {
  let above = list.parentElement;
  for (let level = 0; above && level < STEP_LEVELS; level++, above = above.parentElement) {
    if (found.get(above)?.role) return true;
  }
  return false;
}

/**
 * Adds the readings of the items of a list, and of their numbers, if an element in each has its number, and others follow.
 *
 * @param {Element[]} items
 * @param {Readings} found
 */
function addSteps(items, found) {
  /** @type {Element[]} */
  const signs = [];
  for (const [i, item] of items.entries()) {
    const texts = textsIn(item, MAX_TEXTS).filter((text) => !isSpace(text));
    const sign = firstElementsIn(item, MAX_ELEMENTS).find((one) => !isSpace(leadingText(one)));
    if (!sign || sign.firstElementChild || texts.length < 2 || leadingText(sign) !== texts[0]) return;
    if (!isSpace(textBehind(sign)) || strip(texts[0]).replace(NUMBER_END, "") !== String(i + 1)) return;
    signs.push(sign);
  }
  items.forEach((item, i) => {
    found.set(item, { ...READ_INSIDE, tag: "li", role: `${tables["html.list_pieces"].ITEM}0 ${i + 1}` });
    found.set(signs[i], LEFT_OUT);
  });
}

/**
 * @param {Element} element
 * @param {number} levels elements above it that are looked at
 * @param {Map<Element, unknown>} owners
 * @returns {Element | null} the list or table that it belongs to
 */
function ownerOf(element, levels, owners) {
  let above = element.parentElement;
  for (let level = 0; above && level < levels; level++, above = above.parentElement) {
    if (owners.has(above)) return above;
  }
  return null;
}

/** @param {Element} heading @returns {number} the level that it states, from 1 to 6 */
function levelOf(heading) {
  const stated = strip(heading.getAttribute("aria-level") ?? "");
  return DIGIT.test(stated) ? Math.min(Math.max(Number(stated), 1), MAX_LEVEL) : USUAL_LEVEL;
}

/** @param {Element} element @returns {string} */
function roleOf(element) {
  return strip(element.getAttribute("role") ?? "").toLowerCase();
}
