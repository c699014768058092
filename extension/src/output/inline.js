/** Writes a line of text as Markdown: its links, images, marks and formulas, and what is escaped. */

import tables from "../tables.json" with { type: "json" };
import { findall, isSpace, pattern, slice, strip } from "../python.js";
import { edge, groups, isApart, nested } from "./asterisks.js";
import { formulasIn, harmless, mayHaveTex } from "./tex.js";

/** @import { Line } from "./document.js" */
/** @import { Span } from "../page.js" */

const constants = tables["output.inline"];
const { OUTER, RAISED } = tables["output.asterisks"];
const { CODE, EMBED, EMPHASIS, FORMULA, NOTE, STRONG, SUBSCRIPT, SUPERSCRIPT } = tables.markup;
/** Marks whose texts are not escaped as others are. */
const { WRITTEN } = constants;
const SPECIAL = pattern(constants.SPECIAL, "g");
const AT_LINE_START = pattern(constants.AT_LINE_START, "y");
const NUMBER_AT_LINE_START = pattern(constants.NUMBER_AT_LINE_START, "y");
const BACKTICKS = pattern(constants.BACKTICKS, "g");
const ENTITIES = /** @type {Record<string, string>} */ (constants.ENTITIES);
const ENTITY = pattern(constants.ENTITY, "g");
const LIVE = pattern(constants.LIVE);
const ADDRESS = pattern(constants.ADDRESS, "g");
const TAKEN_IN = pattern(constants.TAKEN_IN, "g");
const IN_ADDRESSES = pattern(constants.IN_ADDRESSES, "g");
const DELIMITERS = /** @type {[number, string][]} */ (constants.DELIMITERS);
const TAGS = /** @type {[number, string, string][]} */ (constants.TAGS);
const LETTER = /^\p{L}/u;

/**
 * @typedef {object} How How the texts of a paragraph, a heading or a cell are written.
 * @property {boolean} inTable Whether `|` would end a cell.
 * @property {boolean} noAddresses Whether no renderer may make links of addresses in texts.
 */

/**
 * GitHub's renderer makes a link of an address in a text, and takes in what follows up to a space or `<`.
 * Backslashes then escape nothing, and code begins where it should end. This is prevented where a text
 * would become live HTML or a link.
 *
 * @param {Line[]} lines
 * @param {boolean} [inTable]
 * @returns {How} how to write the lines
 */
export function howOf(lines, inTable = false) {
  const spans = lines.flat();
  const isLive = LIVE.test(spans.map(({ alt, text }) => text + alt).join(""));
  return { inTable, noAddresses: isLive && takesIn(spans) };
}

/**
 * @param {Span[]} spans
 * @returns {boolean} whether an address is followed by markup or an escape, without a space between
 */
function takesIn(spans) {
  return spans.map(sketch).join("").split(" ").some((run) => {
    ADDRESS.lastIndex = 0;
    if (!ADDRESS.test(run)) return false;
    TAKEN_IN.lastIndex = ADDRESS.lastIndex;
    return TAKEN_IN.test(run);
  });
}

/** @param {Span} span */
function sketch({ alt, href, marks, src, text }) {
  const shown = marks & CODE ? `\`${text}\`` : text + alt;
  return href || src ? `[${shown}` : shown;
}

/**
 * @param {string} text
 * @returns {string} escaped so that it begins no heading, list or the like on a new line
 */
export function lineStart(text) {
  if (LETTER.test(text)) return text;
  NUMBER_AT_LINE_START.lastIndex = AT_LINE_START.lastIndex = 0;
  const number = NUMBER_AT_LINE_START.exec(text)?.[1];
  if (number) return `${number}\\${text.slice(number.length)}`;
  return AT_LINE_START.test(text) ? `\\${text}` : text;
}

/** @param {Line} line @param {How} how @returns {string} with its links, images and marks */
export function inline(line, how) {
  /** @type {string[]} */
  const written = [];
  for (const group of groups(line, (span) => span.href)) {
    const isEmbed = group[0].marks & EMBED;
    let text = isEmbed ? `<${group[0].href}>` : marked(group, 0, how);
    if (group[0].href && !isEmbed) {
      text = wrapped(text, "[", `](${destination(group[0].href)})`);
      const last = written.length - 1;
      if (written[last]?.endsWith("!") && text.startsWith("[")) {
        written[last] = `${written[last].slice(0, -1)}\\!`; // else it would be an image
      }
    }
    written.push(text);
  }
  const text = strip(written.join(""));
  return how.inTable ? text.replaceAll("|", "\\|") : text;
}

