/**
 * Cells of tables: an icon or a box to tick is read as what it says or shows, and the name of a column
 * that stands in a cell for narrow screens is not read.
 */

import tables from "../tables.json" with { type: "json" };
import { isSpace, length, pattern, slice, split, strip } from "../python.js";
import { leadingText, textBehind } from "./dom.js";
import { iconWord } from "./icon_words.js";
import { givenNumber, IMAGE_TAGS, isControl } from "./images.js";
import { NOTHING } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.cells"];
const { COLUMN_NAMES, DRAWN_TAGS, MAX_CHARS, MAX_COLUMNS, MAX_ELEMENTS, MAX_NAME_CHARS, MAX_PIXELS, MIN_NAMED } = constants;
const { NO, OPEN, TICKED, YES } = constants;
const ICON_TAGS = new Set(constants.ICON_TAGS);
const ALIKE = /** @type {Record<string, string>} */ (constants.ALIKE);
const FOR_SCREEN_READERS = new Set(constants.FOR_SCREEN_READERS);
const ICON_NAME = pattern(constants.ICON_NAME);
const NO_NAME = pattern(constants.NO_NAME);
const YES_NAME = pattern(constants.YES_NAME);

/** @param {string} source @returns {boolean} whether the page has cells */
export function mayHaveCells(source) {
  return source.includes("<td");
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} what is read of the cells that hold icons or boxes to tick and no text, and of the
 *   names of columns in other cells: nothing
 */
export function cellsOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  /** The heads of each table, by their columns. @type {Map<Element, string[]>} */
  const heads = new Map();
  /** Per row the elements that repeat the head of their column. @type {Map<Element | null, Element[]>} */
  const rows = new Map();
  for (const cell of elements) {
    const { firstElementChild, localName } = cell;
    if (localName !== "td" && localName !== "th") continue;
    if (!firstElementChild || !isSpace(leadingText(cell))) continue;
    const said = labels(cell);
    const text = said?.join(" ") || (said ? drawn(cell) : "");
    if (text && length(text) <= MAX_CHARS && !cell.closest("pre")) found.set(cell, { text, marks: 0, tag: localName, label: "" });
    else if (beginsWith(cell, statedName(cell))) found.set(firstElementChild, NOTHING);
    else if (firstElementChild.getAttribute("class") && beginsWith(cell, headOf(cell, heads))) {
      const { parentElement: row } = cell;
      rows.set(row, [...(rows.get(row) ?? []), firstElementChild]);
    }
  }
  for (const names of rows.values()) {
    for (const name of names.length >= MIN_NAMED ? names : []) found.set(name, NOTHING);
  }
  return found;
}

/** @param {Element} cell @returns {string[] | null} what its icons say, each once; null if it has other content */
function labels(cell) {
  const inside = [...cell.querySelectorAll("*")];
  if (inside.length > MAX_ELEMENTS || inside.some((one) => !isSpace(textBehind(one)))) return null;
  const found = inside.map(labelOf);
  if (found.includes(null)) return null;
  return [...new Set(found.filter(Boolean).map((label) => split(label ?? "").join(" ")))];
}

/** @param {Element} cell @returns {string} what its first icon shows by its names; "" if these tell nothing */
function drawn(cell) {
  for (const inside of [...cell.querySelectorAll(DRAWN_TAGS.join())].slice(0, MAX_ELEMENTS)) {
    const get = (/** @type {string} */ name) => inside.getAttribute(name) || "";
    const source = get("src") || get("href") || get("xlink:href");
    const word = iconWord(inside);
    const names = `${slice(get("class"), 0, MAX_NAME_CHARS)} ${source.slice(-MAX_NAME_CHARS)} ${ALIKE[word] ?? word}`;
    if (NO_NAME.test(names)) return NO;
    if (YES_NAME.test(names)) return YES;
  }
  return "";
}

/** @param {Element} element @returns {string | null} what an icon, or a part of one, says; null if it is no icon */
function labelOf(element) {
  const { localName: tag } = element;
  const get = (/** @type {string} */ name) => element.getAttribute(name) || "";
  if (IMAGE_TAGS.has(tag) && isControl(slice(get("src"), 0, constants.MAX_SOURCE_CHARS))) return "";
  if (IMAGE_TAGS.has(tag)) return isIcon(element) ? get("alt") || get("title") : null;
  if (tag === "input" && get("type").toLowerCase() === "checkbox") return element.hasAttribute("checked") ? TICKED : OPEN;
  if (!ICON_TAGS.has(tag)) return null;
  const text = iconWord(element) ? "" : strip(leadingText(element));
  const isTitle = tag === "title" && element.parentElement?.localName === "svg";
  const isSpoken = isTitle || split(get("class")).some((name) => FOR_SCREEN_READERS.has(name));
  if (text && !isSpoken) return null;
  return text || get("aria-label") || get("title");
}

/** @param {Element} image @returns {boolean} whether it is small by its size or, if it states none, by its name */
function isIcon(image) {
  const sides = ["width", "height"].map((side) => givenNumber(image, side, 0));
  if (sides.some(Boolean)) return Math.max(...sides) <= MAX_PIXELS;
  const names = `${image.getAttribute("class") ?? ""} ${image.getAttribute("src") ?? ""}`;
  return ICON_NAME.test(slice(names, 0, MAX_NAME_CHARS));
}

/** @param {Element} cell @returns {string} the name of its column that it states */
function statedName(cell) {
  return plain(COLUMN_NAMES.map((/** @type {string} */ key) => cell.getAttribute(key)).find(Boolean) ?? "");
}

/**
 * @param {Element} cell
 * @param {Map<Element, string[]>} heads those of each table, by their columns, as far as they are known
 * @returns {string} the head of its column; "" for a cell of the first row
 */
function headOf(cell, heads) {
  const table = cell.closest("table");
  if (!table) return "";
  const first = table.querySelector("tr");
  const known = heads.get(table) ?? cellsIn(first ?? table).map((one) => plain(one.textContent ?? ""));
  heads.set(table, known);
  let column = 0;
  for (let above = cell.previousElementSibling; above && column <= MAX_COLUMNS; above = above.previousElementSibling) {
    column += isCell(above) ? 1 : 0;
  }
  return (cell.parentElement !== first && known[column]) || "";
}

/** @param {Element} row @returns {Element[]} its first cells */
function cellsIn(row) {
  return [...row.children].filter(isCell).slice(0, MAX_COLUMNS);
}

/** @param {Element} element @returns {boolean} */
function isCell({ localName }) {
  return localName === "td" || localName === "th";
}

/** @param {Element} cell @param {string} name @returns {boolean} whether its first element, before more text, is a name */
function beginsWith(cell, name) {
  const [first, ...others] = cell.children;
  if (!name || length(name) > MAX_NAME_CHARS || plain(first.textContent ?? "") !== name) return false;
  const hasText = (/** @type {Element} */ other) => !isSpace(other.textContent ?? "") || !isSpace(textBehind(other));
  return !isSpace(textBehind(first)) || others.some(hasText);
}

/** @param {string} name @returns {string} without colons at its end, in small letters */
function plain(name) {
  return strip(split(name).join(" ").replace(/[:：]+$/, "")).toLowerCase();
}
