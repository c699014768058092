/** Whether a page says that it is a thread, or that it is an article or a product. */

import tables from "../tables.json" with { type: "json" };
import { fullPattern } from "../python.js";
import { addressOf } from "./addresses.js";

/** @import { Page } from "../page.js" */

const constants = tables["decide.threads"];
const SURE_WORDS = new Set(constants.SURE_WORDS);
const SURE_STEPS = fullPattern(constants.SURE_STEPS);
const SURE_HOSTS = fullPattern(constants.SURE_HOSTS);
const SURE_SITES = fullPattern(constants.SURE_SITES);
const ARTICLES = new Set(constants.ARTICLES);
const PRODUCTS = new Set(constants.PRODUCTS);
const KINDS = new Set([...constants.ARTICLES, ...constants.PRODUCTS, ...constants.THREADS]);

/**
 * @param {Page} page
 * @returns {boolean} whether its head or URL shows that it is a forum, discussion or question
 */
export function isThread({ head, url }) {
  const stated = `${head.words.join(" ")} ${url.toLowerCase()}`;
  return constants.THREAD_WORDS.some((word) => stated.includes(word));
}

/**
 * @param {Page} page
 * @returns {boolean} whether its head states it, or a whole step of the URL
 */
export function isSurelyThread({ head, url }) {
  if (head.words.some((word) => SURE_WORDS.has(word))) return true;
  const address = addressOf(url);
  if (!address) return false;
  if (SURE_SITES.test(address.host + address.path)) return true;
  const names = address.host.split(".").slice(0, -1);
  return names.some((name) => SURE_HOSTS.test(name)) || address.path.split("/").some((step) => SURE_STEPS.test(step));
}

/**
 * @param {Page} page
 * @returns {boolean} whether its head states one of these
 */
export function statesArticleOrProduct({ head }) {
  return head.words.some((word) => ARTICLES.has(word) || PRODUCTS.has(word));
}

/**
 * @param {Page} page
 * @returns {boolean} whether its head states an article, a product or a thread
 */
export function statesKind({ head }) {
  return head.words.some((word) => KINDS.has(word));
}

/**
 * @param {Page} page
 * @returns {boolean} whether its head states a product, and no article
 */
export function statesProduct({ head }) {
  return head.words.some((word) => PRODUCTS.has(word)) && !head.words.some((word) => ARTICLES.has(word));
}
