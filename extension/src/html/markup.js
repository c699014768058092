/** Gathers a page's markup: links, marks, images, tables and the languages of code. */

import tables from "../tables.json" with { type: "json" };
import { collapsed, isSpace, strip } from "../python.js";
import { languageOf } from "./code.js";
import { INLINE, tagOf } from "./dom.js";
import { boxAddress } from "./embed_boxes.js";
import { EMBED_TAGS, embedOf } from "./embeds.js";
import { marksInside } from "./emphasis.js";
import { givenNumber, IMAGE_TAGS, imageOf } from "./images.js";
import { MAX_ANCESTORS } from "./paths.js";
import { isApart } from "./runs.js";

/** @import { Block, Cell, Markup, Picture, Span } from "../page.js" */
/** @import { Frame, PathBuilder } from "./paths.js" */
/** @import { Readings } from "./reading.js" */
/** @import { Piece } from "./runs.js" */
/** @typedef {{href: string, marks: number}} Style The link around a text, and its marks. */
/** @typedef {{text: string, frame: Frame} | {image: Span}} Part */

const constants = tables["html.markup"];
const STRUCTURE = new Set(constants.STRUCTURE);
const ROWS = new Set(tables["html.walk"].ROW_TAGS);
/** @type {Readonly<Style>} */
const PLAIN = Object.freeze({ href: "", marks: 0 });

/** Gathers the markup of one page during the walk over its elements. */
export class MarkupGatherer {
  /** @param {PathBuilder} paths @param {Readings} readings */
  constructor(paths, readings) {
    this.paths = paths;
    this.readings = readings;
    /** @type {Span[][]} */
    this.spans = [];
    /** The last number belongs to the next block. */
    this.breaks = [0];
    /** Images in the next block's run, each with the number of texts before it and the element around it. @type {[number, Span, Frame][]} */
    this.inside = [];
    /** @type {Picture[]} */
    this.pictures = [];
    /** @type {Set<number>} */
    this.seenNodes = new Set();
    /** Styles by the number of an element that is inline or in a link. @type {Map<number, Style>} */
    this.styles = new Map();
    /** @type {Map<Element, number>} */
    this.cellIndex = new Map();
    /** The numbers of the items of an ordered list, by the number of its element. @type {Map<number, number[]>} */
    this.itemNumbers = new Map();
    /** @type {Pick<Markup, "numbers" | "rows" | "cells" | "languages" | "notes" | "rules" | "roles">} */
    this.elements = { numbers: [], rows: [], cells: [], languages: [], notes: [], rules: [], roles: [] };
    this.base = "";
  }

  /** @returns {Markup} */
  result() {
    const { spans, pictures, base } = this;
    return { spans, breaks: this.breaks.slice(0, spans.length), pictures, ...this.elements, base };
  }

  /**
   * Records an image, an embed, a line break, a thematic break or the page's base.
   *
   * @param {Element} element
   * @param {string} tag
   * @param {Frame | null} parent
   * @param {number} runLength the number of texts of the run so far
   * @param {number} number that of the element
   */
  record(element, tag, parent, runLength, number) {
    if (tag === "br") {
      this.breaks[this.breaks.length - 1]++;
    } else if (tag === "hr") {
      if (!parent || this.paths.ownReason(element)) return;
      const { path, nodes, hidden } = this.paths.locate(parent);
      if (hidden) return;
      this.lookAt(parent);
      this.elements.rules.push({ before: this.spans.length, tags: path.tags, nodes });
    } else if (tag === "base") {
      this.base = this.base || strip(element.getAttribute("href") ?? "");
    } else if (parent) {
      const span = shownBy(element, tag, runLength > 0);
      if (!span) return;
      if (span.src) span.href = this.style(parent).href;
      if (runLength) {
        this.inside.push([runLength, span, parent]);
        return;
      }
      this.lookAt(parent);
      const { path, nodes, hidden } = this.paths.locate(parent);
      const place = { before: this.spans.length, tags: path.tags, nodes };
      this.pictures.push({ ...place, span, hidden: hidden > 0, element: tag === "blockquote" ? number : 0 });
    }
  }

  /**
   * Forgets the images in hidden parts of the run.
   *
   * @param {(Piece | null)[]} shown per piece of the run what is shown of it
   * @param {(frame: Frame) => boolean} isHidden
   */
  show(shown, isHidden) {
    if (!this.inside.length) return;
    const leading = shown.findIndex((piece) => piece && !isSpace(piece.text));
    const before = [0];
    for (const piece of shown.slice(leading)) before.push(before[before.length - 1] + (piece ? 1 : 0));
    const images = this.inside.filter(([, , frame]) => !isHidden(frame));
    this.inside = images.map(([place, span, frame]) => [before[Math.max(0, place - leading)], span, frame]);
  }

