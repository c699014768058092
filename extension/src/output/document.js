/**
 * The kept content as a flat list of parts, which the writer of Markdown and the reader view share.
 *
 * A part is a heading, a paragraph, code or a table. It names the quotes and list items around it, so
 * that nothing is nested and a writer goes through the list once.
 */

import tables from "../tables.json" with { type: "json" };
import { isSpace, length, pattern, slice, strip } from "../python.js";
import { HEADING_TAGS } from "../page.js";
import { INLINE } from "../html/dom.js";
import { NOTHING, withCaptions } from "./beside.js";
import { Budget, sharedContainers, spanBytes } from "./budget.js";
import { calloutsAndTitles, withTitles } from "./callouts.js";
import { withLabels } from "./cell_labels.js";
import { FlatLists } from "./flat_lists.js";
import { chosenPictures, chosenRules, isSameImage } from "./pictures.js";
import { grid, hasHeader, hasRowHeaders, isHeadingInCell, withFootLast, writtenTables } from "./tables.js";
import { baseUrl, IMAGE_SCHEMES, LINK_SCHEMES, SafeUrls } from "./urls.js";

/** @import { Beside } from "./beside.js" */
/** @import { Markup, Page, Span } from "../page.js" */

const constants = tables["output.document"];
const { EMBED, FORMULA, NOTE, STRONG, SUPERSCRIPT } = tables.markup;
const { LANGUAGE_BYTES, STRONG_BYTES } = tables["output.budget"];
const SIDE_NOTES = new Set(tables["html.paths"].SIDE_NOTES);
const LISTS = new Set(constants.LISTS);
const DEFINITIONS = new Set(constants.DEFINITIONS);
const TERMS = new Set(constants.TERMS);
const BOXES = new Map(Object.entries(constants.BOXES));
const STRUCTURE = new Set(constants.STRUCTURE);
const WORD = pattern(constants.WORD);
/** The label that a page shows before a note. */
const LABEL = pattern(constants.LABEL, "y");
const BRACKETS_AT_ENDS = /^[[\]()]+|[[\]()]+$/g;

/**
 * @typedef {Span[]} Line A line of text; addresses in it are absolute and safe, or "".
 * @typedef {Line[]} TableCell The lines of a cell; [] without text.
 *
 * @typedef {object} Container A quote, a list item or a note around a part.
 * @property {"quote" | "item" | "note"} kind
 * @property {number} node The number of its element.
 * @property {number} listNode The number of the item's list; 0 for a quote.
 * @property {number | null} number The item's number in an ordered list; null in others.
 * @property {string} label The label of a note; the kind of a callout, which is a quote; of an item with a box
 *   to tick "x" if it is done, else " "; "" of others.
 *
 * @typedef {object} Part A part of the content.
 * @property {"heading" | "paragraph" | "code" | "table" | "title" | "rule"} kind
 * @property {Container[]} within The quotes and list items around the part, from the outermost to the
 *   innermost.
 * @property {Line[]} lines The lines of a heading, a paragraph or the title of a callout; [] if the callout has
 *   none.
 * @property {number} level The level of a heading, 1 to 6; 0 for other kinds.
 * @property {string} code The code, with its line ends and indents.
 * @property {string} language The code's language; "" if it is not known.
 * @property {TableCell[][]} rows The cells of each row of a table, without empty cells at the end of a
 *   row.
 * @property {boolean} header Whether the table's first row is marked up as its header.
 * @property {boolean} rowHeaders Whether rows begin with a cell that is marked up as their header.
 * @property {number[]} blocks Per line, or per block of a table or of code, the index of its block; -1 for
 *   a picture.
 *
 * @typedef {object} ContentItem A kept block or picture.
 * @property {string[]} tags
 * @property {number[]} nodes
 * @property {Line} line
 * @property {number} block The block's index; -1 for a picture.
 * @property {string} raw The block's `preformatted`.
 * @property {boolean} presentation Whether class words of its ancestors show that its table is for layout.
 * @property {boolean} [isRule] Whether it is a thematic break.
 *
 * @typedef {object} Place The place of an item in the document.
 * @property {Part["kind"]} kind
 * @property {string} key The part that the item belongs to: its kind and the number of an element.
 * @property {Container[]} within
 * @property {number} level
 * @property {boolean} term Whether the item is the term of a list of definitions, or the summary of details.
 */

