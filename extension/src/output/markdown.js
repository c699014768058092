/** Writes a document as GitHub Flavored Markdown (spec 0.29). */

import tables from "../tables.json" with { type: "json" };
import { sharedContainers } from "./budget.js";
import { isCallout, ownTitle } from "./callouts.js";
import { strong } from "./document.js";
import { groups } from "./asterisks.js";
import { backticks, formulaLine, howOf, inline, lineStart } from "./inline.js";

/** @import { Container, Line, Part } from "./document.js" */

const { MAX_NUMBER } = tables["output.markdown"];
const { CODE, DISPLAY } = tables.markup;

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
 * @returns {boolean} whether `part` needs no blank line before it: the text of a callout without a title
 *   of its own, or most list items
 */
function isTight(before, part, common) {
  if (before.kind === "title" && common === before.within.length) return !ownTitle(before).length;
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
    const first = within.map((one, i) => {
      if (i < common) return this.indent(one);
      // A box stands directly before a text.
      return this.marker(one.kind === "item" && i < within.length - 1 ? { ...one, label: "" } : one);
    });
    return { first: first.join(""), rest: within.map((one) => this.indent(one)).join("") };
  }

  /** @param {Container} container @returns {string} the prefix of its first line */
  marker({ kind, label, listNode, number }) {
    if (kind === "quote") return "> ";
    if (kind === "note") return `[^${label}]: `;
    const other = this.other.get(listNode) ?? false;
    const box = label ? `[${label}] ` : "";
    if (number === null) return `${other ? "*" : "-"} ${box}`;
    return `${Math.min(number, MAX_NUMBER)}${other ? ")" : "."} ${box}`;
  }

  /** @param {Container} container @returns {string} the prefix of its other lines */
  indent(container) {
    if (container.kind === "item") {
      return " ".repeat(this.marker(container).length - (container.label ? 4 : 0));
    }
    return container.kind === "quote" ? "> " : "    ";
  }
}

/** @param {Part} part @returns {string[]} */
function linesOf(part) {
  if (part.kind === "code") return fenced(part);
  if (part.kind === "table") return table(part);
  if (part.kind === "rule") return ["---"];
  if (part.kind === "title") return title(part);
  const how = howOf(part.lines);
  if (part.kind === "heading") {
    const text = part.lines.map((line) => inline(line, how)).filter(Boolean).join(" ");
    const escaped = text.endsWith("#") ? `${text.slice(0, -1)}\\#` : text;
    return text ? [`${"#".repeat(part.level)} ${escaped}`] : [];
  }
  /** @type {string[]} */
  const written = [];
  for (const group of displayedApart(part.lines)) {
    const formula = group[0][0];
    let texts = group.map((line) => inline(line, how)).filter(Boolean);
    texts = texts.map((text, i) => lineStart(text) + (i < texts.length - 1 ? "\\" : ""));
    if (formula && formula.marks & DISPLAY) texts = ["$$", formulaLine(formula.text), "$$"];
    if (texts.length) written.push(...(written.length ? [""] : []), ...texts);
  }
  return written;
}

/**
 * @param {Line[]} lines of a paragraph
 * @returns {Line[][]} the lines, or what a displayed formula leaves of them, in groups between which
 *   Markdown has blank lines; each such formula is a group
 */
function displayedApart(lines) {
  /** @type {Line[][]} */
  const apart = [];
  /** @type {Line[]} */
  let texts = [];
  for (const line of lines) {
    for (const spans of groups(line, (span) => span.marks & DISPLAY)) {
      if (spans[0].marks & DISPLAY) {
        apart.push(texts, ...spans.map((span) => [[span]]));
        texts = [];
      } else {
        texts.push(spans);
      }
    }
  }
  return [...apart, texts].filter((group) => group.length);
}

/** @param {Part} part */
function fenced({ code, language }) {
  const fence = "`".repeat(Math.max(3, backticks(code) + 1));
  return [fence + language, ...code.split("\n"), fence];
}

/** @param {Part} part @returns {string[]} the kind of a callout as GitHub writes it, and a title of its own */
function title(part) {
  const callout = part.within.at(-1);
  const isQuoted = callout && isCallout(callout);
  const lines = isQuoted ? ownTitle(part) : part.lines;
  const how = howOf(lines);
  const texts = lines.map((line) => inline(strong(line), how)).filter(Boolean).map(lineStart);
  const written = texts.map((text, i) => text + (i < texts.length - 1 ? "\\" : ""));
  return isQuoted ? [`[!${callout.label.toUpperCase()}]`, ...written] : written;
}

/**
 * @param {string} text
 * @param {Line} line
 * @returns {string} what is written of a line, with the spaces before a line of code
 */
function indented(text, line) {
  if (line.length !== 1 || !(line[0].marks & CODE) || !text.startsWith("`")) return text;
  const [indent] = line[0].text.match(/^[ \t]*/) ?? [""];
  const [fence] = text.match(/^`+/) ?? [""];
  return `${fence}${indent}${text.slice(fence.length)}`;
}

/** @param {Part} part */
function table({ header, rowHeaders, rows }) {
  const columns = Math.max(...rows.map((row) => row.length));
  const cells = rows.map((row) =>
    row.map((lines) => {
      const how = howOf(lines, true);
      return lines.map((line) => indented(inline(line, how), line)).filter(Boolean).join("<br>");
    }),
  );
  const first = header || !rowHeaders ? (cells.shift() ?? []) : [];
  while (first.length < columns) first.push("");
  const rule = first.map(() => "---");
  return [first, rule, ...cells].map((row) => `| ${row.join(" | ")} |`);
}
