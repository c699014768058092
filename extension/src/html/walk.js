/** The walk over a page's elements that gathers its text into blocks, without recursion. */

import tables from "../tables.json" with { type: "json" };
import { collapsed, isSpace, length, pattern } from "../python.js";
import { HEADING_TAGS } from "../page.js";
import { childrenOf, INLINE, isLastNode, isSkipped, leadingText, SEAMLESS, tagOf, textBehind, textNodesIn, textOfNodes } from "./dom.js";
import { revealed } from "./hiding.js";
import { MarkupGatherer } from "./markup.js";
import { ASIDE, commonAncestor, Frame, MARKED, NOSCRIPT, PathBuilder, PREFORMATTED } from "./paths.js";
import { rawTexts } from "./preformatted.js";
import { asPlainText, MARK_TAGS, markInside } from "./raised.js";
import { joined, whole, withoutLeadingSpace } from "./runs.js";
import { COUNTS_AS, standsInSentence } from "./sentences.js";

/** @import { Block, Markup } from "../page.js" */
/** @import { Child } from "./dom.js" */
/** @import { Readings } from "./reading.js" */
/** @import { Rules } from "./style_sheets.js" */
/** @import { Mark } from "./raised.js" */
/** @import { Piece } from "./runs.js" */
/** @import { Open } from "./sentences.js" */

const { EMBED } = tables.markup;
const { ENDS_WORD } = tables["html.hiding"];
const { HOLDERS, ZERO_WIDTH } = tables["html.invisible"];
const HOLDER = new RegExp(`^(?:${HOLDERS})$`);
const ONLY_ZERO_WIDTH = new RegExp(`^[ \\t-\\r\\xa0]*[${ZERO_WIDTH}][ \\t-\\r\\xa0${ZERO_WIDTH}]*$`);
const INVISIBLE = pattern(tables["html.invisible"].INVISIBLE, "g");
/** Elements that are read of a page; the rest is cut off. */
const MAX_ELEMENTS = tables["html.blockify"].MIN_NODES;

/**
 * @typedef {object} Walked
 * @property {Block[]} blocks
 * @property {Text[][]} texts Per block its text nodes.
 * @property {Markup} markup
 * @property {boolean} isCut Whether the page had more blocks or elements than the limit.
 */

/** One pass over a page's elements that gathers text into blocks. */
export class Walk {
  /**
   * @param {number} maxBlocks
   * @param {Rules | null} rules those of the page's own style sheets
   * @param {Readings} readings
   */
  constructor(maxBlocks, rules, readings) {
    this.maxBlocks = maxBlocks;
    this.readings = readings;
    this.paths = new PathBuilder(rules);
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {Text[][]} */
    this.texts = [];
    /** @type {Piece[]} */
    this.run = [];
    this.node = 0;
    /** The numbers of the elements that somebody wants to know; 0 until they are read. @type {Map<Element, number>} */
    this.numbers = new Map();
    this.markup = new MarkupGatherer(this.paths, readings);
    /** The innermost mark around the texts of an element. @type {Map<Frame, Mark | null>} */
    this.marks = new Map();
    /** The number of the outermost `<pre>` around the last block that was in one. */
    this.pre = 0;
    /** The texts of the next blocks in it, the next one last. @type {string[]} */
    this.rawTexts = [];
  }

  /** @param {Element} root @returns {Walked} */
  of(root) {
    const isCut = !this.walk(root);
    const { blocks, texts } = this;
    return { blocks, texts, markup: this.markup.result(), isCut };
  }