/**
 * @param {Page} page
 * @param {Markup} markup
 * @param {boolean[]} kept per block whether it is content
 * @param {number} pageBytes the size of the page
 * @param {Beside} [beside] what else is written. The document begins with the headline, unless it is
 *   content and other content stands before it.
 * @returns {Part[]} the parts of the content in document order
 */
export function documentOf(page, markup, kept, pageBytes, beside = NOTHING) {
  return new Builder(page, markup, new Budget(page.blocks, markup, pageBytes)).parts(kept, beside);
}

/** Makes the parts of one page. */
class Builder {
  /** @param {Page} page @param {Markup} markup @param {Budget} budget */
  constructor(page, markup, budget) {
    this.page = page;
    this.markup = markup;
    this.budget = budget;
    const base = baseUrl(page.url, markup.base);
    this.links = new SafeUrls(base, LINK_SCHEMES);
    this.images = new SafeUrls(base, IMAGE_SCHEMES);
    this.numbers = new Map(markup.numbers);
    this.languages = new Map(markup.languages);
    this.notes = new Map(markup.notes);
    /** The notes of which a line was made. @type {Set<number>} */
    this.begun = new Set();
    /** The notes that stand in sentences, or are hidden. @type {Set<number>} */
    this.sideNotes = new Set();
    /** The labels of the notes that are content. @type {Set<string>} */
    this.keptLabels = new Set();
    this.tables = new Set();
    const { callouts, titles } = calloutsAndTitles(markup);
    this.callouts = callouts;
    this.titles = titles;
    this.flat = new FlatLists(markup);
    /** The labels of the items with boxes to tick, by the number of their element. @type {Map<number, string>} */
    this.boxes = new Map(markup.roles.flatMap(([node, role]) => (BOXES.has(role) ? [[node, BOXES.get(role) ?? ""]] : [])));
    /** The last item of each list, by the number of its element. @type {Map<number, Container>} */
    this.lastItems = new Map();
  }

  /** @param {boolean[]} kept @param {Beside} beside @returns {Part[]} */
  parts(kept, beside) {
    const { headline } = beside;
    let items = this.items(kept, beside);
    this.tables = writtenTables(items, this.page, this.markup);
    let places = items.map((item) => this.place(item));
    if (this.callouts.size) ({ items, places } = withTitles(items, places, this.titles));
    /** @type {Part[]} */
    const found = [];
    for (let begin = 0, before = /** @type {Container[]} */ ([]); begin < items.length; ) {
      const place = places[begin];
      let end = begin;
      while (end < items.length && places[end].key === place.key) end++;
      const { within } = place;
      if (place.kind === "rule") {
        // It is in what is around the parts on both sides.
        const shared = before.slice(0, sharedContainers(before, within));
        place.within = shared.slice(0, sharedContainers(shared, places[end]?.within ?? []));
      }
      // Notes need no line above them.
      const isAboveNotes = place.kind === "rule" && places[end]?.within[0]?.kind === "note";
      if (!isAboveNotes) found.push(...this.partsAt(place, items.slice(begin, end)));
      [begin, before] = [end, within];
    }
    const number = found.findIndex((part) => isHeadline(part, headline));
    if (number >= 0) {
      const [part] = found.splice(number, 1);
      const hasText = found.slice(0, number).some(({ blocks }) => blocks.some((block) => block >= 0));
      found.splice(kept[headline[0]] && hasText ? number : 0, 0, this.asHeadline(part));
    }
    /** @type {Part[]} */
    const parts = [];
    const isLast = (/** @type {Part} */ { within }) => this.sideNotes.has(within[0]?.node);
    const labeled = withLabels(found, this.page.blocks);
    for (const part of [...labeled.filter((one) => !isLast(one)), ...labeled.filter(isLast)]) {
      const before = parts.at(-1)?.within ?? [];
      parts.push({ ...part, within: part.within.length ? this.budget.containers(part, before) : [] });
    }
    return parts;
  }

