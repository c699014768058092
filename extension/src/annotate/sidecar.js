/**
 * An annotation as a file beside the page: what is in it, how it is checked, and how it comes back
 * to a page. `scrapy_boilernet/annotations/sidecar.py` reads it, and has the schema.
 */

import tables from "../tables.json" with { type: "json" };
import { aligned } from "./align.js";
import { Annotation, CHOICES } from "./annotation.js";

/** @import { Labeled, Page } from "../page.js" */
/** @import { Given } from "./annotation.js" */

const { BY, FROM, MAX_SIDECAR_BLOCKS } = tables["annotations.sidecar"];
export const { SCHEMA } = tables["annotations.sidecar"];
const { MAX_BLOCKS } = tables.options;
const MOST_CHARS = 20_000_000;

/**
 * @typedef {object} SidecarBlock
 * @property {string} xpath Of its element in the browser's DOM; "" inside a shadow tree.
 * @property {string} text White space collapsed.
 * @property {Given["kind"]} kind
 * @property {Given["by"]} by
 * @property {number} probability
 * @property {string} at
 *
 * @typedef {object} Bytes The page that was annotated, in a file beside the annotation.
 * @property {string} sha256
 * @property {number} bytes
 * @property {string} charset As the response's header says; "" if it does not.
 * @property {"fetch" | "dom"} from Fetched again, or what the browser had made of it.
 * @property {number} agreement Share of the blocks that are in what was fetched, too.
 *
 * @typedef {object} Sidecar
 * @property {string} schema
 * @property {string} url
 * @property {string} title
 * @property {string} annotator
 * @property {string} started In ISO 8601.
 * @property {string} saved
 * @property {boolean} finished Whether the person said so.
 * @property {boolean} nothing Whether the page has nothing to find.
 * @property {string} model The model whose labels were corrected.
 * @property {number} threshold
 * @property {{width: number, height: number}} viewport
 * @property {string} browser
 * @property {Bytes | null} page
 * @property {number} shown How many of the blocks the page has.
 * @property {SidecarBlock[]} blocks All of the page in document order, then those that a person
 *   labeled and that the page no longer has.
 */

/**
 * @param {unknown} value
 * @returns {Sidecar} the same, known to be a sidecar
 * @throws {TypeError} naming what is wrong
 */
export function checkSidecar(value) {
  const own = /** @type {any} */ (value);
  let chars = 0;
  const isText = (/** @type {unknown} */ text) => {
    if (typeof text !== "string") return false;
    chars += text.length;
    return chars <= MOST_CHARS;
  };
  /** @type {(isRight: unknown, what: string) => void} */
  const check = (isRight, what) => {
    if (!isRight) throw new TypeError(`no annotation: ${what}`);
  };
  const isShare = (/** @type {unknown} */ share) => typeof share === "number" && share >= 0 && share <= 1;
  check(own !== null && typeof own === "object" && own.schema === SCHEMA, "the schema");
  for (const name of ["url", "title", "annotator", "started", "saved", "model", "browser"]) {
    check(isText(own[name]), name);
  }
  check(typeof own.finished === "boolean" && typeof own.nothing === "boolean", "finished or nothing");
  check(isShare(own.threshold), "threshold");
  check(Number.isInteger(own.viewport?.width) && Number.isInteger(own.viewport?.height), "viewport");
  check(own.page === null || isPageOf(own.page), "page");
  check(Array.isArray(own.blocks) && own.blocks.length <= MAX_SIDECAR_BLOCKS, "blocks");
  check(Number.isInteger(own.shown) && own.shown >= 0 && own.shown <= own.blocks.length, "shown");
  for (const block of own.blocks) {
    check(block !== null && typeof block === "object", "a block");
    check(isText(block.xpath) && isText(block.text) && isText(block.at), "a block's text");
    check(CHOICES.includes(block.kind) && BY.includes(block.by) && isShare(block.probability), "a block's label");
  }
  return own;
}

/** @param {any} page @returns {boolean} */
function isPageOf(page) {
  return (
    /^[0-9a-f]{64}$/.test(page?.sha256) && Number.isInteger(page.bytes) && page.bytes >= 0 &&
    typeof page.charset === "string" && page.charset.length < 100 &&
    FROM.includes(page.from) && page.agreement >= 0 && page.agreement <= 1
  );
}

/**
 * @param {Annotation} annotation
 * @param {Page} page
 * @param {string[]} xpaths
 * @returns {SidecarBlock[]}
 */
export function blocksOf(annotation, page, xpaths) {
  return annotation.given.map((given, i) => ({ xpath: xpaths[i], text: page.blocks[i].text, ...given }));
}

/**
 * @param {Sidecar} kept of the page as it was
 * @param {Page} page as it is now
 * @param {Labeled} labeled
 * @returns {{annotation: Annotation, lost: SidecarBlock[]}} with what was kept for each block that
 *   is there, and the blocks that a person labeled and that are not, the latest ones if they are many
 */
export function restored(kept, page, labeled) {
  const annotation = Annotation.of(labeled);
  const places = placesOf(kept, page.blocks.map(({ text }) => text));
  kept.blocks.forEach(({ at, by, kind, probability }, i) => {
    const place = places.get(i);
    if (place !== undefined && by !== "model") annotation.given[place] = { kind, by, probability, at };
  });
  annotation.nothing = kept.nothing;
  const lost = kept.blocks.filter(({ by }, i) => by === "human" && !places.has(i));
  return { annotation, lost: lost.slice(0, MAX_SIDECAR_BLOCKS - MAX_BLOCKS) };
}

/**
 * @param {Sidecar} kept
 * @param {string[]} texts of a page's blocks
 * @returns {Map<number, number>} per block of the annotation its place in the page, if it has one: those that
 *   were shown in the same order, as many as possible; what else a person labeled wherever it stands now
 */
function placesOf({ blocks, shown }, texts) {
  /** @type {Map<number, number>} */
  const places = new Map();
  aligned(blocks.slice(0, shown).map(({ text }) => text), texts).forEach((place, i) => {
    if (place >= 0) places.set(i, place);
  });
  const taken = new Set(places.values());
  /** @type {Map<string, number[]>} */
  const free = new Map();
  texts.forEach((text, place) => {
    if (taken.has(place)) return;
    const others = free.get(text);
    if (others) others.push(place);
    else free.set(text, [place]);
  });
  blocks.forEach(({ by, text }, i) => {
    const place = by === "human" && !places.has(i) ? free.get(text)?.shift() : undefined;
    if (place !== undefined) places.set(i, place);
  });
  return places;
}

/** @param {Text} text @returns {string} the XPath of its element; "" inside a shadow tree */
export function xpathOf(text) {
  if (!(text.getRootNode() instanceof Document)) return "";
  const steps = [];
  for (let element = text.parentElement; element; element = element.parentElement) {
    const name = element.localName;
    const same = [...(element.parentElement?.children ?? [element])].filter((one) => one.localName === name);
    steps.push(same.length > 1 ? `${name}[${same.indexOf(element) + 1}]` : name);
  }
  return `/${steps.reverse().join("/")}`;
}
