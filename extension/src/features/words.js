/** Words in any script, words of URLs, and kinds of characters. */

import tables from "../tables.json" with { type: "json" };
import { findall, length, pattern } from "../python.js";

const {
  BASIC, KINDS, LETTERS, LONG_NUMBER, MAX_DEPTH, MAX_ENDING_CHARS, MAX_PATH_WORDS, MAX_SEGMENTS,
  MAX_SLUG_WORDS, SINGLES_ABOVE, TELLING_HOSTS, TOKEN, URL_WORD,
} = tables["features.words"];
export const { PUNCTUATION, STOP, DIGIT, WORD, CAPITAL, SYMBOL, HIGH, UNSPACED } =
  tables["features.words"];

const ASCII = /^[\0-\x7f]*$/;
const ASCII_TOKEN = /[0-9a-z_]+/g;
const ANY_TOKEN = pattern(TOKEN, "g");

/**
 * @param {string} text
 * @returns {string[]} its lower-case tokens: runs of word characters, but each character of CJK, Thai,
 *   Lao, Myanmar and Khmer
 */
export function tokens(text) {
  return findall(text.toLowerCase(), ASCII.test(text) ? ASCII_TOKEN : ANY_TOKEN);
}

/** @param {string} token @returns {boolean} whether it is one character of a script without spaces */
export function isSingle(token) {
  return token > SINGLES_ABOVE && length(token) === 1;
}

const KIND_PATTERNS = Object.entries(KINDS).map(([kind, python]) => ({
  kind: Number(kind),
  runs: pattern({ ...python, pattern: `(?:${python.pattern})+` }, "g"),
  one: pattern(python, "y"),
}));

/** @type {Uint8Array | undefined} */
let basic;
/** @type {Map<string, number>} */
const others = new Map();

/** @returns {Uint8Array} the kinds of the characters up to U+FFFF, by their code points */
function basicKinds() {
  if (basic) return basic;
  const kinds = new Uint8Array(BASIC);
  const codes = Uint16Array.from({ length: BASIC }, (_, code) => code);
  codes.fill(10, 0xd800, 0xe000); // two surrogates side by side would be one character
  let every = "";
  for (let begin = 0; begin < BASIC; begin += 8192) {
    every += String.fromCharCode(...codes.subarray(begin, begin + 8192));
  }
  for (const { kind, runs } of KIND_PATTERNS) {
    for (const { 0: run, index } of every.matchAll(runs)) {
      for (let code = index; code < index + run.length; code++) kinds[code] |= kind;
    }
  }
  kinds.fill(HIGH, 0xd800, 0xe000); // lone surrogates
  basic = kinds;
  return kinds;
}

/** @param {string} char one character @returns {number} its kinds, as bits */
export function kindsOf(char) {
  const code = /** @type {number} */ (char.codePointAt(0));
  if (code < BASIC) return basicKinds()[code];
  let kinds = others.get(char);
  if (kinds === undefined) {
    kinds = 0;
    for (const { kind, one } of KIND_PATTERNS) {
      one.lastIndex = 0;
      if (one.test(char)) kinds |= kind;
    }
    if (others.size > 4096) others.clear();
    others.set(char, kinds);
  }
  return kinds;
}

/** The kinds that `countCharacters` counts. */
const COUNTED = [PUNCTUATION, STOP, DIGIT, SYMBOL, HIGH];

/**
 * @param {string} text
 * @returns {{counts: Map<number, number>, capitalized: number}} how many characters there are of each
 *   kind in `COUNTED`, and how many words begin with a CAPITAL
 */
export function countCharacters(text) {
  const kinds = basicKinds();
  const counts = new Map(COUNTED.map((kind) => [kind, 0]));
  let capitalized = 0;
  let inWord = false;
  const add = (/** @type {number} */ charKinds) => {
    for (const kind of COUNTED) {
      if (charKinds & kind) counts.set(kind, /** @type {number} */ (counts.get(kind)) + 1);
    }
    if (charKinds & CAPITAL && !inWord) capitalized++;
    inWord = (charKinds & WORD) > 0;
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00) {
      const char = String.fromCodePoint(/** @type {number} */ (text.codePointAt(i)));
      add(kindsOf(char));
      i += char.length - 1;
    } else {
      const charKinds = kinds[code];
      if (charKinds & ~WORD) add(charKinds);
      else inWord = charKinds > 0;
    }
  }
  return { counts, capitalized };
}

const URL_WORDS = pattern(URL_WORD, "g");
const DIGITS = pattern(LONG_NUMBER);
const LATIN = pattern(LETTERS, "g");
const HOSTS = new Set(TELLING_HOSTS);
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const BRACKETED = /^\[([0-9a-f:.]+|v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+)\](?::|$)/i;

/**
 * @param {string} url
 * @returns {{scheme: string, netloc: string, path: string, query: string, fragment: string} | null}
 *   the parts that `urllib.parse.urlsplit` returns; null if it raises
 */
export function urlsplit(url) {
  let rest = url.replace(/^[\0-\x20]+/, "").replace(/[\t\r\n]/g, "");
  let scheme = "";
  let netloc = "";
  const begin = SCHEME.exec(rest);
  if (begin) {
    scheme = begin[1].toLowerCase();
    rest = rest.slice(begin[0].length);
  }
  if (rest.startsWith("//")) {
    netloc = /^\/\/([^/?#]*)/.exec(rest)?.[1] ?? "";
    rest = rest.slice(2 + netloc.length);
    if (netloc.includes("[") !== netloc.includes("]")) return null;
    if (netloc.includes("[") && !BRACKETED.test(netloc.slice(netloc.lastIndexOf("@") + 1))) return null;
  }
  const [beforeFragment, ...fragment] = rest.split("#");
  const [path, ...query] = beforeFragment.split("?");
  return { scheme, netloc, path, query: query.join("?"), fragment: fragment.join("#") };
}

/**
 * @param {string} url
 * @returns {string[]} words for its depth, query, short segments, and the shape of its last segment
 */
export function urlWords(url) {
  const parts = url ? urlsplit(url) : null;
  if (!parts) return [];
  const address = parts.netloc.slice(parts.netloc.lastIndexOf("@") + 1);
  const host = (address.startsWith("[") ? address.slice(1) : address).split(":")[0].toLowerCase();
  const segments = parts.path.split("/").filter(Boolean).slice(0, MAX_SEGMENTS);
  const words = [`u:${Math.min(segments.length, MAX_DEPTH)}`, `q:${parts.query ? "True" : "False"}`];
  const last = segments.at(-1);
  if (last !== undefined) {
    const dot = last.lastIndexOf(".");
    words.push(
      `slug:${Math.min(findall(last, LATIN).length, MAX_SLUG_WORDS)}`,
      `dig:${DIGITS.test(last) ? "True" : "False"}`,
      `ext:${dot < 0 ? "" : Array.from(last.slice(dot + 1).toLowerCase()).slice(0, MAX_ENDING_CHARS).join("")}`,
    );
  }
  for (const segment of segments) {
    const found = findall(segment.toLowerCase(), URL_WORDS);
    if (found.length <= MAX_PATH_WORDS) words.push(...found.map((word) => `p:${word}`));
  }
  const label = host.split(".")[0];
  if (HOSTS.has(label)) words.push(`h:${label}`);
  return words;
}

/** @param {string[]} words @returns {Set<string>} all runs of three tokens */
export function trigrams(words) {
  const runs = new Set();
  for (let i = 2; i < words.length; i++) runs.add(`${words[i - 2]} ${words[i - 1]} ${words[i]}`);
  return runs;
}

