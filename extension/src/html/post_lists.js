/** Lists whose items are the posts of a forum's thread, which Markdown and HTML do not write as lists. */

import tables from "../tables.json" with { type: "json" };
import { pattern, slice, split } from "../python.js";
import { tagOf } from "./dom.js";
import { READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.post_lists"];
const ITEM = pattern(constants.ITEM);
const LIST = pattern(constants.LIST);
const LISTS = new Set(constants.LISTS);
const AS_POST = Object.freeze({ ...READ_INSIDE, tag: "li", role: constants.POST });

/** @param {string} source of a page @returns {boolean} whether it can have such lists */
export function mayHavePostLists(source) {
  return constants.SIGNS.some((sign) => source.includes(sign));
}

/** @param {Element[]} elements of a page @returns {Readings} those of the items that are posts, whose own texts are read */
export function postsOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const element of elements) {
    const tag = tagOf(element);
    if (tag === "li" && ITEM.test(classOf(element))) {
      found.set(element, AS_POST);
    } else if (LISTS.has(tag) && LIST.test(classOf(element))) {
      for (const item of element.children) {
        const isPost = tagOf(item) === "li" && split(classOf(item).toLowerCase()).includes(constants.MESSAGE);
        if (isPost) found.set(item, AS_POST);
      }
    }
  }
  return found;
}

/** @param {Element} element @returns {string} */
function classOf(element) {
  return slice(element.getAttribute("class") ?? "", 0, constants.MAX_CLASS_CHARS);
}
