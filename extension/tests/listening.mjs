/** Waits until an extension that has just been installed hears its toolbar button. */

import { setTimeout } from "node:timers/promises";

/** @param {import("puppeteer-core").WebWorker} worker */
export async function listening(worker) {
  const isListening = () =>
    worker.evaluate(async () => {
      if (!chrome.action.onClicked.hasListeners()) return false;
      await chrome.action.getTitle({}); // once this is answered, the browser knows the listeners
      return true;
    });
  while (!(await isListening())) await setTimeout(20);
}
