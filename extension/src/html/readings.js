/**
 * What is read of some elements instead of their texts: the TeX of formulas, the characters of images of
 * emoji, the labels of note marks, and nothing of the numbers of lines of code and of signs that link to
 * their heading. Code without a `<pre>` is read as one. Also what is a callout, and which items of lists have boxes to tick.
 *
 * Most pages have none: a look at the source of a page tells whether there can be any.
 */

import { calloutsOf } from "./callouts.js";
import { guttersOf, mayHaveGutters } from "./code.js";
import { elementsOf } from "./dom.js";
import { emojiOf, mayHaveEmoji } from "./emoji.js";
import { formulasOf, mayHaveFormulas } from "./formulas.js";
import { listingsOf, mayHaveListings } from "./listings.js";
import { mayHaveNotes, notesOf } from "./note_links.js";
import { mayHavePermalinks, permalinksOf } from "./permalinks.js";
import { mayHaveSideNotes, sideNotesOf } from "./side_notes.js";
import { mayHaveTasks, tasksOf } from "./tasks.js";

/** @import { Readings } from "./reading.js" */

/**
 * @param {Element} root
 * @returns {Readings} what is read of elements of a page instead of their texts; mostly nothing
 */
export function readingsOf(root) {
  const source = root.outerHTML.toLowerCase();
  const readers = /** @type {[(source: string) => boolean, (elements: Element[], source: string) => Readings][]} */ ([
    [() => true, calloutsOf],
    [mayHaveTasks, tasksOf],
    [(source) => mayHaveGutters(source) || mayHaveListings(source), codeOf],
    [mayHavePermalinks, permalinksOf],
    [mayHaveNotes, notesOf],
    [mayHaveEmoji, emojiOf],
    [mayHaveFormulas, formulasOf],
  ]).filter(([mayHave]) => mayHave(source));
  const elements = readers.length ? [...elementsOf(root)] : [];
  const readings = new Map(readers.flatMap(([, read]) => [...read(elements, source)]));
  if (!mayHaveSideNotes(source)) return readings;
  return new Map([...readings, ...sideNotesOf(elements.length ? elements : [...elementsOf(root)], readings)]);
}

/** @param {Element[]} elements @param {string} source @returns {Readings} */
function codeOf(elements, source) {
  const listings = mayHaveListings(source) ? listingsOf(elements) : new Map();
  if (!listings.size && !mayHaveGutters(source)) return listings;
  return new Map([...listings, ...guttersOf(elements, listings)]);
}
