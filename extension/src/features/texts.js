/** Counts tokens, characters and more in the texts of a page's blocks. */

import tables from "../tables.json" with { type: "json" };
import { characters, length, pattern, slice } from "../python.js";
import {
  countCharacters, DIGIT, HIGH, PUNCTUATION, STOP, SYMBOL, tokens, trigrams,
} from "./words.js";

/** @import { Head } from "../page.js" */

const {
  ADDRESSES, CLOSERS, DATE, MAX_TEXT_CHARS, MIN_CLAIM_TOKENS, TITLE_TOKENS,
} = tables["features.texts"];
export const { HEAD_TOKENS, TAIL_TOKENS } = tables["features.texts"];
export { MAX_TEXT_CHARS };
const STOPS = new Set(characters(tables["features.words"].STOPS));
const CLOSING = new Set(characters(CLOSERS));
const DATED = pattern(DATE);
const LOWER = /^\p{Lowercase}/u;
/** Single characters above this one can be tokens. */
const SINGLE = "\u0e00";

/**
 * @param {string} text
 * @returns {string[]} the first 32 and last 8 tokens of its first and last 1,000 characters
 */
export function clippedTokens(text) {
  let read = text;
  if (length(text) > MAX_TEXT_CHARS) {
    read = `${slice(text, 0, MAX_TEXT_CHARS / 2)} ${slice(text, -MAX_TEXT_CHARS / 2)}`;
  }
  const all = tokens(read);
  if (all.length <= HEAD_TOKENS + TAIL_TOKENS) return all;
  return [...all.slice(0, HEAD_TOKENS), ...all.slice(-TAIL_TOKENS)];
}

/** @param {string} token @returns {boolean} whether it is one character of a script without spaces */
export function isSingle(token) {
  return token > SINGLE && length(token) === 1;
}

/**
 * @typedef {object} TextCounts
 * @property {number} tokens
 * @property {number} tokenChars
 * @property {number} singles Tokens of one character, of a script without spaces.
 * @property {number} punctuation Commas and the like.
 * @property {number} stops Full stops and the like.
 * @property {number} digits
 * @property {number} capitalized Words that begin with a capital.
 * @property {number} symbols Bars, arrows, bullets and the like.
 * @property {number} ends 1 if it ends as a sentence.
 * @property {number} lower 1 if it begins in lower case.
 * @property {number} inTitle Tokens in both text and title, per tokens in either, in [0, 1].
 * @property {number} inDescription Share of the tokens that the page's description has, in [0, 1].
 * @property {number} inBody Share of the runs of three tokens that the JSON-LD body has, in [0, 1].
 * @property {number} hasBody 1 if the page has a JSON-LD body.
 * @property {number} dated 1 if there is a year, a date or a time.
 * @property {number} addressed 1 if there is a web or mail address.
 */

/**
 * @param {string[]} texts
 * @param {string} title
 * @param {Head} head
 * @returns {TextCounts[]} one per text
 */
export function countTexts(texts, title, head) {
  const titleTokens = new Set(tokens(title).slice(0, TITLE_TOKENS));
  const described = new Set(tokens(head.description));
  const body = trigrams(tokens(head.articleBody));
  return texts.map((text) => {
    const found = clippedTokens(text);
    const isCut = length(text) > MAX_TEXT_CHARS;
    const read = isCut ? slice(text, 0, MAX_TEXT_CHARS) : text;
    const { counts, capitalized } = countCharacters(read);
    const count = (/** @type {number} */ kind) => counts.get(kind) ?? 0;
    const enough = found.length >= MIN_CLAIM_TOKENS;
    return {
      tokens: found.length,
      tokenChars: found.reduce((sum, token) => sum + length(token), 0),
      singles: count(HIGH) || isCut ? found.filter(isSingle).length : 0,
      punctuation: count(PUNCTUATION),
      stops: count(STOP),
      digits: count(DIGIT),
      capitalized,
      symbols: count(SYMBOL),
      ends: Number(endsAsSentence(read)),
      lower: Number(LOWER.test(read)),
      inTitle: overlap(found, titleTokens),
      inDescription: enough && described.size ? share(found, described) : 0,
      inBody: enough && body.size ? claimed(found, body) : 0,
      hasBody: Number(body.size > 0),
      dated: Number(DATED.test(read)),
      addressed: Number(ADDRESSES.some((sign) => read.includes(sign))),
    };
  });
}

/** @param {string} text */
function endsAsSentence(text) {
  let end = text.length - 1;
  while (end >= 0 && CLOSING.has(text[end])) end--;
  return end >= 0 && STOPS.has(text[end]);
}

/** @param {string[]} found @param {Set<string>} title */
function overlap(found, title) {
  if (!found.some((token) => title.has(token))) return 0;
  const own = new Set(found);
  let common = 0;
  for (const token of own) common += Number(title.has(token));
  return common / (own.size + title.size - common);
}

/** @param {string[]} found @param {Set<string>} known */
function share(found, known) {
  return found.filter((token) => known.has(token)).length / found.length;
}

/** @param {string[]} found @param {Set<string>} body runs of three tokens */
function claimed(found, body) {
  let common = 0;
  for (let i = 2; i < found.length; i++) {
    common += Number(body.has(`${found[i - 2]} ${found[i - 1]} ${found[i]}`));
  }
  return common / (found.length - 2);
}
