/** The list of pages that a person annotates, and the permission to read their sites. */

import { api } from "./messages.js";

const MAX_LOAD_MS = 30_000;

/** @typedef {{urls: string[], at: number}} Queue `at`: how many of the pages were opened. */

/** @returns {Promise<Queue>} */
export async function readQueue() {
  const { queue } = await api.storage.local.get("queue");
  return /** @type {Queue | undefined} */ (queue) ?? { urls: [], at: 0 };
}

/** @param {string[]} urls @returns {Promise<string>} the problem, or "" if the list was stored */
export async function startQueue(urls) {
  const wrong = urls.find((url) => !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol));
  if (!urls.length) return "Enter one address per line.";
  if (wrong) return `${wrong} is not the address of a web page.`;
  if (!(await mayRead(urls))) return "The extension may not read these sites.";
  await api.storage.local.set({ queue: { urls, at: 0 } });
  return "";
}

/** @returns {Promise<string | undefined>} the next address, if there is one; the queue moves on */
export async function advanceQueue() {
  const { at, urls } = await readQueue();
  await api.storage.local.set({ queue: { urls, at: Math.min(at + 1, urls.length) } });
  return urls[at];
}

/**
 * @param {string[]} urls
 * @returns {Promise<boolean>} whether their sites may be read; the browser asks the person if
 *   needed
 */
function mayRead(urls) {
  const origins = [...new Set(urls.map((url) => `${new URL(url).protocol}//${new URL(url).hostname}/*`))];
  return api.permissions.request({ origins });
}

/**
 * Opens a page in a tab and waits until it is loaded, at most MAX_LOAD_MS.
 *
 * @param {number} tabId
 * @param {string} url
 * @returns {Promise<boolean>} false if its site may not be read
 */
export async function openPage(tabId, url) {
  if (!(await mayRead([url]))) return false;
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_LOAD_MS);
    /** @param {number} id @param {{status?: string}} change */
    const updated = (id, change) => {
      if (id !== tabId || change.status !== "complete") return;
      api.tabs.onUpdated.removeListener(updated);
      clearTimeout(timer);
      resolve(undefined);
    };
    api.tabs.onUpdated.addListener(updated);
    api.tabs.update(tabId, { url });
  });
  return true;
}
