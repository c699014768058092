/** The side panel, in which a person corrects labels, opens a list of pages and downloads annotations. */

import { CHOICES } from "../annotate/annotation.js";
import { requestOf } from "../annotate/keys.js";
import { byId, make } from "./elements.js";
import { api } from "./messages.js";
import { advanceQueue, openPage, readQueue, startQueue } from "./queue.js";
import { dropAnnotation, packed, readAnnotations } from "./saved.js";

/** @import { Choice } from "../annotate/annotation.js" */
/** @import { AnnotateRequest, AnnotationState } from "./messages.js" */

const NAMES = /** @type {Record<Choice, [string, string]>} */ ({
  main: ["Content", "c"],
  boilerplate: ["Boilerplate", "b"],
  title: ["Title", "t"],
  caption: ["Caption", "p"],
  comment: ["Comment", "m"],
});
const MAX_ROWS = 5000;

/** The tab to correct, if the panel was opened for it as a page. @type {number | null} */
const givenTab = Number(new URLSearchParams(location.search).get("tab")) || null;

/** @param {string} text @param {boolean} isError */
function showMessage(text, isError = false) {
  byId("message").textContent = text;
  byId("message").className = isError ? "error" : "soft";
}

/** @returns {Promise<number>} the tab whose page is corrected */
async function currentTab() {
  if (givenTab !== null) return givenTab;
  const [tab] = await api.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? -1;
}

/** @param {AnnotateRequest} request @returns {Promise<any>} the answer of the content script */
async function ask(request) {
  return api.runtime.sendMessage({ type: "annotate", tab: await currentTab(), request });
}

/** Sends a request, and shows the new state. @param {AnnotateRequest} request */
async function act(request) {
  const state = await ask(request);
  if (request.do === "stop") return show(null);
  show(state?.url ? state : null);
  if (state?.error) showMessage(state.error, true);
  return state;
}

/** @param {AnnotationState | null} state null if the page is not being annotated */
function show(state) {
  byId("work").hidden = !state;
  byId("start").hidden = Boolean(state);
  byId("stop").hidden = !state;
  if (!state) return showMessage("");
  const number = new Intl.NumberFormat();
  const kept = state.nothing ? 0 : state.blocks - (state.counts.boilerplate ?? 0);
  byId("progress").textContent =
    `${number.format(kept)} of ${number.format(state.blocks)} blocks are kept; ` +
    `you labeled ${number.format(state.byHuman)}.`;
  byId("chosen").textContent = state.chosenText ? `“${state.chosenText}”` : "Point at a text of the page.";
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#kinds button"))) {
    button.disabled = !state.chosen.length;
  }
  byId("work").querySelectorAll("[data-do=undo], [data-do=redo]").forEach((button) => {
    const isUndo = /** @type {HTMLElement} */ (button).dataset.do === "undo";
    /** @type {HTMLButtonElement} */ (button).disabled = !(isUndo ? state.canUndo : state.canRedo);
  });
  /** @type {HTMLInputElement} */ (byId("nothing")).checked = state.nothing;
  /** @type {HTMLInputElement} */ (byId("finish")).checked = state.finished;
  const lost = state.lost ? `Your labels of ${number.format(state.lost)} blocks that are no longer on the page are kept. ` : "";
  const page = state.page?.from === "dom" ? "The page is saved as the browser shows it. " : "";
  showMessage(lost + page + (state.page ? "Saved." : ""));
}

/** Lists all blocks with their labels, so that a person can change them without clicking on the page. */
async function showRows() {
  const rows = (await ask({ do: "rows" })) ?? [];
  byId("rows").replaceChildren(
    ...rows.slice(0, MAX_ROWS).map((/** @type {{text: string, kind: Choice, by: string, why: string}} */ row, /** @type {number} */ i) => {
      const select = /** @type {HTMLSelectElement} */ (make("select"));
      for (const kind of CHOICES) select.append(new Option(NAMES[kind][0], kind, false, kind === row.kind));
      select.addEventListener("change", () => act({ do: "label", blocks: [i], kind: /** @type {Choice} */ (select.value) }));
      const text = make("button", row.text);
      text.className = `text ${row.kind}${row.by === "human" ? " human" : ""}`;
      text.title = row.why;
      text.addEventListener("click", () => act({ do: "choose", blocks: [i] }));
      return make("li", text, select);
    }),
  );
}

/** Shows how many pages of the list were opened. */
async function showQueue() {
  const { at, urls } = await readQueue();
  byId("following").hidden = at >= urls.length;
  byId("queued").textContent = urls.length ? `${Math.min(at, urls.length)} of ${urls.length} pages opened` : "";
}

/** Lists the saved annotations. */
async function showSaved() {
  const sidecars = await readAnnotations();
  byId("saved").replaceChildren(
    ...sidecars.map((sidecar) => {
      const open = make("button", sidecar.title || sidecar.url);
      open.className = "text";
      open.title = sidecar.url;
      open.addEventListener("click", () => go(sidecar.url));
      const drop = make("button", "Delete");
      drop.addEventListener("click", async () => {
        if (!confirm("Delete the labels of this page?")) return;
        await dropAnnotation(sidecar);
        await showSaved();
      });
      const about = make("span", `${sidecar.annotator}${sidecar.finished ? ", done" : ""}`);
      about.className = "soft";
      return make("li", open, about, drop);
    }),
  );
  /** @type {HTMLButtonElement} */ (byId("download")).disabled = !sidecars.length;
}

