/**
 * Answers the requests of the golden tests, which compare the extension with the package. A request is a
 * JSON object on a line of standard input; the answer is one on standard output.
 */

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { aligned } from "../src/annotate/align.js";
import { ruleOf, ruleText } from "../src/annotate/site_rule.js";
import { spreadLabels } from "../src/annotate/spread.js";
import { featurize } from "../src/features/hashed.js";
import { kindsOf, tokens, urlWords } from "../src/features/words.js";
import { decide, DEFAULTS, probabilitiesOf } from "../src/labeling.js";
import { readModel } from "../src/labelers/model.js";
import { documentOf } from "../src/output/document.js";
import { toMarkdown } from "../src/output/markdown.js";
import { formulasIn, harmless } from "../src/output/tex.js";
import { toText } from "../src/output/text.js";
import { safeUrl } from "../src/output/urls.js";
import { collapsed } from "../src/python.js";

/** @type {import("../src/labelers/model.js").Model | undefined} */
let model;

/** @type {Record<string, (request: any) => unknown>} */
const ANSWERS = {
  load: async ({ file }) => {
    const bytes = await readFile(file);
    model = readModel(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    return model.spec.name;
  },
  features: ({ page, bags }) => {
    const { bags: found, numbers, page: ids } = featurize(page, bags);
    const lists = Object.entries(found).map(([name, { lists, places }]) => [
      name,
      places.map((place) => Array.from(lists[place])),
    ]);
    return { numbers: Array.from(numbers), bags: Object.fromEntries(lists), page: Array.from(ids) };
  },
  probabilities: ({ page }) => Array.from(probabilitiesOf(page, loaded())),
  decide: ({ page, probabilities, options }) =>
    decide(page, loaded(), Float32Array.from(probabilities), { ...DEFAULTS, ...options }),
  text: ({ page, kept }) => toText(page.blocks.filter((/** @type {any} */ _, /** @type {number} */ i) => kept[i])),
  markdown: ({ page, markup, kept, pageBytes, beside }) =>
    toMarkdown(documentOf(page, markup, kept, pageBytes, beside)),
  tokens: ({ texts }) => texts.map(tokens),
  collapsed: ({ texts }) => texts.map(collapsed),
  formulas: ({ texts }) => texts.map((/** @type {string} */ text) => [...formulasIn(text)]),
  harmless: ({ texts }) => texts.map(harmless),
  aligned: ({ one, other }) => Array.from(aligned(one, other)),
  spread: ({ page, given }) => Array.from(spreadLabels(page, new Map(given))),
  rule: ({ url, texts, kinds, elements, containers }) => {
    const made = elements.map((/** @type {any} */ one) => ({
      localName: one.tag,
      parentElement: null,
      getAttribute: (/** @type {string} */ name) => one.attributes[name] ?? null,
    }));
    elements.forEach((/** @type {any} */ one, /** @type {number} */ i) => (made[i].parentElement = made[one.parent] ?? null));
    return ruleText(url, ruleOf(texts, kinds, containers.map((/** @type {number} */ i) => made[i])));
  },
  kinds: ({ characters }) => characters.map(kindsOf),
  urls: ({ urls }) => urls.map(urlWords),
  safe: ({ urls, base, schemes }) => urls.map((/** @type {string} */ url) => safeUrl(url, base, new Set(schemes))),
};

/** @returns {import("../src/labelers/model.js").Model} the loaded model */
function loaded() {
  if (!model) throw new Error("no model is loaded");
  return model;
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = { result: await ANSWERS[request.what](request) };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
