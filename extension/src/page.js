/**
 * The plain types that the blockifier gives to the labeler, as `scrapy_boilernet/page.py` and
 * `markup.py` have them. All of them are JSON.
 *
 * @typedef {object} Block A run of text of a page and its position in the DOM.
 * @property {string} text White space collapsed; never empty.
 * @property {string[]} tags From the root to the element that holds the text, 64 at most. Blocks of
 *   one template share the very same array, and the one of their class words.
 * @property {string[]} classWords Per ancestor the words of its class, id, role and itemprop.
 * @property {number[]} nodes Per ancestor its number in document order.
 * @property {number} linkChars Characters of the text inside links.
 * @property {boolean} hidden
 * @property {boolean} noscript
 * @property {string} preformatted Inside `<pre>` the text with its lines; "" elsewhere.
 *
 * @typedef {object} Head What the page states about its content.
 * @property {string[]} words Such as "og:type:article"; at most 200.
 * @property {string} description
 * @property {string} articleBody
 *
 * @typedef {object} Span A part of a text with one link and one set of marks, or an image.
 * @property {string} text "" for an image.
 * @property {string} href The address of the link around it, as the page writes it.
 * @property {number} marks The sum of its marks, such as `STRONG + CODE`.
 * @property {string} src The address of the image.
 * @property {string} alt
 *
 * @typedef {object} Picture An image that no block holds.
 * @property {number} before Index of the block before which it stands.
 * @property {string[]} tags
 * @property {number[]} nodes
 * @property {Span} span
 *
 * @typedef {object} Cell A cell of a table's row.
 * @property {number} columns 1 to 100.
 * @property {number} rows 1 to 1,000.
 * @property {boolean} header
 *
 * @typedef {object} Markup Elements have the numbers of `Block.nodes`.
 * @property {Span[][]} spans Per block; [] if the text has neither links nor marks nor images.
 * @property {number[]} breaks Per block how many `<br>` are between it and the block before.
 * @property {Picture[]} pictures In document order.
 * @property {[number, number][]} numbers Of items of ordered lists: element, number.
 * @property {[number, Cell[]][]} rows Of rows with text: element, all its cells.
 * @property {[number, number][]} cells Of cells with text: element, index in the row.
 * @property {[number, string][]} languages Of `<pre>` elements: element, programming language.
 * @property {string} base The page's `<base href>`, as the page writes it.
 *
 * @typedef {object} Page
 * @property {string} url
 * @property {string} title
 * @property {Block[]} blocks In document order.
 * @property {Head} head
 * @property {boolean} overMaxBlocks Whether what follows the last block was cut off.
 *
 * @typedef {"content" | "boilerplate"} Label
 * @typedef {"title" | "main" | "caption" | "comment" | "boilerplate" | "hidden"} Kind
 *
 * @typedef {object} Labeled What a labeler says of a page, one entry per block.
 * @property {Label[]} labels
 * @property {Kind[]} kinds
 * @property {number[]} probabilities P(content), in [0, 1].
 * @property {number} confidence The model's estimate of the page's word-F1, in [0, 1].
 * @property {number} threshold
 * @property {string} source What found the content: "model", a step of the fallback, or "nothing".
 * @property {string} model The model's name.
 */

/**
 * @template T
 * @param {T[]} values
 * @param {(value: T) => string} key
 * @returns {{kinds: T[], places: number[]}} the different values in the order of their first
 *   places, and per value the place of its own
 */
export function distinct(values, key) {
  const byIdentity = new Map();
  const byKey = new Map();
  const kinds = [];
  const places = new Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    let place = byIdentity.get(value);
    if (place === undefined) {
      const name = key(value);
      place = byKey.get(name);
      if (place === undefined) {
        place = kinds.length;
        byKey.set(name, place);
        kinds.push(value);
      }
      byIdentity.set(value, place);
    }
    places[i] = place;
  }
  return { kinds, places };
}

/** @param {string[]} path @returns {string} a key that no other path has */
export function pathKey(path) {
  return path.join("\n");
}
