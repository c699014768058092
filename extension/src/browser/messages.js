/**
 * The messages between the parts of the extension, and the checks of messages from content scripts.
 *
 * All messages come from this extension: web pages cannot send any. But a content script runs in the
 * process of its page, which a hostile page may take over. So its messages are checked like any other
 * input.
 *
 * @import { Labeled, Markup, Page } from "../page.js"
 * @import { Part } from "../output/document.js"
 * @import { Choice } from "../annotate/annotation.js"
 * @import { Bytes } from "../annotate/sidecar.js"
 *
 * @typedef {{page: Page, texts: Text[][], markup: Markup, labeled: Labeled, summary: Summary}} Found A
 *   labeled page, with the text nodes of each block.
 *
 * @typedef {{text: string, kind: string, isKept: boolean}} CrawledLabel The label of a block of a crawl.
 *
 * @typedef {object} AnnotateRequest A request of a key or the panel to the content script.
 * @property {"label" | "toggle" | "undo" | "redo" | "nothing" | "finish" | "spread" | "next" | "choose"
 *   | "wider" | "narrower" | "stop" | "state" | "start" | "rows" | "rule" | "show"} do
 * @property {Choice} [kind]
 * @property {number[]} [blocks] By default the blocks that are chosen on the page.
 * @property {string} [annotator]
 * @property {CrawledLabel[]} [labels] The labels of a crawl, which are shown.
 *
 * @typedef {object} AnnotationState The state of an annotation, which the panel shows.
 * @property {string} url
 * @property {string} annotator
 * @property {number} blocks
 * @property {number} byHuman How many blocks a person labeled.
 * @property {Record<string, number>} counts How many blocks there are of each kind.
 * @property {boolean} nothing
 * @property {boolean} finished
 * @property {number} lost How many blocks a person labeled that the page lost.
 * @property {Bytes | null} page
 * @property {string} error
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {number[]} chosen The blocks that keys apply to.
 * @property {string} chosenText The beginning of the first of them; "" if there is none.
 *
 * @typedef {object} Summary The figures of a labeled page.
 * @property {boolean} shown Whether the page is painted.
 * @property {string} model
 * @property {number} confidence
 * @property {string} source
 * @property {number} words
 * @property {number} keptWords
 * @property {number} blocks
 * @property {Record<string, number>} kinds How many blocks of each kind are content.
 * @property {Record<string, number>} leftOut How many blocks of each kind are not.
 * @property {boolean} overMaxBlocks
 * @property {{walk: number, label: number, paint: number}} ms The milliseconds of each step.
 *
 * @typedef {object} Content The kept content of a page, which the reader view shows.
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

/** The API for extensions, which Firefox also calls `browser`. */
export const api = /** @type {typeof chrome} */ (/** @type {any} */ (globalThis).browser ?? chrome);

const { MAX_BLOCKS } = tables.options;
const { MAX_ANCESTORS } = tables["html.paths"];
const { MAX_WORDS } = tables["html.head"];
const MAX_CHARS = 20_000_000;

/**
 * @param {unknown} value
 * @returns {Page} the value, if it is a page
 * @throws {TypeError} whose message names the field that is wrong
 */
export function checkPage(value) {
  const page = /** @type {any} */ (value);
  let chars = 0;
  /** @type {(isRight: unknown, what: string) => void} */
  const check = (isRight, what) => {
    if (!isRight) throw new TypeError(`the content script sent an invalid page: ${what}`);
  };
  const isText = (/** @type {unknown} */ text) => {
    if (typeof text !== "string") return false;
    chars += text.length;
    return chars <= MAX_CHARS;
  };
  const isCount = (/** @type {unknown} */ number) => Number.isSafeInteger(number) && Number(number) >= 0;
  const isFlag = (/** @type {unknown} */ flag) => typeof flag === "boolean";
  check(page !== null && typeof page === "object", "not an object");
  check(isText(page.url) && isText(page.title) && isFlag(page.overMaxBlocks), "its fields");
  const head = page.head ?? {};
  check(isText(head.description) && isText(head.articleBody), "its head");
  check(Array.isArray(head.words) && head.words.length <= MAX_WORDS, "its head's words");
  check(head.words.every(isText), "its head's words");
  check(Array.isArray(page.blocks) && page.blocks.length <= MAX_BLOCKS, "its blocks");
  /** Each block has its own copy of a shared path, so each is checked. @type {(path: any, isStep: (step: unknown) => boolean) => boolean} */
  const isPath = (path, isStep) => Array.isArray(path) && path.length <= MAX_ANCESTORS && path.every(isStep);
  for (const block of page.blocks) {
    check(block !== null && typeof block === "object", "a block");
    check(isText(block.text) && block.text !== "" && isText(block.preformatted), "a block's text");
    check(isPath(block.tags, isText) && isPath(block.classWords, isText), "a block's path");
    check(isPath(block.nodes, isCount) && block.nodes.length > 0, "a block's elements");
    const isParallel = [block.classWords, block.nodes].every((path) => path.length === block.tags.length);
    check(isParallel, "a block's path");
    check(isCount(block.linkChars) && isFlag(block.hidden) && isFlag(block.noscript), "a block");
  }
  return page;
}

/**
 * @param {unknown} value pairs of a block and whether it is content
 * @param {Page} page
 * @returns {Map<number, boolean>} per block whether it is content
 * @throws {TypeError} if the value is anything else
 */
export function checkGiven(value, page) {
  const isPair = (/** @type {any} */ pair) =>
    Array.isArray(pair) && pair[0] in page.blocks && typeof pair[1] === "boolean";
  if (!Array.isArray(value) || !value.every(isPair)) throw new TypeError("the content script sent invalid labels");
  return new Map(value);
}

/**
 * @param {Page["blocks"]} blocks
 * @returns {Page["blocks"]} the blocks; equal paths are one array again, as before they were sent
 */
export function withSharedPaths(blocks) {
  /** @type {Map<string, string[]>} */
  const known = new Map();
  const shared = (/** @type {string[]} */ path) => {
    const key = path.join("\n");
    const first = known.get(key);
    if (!first) known.set(key, path);
    return first ?? path;
  };
  return blocks.map((block) => ({
    ...block,
    tags: shared(block.tags),
    classWords: shared(block.classWords),
  }));
}
