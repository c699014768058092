/** Which asterisks of strong texts and emphasis can stand beside others in Markdown. */

import tables from "../tables.json" with { type: "json" };
import { characters, isSpace, strip } from "../python.js";

/** @import { Span } from "../page.js" */

const { CODE, EMPHASIS, FORMULA, STRONG } = tables.markup;
/** `OUTER`: the mark of emphasis that is written around a strong text. */
const { OUTER, RAISED, STARS } = tables["output.asterisks"];
const PUNCTUATION = /^[\p{P}\p{S}]/u;

/** @template T @param {T[]} values @param {(value: T) => unknown} key @returns {T[][]} the runs of values with the same key */
export function groups(values, key) {
  /** @type {T[][]} */
  const found = [];
  for (const value of values) {
    const last = found.at(-1);
    if (last && key(last[0]) === key(value)) last.push(value);
    else found.push([value]);
  }
  return found;
}

/**
 * @param {Span[]} spans
 * @returns {Span[]} with emphasis and strong texts one in the other, and without marks that would give the
 *   asterisks beside them another meaning
 */
export function nested(spans) {
  const marks = spans.map((span) => span.marks & STARS);
  /** @type {Map<number, [number, number]>} */
  const strong = new Map();
  for (const run of runsOf(marks, STRONG)) for (let i = run[0]; i < run[1]; i++) strong.set(i, run);
  for (const [begin, end] of runsOf(marks, EMPHASIS)) {
    const [first, last] = uncrossed(strong, begin, end);
    if (begin < first && touch(spans, first)) marks.fill(STRONG, begin, first);
    if (last < end && touch(spans, last)) marks.fill(STRONG, last, end);
    let isOutside = false;
    for (let i = first; i < last; i++) {
      const run = strong.get(i);
      const isWhole = run && run[0] === first && run[1] === last;
      isOutside ||= run !== undefined && !isWhole && begin <= run[0] && run[1] <= end;
    }
    for (let i = first; isOutside && i < last; i++) marks[i] = (marks[i] & STRONG) | OUTER;
  }
  separate(spans, marks);
  return spans.map((span, i) => ({ ...span, marks: (span.marks & ~STARS) | marks[i] }));
}

/**
 * Leaves out marks whose asterisks, beside others, would end or begin another mark.
 *
 * @param {Span[]} spans
 * @param {number[]} marks
 */
function separate(spans, marks) {
  let [before, begin, end] = [0, 0, 0];
  for (const own of groups([...marks], outermost)) {
    const outer = outermost(own[0]);
    [before, begin, end] = [begin, end, end + own.length];
    if (outer && begin && marks[begin - 1] && touch(spans, begin)) {
      const after = isApart(edge(spans[begin - 1], -1));
      const first = isApart(edge(spans[begin], 0));
      if (after && !first) marks.fill(0, before, begin);
      marks.fill(first && !after ? 0 : outer, begin, end);
    } else {
      const at = Math.max(own.findIndex((_, i) => strip(spans[begin + i].text) || !spans[begin + i].text), 0);
      let leftOut = false;
      for (let i = at + 1; own[at] !== outer && i < own.length; i++) {
        if (own[i] !== outer && own[i - 1] === outer) leftOut = touch(spans, begin + i);
        marks[begin + i] = leftOut ? outer : own[i];
      }
    }
  }
}

/** @param {number} marks @returns {number} which of the marks has its asterisks around the others */
function outermost(marks) {
  return marks & OUTER || marks & STRONG || marks;
}

/**
 * @param {Map<number, [number, number]>} strong by the places of the spans, the run that each is in
 * @param {number} begin
 * @param {number} end
 * @returns {[number, number]} where emphasis begins and ends without the strong runs that go on beside it
 */
function uncrossed(strong, begin, end) {
  const first = strong.get(begin) ?? [begin, begin];
  const last = strong.get(end - 1) ?? [end, end];
  if ((first[0] < begin && first[1] >= end) || (last[1] > end && last[0] <= begin)) return [begin, end];
  return [first[0] < begin ? first[1] : begin, last[1] > end ? last[0] : end];
}

/** @param {Span[]} spans @param {number} i @returns {boolean} whether no space is between a span and the one before it */
function touch(spans, i) {
  return !isSpace(edge(spans[i - 1], -1)) && !isSpace(edge(spans[i], 0));
}

/** @param {number[]} marks @param {number} mark @returns {[number, number][]} where each run with the mark begins and ends */
function runsOf(marks, mark) {
  /** @type {[number, number][]} */
  const runs = [];
  let at = 0;
  for (const group of groups(marks, (one) => one & mark)) {
    if (group[0] & mark) runs.push([at, at + group.length]);
    at += group.length;
  }
  return runs;
}

/**
 * @param {Span} span
 * @param {number} index
 * @returns {string} the first or last character of the span as it is written
 */
export function edge(span, index) {
  const char = span.text ? (characters(span.text).at(index) ?? "") : "!";
  if (span.marks & FORMULA) return "$";
  if (span.marks & RAISED && !isSpace(char)) return "<";
  return span.marks & CODE && !isSpace(char) ? "`" : char;
}

/** @param {string} char @returns {boolean} whether it is white space or punctuation */
export function isApart(char) {
  return isSpace(char) || PUNCTUATION.test(char);
}
