/** Labels the pages that content scripts send, and reacts to the toolbar button and the keys. */

import { tokens } from "../features/words.js";
import { labelPage } from "../labeling.js";
import { spreadLabels } from "../annotate/spread.js";
import { api, checkGiven, checkPage, withSharedPaths } from "./messages.js";
import { readAnnotation, saveAnnotation } from "./saved.js";
import { openSidePanel } from "./side_panel.js";
import { loadModel, readOptions } from "./store.js";

/** @import { Labeled, Page } from "../page.js" */
/** @import { Model } from "../labelers/model.js" */
/** @import { AnnotateRequest, Summary } from "./messages.js" */

const UNREADABLE = "BoilerNet cannot read this page: the browser does not let extensions read it.";
const COLOR = "#1b6e3c";
/** Pauses before each attempt: Chromium may report a click before it gives access to the tab. */
const PAUSES_MS = [0, 50, 200];
const ERROR_COLOR = "#a4262c";

/** @type {Promise<Model> | null} */
let model = null;

/** @returns {Promise<Model>} the model, which is loaded once */
function currentModel() {
  model ??= loadModel();
  model.catch(() => (model = null));
  return model;
}

/**
 * @param {Page} page
 * @returns {Promise<{labeled: Labeled, summary: Omit<Summary, "shown" | "ms">, ms: number}>}
 */
async function label(page) {
  const [loaded, options] = await Promise.all([currentModel(), readOptions()]);
  const begin = performance.now();
  const labeled = labelPage(page, loaded, options);
  const ms = performance.now() - begin;
  const words = page.blocks.map((block) => tokens(block.text).length);
  /** @type {Record<string, number>} */
  const kinds = {};
  /** @type {Record<string, number>} */
  const leftOut = {};
  labeled.kinds.forEach((kind, i) => {
    const counts = labeled.labels[i] === "content" ? kinds : leftOut;
    counts[kind] = (counts[kind] ?? 0) + 1;
  });
  const summary = {
    model: labeled.model,
    confidence: labeled.confidence,
    source: labeled.source,
    words: words.reduce((sum, number) => sum + number, 0),
    keptWords: words.reduce((sum, number, i) => sum + (labeled.labels[i] === "content" ? number : 0), 0),
    blocks: page.blocks.length,
    kinds,
    leftOut,
    overMaxBlocks: page.overMaxBlocks,
  };
  return { labeled, summary, ms };
}

/** @param {number} tabId @param {string} text @param {string} title @param {string} color */
async function showBadge(tabId, text, title, color = COLOR) {
  await Promise.all([
    api.action.setBadgeText({ tabId, text }),
    api.action.setBadgeBackgroundColor({ tabId, color }),
    api.action.setTitle({ tabId, title }),
  ]).catch(() => {}); // the tab was closed
}

/** @param {number} tabId @param {Omit<Summary, "shown" | "ms">} summary */
function showSummary(tabId, { confidence, keptWords, source, words }) {
  const percent = Math.round(confidence * 100);
  if (source === "nothing") return showBadge(tabId, "0", "BoilerNet finds no main text on this page.");
  const title = `BoilerNet keeps ${keptWords} of ${words} words, with a confidence of ${percent} %.`;
  return showBadge(tabId, `${percent}%`, `${title} Click to clear.`);
}

/**
 * @param {number} tabId
 * @returns {Promise<boolean>} whether the content script runs beside the tab's page
 */
async function inject(tabId) {
  const target = { tabId };
  for (const pauseMs of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      await api.scripting.executeScript({ target, files: ["content.js"] });
      await api.scripting.insertCSS({ target, files: ["highlight.css"] });
      return true;
    } catch {
      // It is tried again after the next pause.
    }
  }
  await showBadge(tabId, "!", UNREADABLE, ERROR_COLOR);
  return false;
}

/**
 * Paints the tab's page, or clears it.
 *
 * @param {number} tabId
 * @returns {Promise<Summary | null>} null if the page cannot be read
 */
async function toggle(tabId) {
  if (!(await inject(tabId))) return null;
  const answer = await api.tabs.sendMessage(tabId, { type: "toggle" });
  if (answer.error) await showBadge(tabId, "!", `BoilerNet: ${answer.error}`, ERROR_COLOR);
  if (!answer.summary?.shown) {
    await api.scripting.removeCSS({ target: { tabId }, files: ["highlight.css"] });
    if (!answer.error) await showBadge(tabId, "", api.runtime.getManifest().action?.default_title ?? "");
  }
  return answer.summary ?? null;
}

/** Opens the reader view of a tab, whose page is painted first. @param {number} tab */
async function openReader(tab) {
  const summary = await api.tabs.sendMessage(tab, { type: "summary" }).catch(() => null);
  if (!summary?.shown && !(await toggle(tab))) return;
  const { index } = await api.tabs.get(tab);
  await api.tabs.create({ url: api.runtime.getURL(`reader.html?tab=${tab}`), index: index + 1 });
}

