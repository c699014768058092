/** The address of a page, by whose words some rules tell what kind of page it is. */

import tables from "../tables.json" with { type: "json" };
import { pattern } from "../python.js";

const constants = tables["decide.addresses"];
const ADDRESS = pattern(constants.ADDRESS);

/** The extension at the end of a path, such as `.html`. */
export const EXTENSION = pattern(constants.EXTENSION);

/**
 * @param {string} url
 * @returns {{host: string, path: string, query: string} | null} its parts, in lower case; null if it is not absolute
 */
export function addressOf(url) {
  const match = ADDRESS.exec(url.toLowerCase());
  return match && { host: match[1], path: match[2], query: match[3] };
}