  /** @param {Part} part @returns {Part} as the headline of the document */
  asHeadline(part) {
    const lines = part.lines.map((line) => ofHeading(line, this.page.url ?? ""));
    return { ...part, kind: "heading", within: [], level: 1, lines };
  }

  /** @param {Place} place @param {ContentItem[]} items @returns {Generator<Part>} */
  *partsAt({ kind, level, term, within }, items) {
    const part = {
      kind, within, level, lines: /** @type {Line[]} */ ([]), code: "", language: "",
      rows: /** @type {TableCell[][]} */ ([]), header: false, rowHeaders: false,
      blocks: items.map(({ block }) => block),
    };
    if (kind === "table") {
      const ordered = withFootLast(items);
      const rows = grid(ordered, this.markup, this.budget);
      yield { ...part, rows, header: hasHeader(ordered), rowHeaders: hasRowHeaders(ordered) };
    } else if (kind === "code") {
      const code = items.map((item) => item.raw || textOf(item.line)).join("\n");
      const named = items[0].nodes.map((node) => this.languages.get(node)).find(Boolean) ?? "";
      const isGiven = named && this.budget.gives(length(named) + LANGUAGE_BYTES);
      yield { ...part, code, language: isGiven ? named : "" };
    } else if (kind === "rule") {
      yield { ...part, blocks: [] };
    } else if (kind === "title") {
      yield { ...part, lines: items.map(({ line }) => line).filter((line) => line.length) };
    } else if (kind === "heading") {
      yield { ...part, lines: items.map(({ line }) => ofHeading(line, this.page.url ?? "")) };
    } else {
      for (const same of this.paragraphs(items)) {
        const lines = same.map(({ line }) => line);
        const isStrong = term && this.budget.gives(STRONG_BYTES * lines.length);
        yield { ...part, lines: isStrong ? lines.map(strong) : lines, blocks: same.map(({ block }) => block) };
      }
    }
  }

  /**
   * @param {boolean[]} kept
   * @param {Beside} beside
   * @returns {ContentItem[]} the kept blocks, those beside, pictures and thematic breaks in document order
   */
  items(kept, { headline, captions }) {
    const { blocks } = this.page;
    blocks.forEach(({ nodes }, i) => {
      const labels = kept[i] && this.notes.size ? nodes.map((node) => this.notes.get(node)) : [];
      for (const label of labels) if (label) this.keptLabels.add(label);
    });
    /** @type {ContentItem[]} */
    const items = [];
    const { rules, texts } = chosenRules(this.markup.rules, blocks, kept);
    const pictures = chosenPictures(this.markup.pictures, blocks, texts, headline);
    const written = withCaptions(texts, captions, pictures, blocks);
    let next = 0;
    const addPictures = (/** @type {number} */ before) => {
      for (; next < pictures.length && pictures[next].before <= before; next++) {
        const { nodes, span, tags } = pictures[next];
        const line = this.line([span]);
        if (line.length) items.push({ tags, nodes, line, block: -1, raw: "", presentation: false });
      }
    };
    let nextRule = 0;
    blocks.forEach((block, i) => {
      if (!written[i] && !headline.includes(i)) return;
      addPictures(i);
      for (; nextRule < rules.length && rules[nextRule].before <= i; nextRule++) {
        const { nodes, tags } = rules[nextRule];
        items.push({ tags, nodes, line: [], block: -1, raw: "", presentation: false, isRule: true });
      }
      let line = this.line(this.markup.spans[i]);
      if (!line.length) line = [{ text: block.text, href: "", marks: 0, src: "", alt: "" }];
      line = this.withoutLabel(block.nodes, line);
      if (!line.length) return;
      items.push({
        tags: block.tags,
        nodes: block.nodes,
        line,
        block: i,
        raw: block.preformatted,
        presentation:
          block.tags.includes("table") && block.classWords.join(" ").includes("presentation"),
      });
    });
    addPictures(blocks.length);
    return items;
  }