/** Shows the panel below the button. If a browser cannot do this, the badge and the title have the result. */
async function openPanel(/** @type {number} */ tabId) {
  // The popup removes itself from the button when it opens, so that the next click clears the page.
  await api.action.setPopup({ tabId, popup: "popup.html" });
  await api.action.openPopup().catch(() => api.action.setPopup({ tabId, popup: "" }));
}

api.action.onClicked.addListener(async (tab) => {
  if (tab.id === undefined) return;
  const summary = await toggle(tab.id);
  if (summary?.shown) await openPanel(tab.id);
});

api.commands.onCommand.addListener(async (command, tab) => {
  if (command === "panel" && tab) await openSidePanel(tab);
  if (command === "reader" && tab?.id !== undefined) await openReader(tab.id);
});

/**
 * Passes a request of the panel to the content script.
 *
 * @param {number} tabId
 * @param {AnnotateRequest} request
 * @returns {Promise<unknown>} the answer; null if there is none, or the page is not being annotated
 */
async function annotate(tabId, request) {
  if (request.do === "start" || request.do === "show") {
    if (!(await inject(tabId))) return { error: UNREADABLE };
  }
  if (request.do === "start") await setAnnotating(tabId, true);
  return api.tabs.sendMessage(tabId, { type: "annotate", request }).catch(() => null);
}

/**
 * @param {number} tabId
 * @param {boolean} isOn whether a person annotates a page in this tab from now on
 */
async function setAnnotating(tabId, isOn) {
  const { annotating = [] } = await api.storage.session.get("annotating");
  const others = /** @type {number[]} */ (annotating).filter((other) => other !== tabId);
  await api.storage.session.set({ annotating: isOn ? [...others, tabId] : others });
}

/**
 * The check is needed because a content script may send any address.
 *
 * @param {chrome.runtime.MessageSender} sender
 * @param {unknown} url
 * @returns {Promise<boolean>} whether a person annotates a page in the sender's tab, and the address has
 *   the origin of the sender's page
 */
async function isAnnotating({ tab, url: senderUrl = "" }, url) {
  const { annotating = [] } = await api.storage.session.get("annotating");
  const isSameOrigin = URL.canParse(String(url)) && new URL(String(url)).origin === new URL(senderUrl).origin;
  return isSameOrigin && /** @type {number[]} */ (annotating).includes(tab?.id ?? -1);
}

/**
 * @param {any} message
 * @param {chrome.runtime.MessageSender} sender
 * @returns {Promise<unknown>} the answer to a content script
 */
async function answerContentScript(message, sender) {
  if (message?.type === "label") {
    const page = checkPage(message.page);
    const found = await label({ ...page, blocks: withSharedPaths(page.blocks) });
    await showSummary(sender.tab?.id ?? -1, found.summary);
    return found;
  }
  if (message?.type === "spread") {
    const page = checkPage(message.page);
    return { probabilities: Array.from(spreadLabels(page, checkGiven(message.given, page))) };
  }
  if (message?.type === "saved" && (await isAnnotating(sender, message.url))) {
    return { sidecar: await readAnnotation(message.url, String(message.annotator)) };
  }
  if (message?.type === "save" && (await isAnnotating(sender, message.sidecar?.url))) {
    const { page } = await saveAnnotation(message.sidecar, message.bytes);
    if (message.state === null) await setAnnotating(sender.tab?.id ?? -1, false);
    return { page };
  }
  throw new TypeError(`no such message: ${String(message?.type).slice(0, 50)}`);
}

/** @param {any} message @param {chrome.runtime.MessageSender} sender @returns {Promise<unknown>} */
async function answer(message, sender) {
  const isOwnPage = sender.url?.startsWith(api.runtime.getURL("")) ?? false;
  if (!isOwnPage && sender.tab?.id !== undefined && sender.frameId === 0) return answerContentScript(message, sender);
  if (isOwnPage && message?.type === "annotate") return annotate(Number(message.tab), message.request);
  if (isOwnPage && message?.type === "toggle") return toggle(Number(message.tab));
  if (isOwnPage && message?.type === "reader") return openReader(Number(message.tab));
  if (isOwnPage && message?.type === "model") {
    model = null;
    return { name: (await currentModel()).spec.name };
  }
  throw new TypeError(`no such message: ${String(message?.type).slice(0, 50)}`);
}

api.runtime.onMessage.addListener((message, sender, respond) => {
  if (sender.id !== api.runtime.id) return false;
  answer(message, sender).then(respond, (error) => respond({ error: error.message }));
  return true; // the answer comes later
});
