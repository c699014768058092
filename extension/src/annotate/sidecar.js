/**
 * An annotation as a file beside the page: what is in it, how it is checked, and how it comes back
 * to a page. `scrapy_boilernet/annotations/sidecar.py` reads it, and has the schema.
 */

import tables from "../tables.json" with { type: "json" };
import { aligned } from "./align.js";
import { Annotation, CHOICES } from "./annotation.js";

/** @import { Labeled, Page } from "../page.js" */
/** @import { Given } from "./annotation.js" */

const { BY, FROM } = tables["annotations.sidecar"];
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
 * @property {SidecarBlock[]} blocks In document order, all of the page.
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
  check(Array.isArray(own.blocks) && own.blocks.length <= MAX_BLOCKS, "blocks");
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
 * @param {{blocks: SidecarBlock[], nothing: boolean}} kept an annotation of the page as it was
 * @param {Page} page as it is now
 * @param {Labeled} labeled
 * @returns {{annotation: Annotation, lost: number}} with what was kept for each block that is still
 *   there, and how many blocks that a person labeled are not
 */
export function restored(kept, page, labeled) {
  const annotation = Annotation.of(labeled);
  const places = aligned(kept.blocks.map(({ text }) => text), page.blocks.map(({ text }) => text));
  let lost = 0;
  kept.blocks.forEach(({ at, by, kind, probability }, i) => {
    if (places[i] >= 0 && by !== "model") annotation.given[places[i]] = { kind, by, probability, at };
    else if (by === "human") lost++;
  });
  annotation.nothing = kept.nothing;
  return { annotation, lost };
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