  /** @param {Element} root @returns {boolean} whether it read the whole page */
  walk(root) {
    /** @type {Open[]} */
    const open = [{ frame: null, children: [/** @type {any} */ (root)], next: 0 }];
    while (open.length) {
      const last = open[open.length - 1];
      if (last.next === last.children.length) {
        if (last.frame && !SEAMLESS.has(last.frame.tag)) this.endRun();
        open.pop();
        if (this.blocks.length > this.maxBlocks) break;
        continue;
      }
      const child = last.children[last.next++];
      if (Array.isArray(child)) {
        const nodes = isLastOfZeroWidth(child[child.length - 1]) ? child.slice(0, -1) : child;
        this.addText(textOfNodes(nodes), nodes, last.frame);
      } else {
        const opened = this.enter(child, open);
        if (opened) open.push(opened);
        if (this.node > MAX_ELEMENTS) break;
      }
    }
    this.endRun();
    const isWhole = this.node <= MAX_ELEMENTS && this.blocks.length <= this.maxBlocks;
    this.blocks.length = Math.min(this.blocks.length, this.maxBlocks);
    this.texts.length = this.blocks.length;
    return isWhole;
  }

  /** @param {string} written @param {Text[]} nodes @param {Frame | null} frame */
  addText(written, nodes, frame) {
    const text = written.replace(INVISIBLE, (_, flag) => flag ?? "").replaceAll("\u00ad", "");
    if (frame && text && (this.run.length || !isSpace(text))) this.run.push({ text, frame, nodes });
  }

  /**
   * @param {Element} element
   * @param {Open[]} open the open elements
   * @returns {Open | null} null if its children are not read
   */
  enter(element, open) {
    const parent = open[open.length - 1].frame;
    const tag = tagOf(element);
    const reading = this.readings.get(element);
    const isLoose = !reading && !SEAMLESS.has(tag);
    const isInSentence = isLoose && standsInSentence(element, tag, open, this.run.length > 0, this.readings);
    if (this.run.length && !isInSentence && !SEAMLESS.has(reading?.tag ?? tag)) this.endRun();
    this.node++;
    if (this.numbers.has(element)) this.numbers.set(element, this.node);
    const step = tag === "li" && parent ? ++parent.items : 0;
    if (reading) {
      if (reading.marks & EMBED) this.markup.record(element, reading.tag, parent, this.run.length, this.node);
      const frame = new Frame(element, reading.tag, parent, this.node);
      frame.step = step;
      if (reading.text === null) {
        if (reading.lead) {
          this.addText(reading.lead, reading.leadNodes ?? [], frame);
          this.endRun();
        }
        return { frame, children: childrenOf(element), next: 0 };
      }
      this.readInstead(frame, reading.text);
      return null;
    }
    this.markup.record(element, tag, parent, this.run.length, this.node);
    if (isSkipped(element, tag)) return null;
    const children = childrenOf(element);
    if (!children.length) return null;
    if (tag === "noscript" && isInert(children)) return null;
    if (tag === "tbody" && isImplied(element)) return { frame: parent, children, next: 0 };
    const frame = new Frame(element, isInSentence ? COUNTS_AS : tag, parent, this.node);
    frame.step = step;
    return { frame, children, next: 0 };
  }

  /** @param {Frame} frame @param {string} text what is read of its element instead of the texts in it */
  readInstead(frame, text) {
    this.addText(text, textNodesIn(frame.element), frame);
    this.node += frame.element.querySelectorAll("*").length;
    if (!SEAMLESS.has(frame.tag)) this.endRun();
  }

  /** Adds the block of the run, if there is one. */
  endRun() {
    if (!this.run.length) return;
    const pieces = this.run;
    this.run = [];
    this.reveal(pieces);
    const shown = this.shown(pieces);
    if (!shown) {
      this.add(pieces);
      return;
    }
    const hides = (/** @type {Piece} */ piece) => this.apart(piece.frame);
    this.markup.show(shown, (frame) => this.hiddenBy(frame) > 0);
    this.add(withoutLeadingSpace(shown.filter((piece) => piece !== null)));
    for (let i = 0, end = 0; i < pieces.length; i = end) {
      for (end = i + 1; end < pieces.length && hides(pieces[end]) === hides(pieces[i]); ) end++;
      const own = hides(pieces[i]) ? withoutLeadingSpace(pieces.slice(i, end)) : [];
      if (own.length) this.add(own);
    }
  }

