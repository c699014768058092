/** Superscripts, subscripts, the readings of ruby and short quotations, as plain text. */

import tables from "../tables.json" with { type: "json" };
import { characters, isSpace, length, pattern, rstrip, slice, split, strip } from "../python.js";

const constants = tables["html.raised"];
const { MAX_BASE, MAX_CHARS, MAX_LEVELS, OPENING, QUOTE_SIGNS, QUOTES, STOPS, UNSPACED_FROM } = constants;
const RUBY_TAGS = new Set(constants.RUBY_TAGS);
/** Elements whose text may change, and that no margin separates from the element before them. */
export const MARK_TAGS = new Set(constants.MARK_TAGS);
const SUPERSCRIPTS = /** @type {Record<string, string>} */ (constants.SUPERSCRIPTS);
const SUBSCRIPTS = /** @type {Record<string, string>} */ (constants.SUBSCRIPTS);
const WRITTEN = new Set(constants.WRITTEN);

const BRACKETED = pattern(constants.BRACKETED);
const BETWEEN_MARKS = pattern(constants.BETWEEN_MARKS);
const MARK_END = pattern(constants.MARK_END);
const RANGE_END = pattern(constants.RANGE_END);
const CENTS = pattern(constants.CENTS);
const DECIMAL = pattern(constants.DECIMAL);
const DIGIT_END = pattern(constants.DIGIT_END);
const ENCLOSED = pattern(constants.ENCLOSED);
const IN_PARENTHESES = pattern(constants.IN_PARENTHESES);
const LETTERS = pattern(constants.LETTERS);
const LETTERS_IN_A_ROW = pattern(constants.LETTERS_IN_A_ROW);
const LONE = pattern(constants.LONE);
const LONG_WORD = pattern(constants.LONG_WORD);
const NAME_PREFIX = pattern(constants.NAME_PREFIX);
const NO_FORMULA = pattern(constants.NO_FORMULA);
const NOTE_LETTERS = pattern(constants.NOTE_LETTERS);
const NOTE_WORDS = pattern(constants.NOTE_WORDS);
const NUMBERS = pattern(constants.NUMBERS);
const NUMBER_STOP_END = pattern(constants.NUMBER_STOP_END);
const ONE_NAME = pattern(constants.ONE_NAME);
const ONE_WORD = pattern(constants.ONE_WORD);
const ORDINAL = pattern(constants.ORDINAL);
const SENTENCE_END = pattern(constants.SENTENCE_END);
const SEVERAL = pattern(constants.SEVERAL);
const SIGNS = pattern(constants.SIGNS);
const STARTS_WITH_DIGIT = pattern(constants.STARTS_WITH_DIGIT);
const VARIABLE_END = pattern(constants.VARIABLE_END);
const WORD = pattern(constants.WORD);
const WORD_END = pattern(constants.WORD_END);

/**
 * @typedef {object} Mark A superscript, a subscript, a ruby or a part of one that is around a text.
 * @property {string} tag
 * @property {Mark[]} around Those around it, outermost first, and itself.
 * @property {string} classWords
 */
/** @typedef {{text: string, mark: Mark | null, link: number}} Part A text, the innermost mark around it, and its link. */
/** @typedef {[string, string, boolean]} Form What is written before and after a text, and whether its characters are raised or lowered. */

/** @param {string} text @returns {string} its last character, or "" */
const lastOf = (text) => slice(text, -1);

/**
 * @param {string} text
 * @param {Record<string, string>} table
 * @returns {boolean} whether each of its characters has another form
 */
const isWritable = (text, table) => characters(text).every((char) => Object.hasOwn(table, char));

/**
 * @param {string} text
 * @param {string} base the text before it, at most 16 characters
 * @param {string} following the character after it
 * @param {boolean} isSuper
 * @param {boolean} isNote whether a link or its class shows that it is a note mark
 * @returns {Form} how a superscript or subscript is written
 */
function formOf(text, base, following, isSuper, isNote) {
  const joins = WORD.test(following);
  const before = strip(lastOf(base)) ? " " : "";
  const after = joins ? " " : "";
  if (BRACKETED.test(text)) return [RANGE_END.test(base) ? "" : before, after, false];
  if (isSuper) {
    if (MARK_END.test(base) && BETWEEN_MARKS.test(text)) return ["", "", false];
    if (isOneWord(text, base, joins)) return ["", "", false];
    if (SIGNS.test(text)) {
      return VARIABLE_END.test(base) && !isNote ? ["", "", false] : [before, after, false];
    }
    if (isNote || isNoteByPlace(text, base)) {
      if (IN_PARENTHESES.test(text)) return [before, after, false];
      if (NUMBERS.test(text) || NOTE_LETTERS.test(text)) return [`${before}[`, `]${after}`, false];
    }
  }
  const isSpaced = split(text).length > 1;
  if (LONG_WORD.test(text) && (isSpaced || !before || WORD_END.test(base))) return [before, after, false];
  return formula(text, base, joins, isSuper);
}

