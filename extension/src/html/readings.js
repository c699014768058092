/**
 * What is read of some elements instead of their texts: the TeX of formulas, the characters of images of
 * emoji, the labels of note marks, fractions in one line, and nothing of the numbers of lines of code, of
 * signs that link to their heading, of the names of icons, and of what a wiki writes for its editors. Addresses
 * of links in pieces are read whole, and cards of bookmarks as one text. Code without a `<pre>` is read as one,
 * icons in cells of tables as what they say, quotes in posts as `<blockquote>`, and what a style raises or lowers as `<sup>` or `<sub>`. The
 * marks of lists of Word are not read. Also what is a callout, or an item of such a list, and which items of
 * lists are posts, or have boxes to tick.
 *
 * Most pages have none: a look at the source of a page tells whether there can be any.
 */

import { ariaOf, mayHaveAria } from "./aria.js";
import { calloutsOf } from "./callouts.js";
import { cellsOf, mayHaveCells } from "./cells.js";
import { classifiersOf, mayHaveClassifiers, mayHaveSignatures, signaturesOf } from "./classifiers.js";
import { changesOf, mayHaveCodeChanges } from "./code_changes.js";
import { codeLinesOf, guttersOf, mayHaveCode, mayHaveGutters } from "./code.js";
import { labelsOf } from "./code_labels.js";
import { codeTablesOf, mayHaveCodeTables } from "./code_tables.js";
import { controlsOf, mayHaveControls } from "./controls.js";
import { elementsOf } from "./dom.js";
import { boxesOf, mayHaveBoxes } from "./embed_boxes.js";
import { emojiOf, mayHaveEmoji } from "./emoji.js";
import { equationsOf, mayHaveEquations } from "./equations.js";
import { fieldsOf, mayHaveFields } from "./fields.js";
import { formulasOf, mayHaveFormulas } from "./formulas.js";
import { mayHaveSeparators, separatorsOf } from "./heading_separators.js";
import { iconWordsOf, mayHaveIconWords } from "./icon_words.js";
import { linkTextsOf, mayHaveLinkTexts } from "./link_texts.js";
import { linkedNotes, mayHaveSources } from "./linked_notes.js";
import { mailFieldsOf, mayHaveMailFields } from "./mail_fields.js";
import { mayHaveTiles, tilesOf } from "./map_tiles.js";
import { listStylesOf, mayHaveListStyles, mayHavePieces, piecesOf } from "./list_pieces.js";
import { listingsOf, mayHaveListings } from "./listings.js";
import { mayHaveNotes, notesOf } from "./note_links.js";
import { mayHavePermalinks, permalinksOf } from "./permalinks.js";
import { mayHavePoemLines, poemLinesOf } from "./poem_lines.js";
import { mayHavePostLists, postsOf } from "./post_lists.js";
import { mayHaveQuotes, quotesOf } from "./quotes.js";
import { mayHaveRaised, mayHaveStacked, raisedOf, stackedOf } from "./raising.js";
import { mayHaveRemarks, remarksOf } from "./remarks.js";
import { mayHaveSelects, selectsOf } from "./selects.js";
import { mayHaveSideNotes, sideNotesOf } from "./side_notes.js";
import { mayHaveTabs, tabsOf } from "./tabs.js";
import { mayHaveTasks, tasksOf } from "./tasks.js";
import { mayHaveTitles, titlesOf } from "./titles_in_attributes.js";
import { mayHaveTooltips, tooltipsOf } from "./tooltips.js";
import { mayHaveWordLists, wordListsOf } from "./word_lists.js";

/** @import { LinkedNote } from "./linked_notes.js" */
/** @import { Readings } from "./reading.js" */

/**
 * @param {Element} root
 * @returns {{readings: Readings, notes: LinkedNote[], mailFields: Element[][]}} what is read of elements of a page
 *   instead of their texts, mostly nothing, the notes to which the page links, and the elements around each field for
 *   an e-mail address
 */
export function readingsOf(root) {
  const source = root.outerHTML.toLowerCase();
  const readers = /** @type {[(source: string) => boolean, (elements: Element[], source: string) => Readings][]} */ ([
    [mayHaveTabs, tabsOf],
    [mayHaveAria, ariaOf],
    [mayHaveListStyles, listStylesOf],
    [mayHaveTitles, titlesOf],
    [() => true, calloutsOf],
    [mayHavePieces, piecesOf],
    [mayHavePostLists, postsOf],
    [mayHaveTasks, tasksOf],
    [mayHaveWordLists, wordListsOf],
    [mayHaveQuotes, quotesOf],
    [mayHavePoemLines, poemLinesOf],
    [(source) => mayHaveCode(source) || mayHaveListings(source), codeOf],
    [mayHavePermalinks, permalinksOf],
    [mayHaveControls, controlsOf],
    [mayHaveSeparators, separatorsOf],
    [mayHaveRemarks, remarksOf],
    [mayHaveBoxes, boxesOf],
    [mayHaveTiles, tilesOf],
    [mayHaveIconWords, iconWordsOf],
    [mayHaveLinkTexts, linkTextsOf],
    [mayHaveFields, fieldsOf],
    [mayHaveSelects, selectsOf],
    [mayHaveClassifiers, classifiersOf],
    [mayHaveTooltips, tooltipsOf],
    [mayHaveSignatures, signaturesOf],
    [mayHaveRaised, raisedOf],
    [mayHaveStacked, stackedOf],
    [mayHaveNotes, notesOf],
    [mayHaveEmoji, emojiOf],
    [mayHaveCells, cellsOf],
    [mayHaveFormulas, formulasOf],
  ]).filter(([mayHave]) => mayHave(source));
  const elements = readers.length ? [...elementsOf(root)] : [];
  const readings = new Map(readers.flatMap(([, read]) => [...read(elements, source)]));
  const inOrder = () => (elements.length ? elements : [...elementsOf(root)]);
  const sideNotes = mayHaveSideNotes(source) ? sideNotesOf(inOrder(), readings) : [];
  const equations = mayHaveEquations(source) ? equationsOf(inOrder(), source, readings) : [];
  const all = new Map([...readings, ...sideNotes, ...equations]);
  const hasNotes = mayHaveSources(source) || [...all.values()].some(({ label }) => label);
  return {
    readings: all,
    notes: hasNotes ? linkedNotes(inOrder(), all, source) : [],
    mailFields: mayHaveMailFields(source) ? mailFieldsOf(inOrder()) : [],
  };
}

/** @param {Element[]} elements @param {string} source @returns {Readings} */
function codeOf(elements, source) {
  const listings = mayHaveListings(source) ? listingsOf(elements) : new Map();
  if (!listings.size && !mayHaveCode(source)) return listings;
  const inTables = mayHaveCodeTables(source) ? codeTablesOf(elements) : [];
  const changes = mayHaveCodeChanges(source) ? changesOf(elements, listings) : [];
  const found = new Map([...listings, ...labelsOf(elements, listings), ...codeLinesOf(elements), ...inTables, ...changes]);
  if (!listings.size && !mayHaveGutters(source)) return found;
  return new Map([...found, ...guttersOf(elements, listings)]);
}
