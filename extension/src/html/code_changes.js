/**
 * Changed code: its lines are read with the signs "+" and "-" that a style sheet writes, as GitHub and Shiki have
 * it.
 */

import tables from "../tables.json" with { type: "json" };
import { tagOf, textsIn } from "./dom.js";
import { mayHaveChanges, signOf } from "./preformatted.js";
import { NOTHING } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const { MAX_TEXTS, SIGNS, TAGS } = tables["html.code_changes"];

/** @param {string} source of a page @returns {boolean} whether it can have such lines */
export function mayHaveCodeChanges(source) {
  return SIGNS.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @param {Readings} listings of the elements that are code as a `<pre>` is
 * @returns {Readings} those of the lines of changed code
 */
export function changesOf(elements, listings) {
  /** @type {Readings} */
  const found = new Map();
  const pres = elements.filter((element) => tagOf(element) === "pre");
  for (const code of [...pres, ...listings.keys()].filter(mayHaveChanges)) {
    for (const element of code.querySelectorAll(TAGS.join(","))) {
      const sign = signOf(element, tagOf(code) === "table");
      if (!sign) continue;
      found.set(element, { ...NOTHING, text: sign + textsIn(element, MAX_TEXTS).join(""), tag: tagOf(element) });
    }
  }
  return found;
}