/**
 * A mark is left out where Markdown cannot express it: inside a word, beside punctuation.
 *
 * @param {Span[]} spans
 * @param {number} layer
 * @param {How} how
 * @returns {string} the text with its marks, from the given layer on
 */
function marked(spans, layer, how) {
  let marks = spans.reduce((all, span) => all | span.marks, 0);
  if (marks & RAISED) {
    const found = withTagsOutside(spans, layer);
    if (found.length > 1 || found[0].raised) {
      return found.map(({ raised, run }) => withTags(marked(run, layer, how), raised)).join("");
    }
  }
  if (!layer && marks & STRONG && marks & EMPHASIS) {
    spans = nested(spans);
    marks |= OUTER;
  }
  while (layer < DELIMITERS.length && !(marks & DELIMITERS[layer][0])) layer++;
  if (layer === DELIMITERS.length) return textOf(spans, how);
  const [mark, sign] = DELIMITERS[layer];
  return groups(writable(spans, mark), (span) => span.marks & mark)
    .map((group) => {
      const text = marked(group, layer + 1, how);
      return group[0].marks & mark ? wrapped(text, sign, sign) : text;
    })
    .join("");
}

/** @param {string} text @param {number} marks */
function withTags(text, marks) {
  const tags = TAGS.find(([mark]) => mark & marks);
  return tags ? wrapped(text, tags[1], tags[2]) : text;
}

/** @typedef {{raised: number, run: Span[]}} Raised Spans, and the mark of the superscript or subscript that they are; 0 for none. */

/** @param {Span[]} spans @returns {Raised[]} the spans in runs, each with the outermost mark */
function raisedRuns(spans) {
  /** @type {Raised[]} */
  const runs = [];
  for (let at = 0; at < spans.length; ) {
    const supers = marksFrom(spans, at, SUPERSCRIPT);
    const subs = marksFrom(spans, at, SUBSCRIPT);
    const count = Math.max(supers, subs);
    const last = runs.at(-1);
    if (count) runs.push({ raised: supers < subs ? SUBSCRIPT : SUPERSCRIPT, run: spans.slice(at, at + count) });
    else if (last && !last.raised) last.run.push(spans[at]);
    else runs.push({ raised: 0, run: [spans[at]] });
    at += count || 1;
  }
  return runs;
}

/** @param {Span[]} spans @param {number} at @param {number} mark @returns {number} how many spans, from one on, have it */
function marksFrom(spans, at, mark) {
  let end = at;
  while (end < spans.length && spans[end].marks & mark) end++;
  return end - at;
}

/**
 * Delimiters stand outside of tags only where they are around a text beside them, too.
 *
 * @param {Span[]} spans
 * @param {number} layer
 * @returns {Raised[]} the spans in groups, each with the mark whose tags stand outside of its delimiters
 */
function withTagsOutside(spans, layer) {
  const runs = raisedRuns(spans);
  /** @type {Raised[]} */
  const found = [];
  for (const [i, { raised, run }] of runs.entries()) {
    const last = found.at(-1);
    if (raised && !goesOn(runs[i - 1]?.run.at(-1), run, runs[i + 1]?.run[0], layer)) {
      found.push({ raised, run: run.map((span) => ({ ...span, marks: span.marks & ~raised })) });
    } else if (last && !last.raised) {
      last.run.push(...run);
    } else {
      found.push({ raised: 0, run: [...run] });
    }
  }
  return found;
}

/**
 * @param {Span | undefined} before
 * @param {Span[]} run
 * @param {Span | undefined} after
 * @param {number} layer
 * @returns {boolean} whether a mark of all of a run goes on beside it, and its delimiters can be written
 *   where it ends
 */
function goesOn(before, run, after, layer) {
  const written = DELIMITERS.slice(layer).reduce((all, [mark]) => all | mark, 0);
  const shared = run.reduce((all, span) => all & span.marks, written);
  const left = shared & (before?.marks ?? 0);
  const right = shared & (after?.marks ?? 0);
  if (left & right) return true;
  const end = left ? after && edge(after, 0) : before && edge(before, -1);
  return Boolean(left | right) && isApart(end || " ");
}

