/** Reads what a page states besides its text: metadata, JSON-LD and which elements it has. */

import tables from "../tables.json" with { type: "json" };
import { findall, length, pattern, slice } from "../python.js";

/** @import { Head } from "../page.js" */

const constants = tables["html.head"];
const WORDS = pattern(constants.WORD, "g");
const LETTERS = pattern(constants.LETTERS, "g");
const LD_TYPES = pattern(constants.LD_TYPE, "g");
const LD_BODY = pattern(constants.LD_BODY);
const VALUED = new Set(constants.VALUED_META);
const NAMED = new Set(constants.NAMED_META);
const LINKS = new Set(constants.LINKS);

/** @param {Document} document @returns {Head} */
export function readHead(document) {
  const root = document.documentElement;
  const words = constants.COUNTED_TAGS.map((tag) => {
    const number = root.getElementsByTagName(tag).length;
    return `n${tag}:${constants.COUNT_STEPS.filter((step) => step <= number).length}`;
  });
  /** @type {string[]} */
  const descriptions = [];
  for (const element of root.querySelectorAll("meta")) words.push(...metaWords(element, descriptions));
  let body = "";
  for (const element of root.querySelectorAll("script")) {
    if (!(element.getAttribute("type") ?? "").includes("ld+json")) continue;
    const script = slice(element.textContent ?? "", 0, constants.MAX_SCRIPT_CHARS);
    words.push(...jsonLdTypes(script));
    const stated = jsonLdBody(script);
    if (length(stated) > length(body)) body = stated;
  }
  for (const element of root.querySelectorAll("link")) {
    const relation = (element.getAttribute("rel") ?? "").toLowerCase();
    if (LINKS.has(relation)) words.push(`r:${relation}`);
  }
  for (const element of [root, ...root.querySelectorAll("body")]) words.push(...rootClasses(element));
  for (const element of root.querySelectorAll("[itemtype]")) {
    const name = (element.getAttribute("itemtype") ?? "").split("/").at(-1) ?? "";
    words.push(`it:${slice(name.toLowerCase(), 0, constants.MAX_NAME_CHARS)}`);
  }
  return {
    words: [...new Set(words)].slice(0, constants.MAX_WORDS),
    description: slice(descriptions.join(" "), 0, constants.MAX_DESCRIPTION_CHARS),
    articleBody: slice(body, 0, constants.MAX_BODY_CHARS),
  };
}

/**
 * @param {Element} element
 * @param {string[]} descriptions the text of a description is added to it
 * @returns {string[]} the words of one `<meta>`
 */
function metaWords(element, descriptions) {
  const named = ["property", "name", "itemprop"].map((name) => element.getAttribute(name)).find(Boolean);
  const key = slice((named ?? "").toLowerCase(), 0, constants.MAX_NAME_CHARS);
  const value = element.getAttribute("content") ?? "";
  if (VALUED.has(key)) {
    const words = findall(slice(value, 0, constants.MAX_VALUE_CHARS).toLowerCase(), WORDS);
    return [`${key}:${words.slice(0, constants.MAX_VALUE_WORDS).join(" ")}`];
  }
  if (key.endsWith("description") && NAMED.has(key)) {
    descriptions.push(slice(value, 0, constants.MAX_DESCRIPTION_CHARS));
  }
  return NAMED.has(key) || constants.NAMED_PREFIXES.some((prefix) => key.startsWith(prefix)) ? [`m:${key}`] : [];
}

/** @param {string} source */
function jsonLdTypes(source) {
  return [...source.matchAll(LD_TYPES)]
    .slice(0, constants.MAX_LD_TYPES)
    .flatMap(([, types]) => findall(types.split("/").at(-1) ?? "", LETTERS))
    .map((name) => `ld:${name.toLowerCase()}`);
}

/**
 * A pattern finds the `articleBody`, since much JSON-LD of real pages is not valid JSON.
 *
 * @param {string} source
 * @returns {string} the first `articleBody`, or ""
 */
function jsonLdBody(source) {
  const body = LD_BODY.exec(source)?.[1] ?? "";
  try {
    // JSON forbids control characters in a string, but many pages have them.
    const escaped = body.replace(/[\0-\x1f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
    return JSON.parse(`"${escaped}"`);
  } catch {
    return body;
  }
}

/** @param {Element} element */
function rootClasses(element) {
  const names = `${element.getAttribute("class") ?? ""} ${element.id}`.toLowerCase();
  const words = findall(slice(names, 0, constants.MAX_CLASS_CHARS), WORDS);
  return words.slice(0, constants.MAX_CLASSES).map((word) => `b:${word}`);
}