  /** @param {Piece[]} pieces of a block */
  add(pieces) {
    const block = this.block(whole(this.inPlainText(pieces)));
    this.blocks.push(block);
    this.texts.push(pieces.flatMap(({ nodes }) => nodes));
    const marked = this.inPlainText(pieces, false);
    this.markup.add(block, marked, whole(marked));
  }

  /**
   * @param {Piece[]} run
   * @returns {(Piece | null)[] | null} per piece what is shown of it: all, nothing, or a space at
   *   either end of a hidden text, unless a sign that ends a word follows; null if all or nothing of
   *   the run is hidden
   */
  shown(run) {
    if (run.length < 2 || !run.some(({ frame }) => this.apart(frame))) return null;
    /** @type {(Piece | null)[]} */
    const shown = [];
    for (let i = 0, end = 0; i < run.length; i = end) {
      const { frame } = run[i];
      for (end = i + 1; end < run.length && run[end].frame === frame; ) end++;
      if (!this.apart(frame)) {
        shown.push(...run.slice(i, end));
      } else {
        const last = run[end - 1].text;
        const isApart = isSpace(run[i].text[0]) || isSpace(last[last.length - 1]);
        shown.push(isApart ? { text: " ", frame, nodes: [] } : null, ...Array(end - i - 1).fill(null));
      }
    }
    for (let i = shown.length - 1, following = ""; i >= 0; i--) {
      const piece = shown[i];
      if (piece && following && ENDS_WORD.includes(following) && this.apart(piece.frame)) shown[i] = null;
      else if (piece) following = piece.text[0];
    }
    return shown.every((piece) => !piece || isSpace(piece.text)) ? null : shown;
  }

  /**
   * Shows what is hidden of a run and shown after all: as texts of the elements around it.
   *
   * @param {Piece[]} run
   */
  reveal(run) {
    if (run.length < 2) return;
    const reasons = run.map(({ frame }) => this.hiddenBy(frame));
    const places = revealed(
      run.map(({ text }) => text),
      reasons,
      () => this.isInShownHeading(run.find(({ text }) => !isSpace(text))?.frame ?? null),
    );
    const wanted = new Set(places.map((i) => reasons[i]));
    for (const i of places) {
      let outside = /** @type {Frame | null} */ (run[i].frame);
      while (outside && wanted.has(this.hiddenBy(outside))) outside = outside.parent;
      run[i].frame = outside ?? run[i].frame;
    }
  }

  /**
   * @param {Piece[]} run
   * @param {boolean} [scripts] false: without superscripts and subscripts, which markup has as marks
   * @returns {Piece[]} the run with its superscripts, subscripts, ruby and quotations as plain text
   */
  inPlainText(run, scripts = true) {
    if (!run.some(({ frame }) => frame.flags & MARKED)) return run;
    const parts = run.map(({ text, frame }) => ({ text, mark: this.markOf(frame), link: frame.link }));
    const texts = asPlainText(parts, scripts);
    return run.map((piece, i) => ({ ...piece, text: texts[i] }));
  }

  /**
   * @param {Frame} frame
   * @returns {Mark | null} the innermost mark around the texts of its element; null outside of all
   *   marks, and in an element that is not inline
   */
  markOf(frame) {
    const unknown = [];
    let above = /** @type {Frame | null} */ (frame);
    for (; above && above.flags & MARKED && !this.marks.has(above); above = above.parent) unknown.push(above);
    let mark = (above && above.flags & MARKED && this.marks.get(above)) || null;
    for (const inner of unknown.reverse()) {
      if (MARK_TAGS.has(inner.tag)) {
        mark = markInside(mark, inner.tag, this.paths.locate(inner).path.classWords.at(-1) ?? "");
      } else if (!INLINE.has(inner.tag)) {
        mark = null;
      }
      this.marks.set(inner, mark);
    }
    return mark;
  }