  /**
   * Adds the markup of the next block.
   *
   * @param {Block} block
   * @param {Piece[]} pieces its texts
   * @param {Piece[]} run the same, with adjacent texts of one element joined
   */
  add(block, pieces, run) {
    const style = this.style(pieces[0].frame);
    /** @type {Span[]} */
    let spans = [];
    if (this.inside.length) {
      spans = this.collapse(this.withImages(pieces));
      this.inside = [];
    } else if (run.length > 1 && !this.areAlike(run)) {
      spans = this.collapse(withSpaces(run));
    } else if (style.href || style.marks) {
      spans = [spanOf(block.text, style)];
    }
    this.spans.push(spans);
    this.breaks.push(0);
    const isDeep = block.tags.length >= MAX_ANCESTORS;
    if (isDeep || this.readings.size || block.tags.some((tag) => STRUCTURE.has(tag))) {
      this.lookAt(pieces[0].frame);
    }
  }

  /**
   * @param {Piece[]} run
   * @returns {boolean} whether all texts except white space have the same link and marks
   */
  areAlike(run) {
    const first = run[0].frame;
    const style = this.style(first);
    return run.every(({ frame, text }) => {
      if (frame === first || isSpace(text)) return true;
      return frame.link === first.link && isSame(this.style(frame), style);
    });
  }

  /**
   * @param {Piece[]} pieces
   * @returns {Part[]} the texts and images in order, with the spaces of `withSpaces`
   */
  withImages(pieces) {
    /** @type {Part[]} */
    const parts = [];
    const images = [...this.inside];
    let number = 0;
    /** @type {Piece | null} */
    let before = null;
    while (number < pieces.length) {
      const { frame } = pieces[number];
      let end = number;
      while (end < pieces.length && pieces[end].frame === frame) end++;
      const joined = pieces.slice(number, end).map((piece) => piece.text).join("");
      const group = { text: joined, frame, nodes: [] };
      if (before && isApart(before, group)) parts.push({ text: " ", frame });
      for (; number < end; number++) {
        while (images.length && images[0][0] <= number) parts.push({ image: images[0][1] }), images.shift();
        parts.push(pieces[number]);
      }
      before = group;
    }
    return [...parts, ...images.map(([, image]) => ({ image }))];
  }

  /**
   * A space stays in the part that it is in. Adjacent texts of one style become one span.
   *
   * @param {Part[]} parts
   * @returns {Span[]} the spans of the parts, with white space collapsed over all of them
   */
  collapse(parts) {
    /** @type {Span[]} */
    const spans = [];
    let text = "";
    /** @type {Style} */
    let style = PLAIN;
    const change = (/** @type {Style} */ following) => {
      if (text) spans.push(spanOf(text, style));
      text = "";
      style = following;
    };
    let begun = false;
    let trails = false;
    /** The element of white space between two texts. @type {Frame | null} */
    let gap = null;
    for (const part of parts) {
      const raw = "image" in part ? "" : part.text;
      let words = collapsed(raw);
      if (!("image" in part) && !words) {
        gap = gap ?? part.frame;
        continue;
      }
      if (trails) {
        text += " ";
      } else if (gap && begun) {
        const gapStyle = this.style(gap);
        if (!isSame(gapStyle, style)) change(gapStyle);
        text += " ";
      } else if (begun && raw && isSpace(raw[0])) {
        words = ` ${words}`;
      }
      if ("image" in part) {
        change(style);
        spans.push(part.image);
        trails = false;
      } else {
        const partStyle = this.style(part.frame);
        if (!isSame(partStyle, style)) change(partStyle);
        text += words;
        trails = isSpace(raw[raw.length - 1]);
      }
      begun = true;
      gap = null;
    }
    change(style);
    return spans;
  }

  /**
   * The marks are those of the inline elements around the texts, up to the first that is not inline.
   *
   * @param {Frame} frame
   * @returns {Style} the link around the texts of an element, and their marks
   */
  style(frame) {
    /** @type {Frame[]} */
    const unknown = [];
    /** @type {Style} */
    let style = PLAIN;
    for (
      let above = /** @type {Frame | null} */ (frame);
      above && (above.link || INLINE.has(above.tag));
      above = above.parent
    ) {
      const known = this.styles.get(above.node);
      if (known) {
        style = known;
        break;
      }
      unknown.push(above);
    }
    for (const { element, node, tag } of unknown.reverse()) {
      const reading = this.readings.get(element);
      const own = tag === "a" ? (element.getAttribute("href") ?? "") : style.href;
      const href = reading?.href || own;
      const isWhole = tag === "cite" && isWholeSource(element);
      const inside = isWhole ? style.marks : marksInside(style.marks, tag, element.getAttribute("style"));
      const marks = INLINE.has(tag) ? inside : 0;
      style = { href, marks: reading?.marks || marks };
      this.styles.set(node, style);
    }
    return style;
  }

