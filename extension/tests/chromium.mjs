/** Starts Chromium with the extension, for scripts that use it like a person. */

import { setTimeout } from "node:timers/promises";
import puppeteer from "puppeteer-core";

/** @import { Browser, Extension, Page, WebWorker } from "puppeteer-core" */

/**
 * @param {string} executablePath of Chromium
 * @param {string} extensionFolder
 * @param {string} url of the page to open
 * @returns {Promise<{browser: Browser, page: Page, worker: WebWorker, extension: Extension}>} when the
 *   extension listens to its toolbar button; the caller closes the browser
 */
export async function opened(executablePath, extensionFolder, url) {
  const browser = await puppeteer.launch({
    executablePath,
    headless: true,
    pipe: true,
    enableExtensions: [extensionFolder],
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1000, height: 800 });
    await page.goto(url);
    const [extension] = (await browser.extensions()).values();
    const target = await browser.waitForTarget(
      (one) => one.type() === "service_worker" && new URL(one.url()).host === extension.id,
    );
    const worker = await target.worker();
    if (!worker) throw new Error("the extension has no worker");
    while (!(await isListening(worker))) await setTimeout(20);
    return { browser, page, worker, extension };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** @param {WebWorker} worker @returns {Promise<boolean>} whether it listens to the toolbar button */
function isListening(worker) {
  return worker.evaluate(async () => {
    // A worker that has just started may not have the API of extensions yet.
    if (typeof chrome === "undefined" || !chrome.action?.onClicked.hasListeners()) return false;
    await chrome.action.getTitle({}); // once this is answered, the browser knows the listeners
    return true;
  });
}
