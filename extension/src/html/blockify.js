/** The blockifier, which makes a page of a document, with the text nodes of each block. */

import tables from "../tables.json" with { type: "json" };
import { collapsed } from "../python.js";
import { elementsOf } from "./dom.js";
import { readHead } from "./head.js";
import { homeLinksOf } from "./home_links.js";
import { readingsOf } from "./readings.js";
import { hidingRules } from "./style_sheets.js";
import { Walk } from "./walk.js";

/** @import { Markup, Page } from "../page.js" */

/**
 * @param {Document} document
 * @param {number} [maxBlocks]
 * @returns {{page: Page, texts: Text[][], markup: Markup}} `texts`: per block its text nodes
 */
export function blockify(document, maxBlocks = tables.options.MAX_BLOCKS) {
  const root = document.documentElement;
  const { readings, notes, mailFields } = readingsOf(root);
  const walk = new Walk(maxBlocks, hidingRules(document), readings);
  for (const { note, around } of notes) for (const element of [note, ...around]) walk.numbers.set(element, 0);
  for (const element of mailFields.flat()) walk.numbers.set(element, 0);
  const url = document.location?.href ?? "";
  const homeLinks = homeLinksOf(elementsOf(root), url);
  for (const link of homeLinks) walk.numbers.set(link, 0);
  const { blocks, texts, markup, isCut } = walk.of(root);
  const page = {
    url,
    title: collapsed(document.querySelector("title")?.textContent ?? ""),
    blocks,
    notes: notes.map(({ note, around }) => numbered(note, around, walk.numbers)),
    mailFields: mailFields.map((around) => around.map((element) => walk.numbers.get(element) ?? 0)),
    homeLinks: homeLinks.map((link) => walk.numbers.get(link) ?? 0),
    head: readHead(document),
    overMaxBlocks: isCut,
  };
  return { page, texts, markup };
}

/**
 * @param {Element} note
 * @param {Element[]} around
 * @param {Map<Element, number>} numbers
 * @returns {[number, number[]]}
 */
function numbered(note, around, numbers) {
  return [numbers.get(note) ?? 0, around.map((element) => numbers.get(element) ?? 0)];
}
