/**
 * The plain types that the blockifier makes and the labeler reads, as in `scrapy_boilernet/extractor/page.py`
 * and `markup.py`. All of them can be written as JSON.
 *
 * @typedef {object} Block A run of text of a page and its position in the DOM.
 * @property {string} text White space collapsed; never empty.
 * @property {string[]} tags From the root to the element that holds the text, 64 at most. Blocks of
 *   one template share this array, and the array of their class words.
 * @property {string[]} classWords Per ancestor the words of its class, id, role and itemprop.
 * @property {number[]} nodes Per ancestor its number in document order, counted from 1.
 * @property {number} linkChars Characters of the text inside `<a>`.
 * @property {boolean} hidden Whether the page hides it: see `html/hiding.js`.
 * @property {boolean} noscript Inside `<noscript>`.
 * @property {string} preformatted Inside `<pre>` the text with its lines and indents; "" elsewhere.
 *
 * @typedef {object} Head What the page itself states about its content; empty fields if it states nothing.
 * @property {string[]} words Distinct keys such as "og:type:article"; at most 200.
 * @property {string} description Text of the description metadata.
 * @property {string} articleBody The longest JSON-LD `articleBody`.
 *
 * @typedef {object} Span A part of a block's text with one link and one set of marks, or an image.
 * @property {string} text "" for an image.
 * @property {string} href The address of the link around it, as the page writes it; "" outside of links.
 * @property {number} marks The sum of its marks, such as `STRONG + CODE`.
 * @property {string} src The address of the image, as the page writes it; "" for text.
 * @property {string} alt The alternative text of the image.
 *
 * @typedef {object} Picture An image, or what the page embeds, that no block holds.
 * @property {number} before Index of the block before which it stands; the number of blocks after the
 *   last one.
 * @property {string[]} tags As in a block, without the image itself.
 * @property {number[]} nodes As in a block, without the image itself.
 * @property {Span} span
 * @property {boolean} hidden Whether the page hides it.
 * @property {number} element The number of its element if that has texts, which are read; 0: it has none.
 *
 * @typedef {object} Rule A thematic break, `<hr>`.
 * @property {number} before Index of the block before which it stands; the number of blocks after the
 *   last one.
 * @property {string[]} tags As in a block, without the break itself.
 * @property {number[]} nodes As in a block, without the break itself.
 *
 * @typedef {object} Cell A cell of a table's row, also one without text.
 * @property {number} columns How many columns it spans, 1 to 100.
 * @property {number} rows How many rows it spans, 1 to 1,000.
 * @property {boolean} header Whether it is a `<th>`.
 *
 * @typedef {object} Markup Elements have the numbers of `Block.nodes`.
 * @property {Span[][]} spans Per block; [] if the text has neither links nor marks nor images.
 * @property {number[]} breaks Per block how many `<br>` are between it and the block before.
 * @property {Picture[]} pictures In document order.
 * @property {[number, number][]} numbers Per item of an ordered list: number of the element, number of
 *   the item.
 * @property {[number, Cell[]][]} rows Per table row with text: number of the element, all its cells.
 * @property {[number, number][]} cells Per table cell with text: number of the element, its index in
 *   the row.
 * @property {[number, string][]} languages Per `<pre>` that names a programming language: number of the
 *   element, the name.
 * @property {[number, string][]} notes Per footnote that a mark links to: number of the element, label of
 *   the note.
 * @property {Rule[]} rules The thematic breaks that the page shows, in document order.
 * @property {[number, string][]} roles Per element with a role: number of the element, role. `callout note`
 *   and the like: a box such as a warning; `title`: the title of one; `task`, `task done`: an item with a
 *   box to tick.
 * @property {string} base The page's `<base href>`, as the page writes it.
 *
 * @typedef {object} Page
 * @property {string} url
 * @property {string} title
 * @property {Block[]} blocks In document order.
 * @property {[number, number[]][]} [notes] Per link to a note or source of the page: the number of the note's
 *   element, and those of the link and of the elements around it, up to the first that is not inline.
 * @property {number[][]} [mailFields] Per field for an e-mail address the numbers of the elements around it, the
 *   innermost first.
 * @property {number[]} [homeLinks] The numbers of the links to the home page of its site that are in or around headings.
 * @property {Head} head
 * @property {boolean} overMaxBlocks Whether the page had more blocks or elements than the limit; the
 *   rest is cut off.
 *
 * @typedef {"content" | "boilerplate"} Label
 * @typedef {"title" | "main" | "caption" | "comment" | "boilerplate" | "hidden"} Kind What a block is,
 *   whether or not it is content.
 * @typedef {"model" | "dialog" | "hidden" | "fallback: hidden" | "fallback: json-ld" |
 *   "fallback: lower-threshold" | "fallback: main-element" | "structure" | "note" | "captions" | "comments" |
 *   "title" | "read also" | "sign-up" | "ad label" | "copy" | "apart" | "reply" | "no text" | "teaser"} Step What decided whether a block is content.
 *
 * @typedef {object} Labeled A page's labels; the arrays have one entry per block.
 * @property {Label[]} labels
 * @property {Kind[]} kinds
 * @property {Step[]} steps
 * @property {number[]} probabilities P(content), in [0, 1].
 * @property {number} confidence The model's estimate of the page's word-F1, in [0, 1].
 * @property {number} threshold The least probability kept.
 * @property {string} source Which step found the content: "model", a step of the fallback, or "nothing".
 * @property {string} model The model's name.
 * @property {string[]} beside The kinds of blocks that Markdown has although they are no content.
 */

import tables from "./tables.json" with { type: "json" };

export const HEADING_TAGS = new Set(tables.page.HEADING_TAGS);

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @returns {{values: T[], places: number[]}} the different items in the order of their first
 *   occurrence, and per item the index of its value in `values`
 */
export function distinct(items, key) {
  const byIdentity = new Map();
  const byKey = new Map();
  const values = [];
  const places = new Array(items.length);
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    let place = byIdentity.get(item);
    if (place === undefined) {
      const name = key(item);
      place = byKey.get(name);
      if (place === undefined) {
        place = values.length;
        byKey.set(name, place);
        values.push(item);
      }
      byIdentity.set(item, place);
    }
    places[i] = place;
  }
  return { values, places };
}

/** @param {string[]} path @returns {string} a key that no other path has */
export function pathKey(path) {
  return path.join("\n");
}

/** The paths of a page's blocks; blocks of one template share a path. */
export class BlockPaths {
  /** @param {Page} page */
  constructor({ blocks }) {
    const tags = distinct(blocks.map((block) => block.tags), pathKey);
    const words = distinct(blocks.map((block) => block.classWords), pathKey);
    const pairs = tags.places.map((place, i) => `${place} ${words.places[i]}`);
    const { values, places } = distinct(pairs, (pair) => pair);
    /** Per block the index of its pair in `pairs`. */
    this.places = places;
    /** The different pairs of tags and class words, in the order of their first blocks. */
    this.pairs = values.map((pair) => {
      const [tagsPlace, wordsPlace] = pair.split(" ").map(Number);
      return { tags: tags.values[tagsPlace], classWords: words.values[wordsPlace] };
    });
  }

  /**
   * @template T
   * @param {(tags: string[], classWords: string[]) => T} valueOf
   * @returns {T[]} per block what `valueOf` returns for its pair
   */
  map(valueOf) {
    const values = this.pairs.map(({ tags, classWords }) => valueOf(tags, classWords));
    return this.places.map((place) => values[place]);
  }
}