/** Asks for the person's name if it is missing. @returns {string} the name, or "" */
function annotator() {
  const name = /** @type {HTMLInputElement} */ (byId("annotator")).value.trim();
  if (name) api.storage.local.set({ annotator: name });
  else showMessage("Enter your name first. It is saved with your labels.", true);
  return name;
}

/** Begins the annotation of the current page. */
async function start() {
  const name = annotator();
  if (!name) return;
  const state = await act({ do: "start", annotator: name });
  if (!state) showMessage("This page cannot be read. Press the toolbar button on it first.", true);
  await showSaved();
}

/** Opens a page in the tab and begins the annotation. @param {string} url */
async function go(url) {
  if (!annotator()) return;
  if (!(await openPage(await currentTab(), url))) showMessage(noAccess(url), true);
  else await start();
}

/** @param {string} url @returns {string} the message that its site may not be read */
function noAccess(url) {
  return `The extension may not read ${url}.`;
}

byId("kinds").append(
  ...CHOICES.map((kind) => {
    const button = make("button", `${NAMES[kind][0]} `, make("kbd", NAMES[kind][1]));
    button.className = kind;
    button.addEventListener("click", () => act({ do: "label", kind }));
    return button;
  }),
);
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-do]"))) {
  button.addEventListener("click", () => act(/** @type {any} */ ({ do: button.dataset.do })));
}
byId("start").addEventListener("click", start);
byId("stop").addEventListener("click", () => act({ do: "stop" }));
byId("nothing").addEventListener("change", () => act({ do: "nothing" }));
byId("finish").addEventListener("change", () => act({ do: "finish" }).then(showSaved));
document.addEventListener("keydown", (event) => {
  const request = byId("work").hidden ? undefined : requestOf(event);
  if (!request) return;
  event.preventDefault();
  act(request);
});
document.querySelector("details")?.addEventListener("toggle", showRows);
byId("queue").addEventListener("click", async () => {
  if (!annotator()) return;
  const urls = /** @type {HTMLTextAreaElement} */ (byId("urls")).value.split("\n").map((url) => url.trim()).filter(Boolean);
  const problem = await startQueue(urls);
  if (problem) showMessage(problem, true);
  else byId("following").click();
  await showQueue();
});
byId("following").addEventListener("click", async () => {
  const url = await advanceQueue();
  if (url) await go(url);
  await showQueue();
});
byId("download").addEventListener("click", async () => {
  const link = /** @type {HTMLAnchorElement} */ (make("a"));
  link.href = URL.createObjectURL(new Blob([await packed()], { type: "application/zip" }));
  link.download = "annotations.zip";
  link.click();
});
byId("rule").addEventListener("click", async () => {
  const rule = (await ask({ do: "rule" }))?.rule;
  if (rule) await navigator.clipboard.writeText(rule);
  showMessage(rule ? `Copied: ${rule}` : "No selector keeps what is content: correct this page first.", !rule);
});
byId("crawl").addEventListener("change", async () => {
  const file = /** @type {HTMLInputElement} */ (byId("crawl")).files?.[0];
  const items = file ? itemsOf(await file.text()) : [];
  if (!items.length) showMessage("No line of this file has url and block_labels.", true);
  byId("crawled").replaceChildren(
    ...items.map(({ block_labels: labels, url }) => {
      const open = make("button", url);
      open.className = "text";
      open.addEventListener("click", async () => {
        if (!(await openPage(await currentTab(), url))) return showMessage(noAccess(url), true);
        const crawled = labels.map(({ kind, label, text }) => {
          const isKept = label ? label === "content" : !!kind && kind !== "boilerplate" && kind !== "hidden";
          return { text, kind: kind ?? (isKept ? "main" : "boilerplate"), isKept };
        });
        const answer = await ask({ do: "show", labels: crawled });
        showMessage(answer?.error ?? `${answer.shown} blocks are shown as the crawl labeled them; ${answer.missing} are not on the page.`);
      });
      return make("li", open);
    }),
  );
});

/**
 * @param {string} text JSON lines
 * @returns {{url: string, block_labels: {text: string, label?: string, kind?: string}[]}[]} the items with labels
 */
function itemsOf(text) {
  return text.split("\n").flatMap((line) => {
    try {
      const item = JSON.parse(line);
      const isRight =
        typeof item.url === "string" && Array.isArray(item.block_labels) &&
        item.block_labels.every((/** @type {any} */ row) => typeof row?.text === "string");
      return isRight ? [item] : [];
    } catch {
      return [];
    }
  });
}

api.runtime.onMessage.addListener((message, sender) => {
  if (sender.id !== api.runtime.id || message?.type !== "save") return;
  currentTab().then((tab) => {
    if (sender.tab?.id !== tab) return;
    show(message.state);
    if (/** @type {HTMLDetailsElement} */ (document.querySelector("details")).open) showRows();
  });
});
api.tabs.onActivated.addListener(() => givenTab === null && act({ do: "state" }));

const { annotator: known } = await api.storage.local.get("annotator");
/** @type {HTMLInputElement} */ (byId("annotator")).value = typeof known === "string" ? known : "";
await Promise.all([act({ do: "state" }), showQueue(), showSaved()]);
