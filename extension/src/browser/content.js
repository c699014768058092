/**
 * Stands beside a page: reads its blocks, has them labeled, and paints them.
 *
 * It runs in a world of its own, of which the page sees nothing but the paint.
 */

import { blockify } from "../html/blockify.js";
import { documentOf } from "../output/document.js";
import { toMarkdown } from "../output/markdown.js";
import { toText } from "../output/text.js";
import { Paint } from "./highlight.js";
import { api } from "./messages.js";

/** @import { Labeled, Markup, Page } from "../page.js" */
/** @import { Content, Summary } from "./messages.js" */

/** After a change of the page it is read again once it was quiet for so long, then for longer. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

class Session {
  constructor() {
    this.paint = new Paint();
    /** @type {{page: Page, markup: Markup, labeled: Labeled, summary: Summary} | null} */
    this.found = null;
    this.observer = new MutationObserver((records) => this.changed(records));
    this.pauseMs = FIRST_PAUSE_MS;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** Rises with each reading and clearing, so that a late answer is known as such. */
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

  clear() {
    this.turn++;
    this.observer.disconnect();
    clearTimeout(this.timer);
    this.paint.clear();
    this.found = null;
  }

  /** Reads the page as it is now, has it labeled, and paints it. */
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
    this.paint.show(texts, labeled.kinds);
    const ms = { walk: walked - begin, label: answer.ms, paint: performance.now() - labeledAt };
    this.found = { page, markup, labeled, summary: { ...answer.summary, shown: true, ms } };
    this.observer.observe(document, { childList: true, characterData: true, subtree: true });
    return { summary: this.found.summary };
  }

  /** @param {MutationRecord[]} records */
  changed(records) {
    const isOwn = records.every(
      ({ addedNodes, removedNodes, type }) =>
        type === "childList" && [...addedNodes, ...removedNodes].every((node) => this.paint.isOwn(node)),
    );
    if (isOwn) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
      if (this.found) this.read().catch(() => this.clear()); // the extension was taken away
    }, this.pauseMs);
  }

  /** @returns {Content | null} */
  content() {
    if (!this.found) return null;
    const { page, markup, labeled, summary } = this.found;
    const kept = labeled.labels.map((label) => label === "content");
    const parts = documentOf(page, markup, kept);
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

  /** @param {unknown} type @returns {Promise<unknown>} */
  async answer(type) {
    if (type === "toggle") return this.toggle();
    if (type === "content") return this.content();
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
    session.answer(message?.type).then(respond, (error) => respond({ error: error.message }));
    return true; // the answer comes later
  });
}
