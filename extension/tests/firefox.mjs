/**
 * Loads the extension, as it is built for tests, into Firefox; paints a page, clears it, corrects a label;
 * and writes the results as JSON: `node firefox.mjs FIREFOX EXTENSION URL [PICTURE]`.
 *
 * No driver can press Firefox's toolbar button. A message from the options page does the same.
 */

import { setTimeout } from "node:timers/promises";
import puppeteer from "puppeteer-core";

const [executablePath, extensionFolder, url, picture] = process.argv.slice(2);
const ID = "boilernet@scrapy-boilernet.example";
const HOST = "11111111-2222-3333-4444-555555555555";
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath,
  headless: true,
  args: ["--remote-allow-system-access"], // newer versions need it to open pages of an extension
  extraPrefsFirefox: {
    "extensions.webextensions.uuids": JSON.stringify({ [ID]: HOST }),
    "extensions.originControls.grantByDefault": true, // the hosts of the test manifest
  },
});
try {
  await browser.installExtension(extensionFolder);
  const page = await browser.newPage();
  await page.goto(url);
  const options = await browser.newPage();
  // Firefox opens the page, but never reports that it is loaded.
  await options.goto(`moz-extension://${HOST}/options.html`, { timeout: 2000 }).catch(() => {});
  while (!(await options.evaluate(() => document.getElementById("model")?.textContent))) {
    await setTimeout(50);
  }
  /** @param {object} message @returns {Promise<any>} the background's answer */
  const ask = (message) =>
    options.evaluate(async (sent) => {
      const [tab] = await chrome.tabs.query({ url: "http://127.0.0.1/*" });
      return chrome.runtime.sendMessage({ ...sent, tab: tab.id });
    }, message);
  const toggle = () => ask({ type: "toggle" });
  const annotate = (/** @type {object} */ request) => ask({ type: "annotate", request });
  const painted = () =>
    page.evaluate(() =>
      Object.fromEntries(
        [...CSS.highlights].map(([name, ranges]) => [
          name.replace("boilernet-", ""),
          [...ranges].map((range) => /** @type {Text} */ (range.startContainer).data),
        ]),
      ),
    );
  const shown = { summary: await toggle(), painted: await painted() };
  if (picture) {
    await page.bringToFront();
    await page.screenshot({ path: /** @type {any} */ (picture) });
  }
  const cleared = { summary: await toggle(), painted: await painted() };
  await annotate({ do: "start", annotator: "ann" });
  await annotate({ do: "label", kind: "caption", blocks: [0] });
  await annotate({ do: "stop" });
  await toggle();
  const restored = await annotate({ do: "start", annotator: "ann" });
  const [first] = await annotate({ do: "rows" });
  process.stdout.write(JSON.stringify({ shown, cleared, restored, first }));
} finally {
  await browser.close();
}
