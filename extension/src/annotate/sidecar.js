/**
 * An annotation as a file beside the page: its fields, its check, and how its labels are restored on a
 * page. `scrapy_boilernet/lab/annotations/sidecar.py` reads it, and has the schema.
 */

import tables from "../tables.json" with { type: "json" };
import { aligned } from "./align.js";
import { Annotation, CHOICES } from "./annotation.js";

/** @import { Labeled, Page } from "../page.js" */
/** @import { BlockLabel } from "./annotation.js" */

const { BY, FROM, MAX_SIDECAR_BLOCKS } = tables["annotations.sidecar"];
export const { SCHEMA } = tables["annotations.sidecar"];
const { MAX_BLOCKS } = tables.options;
const MAX_CHARS = 20_000_000;

/**
 * @typedef {object} SidecarBlock A block of an annotation, with its label.
 * @property {string} xpath The XPath of its element in the browser's DOM; "" inside a shadow tree.
 * @property {string} text Its text, with white space collapsed.
 * @property {BlockLabel["kind"]} kind
 * @property {BlockLabel["by"]} by
 * @property {number} probability
 * @property {string} at
 *
 * @typedef {object} Bytes Describes the file with the page's bytes, which is beside the annotation.
 * @property {string} sha256
 * @property {number} bytes
 * @property {string} charset The charset that the response's header states; "" if it states none.
 * @property {"fetch" | "dom"} from Whether the bytes were fetched again, or are the browser's DOM as HTML.
 * @property {number} agreement The share of the blocks that the fetched page has, too.
 *
 * @typedef {object} Sidecar An annotation of a page.
 * @property {string} schema
 * @property {string} url
 * @property {string} title
 * @property {string} annotator
 * @property {string} started In ISO 8601.
 * @property {string} saved
 * @property {boolean} finished Whether the person said that the page is done.
 * @property {boolean} nothing Whether the person said that the page has nothing to find.
 * @property {string} model The model whose labels were corrected.
 * @property {number} threshold
 * @property {{width: number, height: number}} viewport
 * @property {string} browser
 * @property {Bytes | null} page
 * @property {number} shown The number of blocks that the page had when it was saved.
 * @property {SidecarBlock[]} blocks All blocks of the page in order, then blocks that a person labeled and
 *   that the page lost.
 */

/**
 * @param {unknown} value
 * @returns {Sidecar} the value, if it is a sidecar
 * @throws {TypeError} whose message names the field that is wrong
 */
export function checkSidecar(value) {
  const sidecar = /** @type {any} */ (value);
  let chars = 0;
  const isText = (/** @type {unknown} */ text) => {
    if (typeof text !== "string") return false;
    chars += text.length;
    return chars <= MAX_CHARS;
  };
  /** @type {(isRight: unknown, what: string) => void} */
  const check = (isRight, what) => {
    if (!isRight) throw new TypeError(`invalid annotation: ${what}`);
  };
  const isShare = (/** @type {unknown} */ share) => typeof share === "number" && share >= 0 && share <= 1;
  check(sidecar !== null && typeof sidecar === "object" && sidecar.schema === SCHEMA, "the schema");
  for (const name of ["url", "title", "annotator", "started", "saved", "model", "browser"]) {
    check(isText(sidecar[name]), name);
  }
  check(typeof sidecar.finished === "boolean" && typeof sidecar.nothing === "boolean", "finished or nothing");
  check(isShare(sidecar.threshold), "threshold");
  check(Number.isInteger(sidecar.viewport?.width) && Number.isInteger(sidecar.viewport?.height), "viewport");
  check(sidecar.page === null || isBytes(sidecar.page), "page");
  check(Array.isArray(sidecar.blocks) && sidecar.blocks.length <= MAX_SIDECAR_BLOCKS, "blocks");
  check(Number.isInteger(sidecar.shown) && sidecar.shown >= 0 && sidecar.shown <= sidecar.blocks.length, "shown");
  for (const block of sidecar.blocks) {
    check(block !== null && typeof block === "object", "a block");
    check(isText(block.xpath) && isText(block.text) && isText(block.at), "a block's text");
    check(CHOICES.includes(block.kind) && BY.includes(block.by) && isShare(block.probability), "a block's label");
  }
  return sidecar;
}

/** @param {any} page @returns {boolean} */
function isBytes(page) {
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
  return annotation.labels.map((label, i) => ({ xpath: xpaths[i], text: page.blocks[i].text, ...label }));
}

/**
 * @param {Sidecar} saved the annotation of an earlier state of the page
 * @param {Page} page
 * @param {Labeled} labeled
 * @returns {{annotation: Annotation, lost: SidecarBlock[]}} the annotation with the saved labels of the
 *   blocks that the page has, and the blocks that a person labeled and that the page lost, up to a limit
 */
export function restored(saved, page, labeled) {
  const annotation = Annotation.of(labeled);
  const places = placesOf(saved, page.blocks.map(({ text }) => text));
  saved.blocks.forEach(({ at, by, kind, probability }, i) => {
    const place = places.get(i);
    if (place !== undefined && by !== "model") annotation.labels[place] = { kind, by, probability, at };
  });
  annotation.nothing = saved.nothing;
  const lost = saved.blocks.filter(({ by }, i) => by === "human" && !places.has(i));
  return { annotation, lost: lost.slice(0, MAX_SIDECAR_BLOCKS - MAX_BLOCKS) };
}

/**
 * Blocks that the page had are aligned first, in the same order. Other blocks that a person labeled are
 * then found by their text, wherever they are.
 *
 * @param {Sidecar} saved
 * @param {string[]} texts of a page's blocks
 * @returns {Map<number, number>} per block of the annotation the index of its block in the page, if there
 *   is one
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

/** @param {Text} text @returns {string} the XPath of the element around it; "" inside a shadow tree */
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
