/** Headings that are links to the home page of their site: its name, which stands over each page. */

import tables from "../tables.json" with { type: "json" };
import { tagOf } from "./dom.js";
import { fullPattern, pattern, slice, strip } from "../python.js";

const constants = tables["html.home_links"];
const HEADINGS = new Set(constants.HEADINGS);
const HOME = fullPattern(constants.HOME);
const HOST = pattern(constants.HOST, "y");

/**
 * @param {Iterable<Element>} elements of a page
 * @param {string} url of the page
 * @returns {Element[]} the links to the home page that are in or around its first headings; none on the home
 *   page, and on a page of unknown address
 */
export function homeLinksOf(elements, url) {
  const here = slice(url, 0, constants.MAX_CHARS);
  HOST.lastIndex = 0;
  const host = HOST.exec(here);
  if (!host || HOME.test(here)) return [];
  const headings = [...elements].filter((one) => HEADINGS.has(tagOf(one))).slice(0, constants.MAX_HEADINGS);
  return headings.flatMap((heading) => linkOf(heading) ?? []).filter((link) => leadsHome(link, host[1].toLowerCase()));
}

/** @param {Element} heading @returns {Element | null} the first link in it, or else the one around it */
function linkOf(heading) {
  const link = heading.querySelector(constants.LINK);
  let above = heading.parentElement;
  for (let i = 0; !link && above && i < constants.MAX_LEVELS; i++, above = above.parentElement) {
    if (tagOf(above) === constants.LINK) return above;
  }
  return link;
}

/** @param {Element} link @param {string} host in small letters @returns {boolean} whether it leads to its home page */
function leadsHome(link, host) {
  const home = HOME.exec(strip(slice(link.getAttribute("href") ?? "", 0, constants.MAX_CHARS + 1)));
  return home !== null && (home[1] ? home[1].toLowerCase() === host : Boolean(home[2]));
}
