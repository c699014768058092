/** Labels the pages that content scripts send, and answers the toolbar button and the keys. */

import { tokens } from "../features/words.js";
import { labelPage } from "../labeling.js";
import { api, checkPage, withSharedPaths } from "./messages.js";
import { loadModel, readOptions } from "./store.js";

/** @import { Labeled, Page } from "../page.js" */
/** @import { Model } from "../labelers/model.js" */
/** @import { Summary } from "./messages.js" */

const UNREADABLE = "BoilerNet cannot read this page: the browser keeps extensions away from it.";
const COLOR = "#1b6e3c";
const ERROR_COLOR = "#a4262c";

/** @type {Promise<Model> | null} */
let model = null;

/** @returns {Promise<Model>} */
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
  for (const kind of labeled.kinds) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const summary = {
    model: labeled.model,
    confidence: labeled.confidence,
    source: labeled.source,
    words: words.reduce((sum, own) => sum + own, 0),
    keptWords: words.reduce((sum, own, i) => sum + (labeled.labels[i] === "content" ? own : 0), 0),
    blocks: page.blocks.length,
    kinds,
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
  ]).catch(() => {}); // the tab was closed meanwhile
}

/** @param {number} tabId @param {Omit<Summary, "shown" | "ms">} summary */
function showSummary(tabId, { confidence, keptWords, source, words }) {
  const percent = Math.round(confidence * 100);
  if (source === "nothing") return showBadge(tabId, "0", "BoilerNet finds no main text on this page.");
  const title = `BoilerNet keeps ${keptWords} of ${words} words, with a confidence of ${percent} %.`;
  return showBadge(tabId, `${percent}%`, `${title} Click to clear.`);
}

/**
 * Paints the tab's page, or clears it.
 *
 * @param {number} tabId
 * @returns {Promise<Summary | null>} null if the page cannot be read
 */
async function toggle(tabId) {
  try {
    const target = { tabId };
    await api.scripting.executeScript({ target, files: ["content.js"] });
    await api.scripting.insertCSS({ target, files: ["highlight.css"] });
  } catch {
    await showBadge(tabId, "!", UNREADABLE, ERROR_COLOR);
    return null;
  }
  const answer = await api.tabs.sendMessage(tabId, { type: "toggle" });
  if (answer.error) await showBadge(tabId, "!", `BoilerNet: ${answer.error}`, ERROR_COLOR);
  if (!answer.summary?.shown) {
    await api.scripting.removeCSS({ target: { tabId }, files: ["highlight.css"] });
    if (!answer.error) await showBadge(tabId, "", api.runtime.getManifest().action?.default_title ?? "");
  }
  return answer.summary ?? null;
}

/** @param {number} tab */
async function openReader(tab) {
  const summary = await api.tabs.sendMessage(tab, { type: "summary" }).catch(() => null);
  if (!summary?.shown && !(await toggle(tab))) return;
  const { index } = await api.tabs.get(tab);
  await api.tabs.create({ url: api.runtime.getURL(`reader.html?tab=${tab}`), index: index + 1 });
}

/** Shows the panel below the button; where a browser cannot, badge and title say the same. */
async function openPanel(/** @type {number} */ tabId) {
  await api.action.setPopup({ tabId, popup: "popup.html" });
  const opened = api.action.openPopup();
  // It belongs to this click alone: the next one clears. Some browsers never say that it is open.
  await api.action.setPopup({ tabId, popup: "" });
  await opened.catch(() => {}); // there is no window to show it in
}

api.action.onClicked.addListener(async (tab) => {
  if (tab.id === undefined) return;
  const summary = await toggle(tab.id);
  if (summary?.shown) await openPanel(tab.id);
});

api.commands.onCommand.addListener(async (command, tab) => {
  if (command === "reader" && tab?.id !== undefined) await openReader(tab.id);
});

/** @param {any} message @param {chrome.runtime.MessageSender} sender @returns {Promise<unknown>} */
async function answer(message, sender) {
  const isOwnPage = sender.url?.startsWith(api.runtime.getURL("")) ?? false;
  if (message?.type === "label" && sender.tab?.id !== undefined && sender.frameId === 0 && !isOwnPage) {
    const page = checkPage(message.page);
    const found = await label({ ...page, blocks: withSharedPaths(page.blocks) });
    await showSummary(sender.tab.id, found.summary);
    return found;
  }
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