  /**
   * @param {number[]} nodes
   * @param {Line} line
   * @returns {Line} the first line of a note without its label, which Markdown writes; perhaps []
   */
  withoutLabel(nodes, line) {
    const note = nodes.find((node) => this.notes.has(node) && !this.begun.has(node));
    if (note === undefined) return line;
    this.begun.add(note);
    const label = (this.notes.get(note) ?? "").toLowerCase();
    if (textOf(line).replace(BRACKETS_AT_ENDS, "").toLowerCase() === label) return [];
    LABEL.lastIndex = 0;
    const [first, ...others] = line;
    const shown = LABEL.exec(first.text);
    if (shown && (shown[3] || (shown[1] ?? shown[2]).toLowerCase() === label)) {
      return [{ ...first, text: first.text.slice(shown[0].length) }, ...others];
    }
    return this.withoutLabel(nodes, line);
  }

  /** @param {ContentItem} item @returns {Place} */
  place({ block, isRule, nodes, tags }) {
    /** @type {Container[]} */
    const within = [];
    let lastList = 0;
    let term = false;
    /** @type {(kind: Part["kind"], node: number, level?: number) => Place} */
    const found = (kind, node, level = 0) => ({ kind, key: `${kind} ${node}`, within, level, term: false });
    const note = this.notes.size ? (nodes.find((one) => this.notes.has(one)) ?? 0) : 0;
    const container = (/** @type {Container["kind"]} */ kind, /** @type {number} */ node) =>
      ({ kind, node, listNode: 0, number: null, label: "" });
    if (note && SIDE_NOTES.has(tags[nodes.indexOf(note)])) this.sideNotes.add(note);
    this.flat.endUnless(nodes);
    if (note) within.push({ ...container("note", note), label: this.notes.get(note) ?? "" });
    for (let i = 0; i < tags.length; i++) {
      const [tag, node] = [tags[i], nodes[i]];
      const kind = this.callouts.get(node) ?? "";
      const isFlat = this.flat.levels.has(node);
      if (!kind && !isFlat && (!STRUCTURE.has(tag) || (note && node <= note))) continue;
      if (LISTS.has(tag)) {
        // A list directly in a list belongs to the item before it.
        const last = lastList ? this.lastItems.get(lastList) : null;
        if (last) within.push(last);
        lastList = this.flat.wholes.get(node) ?? node;
      } else if (isFlat) {
        within.push(...this.flat.items(node, i ? nodes[tag === "li" ? i - 2 : i - 1] : 0));
      } else if (tag === "li" && !this.flat.posts.has(node)) {
        // An item outside of a list belongs to the element around it.
        const listNode = lastList || (i ? nodes[i - 1] : 0);
        const label = this.boxes.get(node) ?? "";
        const item = { ...container("item", node), listNode, number: this.numbers.get(node) ?? null, label };
        within.push(item);
        this.lastItems.set(listNode, item);
        lastList = 0;
      } else if (tag === "blockquote" || kind) {
        within.push({ ...container("quote", node), label: kind });
      } else if (DEFINITIONS.has(tag) || TERMS.has(tag) || tag === "details") {
        term = TERMS.has(tag);
      } else if (HEADING_TAGS.has(tag)) {
        return found("heading", node, Number(tag[1]));
      } else if (tag === "pre" && block >= 0) {
        return found("code", node);
      } else if (tag === "table" && this.tables.has(node) && !tags.includes("caption") && !isHeadingInCell(tags)) {
        return found("table", node);
      }
    }
    const last = tags.findLastIndex((tag) => !INLINE.has(tag));
    if (isRule) return found("rule", last >= 0 ? nodes[last] : 0);
    return { ...found("paragraph", Math.max(last >= 0 ? nodes[last] : 0, note)), term };
  }

