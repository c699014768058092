/** The bytes of the page that is annotated: fetched again, or what the browser made of them. */

import { aligned } from "../annotate/align.js";
import { blockify } from "../html/blockify.js";

/** @import { Bytes } from "../annotate/sidecar.js" */
/** @import { Page } from "../page.js" */

/** What is fetched is kept if it has so much of the blocks that are looked at. */
const LEAST_AGREEMENT = 0.9;
const MOST_BYTES = 10_000_000;
const AT_ONCE = 32_768;

/** @typedef {{base64: string, charset: string, from: Bytes["from"], agreement: number}} PageBytes */

/** @param {Page} page as it is looked at @returns {Promise<PageBytes | null>} null if it is too large */
export async function pageBytes(page) {
  const fetched = await fetchAgain(page).catch(() => null);
  if (fetched && fetched.agreement >= LEAST_AGREEMENT) return fetched;
  const { doctype, documentElement } = document;
  const html = `${doctype ? `<!DOCTYPE ${doctype.name}>` : ""}${documentElement.outerHTML}`;
  const bytes = new TextEncoder().encode(html);
  if (bytes.length > MOST_BYTES) return null;
  return { base64: base64(bytes), charset: "utf-8", from: "dom", agreement: 1 };
}

/** @param {Page} page @returns {Promise<PageBytes | null>} */
async function fetchAgain(page) {
  const response = await fetch(location.href, { cache: "force-cache", credentials: "same-origin" });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok || bytes.length > MOST_BYTES) return null;
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(response.headers.get("content-type") ?? "")?.[1] ?? "";
  const html = new TextDecoder(document.characterSet).decode(bytes);
  const read = blockify(new DOMParser().parseFromString(html, "text/html")).page;
  const places = aligned(page.blocks.map(({ text }) => text), read.blocks.map(({ text }) => text));
  const agreement = places.filter((place) => place >= 0).length / Math.max(places.length, 1);
  return { base64: base64(bytes), charset, from: "fetch", agreement };
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let begin = 0; begin < bytes.length; begin += AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(begin, begin + AT_ONCE));
  }
  return btoa(text);
}