  /** @param {Frame | null} frame @returns {boolean} */
  isInShownHeading(frame) {
    let above = /** @type {Frame | null} */ (frame);
    while (above && INLINE.has(above.tag)) above = above.parent;
    return above !== null && HEADING_TAGS.has(above.tag) && !this.hiddenBy(above);
  }

  /** @param {Frame} frame @returns {number} why it is hidden; 0: it is not */
  hiddenBy(frame) {
    return this.paths.locate(frame).hidden;
  }

  /**
   * @param {Frame} frame
   * @returns {number} why it is hidden, or the negated number of the note in a sentence that it is in;
   *   0: neither
   */
  apart(frame) {
    const hidden = this.hiddenBy(frame);
    if (hidden || !(frame.flags & ASIDE)) return hidden;
    let note = frame;
    while (note.parent && note.parent.flags & ASIDE) note = note.parent;
    return -note.node;
  }

  /** @param {Piece[]} run whose first text has more than white space @returns {Block} */
  block(run) {
    const solid = run.length > 1 ? run.filter(({ text }) => !isSpace(text)) : run;
    const text = collapsed(run.length > 1 ? joined(run) : run[0].text);
    const chars = length(text);
    let frame = solid[0].frame;
    let linkChars = frame.link ? chars : 0;
    let hidden = false;
    if (solid.length > 1) {
      const inLinks = solid.reduce(
        (sum, piece) => sum + (piece.frame.link ? length(collapsed(piece.text)) : 0),
        0,
      );
      linkChars = Math.min(inLinks, chars);
      hidden = solid.every((piece) => this.hiddenBy(piece.frame));
      frame = commonAncestor(solid.map((piece) => piece.frame));
    }
    const located = this.paths.locate(frame);
    return {
      text,
      tags: located.path.tags,
      classWords: located.path.classWords,
      nodes: located.nodes,
      linkChars,
      hidden: located.hidden > 0 || hidden,
      noscript: (frame.flags & NOSCRIPT) > 0,
      preformatted: frame.flags & PREFORMATTED ? this.preformatted(frame, text) : "",
    };
  }

  /**
   * @param {Frame} frame
   * @param {string} text
   * @returns {string} the lines of a block in `<pre>`; "" if they do not match the block's text
   */
  preformatted(frame, text) {
    let pre = frame;
    while (pre.parent && pre.parent.flags & PREFORMATTED) pre = pre.parent;
    const isShown = !this.hiddenBy(pre);
    if (isShown && this.hiddenBy(frame)) return "";
    if (pre.node !== this.pre) {
      this.pre = pre.node;
      const hides = (/** @type {Element} */ element) =>
        isShown && (this.readings.get(element)?.text === "" || this.paths.ownReason(element) > 0);
      this.rawTexts = rawTexts(pre.element, hides).reverse();
    }
    const raw = this.rawTexts.pop() ?? "";
    return collapsed(raw).replaceAll(" ", "") === text.replaceAll(" ", "") ? raw : "";
  }
}

/**
 * @param {Element} tbody
 * @returns {boolean} whether the browser added it. Then there is no white space before its first row
 *   and no text after it. Models are trained on the page's source, which has no such element.
 */
function isImplied(tbody) {
  const isBare = !tbody.hasAttributes() && !leadingText(tbody) && tbody.firstElementChild?.localName === "tr";
  return isBare && !textBehind(tbody);
}

/** @param {Text} text @returns {boolean} whether it is the last node of an element and only spaces without a width */
function isLastOfZeroWidth(text) {
  return ONLY_ZERO_WIDTH.test(text.data) && isLastNode(text) && HOLDER.test(text.parentElement?.localName ?? "");
}

/**
 * @param {Child[]} children of a `<noscript>`
 * @returns {boolean} whether it is not shown, since scripts run
 */
function isInert(children) {
  const isText = children.every((child) => Array.isArray(child));
  return isText && !matchMedia("(scripting: none)").matches;
}
