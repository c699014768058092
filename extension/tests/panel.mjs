/**
 * Opens the side panel of the extension as it ships, in Chromium, as a person does: toolbar button,
 * "Correct", a name, a label. Writes what is seen as JSON: `node panel.mjs CHROMIUM EXTENSION URL
 * [PICTURE]`.
 */

import { opened } from "./chromium.mjs";

const [executablePath, extensionFolder, url, picture] = process.argv.slice(2);
const { browser, extension, page } = await opened(executablePath, extensionFolder, url);

/** @param {string} name @returns {Promise<import("puppeteer-core").Page>} one of the extension's pages */
async function own(name) {
  const target = await browser.waitForTarget((one) => one.url().endsWith(`/${name}`));
  return target.asPage();
}

try {
  await page.triggerExtensionAction(extension);
  const popup = await own("popup.html");
  await popup.waitForSelector("#legend li");
  await popup.click("#correct");
  const panel = await own("panel.html");
  // The panel draws no frames without a window, so that it is asked again and again instead.
  const until = (/** @type {() => unknown} */ isSo) => panel.waitForFunction(isSo, { polling: 50 });
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
