/** The panel below the toolbar button: the figures of the page, and buttons for what to do next. */

import { byId, make } from "./elements.js";
import { PAINTED } from "./highlight.js";
import { api } from "./messages.js";
import { openSidePanel } from "./side_panel.js";

/** @import { Content, Summary } from "./messages.js" */

const NAMES = { title: "Title", main: "Main text", caption: "Captions", comment: "Comments" };

/** @param {Summary} summary */
function show({ confidence, keptWords, kinds, leftOut, model, overMaxBlocks, source, words }) {
  const number = new Intl.NumberFormat();
  const percent = Math.round(confidence * 100);
  byId("words").textContent =
    source === "nothing" ? "No main text" : `${number.format(keptWords)} of ${number.format(words)} words`;
  byId("confidence").textContent =
    source === "nothing"
      ? "The model finds no main text on this page."
      : `kept, with a confidence of ${percent} %${source === "model" ? "" : `, by the fallback ${source}`}`;
  byId("meter").style.width = `${percent}%`;
  byId("legend").replaceChildren(
    ...PAINTED.filter((kind) => kinds[kind] || leftOut[kind]).map((kind) => {
      const sample = make("span");
      sample.className = kinds[kind] ? kind : `${kind} left-out`;
      const others = leftOut[kind] ? `, left out: ${number.format(leftOut[kind])}` : "";
      return make("li", sample, `${NAMES[kind]}: ${number.format(kinds[kind] ?? 0)}${others}`);
    }),
  );
  byId("model").textContent = `Model ${model}`;
  if (overMaxBlocks) byId("message").textContent = "The page is too long: only its beginning was read.";
}

/** @param {number} tab @param {"text" | "markdown"} form */
async function copy(tab, form) {
  const content = /** @type {Content | null} */ (await api.tabs.sendMessage(tab, { type: "content" }));
  await navigator.clipboard.writeText(content?.[form] ?? "");
  byId("message").textContent = form === "text" ? "The text is copied." : "The Markdown is copied.";
}

const [shown] = await api.tabs.query({ active: true, currentWindow: true });
const { id: tab = -1 } = shown;
await api.action.setPopup({ tabId: tab, popup: "" });
const summary = await api.tabs.sendMessage(tab, { type: "summary" }).catch(() => null);
if (summary?.shown) show(summary);
else byId("words").textContent = "The page has changed: close this and press the button again.";

byId("text").addEventListener("click", () => copy(tab, "text"));
byId("markdown").addEventListener("click", () => copy(tab, "markdown"));
byId("reader").addEventListener("click", async () => {
  await api.runtime.sendMessage({ type: "reader", tab });
  close();
});
byId("correct").addEventListener("click", async () => {
  await openSidePanel(shown);
  close();
});
byId("clear").addEventListener("click", async () => {
  await api.runtime.sendMessage({ type: "toggle", tab });
  close();
});
