/** Fields in which readers write their e-mail address, and the elements around them. */

import tables from "../tables.json" with { type: "json" };
import { tagOf } from "./dom.js";

const { MAIL, MAX_AROUND, MAX_FIELDS, SIGNS, TYPED } = tables["html.mail_fields"];
const KINDS = new Set(TYPED);

/** @param {string} source of a page @returns {boolean} whether it can have such fields */
export function mayHaveMailFields(source) {
  return SIGNS.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} elements of a page
 * @returns {Element[][]} per field for an e-mail address the elements around it, the innermost first, unless its
 *   form is for messages
 */
export function mailFieldsOf(elements) {
  const fields = elements.filter((element) => tagOf(element) === "input" && isForMail(element)).slice(0, MAX_FIELDS);
  return fields.map(aroundOf).filter((around) => !around.some(isForMessages));
}

/** @param {Element} field @returns {boolean} */
function isForMail(field) {
  const names = ["type", "name", "autocomplete"].map((name) => (field.getAttribute(name) ?? "").toLowerCase());
  return KINDS.has(names[0]) && names.includes(MAIL);
}

/** @param {Element} field @returns {Element[]} */
function aroundOf(field) {
  const around = [];
  let above = field.parentElement;
  for (; above && around.length < MAX_AROUND; above = above.parentElement) around.push(above);
  return around;
}

/** @param {Element} element @returns {boolean} */
function isForMessages(element) {
  return tagOf(element) === "form" && element.querySelector("textarea") !== null;
}