  /** @param {ContentItem[]} items @returns {ContentItem[][]} the items of each paragraph in one element */
  paragraphs(items) {
    /** @type {ContentItem[][]} */
    const paragraphs = [];
    let before = -2;
    for (const item of items) {
      const { block } = item;
      // A single <br> only ends a line.
      const follows = block >= 0 && block === before + 1 && this.markup.breaks[block] === 1;
      if (follows && paragraphs.length) paragraphs[paragraphs.length - 1].push(item);
      else paragraphs.push([item]);
      before = block >= 0 ? block : -2;
    }
    return paragraphs;
  }

  /**
   * Images without an address are left out, and so are the second of one image in two sizes, and signs that
   * link to their heading, such as a pilcrow.
   *
   * @param {Span[]} spans
   * @returns {Line} the spans, with safe addresses only, as long as the budget gives them
   */
  line(spans) {
    /** @type {Line} */
    const line = [];
    /** @type {Span | null} */
    let image = null;
    for (const span of spans) {
      if (span.src && image && isSameImage(image, span)) {
        const { text } = line[line.length - 1];
        if (text && isSpace(text)) line.pop();
        continue;
      }
      if (span.src || !isSpace(span.text)) image = span.src ? span : null;
      if (!span.href && !span.src && !span.marks) {
        line.push(span);
        continue;
      }
      if (span.href.startsWith("#") && !span.src && !WORD.test(span.text)) continue;
      const given = this.given(span);
      if (given.text || given.src) line.push(given);
    }
    return line;
  }
  /** @param {Span} span @returns {Span} with its safe addresses, or without any if the budget is used up */
  given(span) {
    const plain = { ...span, href: "", marks: 0, src: "" };
    if (span.marks & NOTE && this.keptLabels.has(slice(strip(span.text), 1, -1))) {
      return this.budget.gives(spanBytes(span)) ? { ...plain, marks: NOTE } : plain;
    }
    if (span.marks & EMBED) {
      const address = this.images.of(span.href);
      const embed = { ...plain, text: address, href: address, marks: EMBED };
      const isWhole = /^https?:\/\//.test(address); // else it would be a tag
      return isWhole && this.budget.gives(spanBytes(embed)) ? embed : plain;
    }
    const marks = span.marks & NOTE ? SUPERSCRIPT : span.marks;
    const href = ["", "#"].includes(strip(span.href)) ? "" : this.links.of(span.href);
    const src = span.src ? this.images.of(span.src) : "";
    const safe = { ...span, href, marks, src };
    return this.budget.gives(spanBytes(safe)) ? safe : plain;
  }
}

/** @param {Part} part @param {number[]} headline @returns {boolean} whether it is the headline, alone or as a heading */
function isHeadline({ blocks, kind }, headline) {
  const isAlone = kind === "paragraph" && blocks.every((block) => headline.includes(block));
  return headline.length > 0 && blocks.includes(headline[0]) && (kind === "heading" || isAlone);
}

/** @param {Line} line */
function textOf(line) {
  return strip(line.map((span) => span.text).join(""));
}

/** @param {Line} line @returns {Line} in bold, but for formulas */
export function strong(line) {
  return line.map((span) => (span.marks & FORMULA || span.src ? span : { ...span, marks: span.marks | STRONG }));
}

/**
 * @param {Line} line
 * @param {string} url the address of the page
 * @returns {Line} the line without its bold marks, since a heading is bold anyway, and without a link to
 *   the heading itself
 */
function ofHeading(line, url) {
  const pageOf = (/** @type {string} */ address) => address.split("#")[0].replace(/\/+$/, "");
  const here = pageOf(url);
  const isHere = (/** @type {string} */ href) => href !== "" && ["", here].includes(pageOf(href));
  return line.map((span) => ({ ...span, marks: span.marks & ~STRONG, href: isHere(span.href) ? "" : span.href }));
}
