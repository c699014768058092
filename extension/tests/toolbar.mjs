/**
 * Presses the toolbar button of the released extension twice in Chromium, and writes the results as JSON:
 * `node toolbar.mjs CHROMIUM EXTENSION URL [PICTURE]`.
 *
 * Selenium cannot press the button, and without a click the extension may not read any page.
 */

import { setTimeout } from "node:timers/promises";
import { opened } from "./chromium.mjs";

const [executablePath, extensionFolder, url, picture] = process.argv.slice(2);
const { browser, extension, page, worker } = await opened(executablePath, extensionFolder, url);
try {
  /** @param {(text: string) => boolean} isRight @returns {Promise<{text: string, title: string}>} */
  const badge = async (isRight) => {
    for (;;) {
      const found = await worker.evaluate(async () => {
        const [{ id: tabId }] = await chrome.tabs.query({ active: true });
        const [text, title] = await Promise.all([
          chrome.action.getBadgeText({ tabId }),
          chrome.action.getTitle({ tabId }),
        ]);
        return { text, title };
      });
      if (isRight(found.text)) return found;
      await setTimeout(20);
    }
  };
  await worker.evaluate(() => {
    const open = /** @type {any} */ (chrome.action.openPopup.bind(chrome.action));
    chrome.action.openPopup = (/** @type {any[]} */ ...options) => {
      const opened = open(...options);
      opened.catch(() => {}).then(() => Object.assign(globalThis, { isAnswered: true }));
      return opened;
    };
  });
  /** Waits until the panel is open or could not be opened, as a person does before the next click. */
  const panelOpened = async () => {
    const isDone = () =>
      worker.evaluate(async () => {
        const [{ id: tabId }] = await chrome.tabs.query({ active: true });
        const shown = await chrome.runtime.getContexts({ contextTypes: [/** @type {any} */ ("POPUP")] });
        const isOpen = shown.length > 0 || "isAnswered" in globalThis;
        return isOpen && !(await chrome.action.getPopup({ tabId }));
      });
    while (!(await isDone())) await setTimeout(20);
  };
  const painted = () => page.evaluate(() => [...CSS.highlights.keys()]);

  await page.triggerExtensionAction(extension);
  const shown = { badge: await badge(Boolean), painted: await painted() };
  await panelOpened();
  if (picture) await page.screenshot({ path: /** @type {any} */ (picture) });
  await page.bringToFront();
  await page.triggerExtensionAction(extension);
  const cleared = { badge: await badge((text) => !text), painted: await painted() };
  process.stdout.write(JSON.stringify({ shown, cleared }));
} finally {
  await browser.close();
}
