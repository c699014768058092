/** The blockifier, which makes a page of a document, with the text nodes of each block. */

import tables from "../tables.json" with { type: "json" };
import { collapsed } from "../python.js";
import { readHead } from "./head.js";
import { hidingRules } from "./style_sheets.js";
import { Walk } from "./walk.js";

/** @import { Markup, Page } from "../page.js" */

/**
 * @param {Document} document
 * @param {number} [maxBlocks]
 * @returns {{page: Page, texts: Text[][], markup: Markup}} `texts`: per block its text nodes
 */
export function blockify(document, maxBlocks = tables.options.MAX_BLOCKS) {
  const { blocks, texts, markup, isCut } = new Walk(maxBlocks, hidingRules(document)).of(document.documentElement);
  const page = {
    url: document.location?.href ?? "",
    title: collapsed(document.querySelector("title")?.textContent ?? ""),
    blocks,
    head: readHead(document),
    overMaxBlocks: isCut,
  };
  return { page, texts, markup };
}
