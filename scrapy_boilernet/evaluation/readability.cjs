// Mozilla's Readability.js over jsdom: a line of JSON in per page, {base64, url} or {html, url}, and
// one out, {text, seconds}: the HTML of the article, "" for none, and the CPU time that it took.
// A page is its bytes in base64, whose encoding jsdom finds out, or its text.
// The first line out is {"ready": true}. Scripts do not run, nothing is loaded from the network.
//
// Usage: node readability.cjs NODE_MODULES

"use strict";

const path = require("node:path");
const readline = require("node:readline");

const folder = path.resolve(process.argv[2]);
const { Readability } = require(path.join(folder, "@mozilla", "readability"));
const { JSDOM, VirtualConsole } = require(path.join(folder, "jsdom"));

function article(page, url) {
  const known = url && URL.canParse(url) ? { url } : {};
  // A console of its own that nobody listens to: what the page's style sheets get wrong is not told.
  const dom = new JSDOM(page, { ...known, virtualConsole: new VirtualConsole() });
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
    // A crash on a page is its result there: no text.
  }
  const { user, system } = process.cpuUsage(begin);
  return { text, seconds: (user + system) / 1e6 };
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => say(answer(line)));
say({ ready: true });
