/**
 * Opens the side panel of the released extension in Chromium like a person: toolbar button, "Correct", a
 * name, a label. Writes the results as JSON: `node panel.mjs CHROMIUM EXTENSION URL [PICTURE]`.
 */

import { opened } from "./chromium.mjs";

const [executablePath, extensionFolder, url, picture] = process.argv.slice(2);
const { browser, extension, page } = await opened(executablePath, extensionFolder, url);

/** @param {string} name @returns {Promise<import("puppeteer-core").Page>} the extension's page of this name */
async function extensionPage(name) {
  const target = await browser.waitForTarget((one) => one.url().endsWith(`/${name}`));
  return target.asPage();
}

try {
  await page.triggerExtensionAction(extension);
  const popup = await extensionPage("popup.html");
  await popup.waitForSelector("#legend li");
  await popup.click("#correct");
  const panel = await extensionPage("panel.html");
  // Without a window the panel draws no frames, for which Puppeteer waits by default; so it polls.
  const until = (/** @type {() => unknown} */ condition) => panel.waitForFunction(condition, { polling: 50 });
  const text = (/** @type {string} */ id) => panel.$eval(`#${id}`, (element) => element.textContent);
  await panel.waitForSelector("#annotator");
  await panel.type("#annotator", "ann");
  await panel.click("#start");
  await until(() => !document.getElementById("work")?.hidden);
  await panel.click("[data-do=next]");
  await until(() => document.getElementById("chosen")?.textContent?.startsWith("“"));
  const chosen = await text("chosen");
  await panel.click("#kinds .comment");
  await until(() => document.getElementById("progress")?.textContent?.includes("you labeled 1"));
  await until(() => document.getElementById("message")?.textContent?.includes("Saved."));
  const painted = await page.evaluate(() => [...CSS.highlights.keys()]);
  if (picture) {
    await panel.setViewport({ width: 360, height: 800 });
    await panel.screenshot({ path: /** @type {any} */ (picture) });
  }
  process.stdout.write(JSON.stringify({ chosen, progress: await text("progress"), painted }));
} finally {
  await browser.close();
}
