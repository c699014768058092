/** Writes a document as GitHub Flavored Markdown (spec 0.29). */

import tables from "../tables.json" with { type: "json" };
import { characters, findall, isSpace, pattern, strip } from "../python.js";
import { sharedContainers } from "./budget.js";

/** @import { Container, Line, Part } from "./document.js" */
/** @import { Span } from "../page.js" */

const constants = tables["output.markdown"];
const { CODE } = tables.markup;
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
const LETTER = /^\p{L}/u;
const PUNCTUATION = /^[\p{P}\p{S}]/u;

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
function howOf(lines, inTable = false) {
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
 * @param {Part[]} parts
 * @returns {string} the parts as Markdown, without a final line end; "" if there are none
 */
export function toMarkdown(parts) {
  let written = "";
  /** @type {Part | null} */
  let before = null;
  const bullets = new Bullets();
  for (const part of parts) {
    const lines = linesOf(part);
    if (!lines.some(Boolean)) continue;
    const within = before?.within ?? [];
    const common = sharedContainers(within, part.within);
    const { first, rest } = bullets.prefixes(within, part.within, common);
    if (before) {
      const inside = part.within.slice(0, common).map((one) => bullets.indent(one)).join("");
      written += isTight(before, part, common) ? "\n" : `\n${inside.trimEnd()}\n`;
    }
    written += first + lines[0];
    for (const line of lines.slice(1)) written += line ? `\n${rest}${line}` : `\n${rest.trimEnd()}`;
    before = part;
  }
  return written;
}

/**
 * @param {Part} before
 * @param {Part} part
 * @param {number} common
 * @returns {boolean} whether `part` is a list item that needs no blank line before it
 */
function isTight(before, part, common) {
  const opened = part.within[common];
  if (!opened || before.kind === "table" || opened.kind !== "item") return false;
  if (before.within[common]?.listNode === opened.listNode) return true;
  const nested = before.within.length === common && ["paragraph", "heading"].includes(before.kind);
  return nested && common > 0 && (opened.number === null || opened.number === 1);
}

/** Chooses the markers of list items; adjacent lists get different ones to stay separate. */
class Bullets {
  constructor() {
    /** Per list, by its number, whether it has the second of the two markers. @type {Map<number, boolean>} */
    this.other = new Map();
  }

  /**
   * @param {Container[]} before
   * @param {Container[]} within
   * @param {number} common
   * @returns {{first: string, rest: string}} the prefix of a part's first line, and the prefix of its
   *   other lines
   */
  prefixes(before, within, common) {
    const opened = within[common];
    if (opened?.kind === "item" && !this.other.has(opened.listNode)) {
      const beside = before[common];
      const isSame = beside && (beside.number === null) === (opened.number === null);
      const flips = isSame && this.other.get(beside.listNode) === false;
      this.other.set(opened.listNode, Boolean(flips));
    }
    const first = within.map((one, i) => (i < common ? this.indent(one) : this.marker(one)));
    return { first: first.join(""), rest: within.map((one) => this.indent(one)).join("") };
  }

  /** @param {Container} container @returns {string} the prefix of its first line */
  marker({ kind, listNode, number }) {
    if (kind === "quote") return "> ";
    const other = this.other.get(listNode) ?? false;
    if (number === null) return other ? "* " : "- ";
    return `${Math.min(number, constants.MAX_NUMBER)}${other ? ")" : "."} `;
  }

  /** @param {Container} container @returns {string} the prefix of its other lines */
  indent(container) {
    return container.kind === "quote" ? "> " : " ".repeat(this.marker(container).length);
  }
}

/** @param {Part} part @returns {string[]} */
function linesOf(part) {
  if (part.kind === "code") return fenced(part);
  if (part.kind === "table") return table(part);
  const how = howOf(part.lines);
  const lines = part.lines.map((line) => inline(line, how)).filter(Boolean);
  if (part.kind === "heading") {
    const text = lines.join(" ");
    const escaped = text.endsWith("#") ? `${text.slice(0, -1)}\\#` : text;
    return text ? [`${"#".repeat(part.level)} ${escaped}`] : [];
  }
  return lines.map((line, i) => lineStart(line) + (i < lines.length - 1 ? "\\" : ""));
}

/** @param {string} text @returns {number} the length of its longest run of backticks */
function backticks(text) {
  return findall(text, BACKTICKS).reduce((most, run) => Math.max(most, run.length), 0);
}

/** @param {Part} part */
function fenced({ code, language }) {
  const fence = "`".repeat(Math.max(3, backticks(code) + 1));
  return [fence + language, ...code.split("\n"), fence];
}

/** @param {Part} part */
function table({ header, rowHeaders, rows }) {
  const columns = Math.max(...rows.map((row) => row.length));
  const cells = rows.map((row) =>
    row.map((lines) => {
      const how = howOf(lines, true);
      return lines.map((line) => inline(line, how)).filter(Boolean).join("<br>");
    }),
  );
  const first = header || !rowHeaders ? (cells.shift() ?? []) : [];
  while (first.length < columns) first.push("");
  const rule = first.map(() => "---");
  return [first, rule, ...cells].map((row) => `| ${row.join(" | ")} |`);
}

/**
 * @param {string} text
 * @returns {string} escaped so that it begins no heading, list or the like on a new line
 */
function lineStart(text) {
  if (LETTER.test(text)) return text;
  NUMBER_AT_LINE_START.lastIndex = AT_LINE_START.lastIndex = 0;
  const number = NUMBER_AT_LINE_START.exec(text)?.[1];
  if (number) return `${number}\\${text.slice(number.length)}`;
  return AT_LINE_START.test(text) ? `\\${text}` : text;
}

/** @template T @param {T[]} values @param {(value: T) => unknown} key @returns {T[][]} the runs of values with the same key */
function groups(values, key) {
  /** @type {T[][]} */
  const found = [];
  for (const value of values) {
    const last = found.at(-1);
    if (last && key(last[0]) === key(value)) last.push(value);
    else found.push([value]);
  }
  return found;
}

/** @param {Line} line @param {How} how @returns {string} with its links, images and marks */
function inline(line, how) {
  /** @type {string[]} */
  const written = [];
  for (const group of groups(line, (span) => span.href)) {
    let text = marked(group, 0, how);
    if (group[0].href) {
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
  const marks = spans.reduce((all, span) => all | span.marks, 0);
  while (layer < DELIMITERS.length && !(marks & DELIMITERS[layer][0])) layer++;
  if (layer === DELIMITERS.length) return textOf(spans, how);
  const [mark, delimiter] = DELIMITERS[layer];
  return groups(writable(spans, mark), (span) => span.marks & mark)
    .map((group) => {
      const text = marked(group, layer + 1, how);
      return group[0].marks & mark ? wrapped(text, delimiter, delimiter) : text;
    })
    .join("");
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
 * @param {Span} span
 * @param {number} index
 * @returns {string} the first or last character of the span as it is written
 */
function edge(span, index) {
  const char = span.text ? (characters(span.text).at(index) ?? "") : "!";
  return span.marks & CODE && !isSpace(char) ? "`" : char;
}

/** @param {string} char @returns {boolean} whether it is white space or punctuation */
function isApart(char) {
  return isSpace(char) || PUNCTUATION.test(char);
}

/**
 * @param {Span[]} spans
 * @param {How} how
 * @returns {string} the Markdown of spans with no marks except `CODE`: text, code and images
 */
function textOf(spans, how) {
  return groups(spans, (span) => `${span.marks & CODE} ${span.src}`)
    .map((group) => {
      const { marks, src } = group[0];
      if (src) return group.map(({ alt }) => `![${escaped(alt, how)}](${destination(src)})`).join("");
      const text = group.map((span) => span.text).join("");
      return marks & CODE && !(how.inTable && text.includes("\\|")) ? code(text) : escaped(text, how);
    })
    .join("");
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

/** @param {string} text @param {How} how @returns {string} with each character escaped that would be markup */
function escaped(text, how) {
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
