/** What a page embeds of other sites: videos, sound, posts and code, as the address of each. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern, length, pattern, slice, strip } from "../python.js";

const constants = tables["html.embeds"];
const { MAX_CHARS, MAX_LINKS } = constants;
const SITES = /** @type {[{pattern: string, flags: string}, string][]} */ (constants.SITES).map(
  ([site, own]) => /** @type {[RegExp, string]} */ ([pattern(site, "y"), own]),
);
const NAMED = pattern(constants.NAMED, "y");
const ID = fullPattern(constants.ID);
const POST = pattern(constants.POST);
const BY_ID = /** @type {Record<string, string[]>} */ (constants.BY_ID);
const MEDIA = new Set(constants.MEDIA);
/** Elements that may embed something. */
export const EMBED_TAGS = new Set(constants.EMBED_TAGS);

/** @param {Element} element of `EMBED_TAGS` @param {string} tag @returns {string} the address of what it embeds; "" if it is no content */
export function embedOf(element, tag) {
  if (Object.hasOwn(BY_ID, tag)) {
    const [name, begin] = BY_ID[tag];
    const value = strip(element.getAttribute(name) ?? "");
    return ID.test(value) ? `https://${begin}${value}` : "";
  }
  if (tag === "blockquote") {
    const isPost = POST.test(slice(element.getAttribute("class") ?? "", 0, MAX_CHARS));
    return isPost ? firstKnown(postAddresses(element)) : "";
  }
  if (tag === "script") return knownAddress(scriptAddress(element));
  return MEDIA.has(tag) ? mediaAddress(element) : firstKnown(addresses(element, tag));
}

/** @param {Iterable<string>} found @returns {string} */
function firstKnown(found) {
  for (const address of found) {
    const known = knownAddress(address);
    if (known) return known;
  }
  return "";
}

/** @param {string} embedded @returns {string} the address of what an embedded address shows; "" for all others */
export function knownAddress(embedded) {
  const address = strip(embedded);
  if (!address || length(address) > MAX_CHARS || !address.includes("//")) return "";
  NAMED.lastIndex = 0;
  const named = NAMED.exec(address)?.[1];
  if (named) return unquoted(named);
  for (const [site, own] of SITES) {
    site.lastIndex = 0;
    const match = site.exec(address);
    if (match) return `https://${own.replace(/\\(\d)/g, (_, group) => match[group] ?? "")}`;
  }
  return "";
}

/** @param {string} text @returns {string} as `urllib.parse.unquote` */
function unquoted(text) {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = run.slice(1).split("%").map((digits) => parseInt(digits, 16));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));
  });
}

/** @param {Element} element @param {string} tag @returns {string[]} the addresses that a frame or object may show */
function addresses(element, tag) {
  const of = (/** @type {Element} */ one, /** @type {string} */ name) => one.getAttribute(name) ?? "";
  const found = constants.SOURCES.map((/** @type {string} */ name) => of(element, name));
  if (tag === "object") {
    found.push(of(element, "data"));
    for (const inner of [...element.querySelectorAll("param, embed, iframe")].slice(0, MAX_LINKS)) {
      const isMovie = ["movie", "src", "url"].includes(of(inner, "name").toLowerCase());
      found.push(of(inner, isMovie ? "value" : "src"));
    }
  } else if (tag === "amp-facebook" || tag === "amp-tiktok") {
    const address = of(element, "data-href") || of(element, "data-src");
    found.push(/^\p{Nd}+$/u.test(address) ? `//www.tiktok.com/embed/v2/${address}` : address);
  }
  return found;
}

/** @param {Element} element @returns {string} the address of what a script shows where it stands; "" for other scripts */
function scriptAddress(element) {
  const post = element.getAttribute("data-telegram-post");
  if (post) return `//t.me/${post}`;
  const source = slice(element.getAttribute("src") ?? "", 0, MAX_CHARS);
  const isKnown = constants.SCRIPTS.some((/** @type {string} */ part) => source.includes(part));
  return isKnown ? source.replace(/\.js$/, "") : "";
}

/** @param {Element} element @returns {string} the address of a video or sound; "" for a moving background */
function mediaAddress(element) {
  if (element.hasAttribute("autoplay") && !element.hasAttribute("controls")) return "";
  const sources = [...element.children].filter(({ localName }) => localName === "source");
  for (const one of [element, ...sources.slice(0, MAX_LINKS)]) {
    const address = strip(one.getAttribute("src") || one.getAttribute("data-src") || "");
    const isPlain = !["data:", "blob:", "#"].some((begin) => address.startsWith(begin));
    if (address && length(address) <= MAX_CHARS && isPlain) return address;
  }
  return "";
}

/** @param {Element} element @returns {string[]} the addresses that an embedded post may have; its own is its last link */
function postAddresses(element) {
  const stated = constants.POST_SOURCES.map((/** @type {string} */ name) => {
    const value = element.getAttribute(name) ?? "";
    if (!value.startsWith("at://")) return value;
    return value.replace("at://", "https://bsky.app/profile/").replace("/app.bsky.feed.post/", "/post/");
  });
  const links = [...element.querySelectorAll("a")].slice(0, MAX_LINKS).map((a) => a.getAttribute("href") ?? "");
  return [...stated, ...links.reverse()];
}
