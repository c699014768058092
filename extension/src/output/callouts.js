/** Puts the titles of callouts at their beginning, and tells which of them only name the kind. */

import tables from "../tables.json" with { type: "json" };
import { labelOf } from "../html/callouts.js";
import { pattern, strip } from "../python.js";

/** @import { Markup } from "../page.js" */
/** @import { Container, ContentItem, Line, Part, Place } from "./document.js" */

const { FORMULA, NOTE } = tables.markup;
const { ROLE, ...constants } = tables["output.callouts"];
const WORD = pattern(constants.WORD);

/**
 * @param {Markup} markup
 * @returns {{callouts: Map<number, string>, titles: Set<number>}} the kind of each callout and the titles,
 *   by the numbers of their elements
 */
export function calloutsAndTitles({ roles }) {
  const callouts = roles.filter(([, role]) => role.startsWith(ROLE));
  return {
    callouts: new Map(callouts.map(([node, role]) => [node, role.slice(ROLE.length)])),
    titles: new Set(roles.filter(([, role]) => role === "title").map(([node]) => node)),
  };
}

/**
 * @param {ContentItem[]} items
 * @param {Place[]} places
 * @param {Set<number>} titles
 * @returns {{items: ContentItem[], places: Place[]}} the items and their places, with a title at the
 *   beginning of each callout: that of the page, a label such as "Note:" at the beginning of the text, or
 *   one without text
 */
export function withTitles(items, places, titles) {
  const made = { items: /** @type {ContentItem[]} */ ([]), places: /** @type {Place[]} */ ([]) };
  /** The number of the title's element by the number of the callout's; 0: none. @type {Map<number, number>} */
  const begun = new Map();
  items.forEach((given, i) => {
    let [item, place] = [given, places[i]];
    const { within } = place;
    const depths = [...within.keys()];
    const opened = depths.filter((depth) => isCallout(within[depth]) && !begun.has(within[depth].node));
    const own = item.nodes.find((node) => titles.has(node)) ?? 0;
    for (const depth of opened) {
      const { label: kind, node } = within[depth];
      const atTitle = titlePlace(within, depth);
      const hasMore = places[i + 1]?.within.some((one) => one.node === node) ?? false;
      const title = hasMore && depth === opened.at(-1) ? own : 0;
      begun.set(node, title);
      if (title) continue;
      const isText = place.kind === "paragraph" && depth === within.length - 1;
      const [label, rest] = isText ? divided(item, kind) : [[], item];
      item = rest;
      if (!item.line.length && item.block >= 0 && hasMore) {
        [item, place] = [{ ...item, line: label }, atTitle]; // the label is all of its text
        break;
      }
      made.items.push({ ...item, line: label, block: -1, raw: "", presentation: false, isRule: false });
      made.places.push(atTitle);
    }
    const last = depths.findLast((depth) => isCallout(within[depth]));
    if (own && last !== undefined && begun.get(within[last].node) === own) place = titlePlace(within, last);
    made.items.push(item);
    made.places.push(place);
  });
  return made;
}

/** @param {Container[]} within @param {number} depth of a callout in it @returns {Place} that of its title */
function titlePlace(within, depth) {
  const key = `title ${within[depth].node}`;
  return { kind: "title", key, within: within.slice(0, depth + 1), level: 0, term: false };
}

/** @param {Container} container @returns {boolean} whether it is a callout */
export function isCallout({ kind, label }) {
  return kind === "quote" && label !== "";
}

/** @param {Part} part @returns {Line[]} the lines of the title of a callout; [] if it only names its kind */
export function ownTitle({ lines, within }) {
  const text = strip(lines.map((line) => line.map((span) => span.text).join("")).join(" "));
  const { end, kinds } = labelOf(text);
  const namesKind = end === text.length && within.length && kinds.includes(within[within.length - 1].label);
  return namesKind || !WORD.test(text) ? [] : lines;
}

/**
 * The label is in spans of its own, such as bold ones, or ends with a colon or the like.
 *
 * @param {ContentItem} item
 * @param {string} kind
 * @returns {[Line, ContentItem]} the label of the kind at the beginning of an item, and the item without it
 */
function divided(item, kind) {
  const [first] = item.line;
  let { end, kinds } = labelOf(item.line.map((span) => span.text).join(""));
  if (!kinds.includes(kind) && first?.marks) [kinds, end] = [labelOf(first.text).kinds, first.text.length];
  const isOther = item.line.some((span) => span.src || span.marks & (FORMULA | NOTE));
  if (!kinds.includes(kind) || isOther) return [[], item];
  /** @type {Line} */
  const label = [];
  /** @type {Line} */
  const rest = [];
  let place = 0;
  for (const span of item.line) {
    const cut = Math.min(Math.max(end - place, 0), span.text.length);
    if (cut) label.push({ ...span, text: span.text.slice(0, cut) });
    if (cut < span.text.length) rest.push({ ...span, text: span.text.slice(cut) });
    place += span.text.length;
  }
  return [label, { ...item, line: rest }];
}
