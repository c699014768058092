/** The bytes of the page that is annotated: fetched again, or the browser's DOM as HTML. */

import { aligned } from "../annotate/align.js";
import { blockify } from "../html/blockify.js";

/** @import { Bytes } from "../annotate/sidecar.js" */
/** @import { Page } from "../page.js" */

/** The fetched page is used if it has at least this share of the blocks of the page in the browser. */
const MIN_AGREEMENT = 0.9;
const MAX_BYTES = 10_000_000;

/** @typedef {{base64: string, charset: string, from: Bytes["from"], agreement: number}} PageBytes */

/**
 * @param {Page} page as the browser has it
 * @returns {Promise<PageBytes | null>} null if it is too large
 */
export async function pageBytes(page) {
  const fetched = await fetchAgain(page).catch(() => null);
  if (fetched && fetched.agreement >= MIN_AGREEMENT) return fetched;
  const { doctype, documentElement } = document;
  const html = `${doctype ? `<!DOCTYPE ${doctype.name}>` : ""}${documentElement.outerHTML}`;
  const blob = new Blob([html]);
  if (blob.size > MAX_BYTES) return null;
  return { base64: await base64(blob), charset: "utf-8", from: "dom", agreement: 1 };
}

/**
 * @param {Page} page
 * @returns {Promise<PageBytes | null>} null if it is too large, or its server reports an error
 */
async function fetchAgain(page) {
  const response = await fetch(location.href, { cache: "force-cache", credentials: "same-origin" });
  const blob = await response.blob();
  if (!response.ok || blob.size > MAX_BYTES) return null;
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(response.headers.get("content-type") ?? "")?.[1] ?? "";
  const html = await contentOf((reader) => reader.readAsText(blob, document.characterSet));
  const read = blockify(new DOMParser().parseFromString(html, "text/html")).page;
  const places = aligned(page.blocks.map(({ text }) => text), read.blocks.map(({ text }) => text));
  const agreement = places.filter((place) => place >= 0).length / Math.max(places.length, 1);
  return { base64: await base64(blob), charset, from: "fetch", agreement };
}

/** @param {Blob} blob @returns {Promise<string>} */
async function base64(blob) {
  const url = await contentOf((reader) => reader.readAsDataURL(blob));
  return url.slice(url.indexOf(",") + 1);
}

/**
 * Reads a blob with a `FileReader`: in Firefox, a content script cannot read the bytes of its own fetches
 * otherwise.
 *
 * @param {(reader: FileReader) => void} begin
 * @returns {Promise<string>}
 */
function contentOf(begin) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    begin(reader);
  });
}