  /**
   * Records the list items, cells and `<pre>` elements around a block, each once.
   *
   * @param {Frame | null} frame
   */
  lookAt(frame) {
    for (let above = frame; above && !this.seenNodes.has(above.node); above = above.parent) {
      const { element, node, parent, tag } = above;
      this.seenNodes.add(node);
      const { label, role } = this.readings.get(element) ?? {};
      if (label) this.elements.notes.push([node, label]);
      if (role) this.elements.roles.push([node, role]);
      if (tag === "li" && parent?.tag === "ol" && tagOf(element) === "li") {
        const numbers = this.itemNumbers.get(parent.node) ?? itemNumbers(parent.element);
        this.itemNumbers.set(parent.node, numbers);
        this.elements.numbers.push([node, numbers[above.step - 1]]);
      } else if ((tag === "td" || tag === "th") && parent && ROWS.has(parent.tag)) {
        if (!this.cellIndex.has(element)) this.lookAtRow(parent);
        this.elements.cells.push([node, this.cellIndex.get(element) ?? 0]);
      } else if (tag === "pre") {
        const language = languageOf(element);
        if (language) this.elements.languages.push([node, language]);
      }
    }
  }

  /** @param {Frame} row */
  lookAtRow(row) {
    const tagAs = (/** @type {Element} */ cell) => this.readings.get(cell)?.tag ?? cell.localName;
    const cells = [...row.element.children].filter((cell) => /^t[dh]$/.test(tagAs(cell)));
    cells.forEach((cell, i) => this.cellIndex.set(cell, i));
    this.elements.rows.push([row.node, cells.map((cell) => tableCell(cell, tagAs(cell)))]);
  }
}

/**
 * @param {Element} element
 * @param {string} tag
 * @param {boolean} inText
 * @returns {Span | null} what it shows: an image without its link, or an embed; null for neither
 */
function shownBy(element, tag, inText) {
  if (IMAGE_TAGS.has(tag)) {
    const image = imageOf(element, inText);
    return image && { text: "", href: "", marks: 0, ...image };
  }
  const href = EMBED_TAGS.has(tag) && !(inText && tag === "audio") ? addressOf(element, tag) : "";
  return href ? { text: "", href, marks: tables.markup.EMBED, src: "", alt: "" } : null;
}

/** @param {Element} element @param {string} tag that it counts as @returns {string} the address of what it embeds */
function addressOf(element, tag) {
  return tag === tagOf(element) ? embedOf(element, tag) : boxAddress(element);
}

/** @param {Style} one @param {Style} other */
function isSame(one, other) {
  return one.href === other.href && one.marks === other.marks;
}

/** @param {string} text @param {Style} style @returns {Span} */
function spanOf(text, { href, marks }) {
  return { text, href, marks, src: "", alt: "" };
}

/** @param {Piece[]} run @returns {Part[]} its texts, with the spaces that are shown between them */
function withSpaces(run) {
  return run.flatMap((piece, i) =>
    i && isApart(run[i - 1], piece) ? [{ text: " ", frame: piece.frame }, piece] : [piece],
  );
}

/**
 * @param {Element} cite a `<cite>`
 * @returns {boolean} whether it is a whole reference, in which only the title is emphasized
 */
function isWholeSource(cite) {
  const words = cite.getAttribute("class") ?? "";
  if (words.includes("citation") || words.includes("ltx_cite")) return true;
  return [...cite.children].some(({ localName }) => ["i", "em", "cite"].includes(localName));
}

/**
 * @param {Element} list an `<ol>`
 * @returns {number[]} the numbers of its items: those that they state, or else counted from the one before
 */
function itemNumbers(list) {
  const items = [...list.children].filter(({ localName }) => localName === "li");
  const isReversed = list.hasAttribute("reversed");
  let following = givenNumber(list, "start", isReversed ? items.length : 1);
  return items.map((item) => {
    const number = givenNumber(item, "value", following);
    following = Math.max(number + (isReversed ? -1 : 1), 0);
    return number;
  });
}

/** @param {Element} cell @param {string} tag what it counts as @returns {Cell} how many columns and rows it spans, within bounds */
function tableCell(cell, tag) {
  const span = (/** @type {string} */ name, /** @type {number} */ max) =>
    Math.min(Math.max(givenNumber(cell, name, 1), 1), max);
  return {
    columns: span("colspan", constants.MAX_COLUMNS),
    rows: span("rowspan", constants.MAX_ROWS),
    header: tag === "th",
  };
}