/**
 * @param {Span[]} spans
 * @param {number} mark
 * @returns {Span[]} the spans, without the mark where its delimiters would not be delimiters
 */
function writable(spans, mark) {
  const found = groups(spans, (span) => span.marks & mark);
  const edges = found.map((group) => [edge(group[0], 0), edge(group[group.length - 1], -1)]);
  return found.flatMap((group, i) => {
    const left = i ? edges[i - 1][1] : " ";
    const right = i + 1 < found.length ? edges[i + 1][0] : " ";
    const [first, last] = edges[i];
    const opens = isSpace(first) || isApart(left) || !isApart(first);
    const closes = isSpace(last) || isApart(right) || !isApart(last);
    if (!(group[0].marks & mark) || (opens && closes)) return group;
    return group.map((span) => ({ ...span, marks: span.marks & ~mark }));
  });
}

/**
 * @param {Span[]} spans
 * @param {How} how
 * @returns {string} the Markdown of spans with no marks that are signs around it: text, code and images
 */
function textOf(spans, how) {
  return groups(spans, (span) => `${span.marks & WRITTEN} ${span.src}`)
    .map((group) => {
      const { marks, src } = group[0];
      if (src) return group.map(({ alt }) => `![${escaped(alt, how)}](${destination(src)})`).join("");
      if (marks & NOTE) return group.map(({ text }) => `[^${slice(strip(text), 1, -1)}]`).join("");
      const text = group.map((span) => span.text).join("");
      if (marks & FORMULA) return wrapped(harmless(text), "$", "$");
      return marks & CODE && !(how.inTable && text.includes("\\|")) ? code(text) : escaped(text, how);
    })
    .join("");
}

/** @param {string} text @returns {number} the length of its longest run of backticks */
export function backticks(text) {
  return findall(text, BACKTICKS).reduce((most, run) => Math.max(most, run.length), 0);
}

/**
 * @param {string} text
 * @returns {string} code within a line, between more backticks than any run inside
 */
function code(text) {
  const core = strip(text);
  if (!core) return text;
  const fence = "`".repeat(backticks(core) + 1);
  const space = core.startsWith("`") || core.endsWith("`") ? " " : "";
  return wrapped(text, fence + space, space + fence);
}

/**
 * @param {string} text
 * @param {string} begin
 * @param {string} end
 * @returns {string} the text between two strings; white space at its ends stays outside
 */
function wrapped(text, begin, end) {
  const core = strip(text);
  if (!core) return text;
  const lead = text.indexOf(core);
  return text.slice(0, lead) + begin + core + end + text.slice(lead + core.length);
}

/**
 * @param {string} text
 * @param {How} how
 * @returns {string} with each character escaped that would be markup, except in TeX
 */
function escaped(text, how) {
  if (!mayHaveTex(text)) return escapedText(text, how);
  let written = "";
  let at = 0;
  for (const [begin, end, tex, sign] of formulasIn(text)) {
    written += escapedText(text.slice(at, begin), how) + sign + harmless(tex) + sign;
    at = end;
  }
  return written + escapedText(text.slice(at), how);
}

/** @param {string} text @param {How} how @returns {string} with each character escaped that would be markup */
function escapedText(text, how) {
  if (!how.noAddresses) return text.replace(SPECIAL, withBackslash);
  const escapes = text.replace(SPECIAL, (sign) => ENTITIES[sign] ?? withBackslash(sign));
  return escapes.replace(IN_ADDRESSES, withBackslash);
}

/** @param {string} sign */
function withBackslash(sign) {
  return `\\${sign}`;
}

/**
 * @param {string} url
 * @returns {string} the address as a link's destination, without brackets and entities
 */
function destination(url) {
  return url.replaceAll("(", "%28").replaceAll(")", "%29").replace(ENTITY, "&amp;");
}

/** @param {string} tex @returns {string} TeX that begins no heading, list or the like on a line of its own */
export function formulaLine(tex) {
  const written = harmless(strip(tex));
  return lineStart(written) === written && !written.startsWith("~~~") ? written : `{}${written}`;
}