/**
 * @param {string} text
 * @param {string} base
 * @param {boolean} joins
 * @returns {boolean} whether a superscript and the text before it are one word or one price
 */
function isOneWord(text, base, joins) {
  if (DIGIT_END.test(base) && CENTS.test(text)) return true;
  if (NUMBER_STOP_END.test(base) && STARTS_WITH_DIGIT.test(text)) return true;
  if (NO_FORMULA.test(text) || NAME_PREFIX.test(`${base}^${text}`)) return true;
  if (ONE_WORD.test(text) && !VARIABLE_END.test(base)) return true;
  let ending = text;
  while (ending && STOPS.includes(ending.slice(-1))) ending = ending.slice(0, -1);
  return !joins && ORDINAL.test(`${base}^${ending.toLowerCase()}`);
}

/**
 * @param {string} text
 * @param {string} base
 * @returns {boolean} whether numbers stand where only a note mark does
 */
function isNoteByPlace(text, base) {
  const isSeveral = SEVERAL.test(text) || IN_PARENTHESES.test(text);
  if (WORD_END.test(base) && isSeveral) return true;
  return SENTENCE_END.test(base) && (isSeveral || NUMBERS.test(text));
}

/**
 * @param {string} text
 * @param {string} base
 * @param {boolean} joins
 * @param {boolean} isSuper
 * @returns {Form} how a superscript or subscript of a formula is written
 */
function formula(text, base, joins, isSuper) {
  const table = isSuper ? SUPERSCRIPTS : SUBSCRIPTS;
  const attached = strip(lastOf(base)) !== "";
  if (attached || joins || LONE.test(text)) {
    if (isWritable(text, table) && !LETTERS_IN_A_ROW.test(text)) return ["", "", true];
    if (!isSuper && DECIMAL.test(text)) return ["", "", true];
  }
  if (!attached || !WORD.test(text)) return ["", "", false];
  if (isSuper && LETTERS.test(text)) {
    if (DIGIT_END.test(base)) return ["", "", false]; // a unit
    if (WORD_END.test(base)) return [" ", joins ? " " : "", false]; // a small word
  }
  const sign = isSuper ? "^" : "_";
  const isSimple = ONE_NAME.test(text) && !joins && !characters(text).some((char) => WRITTEN.has(char));
  return isSimple || ENCLOSED.test(text) ? [sign, "", false] : [`${sign}(`, ")", false];
}

/**
 * @param {Mark | null} above
 * @param {string} tag one of `MARK_TAGS`
 * @param {string} classWords
 * @returns {Mark} the mark of the texts of an element in the mark `above`
 */
export function markInside(above, tag, classWords) {
  if (above && above.around.length >= MAX_LEVELS) return above;
  /** @type {Mark} */
  const mark = { tag, around: [...(above?.around ?? [])], classWords };
  mark.around.push(mark);
  return mark;
}

/**
 * @param {Part[]} parts of a block; they may be split anywhere
 * @param {boolean} [scripts] false: only the readings of ruby are written, and superscripts in
 *   superscripts, as for Markdown
 * @returns {string[]} the text of each part as plain text
 */
export function asPlainText(parts, scripts = true) {
  return new Texts(parts, scripts).written();
}

/** The texts of a block; they change where a mark ends, inner ones first. */
class Texts {
  /** @param {Part[]} parts @param {boolean} scripts */
  constructor(parts, scripts) {
    this.parts = parts;
    this.scripts = scripts;
    this.texts = parts.map(({ text }) => text);
    const [first, last] = this.solid(0, parts.length - 1);
    /** The first and the last part with more than white space. */
    this.first = first;
    this.last = last;
    /** The last part of the last reading of a ruby. */
    this.reading = -1;
  }

  /** @returns {string[]} */
  written() {
    /** @type {[Mark, number][]} */
    const opened = [];
    const end = (/** @type {number} */ last) => {
      const [mark, begin] = /** @type {[Mark, number]} */ (opened.pop());
      this.end(mark, begin, last);
    };
    for (const [i, { mark }] of this.parts.entries()) {
      const around = mark?.around ?? [];
      while (opened.length && around[opened.length - 1] !== opened[opened.length - 1][0]) end(i - 1);
      for (const inner of around.slice(opened.length)) opened.push([inner, i]);
    }
    while (opened.length) end(this.parts.length - 1);
    return this.texts;
  }

  /** @param {Mark} mark @param {number} begin @param {number} end */
  end(mark, begin, end) {
    const text = strip(this.texts.slice(begin, end + 1).join(""));
    if (!text || mark.tag === "ruby" || mark.tag === "rb") return;
    if (mark.tag === "q") {
      this.endQuotation(mark, begin, end);
      return;
    }
    if (RUBY_TAGS.has(mark.tag)) {
      const outside = mark.around.slice(0, -1).map(({ tag }) => tag);
      if (outside.includes("ruby") && !outside.some((tag) => RUBY_TAGS.has(tag))) this.endReading(begin, end);
      return;
    }
    if (!this.scripts && !this.isInItsLike(mark, begin, end)) return;
    const isAll = begin <= this.first && end >= this.last;
    const isDone = () => characters(text).every((char) => WRITTEN.has(char));
    if (length(text) <= MAX_CHARS && !isAll && !isDone()) this.endScript(mark, text, begin, end);
  }

