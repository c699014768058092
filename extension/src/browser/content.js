/**
 * The content script: reads a page's blocks, gets their labels from the background, and paints them.
 *
 * It runs in an isolated world, of which the page sees only the paint.
 */

import { aligned } from "../annotate/align.js";
import { blockify } from "../html/blockify.js";
import { besideOf } from "../output/beside.js";
import { documentOf } from "../output/document.js";
import { toMarkdown } from "../output/markdown.js";
import { toText } from "../output/text.js";
import { Annotator } from "./annotator.js";
import { Paint, paintOf } from "./highlight.js";
import { api } from "./messages.js";

/** @import { Label } from "../page.js" */
/** @import { AnnotateRequest, Content, CrawledLabel, Found } from "./messages.js" */

/** How long a page must be unchanged before it is read again. Each time, the pause doubles. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

class Session {
  constructor() {
    this.paint = new Paint();
    /** @type {Found | null} */
    this.found = null;
    /** @type {Annotator | null} */
    this.annotator = null;
    /** The labels of a crawl, if they are shown. @type {CrawledLabel[] | null} */
    this.crawled = null;
    this.observer = new MutationObserver((records) => this.changed(records));
    this.pauseMs = FIRST_PAUSE_MS;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** Grows with each reading and clearing, so that late answers can be ignored. */
    this.turn = 0;
  }

  /** Paints the page, or clears it. */
  async toggle() {
    if (this.found) {
      this.clear();
      return { summary: { shown: false } };
    }
    this.pauseMs = FIRST_PAUSE_MS;
    return this.read();
  }

  /** Stops everything, and removes the paint. */
  clear() {
    this.turn++;
    this.annotator?.stop();
    this.observer.disconnect();
    clearTimeout(this.timer);
    this.paint.clear();
    this.crawled = null;
    this.found = null;
  }

  /** Reads the page as it is now, gets its labels, and paints it. */
  async read() {
    const turn = ++this.turn;
    const begin = performance.now();
    const { page, texts, markup } = blockify(document);
    const walked = performance.now();
    const answer = await api.runtime.sendMessage({ type: "label", page });
    if (turn !== this.turn) return { summary: this.found?.summary ?? { shown: false } };
    if (answer.error) return answer;
    const { labeled } = answer;
    const labeledAt = performance.now();
    const ms = { walk: walked - begin, label: answer.ms, paint: 0 };
    this.found = { page, texts, markup, labeled, summary: { ...answer.summary, shown: true, ms } };
    this.show();
    ms.paint = performance.now() - labeledAt;
    await this.annotator?.changed(this.found);
    this.observer.observe(document, { childList: true, characterData: true, subtree: true });
    return { summary: this.found.summary };
  }

  /**
   * Reads the page again after a pause, unless the extension itself made the changes.
   *
   * @param {MutationRecord[]} records
   */
  changed(records) {
    const isOwn = records.every(
      ({ addedNodes, removedNodes, type }) =>
        type === "childList" && [...addedNodes, ...removedNodes].every((node) => this.isOwn(node)),
    );
    if (isOwn) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
      if (this.found) this.read().catch(() => this.clear()); // the extension was removed
    }, this.pauseMs);
  }

  /** @param {Node} node @returns {boolean} whether the extension added it */
  isOwn(node) {
    return this.paint.isOwn(node) || this.annotator?.outline.host === node;
  }

  /**
   * @param {AnnotateRequest} request
   * @returns {Promise<unknown>} the state of the annotation; null if the page is not being annotated
   */
  async annotate(request) {
    if (request.do === "start" && !this.annotator) {
      if (!this.found) await this.toggle();
      if (!this.found) return null;
      this.annotator = new Annotator(this.found, this.paint, String(request.annotator), () => {
        this.annotator = null;
        this.show();
      });
      await this.annotator.start();
    }
    if (request.do === "show") return this.showLabels(request.labels ?? []);
    if (request.do === "rows") return this.annotator?.rows() ?? null;
    if (request.do === "rule") return this.annotator?.rule() ?? null;
    return this.annotator?.act(request.do === "start" ? { do: "state" } : request) ?? null;
  }

  /**
   * Paints the labels of a crawl.
   *
   * @param {CrawledLabel[]} labels
   * @returns {Promise<{shown: number, missing: number}>} how many of the labels belong to blocks that the
   *   page has, and how many do not
   */
  async showLabels(labels) {
    if (!this.found) await this.toggle();
    this.crawled = labels;
    const shown = this.show();
    return { shown, missing: labels.length - shown };
  }

  /**
   * Paints the labels of the model, or of a crawl.
   *
   * @returns {number} how many blocks have a label of the crawl
   */
  show() {
    if (!this.found || this.annotator) return 0;
    const { labeled, page, texts } = this.found;
    const crawled = this.crawled;
    if (!crawled) {
      this.paint.show(texts, labeled.kinds.map((kind, i) => [paintOf(kind, labeled.labels[i] === "content")]));
      return 0;
    }
    const places = aligned(page.blocks.map(({ text }) => text), crawled.map(({ text }) => text));
    const names = Array.from(places, (place) => (place < 0 ? [] : [paintOf(crawled[place].kind, crawled[place].isKept)]));
    this.paint.show(texts, names);
    return places.filter((place) => place >= 0).length;
  }

  /** @returns {Content | null} null if the page is not painted */
  content() {
    if (!this.found) return null;
    const { page, markup, labeled, summary } = this.found;
    const kept = labeled.labels.map((label) => label === "content");
    const pageBytes = document.documentElement.outerHTML.length;
    const parts = documentOf(page, markup, kept, pageBytes, besideOf(page, labeled.kinds, kept, labeled.beside));
    const root = document.documentElement;
    return {
      title: page.title,
      url: page.url,
      lang: root.lang,
      dir: getComputedStyle(document.body ?? root).direction,
      parts,
      text: toText(page.blocks.filter((_, i) => kept[i])),
      markdown: toMarkdown(parts),
      summary,
    };
  }

  /**
   * @returns {{texts: string[], labels: Label[]} | null} the texts and labels of all blocks, for
   *   the test bed
   */
  labeled() {
    if (!this.found) return null;
    const { labeled, page } = this.found;
    return { texts: page.blocks.map(({ text }) => text), labels: labeled.labels };
  }

  /** @param {any} message @returns {Promise<unknown>} */
  async answer({ request, type }) {
    if (type === "annotate") return this.annotate(request);
    if (type === "toggle") return this.toggle();
    if (type === "content") return this.content();
    if (type === "labeled") return this.labeled();
    if (type === "summary") return this.found?.summary ?? { shown: false };
    throw new TypeError(`no such message: ${type}`);
  }
}

const world = /** @type {{boilernetSession?: Session}} */ (globalThis);
if (!world.boilernetSession) {
  const session = new Session();
  world.boilernetSession = session;
  api.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== api.runtime.id) return false;
    session.answer(message ?? {}).then(respond, (error) => respond({ error: error.message }));
    return true; // the answer comes later
  });
}
