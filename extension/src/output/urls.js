/** Makes addresses of links and images absolute, and drops those that are not safe to open. */

import tables from "../tables.json" with { type: "json" };
import { length, pattern } from "../python.js";
import { urlsplit } from "../features/words.js";

const constants = tables["output.urls"];
export const LINK_SCHEMES = new Set(constants.LINK_SCHEMES);
export const IMAGE_SCHEMES = new Set(constants.IMAGE_SCHEMES);
const SCHEME = pattern(constants.SCHEME, "y");
const PLAIN = pattern({ ...constants.PLAIN, pattern: `(?:${constants.PLAIN.pattern})\\Z` }, "y");
const PLAIN_PATH = pattern({ ...constants.PLAIN_PATH, pattern: `(?:${constants.PLAIN_PATH.pattern})\\Z` }, "y");
const DROPPED = pattern(constants.DROPPED, "g");
const FORBIDDEN = pattern(constants.FORBIDDEN);
const UNSAFE = pattern(constants.UNSAFE, "g");
const EDGES = /^[\0-\x20]+|[\0-\x20]+$/g;

/**
 * @param {string} url
 * @param {RegExp} sticky
 * @returns {boolean} whether the pattern, which ends with `\Z`, matches
 */
function isWhole(url, sticky) {
  sticky.lastIndex = 0;
  return sticky.test(url);
}

/** @param {string} url @returns {string | null} its scheme in lower case; null if it has none */
function schemeOf(url) {
  SCHEME.lastIndex = 0;
  return SCHEME.exec(url)?.[1].toLowerCase() ?? null;
}

/**
 * @param {string} url
 * @param {Set<string>} schemes
 * @returns {boolean} whether it has one of the schemes, or nothing that looks like a scheme
 */
function isAllowed(url, schemes) {
  const scheme = schemeOf(url);
  if (scheme !== null) return schemes.has(scheme);
  return !firstSegment(url).includes(":");
}

/** @param {string} url */
function firstSegment(url) {
  return url.split(/[/?#\\]/, 1)[0];
}

/**
 * An address must not be used if its scheme is not one of `schemes`, if it has http without a host,
 * control characters, or more than 4,000 characters, or if it cannot be parsed. Without a base a relative
 * address stays relative.
 *
 * @param {string} url
 * @param {string} base
 * @param {Set<string>} schemes
 * @returns {string} the address, absolute if `base` is, percent-encoded; "" if it must not be used
 */
export function safeUrl(url, base, schemes) {
  if (url.length <= constants.MAX_CHARS && isWhole(url, PLAIN)) return url;
  const read = url.replace(EDGES, "").replace(DROPPED, "");
  if (!read || length(read) > constants.MAX_CHARS || FORBIDDEN.test(read)) return "";
  if (!isAllowed(read, schemes)) return "";
  const joined = base ? urljoin(base, read) : read;
  const parts = joined === null ? null : urlsplit(joined);
  if (joined === null || !parts || !isAllowed(joined, schemes)) return "";
  if (IMAGE_SCHEMES.has(parts.scheme) && !parts.netloc) return "";
  // "javascript&colon;x" would be a script to whoever decodes it once more.
  const named = !parts.scheme && firstSegment(joined).includes("&") ? `./${joined}` : joined;
  return named.replace(UNSAFE, (char) => {
    const bytes = new TextEncoder().encode(char);
    return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  });
}

/** The results of `safeUrl` for the addresses of one page, each computed once. */
export class SafeUrls {
  /** @param {string} base @param {Set<string>} schemes */
  constructor(base, schemes) {
    this.base = base;
    this.schemes = schemes;
    /** The scheme and host, without a path; "" if there is none. */
    this.site = safeUrl("/", base, schemes).replace(/\/$/, "");
    /** @type {Map<string, string>} */
    this.known = new Map();
  }

  /** @param {string} url @returns {string} */
  of(url) {
    let safe = this.known.get(url);
    if (safe === undefined) {
      const isPlain = this.site !== "" && url.length <= constants.MAX_CHARS && isWhole(url, PLAIN_PATH);
      safe = isPlain ? this.site + url : safeUrl(url, this.base, this.schemes);
      this.known.set(url, safe);
    }
    return safe;
  }
}

/**
 * @param {string} url the page's URL
 * @param {string} base its `<base href>`, or ""
 * @returns {string} the address that the page's addresses are relative to; "" if none is known
 */
export function baseUrl(url, base) {
  const page = isAbsolute(url) ? url : "";
  const stated = safeUrl(base, page, IMAGE_SCHEMES);
  return isAbsolute(stated) ? stated : page;
}

/** @param {string} url */
function isAbsolute(url) {
  return IMAGE_SCHEMES.has(schemeOf(url) ?? "");
}

/** The schemes here that `urllib.parse.uses_relative` has. */
const RELATIVE = new Set(["", "http", "https"]);

/**
 * @param {string} base
 * @param {string} url
 * @returns {string | null} the result of `urllib.parse.urljoin`; null if it raises
 */
function urljoin(base, url) {
  const from = parsed(base);
  const to = parsed(url);
  if (!from || !to) return null;
  const scheme = to.scheme || from.scheme;
  if (scheme !== from.scheme || !RELATIVE.has(scheme)) return url;
  if (to.netloc) return unparsed({ ...to, scheme });
  const parts = { ...to, scheme, netloc: from.netloc };
  if (!to.path && !to.params) {
    const { params, path, query } = from;
    return unparsed({ ...parts, path, params, query: to.query || query });
  }
  const segments = to.path.startsWith("/") ? to.path.split("/") : relative(from.path, to.path);
  /** @type {string[]} */
  const resolved = [];
  for (const segment of segments) {
    if (segment === "..") resolved.pop();
    else if (segment !== ".") resolved.push(segment);
  }
  if (/^\.\.?$/.test(segments[segments.length - 1])) resolved.push("");
  return unparsed({ ...parts, path: resolved.join("/") || "/" });
}

/**
 * @param {string} url
 * @returns the parts that `urllib.parse.urlparse` returns, with `params` after a `;`; null if it
 *   raises
 */
function parsed(url) {
  const parts = urlsplit(url);
  if (!parts) return null;
  const { path } = parts;
  const end = RELATIVE.has(parts.scheme) ? path.indexOf(";", path.lastIndexOf("/") + 1) : -1;
  return end < 0 ? { ...parts, params: "" } : { ...parts, path: path.slice(0, end), params: path.slice(end + 1) };
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {string[]} the segments of the path `to`, relative to the path `from`
 */
function relative(from, to) {
  const folders = from.split("/");
  if (folders.at(-1) !== "") folders.pop();
  const segments = [...folders, ...to.split("/")];
  return segments.filter((segment, i) => segment || i === 0 || i === segments.length - 1);
}

/** @param {NonNullable<ReturnType<typeof parsed>>} parts @returns {string} */
function unparsed({ scheme, netloc, path, params, query, fragment }) {
  const begin = netloc && path && !path.startsWith("/") ? `/${path}` : path;
  const written = [
    [scheme, `${scheme}:`], [netloc, `//${netloc}`], [begin, begin], [params, `;${params}`],
    [query, `?${query}`], [fragment, `#${fragment}`],
  ];
  return written.map(([part, text]) => (part ? text : "")).join("");
}
