// Mozilla's Readability.js on jsdom. Reads a line of JSON per page, {base64, url} or {html, url},
// and writes one, {text, seconds}: the HTML of the article, "" for none, and the CPU seconds.
// A page is given as bytes in base64, whose encoding jsdom detects, or as text.
// The first line written is {"ready": true}. Scripts do not run, and nothing is loaded.
//
// Usage: node readability.cjs NODE_MODULES

"use strict";

const path = require("node:path");
const readline = require("node:readline");

const folder = path.resolve(process.argv[2]);
const { Readability } = require(path.join(folder, "@mozilla", "readability"));
const { JSDOM, VirtualConsole } = require(path.join(folder, "jsdom"));

function article(page, url) {
  const address = url && URL.canParse(url) ? { url } : {};
  // A console without listeners, so that errors in the page's style sheets are not printed.
  const dom = new JSDOM(page, { ...address, virtualConsole: new VirtualConsole() });
  try {
    return new Readability(dom.window.document).parse()?.content ?? "";
  } finally {
    dom.window.close();
  }
}

function answer(line) {
  const { base64, html, url } = JSON.parse(line);
  const page = base64 === undefined ? html : Buffer.from(base64, "base64");
  const begin = process.cpuUsage();
  let text = "";
  try {
    text = article(page, url);
  } catch {
    // If Readability.js raises on a page, the result is no text.
  }
  const { user, system } = process.cpuUsage(begin);
  return { text, seconds: (user + system) / 1e6 };
}

function write(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => write(answer(line)));
write({ ready: true });
