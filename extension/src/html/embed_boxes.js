/**
 * Boxes that a script fills with a video or a post: of Facebook, Wistia, Squarespace and Elementor. They count as
 * frames, and their texts, such as a note that the post is not shown, are not read.
 */

import tables from "../tables.json" with { type: "json" };
import { pattern, slice, split } from "../python.js";
import { tagOf } from "./dom.js";
import { knownAddress } from "./embeds.js";

/** @import { Reading, Readings } from "./reading.js" */

const constants = tables["html.embed_boxes"];
const { MAX_CHARS, MAX_CLASS_CHARS } = constants;
const TAGS = new Set(constants.TAGS);
const WISTIA = pattern(constants.WISTIA);
const FRAME = pattern(constants.FRAME);
const KIND = pattern(constants.KIND);
const ADDRESS = pattern(constants.ADDRESS, "g");
/** @type {Readonly<Reading>} */
const AS_FRAME = Object.freeze({ text: "", marks: tables.markup.EMBED, tag: "iframe", label: "" });

/** @param {string} source of a page @returns {boolean} whether it can have such boxes */
export function mayHaveBoxes(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} the readings of the boxes whose address is known */
export function boxesOf(elements) {
  const boxes = elements.filter((element) => TAGS.has(tagOf(element)) && boxAddress(element));
  return new Map(boxes.map((box) => [box, AS_FRAME]));
}

/** @param {Element} box @returns {string} the address of what it shows; "" if it is none, or if it shows something else */
export function boxAddress(box) {
  const get = (/** @type {string} */ name, /** @type {number} */ most) => slice(box.getAttribute(name) ?? "", 0, most);
  const classes = get("class", MAX_CLASS_CHARS);
  const wistia = WISTIA.exec(classes);
  if (wistia) return knownAddress(`${constants.WISTIA_PLAYER}${wistia[1]}`);
  const names = split(classes);
  if (names.includes("fb-post") || names.includes("fb-video")) return knownAddress(box.getAttribute("data-href") ?? "");
  if (names.includes("sqs-video-wrapper")) return knownAddress(FRAME.exec(get("data-html", MAX_CHARS))?.[1] ?? "");
  if (!names.includes("elementor-widget-video")) return "";
  const settings = get("data-settings", MAX_CHARS);
  const kind = KIND.exec(settings)?.[1] ?? constants.FIRST_KIND;
  const address = [...settings.matchAll(ADDRESS)].find((match) => match[1] === kind)?.[2] ?? "";
  return knownAddress(address.replaceAll(constants.ESCAPED, "/"));
}
