/**
 * What the parts of the extension tell each other, and the check of what a page's side sends.
 *
 * Messages come from this extension alone: web pages have no way to send any. The content script
 * stands beside a page, though, in a process that a hostile page may take over; so what it sends is
 * checked like any other input.
 *
 * @import { Labeled, Markup, Page } from "../page.js"
 * @import { Part } from "../output/document.js"
 * @import { Choice } from "../annotate/annotation.js"
 * @import { Bytes } from "../annotate/sidecar.js"
 *
 * @typedef {{page: Page, texts: Text[][], markup: Markup, labeled: Labeled, summary: Summary}} Found A
 *   labeled page, with the text nodes of each block.
 *
 * @typedef {object} AnnotateRequest What a key or the panel asks of the page's side.
 * @property {"label" | "toggle" | "undo" | "redo" | "nothing" | "finish" | "spread" | "next" | "choose"
 *   | "wider" | "narrower" | "stop" | "state" | "start" | "rows" | "show"} do
 * @property {Choice} [kind]
 * @property {number[]} [blocks] If not those that are chosen on the page.
 * @property {string} [annotator]
 * @property {{text: string, kind: string}[]} [labels] Of a crawl's output, to be shown.
 *
 * @typedef {object} AnnotationState What the panel shows.
 * @property {string} url
 * @property {string} annotator
 * @property {number} blocks
 * @property {number} byHuman
 * @property {Record<string, number>} counts How many blocks there are of each kind.
 * @property {boolean} nothing
 * @property {boolean} finished
 * @property {number} lost How many blocks that a person labeled the page no longer has.
 * @property {Bytes | null} page
 * @property {string} error
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {number[]} chosen
 * @property {string} chosenText
 *
 * @typedef {object} Summary What is shown of a labeled page in a few words.
 * @property {boolean} shown Whether the page is painted.
 * @property {string} model
 * @property {number} confidence
 * @property {string} source
 * @property {number} words
 * @property {number} keptWords
 * @property {number} blocks
 * @property {Record<string, number>} kinds How many blocks there are of each kind.
 * @property {boolean} overMaxBlocks
 * @property {{walk: number, label: number, paint: number}} ms
 *
 * @typedef {object} Content What the reader view shows.
 * @property {string} title
 * @property {string} url
 * @property {string} lang
 * @property {string} dir
 * @property {Part[]} parts
 * @property {string} text
 * @property {string} markdown
 * @property {Summary} summary
 */

import tables from "../tables.json" with { type: "json" };

/** The extension's interface, which Firefox also calls `browser`. */
export const api = /** @type {typeof chrome} */ (/** @type {any} */ (globalThis).browser ?? chrome);

const { MAX_BLOCKS } = tables.options;
const { MAX_ANCESTORS } = tables["html.paths"];
const { MAX_WORDS } = tables["html.head"];
const MOST_CHARS = 20_000_000;

/**
 * @param {unknown} value
 * @returns {Page} the same, known to be a page
 * @throws {TypeError} naming what is wrong
 */
export function checkPage(value) {
  const page = /** @type {any} */ (value);
  let chars = 0;
  /** @type {(isRight: unknown, what: string) => void} */
  const check = (isRight, what) => {
    if (!isRight) throw new TypeError(`the page's side sent no page: ${what}`);
  };
  const isText = (/** @type {unknown} */ own) => {
    if (typeof own !== "string") return false;
    chars += own.length;
    return chars <= MOST_CHARS;
  };
  const isCount = (/** @type {unknown} */ own) => Number.isSafeInteger(own) && Number(own) >= 0;
  const isFlag = (/** @type {unknown} */ own) => typeof own === "boolean";
  check(page !== null && typeof page === "object", "it is no object");
  check(isText(page.url) && isText(page.title) && isFlag(page.overMaxBlocks), "its fields");
  const head = page.head ?? {};
  check(isText(head.description) && isText(head.articleBody), "its head");
  check(Array.isArray(head.words) && head.words.length <= MAX_WORDS, "its head's words");
  check(head.words.every(isText), "its head's words");
  check(Array.isArray(page.blocks) && page.blocks.length <= MAX_BLOCKS, "its blocks");
  /** Paths that blocks share come as copies; each is checked. @type {(path: any, is: (own: unknown) => boolean) => boolean} */
  const isPath = (path, is) => Array.isArray(path) && path.length <= MAX_ANCESTORS && path.every(is);
  for (const block of page.blocks) {
    check(block !== null && typeof block === "object", "a block");
    check(isText(block.text) && block.text !== "" && isText(block.preformatted), "a block's text");
    check(isPath(block.tags, isText) && isPath(block.classWords, isText), "a block's path");
    check(isPath(block.nodes, isCount) && block.nodes.length > 0, "a block's elements");
    const isParallel = [block.classWords, block.nodes].every((own) => own.length === block.tags.length);
    check(isParallel, "a block's path");
    check(isCount(block.linkChars) && isFlag(block.hidden) && isFlag(block.noscript), "a block");
  }
  return page;
}

/**
 * @param {unknown} value pairs of a block and whether it is content
 * @param {Page} page
 * @returns {Map<number, boolean>}
 * @throws {TypeError} if there is anything else
 */
export function checkGiven(value, page) {
  const isPair = (/** @type {any} */ pair) =>
    Array.isArray(pair) && pair[0] in page.blocks && typeof pair[1] === "boolean";
  if (!Array.isArray(value) || !value.every(isPair)) throw new TypeError("the page's side sent no labels");
  return new Map(value);
}

/** @param {Page["blocks"]} blocks @returns {Page["blocks"]} in which equal paths are the same array again */
export function withSharedPaths(blocks) {
  /** @type {Map<string, string[]>} */
  const known = new Map();
  const shared = (/** @type {string[]} */ path) => {
    const key = path.join("\n");
    const own = known.get(key);
    if (!own) known.set(key, path);
    return own ?? path;
  };
  return blocks.map((block) => ({
    ...block,
    tags: shared(block.tags),
    classWords: shared(block.classWords),
  }));
}