  /**
   * Puts a quotation in quotation marks, unless the page wrote some.
   *
   * @param {Mark} mark
   * @param {number} begin
   * @param {number} end
   */
  endQuotation(mark, begin, end) {
    const own = strip(this.parts.slice(begin, end + 1).map(({ text }) => text).join(""));
    if (QUOTE_SIGNS.includes(slice(own, 0, 1)) && QUOTE_SIGNS.includes(lastOf(own))) return;
    const level = mark.around.filter(({ tag }) => tag === "q").length;
    const [opening, closing] = characters(QUOTES[(level - 1) % 2]);
    this.wrap(begin, end, opening, closing);
  }

  /**
   * Puts the reading in parentheses, unless it is, and joins it to a reading before it.
   *
   * @param {number} begin
   * @param {number} end
   */
  endReading(begin, end) {
    const before = this.before(begin);
    const last = this.solid(0, begin - 1)[1];
    const sign = lastOf(rstrip(before));
    if (last >= 0 && last === this.reading) {
      this.texts[last] = rstrip(this.texts[last]).slice(0, -1);
      const code = slice(before, -2).codePointAt(0) ?? 0;
      this.wrap(begin, end, !isSpace(lastOf(before)) && code < UNSPACED_FROM ? " " : "", ")");
    } else if (sign && !OPENING.includes(sign)) {
      this.wrap(begin, end, "(", ")");
    } else {
      return;
    }
    this.reading = this.solid(begin, end)[1];
  }

  /** @param {Mark} mark @param {string} text @param {number} begin @param {number} end */
  endScript(mark, text, begin, end) {
    const isSuper = mark.tag === "sup";
    const next = end + 1 < this.texts.length ? slice(this.texts[end + 1], 0, 1) : "";
    const following = isSpace(lastOf(this.texts[end])) ? " " : next;
    const base = this.before(begin) + (isSpace(slice(this.texts[begin], 0, 1)) ? " " : "");
    const isNote = isSuper && (this.isLinkOfItsOwn(begin, end) || NOTE_WORDS.test(mark.classWords));
    const [opening, closing, isWritten] = formOf(text, base, following, isSuper, isNote);
    const table = isSuper ? SUPERSCRIPTS : SUBSCRIPTS;
    for (let i = begin; isWritten && i <= end; i++) {
      this.texts[i] = characters(this.texts[i]).map((char) => table[char] ?? char).join("");
    }
    this.wrap(begin, end, opening, closing);
  }

  /**
   * @param {Mark} mark
   * @param {number} begin
   * @param {number} end
   * @returns {boolean} whether a superscript stands beside a text of a superscript around it, or a subscript
   *   of a subscript: no mark of the text tells the two apart
   */
  isInItsLike({ around, tag }, begin, end) {
    const like = around.slice(0, -1).filter((outer) => outer.tag === tag);
    const beside = [this.parts[begin - 1], this.parts[end + 1]];
    return beside.some((part) => part?.mark?.around.some((outer) => like.includes(outer)));
  }

  /**
   * @param {number} begin
   * @param {number} end
   * @returns {boolean} whether links are around all words of some parts, and end with them
   */
  isLinkOfItsOwn(begin, end) {
    const own = this.parts.slice(begin, end + 1).filter(({ text, link }) => link || WORD.test(text));
    const links = new Set(own.map(({ link }) => link));
    const beside = [this.parts[begin - 1], this.parts[end + 1]];
    return links.size > 0 && !links.has(0) && !beside.some((part) => part && links.has(part.link));
  }

  /** @param {number} begin @returns {string} the last characters before a part */
  before(begin) {
    let before = "";
    for (let i = begin - 1; i >= 0 && length(before) < MAX_BASE; i--) {
      before = slice(this.texts[i], -MAX_BASE) + before;
    }
    return slice(before, -MAX_BASE);
  }

  /**
   * Writes `opening` before the first character of some parts that is no white space, and `closing`
   * after the last one.
   *
   * @param {number} begin
   * @param {number} end
   * @param {string} opening
   * @param {string} closing
   */
  wrap(begin, end, opening, closing) {
    const [first, last] = this.solid(begin, end);
    let text = this.texts[first];
    const at = text.indexOf(strip(text));
    this.texts[first] = text.slice(0, at) + opening + text.slice(at);
    text = this.texts[last];
    const inside = rstrip(text);
    this.texts[last] = inside + closing + text.slice(inside.length);
  }

  /**
   * @param {number} begin
   * @param {number} end
   * @returns {[number, number]} the first and the last of some parts with more than white space
   */
  solid(begin, end) {
    while (begin < end && isSpace(this.texts[begin])) begin++;
    while (begin < end && isSpace(this.texts[end])) end--;
    return [begin, end];
  }
}
