/** Counts tokens, characters and more in the texts of a page's blocks. */

import tables from "../tables.json" with { type: "json" };
import { characters, length, pattern, slice } from "../python.js";
import {
  countCharacters, DIGIT, HIGH, isSingle, PUNCTUATION, STOP, SYMBOL, tokens, trigrams,
} from "./words.js";

/** @import { Head } from "../page.js" */

const {
  ADDRESSES, CLOSERS, COUNTS, DATE, MAX_TEXT_CHARS, MIN_CLAIM_TOKENS, TITLE_TOKENS,
} = tables["features.texts"];
export const { HEAD_TOKENS, TAIL_TOKENS } = tables["features.texts"];
export { MAX_TEXT_CHARS };
const STOPS = new Set(characters(tables["features.words"].STOPS));
const CLOSING = new Set(characters(CLOSERS));
const DATED = pattern(DATE);
const LOWER = /^\p{Lowercase}/u;

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

/** @typedef {Record<keyof typeof COUNTS, number>} TextCounts The counts of a text that the package lists. */

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
      token_chars: found.reduce((sum, token) => sum + length(token), 0),
      singles: count(HIGH) || isCut ? found.filter(isSingle).length : 0,
      punctuation: count(PUNCTUATION),
      stops: count(STOP),
      digits: count(DIGIT),
      capitalized,
      symbols: count(SYMBOL),
      high: count(HIGH),
      ends: Number(endsAsSentence(read)),
      lower: Number(LOWER.test(read)),
      in_title: overlap(found, titleTokens),
      in_description: enough && described.size ? share(found, described) : 0,
      in_body: enough && body.size ? claimed(found, body) : 0,
      has_body: Number(body.size > 0),
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
