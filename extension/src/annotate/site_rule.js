/**
 * The rule of a site that keeps and drops what a person did on a page, for `BOILERNET_SITES`. The same as
 * `scrapy_boilernet/lab/annotations/site_rules.py`, of one page.
 */

import tables from "../tables.json" with { type: "json" };

const { AHEAD, MAX_SELECTORS, NAME, NAMING, OPEN_KINDS, PRICE, PRICE_OF_TAG, TELLING_TAGS } =
  tables["annotations.site_rules"];
const IS_NAME = new RegExp(`^(?:${NAME.pattern})$`);

/**
 * @typedef {Pick<Element, "localName" | "getAttribute"> & {parentElement: Named | null}} Named An element.
 * @typedef {{keep: string[], drop: string[]}} Rule
 * @typedef {{selector: string, price: number, blocks: number[]}} Candidate A selector and the blocks inside
 *   of its elements.
 */

/** @param {string} selector @returns {number} the F1 that it must gain */
function priceOf(selector) {
  const isTag = /^[a-z0-9]+$/i.test(selector) && !TELLING_TAGS.includes(selector);
  return PRICE * (selector.length + PRICE_OF_TAG * (isTag ? 1 : 0));
}

/** @param {Named} element @returns {string[]} its selectors by its id, its classes and its roles */
function namesOf(element) {
  const valueOf = (/** @type {string} */ name) => element.getAttribute(name) ?? "";
  const classes = new Set(valueOf("class").split(/\s+/));
  return [
    ...[valueOf("id")].filter((name) => IS_NAME.test(name)).map((name) => `#${name}`),
    ...[...classes].filter((name) => IS_NAME.test(name)).map((name) => `.${name}`),
    ...NAMING.filter((name) => IS_NAME.test(valueOf(name))).map((name) => `[${name}=${valueOf(name)}]`),
  ];
}

/** @param {Named} element @returns {string[]} its selectors */
function selectorsOf(element) {
  const { localName: tag, parentElement: parent } = element;
  if (tag === "html" || tag === "body" || !IS_NAME.test(tag)) return [];
  const names = namesOf(element);
  const below = parent && !names.length ? namesOf(parent).map((name) => `${name} > ${tag}`) : [];
  return [tag, ...names.flatMap((name) => [name, `${tag}${name}`]), ...below];
}

/**
 * @param {(Named | null)[]} containers per block the element that holds its text
 * @returns {Map<string, number[]>} per selector the blocks inside of its elements
 */
function blocksInside(containers) {
  /** @type {Map<string, number[]>} */
  const inside = new Map();
  /** @type {Map<Named, string[]>} */
  const known = new Map();
  containers.forEach((container, block) => {
    const found = new Set();
    for (let element = container; element; element = element.parentElement) {
      const own = known.get(element) ?? selectorsOf(element);
      known.set(element, own);
      for (const selector of own) found.add(selector);
    }
    for (const selector of found) {
      const blocks = inside.get(selector);
      if (blocks) blocks.push(block);
      else inside.set(selector, [block]);
    }
  });
  return inside;
}

/** @param {string} one @param {string} other @returns {number} their order by code units */
const compared = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** Finds the rule of a page. */
class Search {
  /**
   * @param {number[]} words per block
   * @param {boolean[]} content per block
   * @param {Map<string, number[]>} inside per selector its blocks
   */
  constructor(words, content, inside) {
    this.words = words;
    this.content = content;
    this.total = words.reduce((sum, number, i) => sum + (content[i] ? number : 0), 0);
    /** By their selectors, the cheapest first, without others of the same blocks. @type {Map<string, Candidate>} */
    this.candidates = new Map();
    const seen = new Set();
    const all = [...inside].map(([selector, blocks]) => ({ selector, blocks, price: priceOf(selector) }));
    for (const one of all.sort((a, b) => a.price - b.price || compared(a.selector, b.selector))) {
      const key = one.blocks.join();
      if (!seen.has(key)) this.candidates.set(one.selector, one);
      seen.add(key);
    }
  }

  /** @returns {Rule} */
  rule() {
    /** @type {Rule} */
    let chosen = { keep: [], drop: [] };
    for (let best = 0; ;) {
      const options = this.scored([...this.longer(chosen), ...shorter(chosen)]);
      const further = options.slice(0, AHEAD).flatMap(({ rule }) => this.withDrop(rule));
      options.push(...this.scored(further));
      const first = options.reduce((top, one) => (one.score > top.score ? one : top), { score: 0, rule: chosen });
      if (first.score <= best + 1e-9) return chosen;
      best = first.score;
      chosen = first.rule;
    }
  }

  /** @param {Rule[]} rules @returns {{rule: Rule, score: number}[]} the rules with their scores, the best first */
  scored(rules) {
    return rules.map((rule) => ({ rule, score: this.score(rule) })).sort((a, b) => b.score - a.score);
  }

  /** @param {Rule} rule @returns {number} the F1 of the words that it keeps, less the prices of its selectors */
  score({ keep, drop }) {
    const kept = new Uint8Array(this.words.length);
    for (const selector of keep) for (const block of this.blocksOf(selector)) kept[block] = 1;
    for (const selector of drop) for (const block of this.blocksOf(selector)) kept[block] = 0;
    let all = 0;
    let right = 0;
    kept.forEach((isKept, i) => {
      if (!isKept) return;
      all += this.words[i];
      if (this.content[i]) right += this.words[i];
    });
    const both = all + this.total;
    const price = [...keep, ...drop].reduce((sum, selector) => sum + priceOf(selector), 0);
    return (both ? (2 * right) / both : 0) - price;
  }

  /** @param {string} selector @returns {number[]} */
  blocksOf(selector) {
    return this.candidates.get(selector)?.blocks ?? [];
  }

  /** @param {Rule} rule @returns {Rule[]} */
  longer(rule) {
    const { drop, keep } = rule;
    const longer = keep.length < MAX_SELECTORS
      ? [...this.candidates.keys()].map((selector) => ({ keep: [...keep, selector], drop }))
      : [];
    return [...longer, ...this.withDrop(rule)];
  }

  /** @param {Rule} rule @returns {Rule[]} */
  withDrop({ drop, keep }) {
    if (!keep.length || drop.length >= MAX_SELECTORS) return [];
    return [...this.candidates.keys()].map((selector) => ({ keep, drop: [...drop, selector] }));
  }
}

/** @param {Rule} rule @returns {Rule[]} the rule without one of its selectors */
function shorter({ drop, keep }) {
  return [
    ...(keep.length > 1 ? keep : []).map((one) => ({ keep: keep.filter((other) => other !== one), drop })),
    ...drop.map((one) => ({ keep, drop: drop.filter((other) => other !== one) })),
  ];
}

/**
 * @param {string[]} texts per block
 * @param {string[]} kinds per block; headlines and captions may be kept or not
 * @param {(Named | null)[]} containers per block the element that holds its text
 * @returns {Rule} the selectors that keep what is of the kind "main", and drop the rest
 */
export function ruleOf(texts, kinds, containers) {
  const words = texts.map((text, i) => (OPEN_KINDS.includes(kinds[i]) ? 0 : text.split(" ").length));
  return new Search(words, kinds.map((kind) => kind === "main"), blocksInside(containers)).rule();
}

/**
 * @param {string} url of the page
 * @param {Rule} rule
 * @returns {string} the rule in TOML; "" if nothing keeps what is content
 */
export function ruleText(url, rule) {
  if (!rule.keep.length) return "";
  const domain = new URL(url).hostname.replace(/^www\./, "");
  const lines = Object.entries(rule).filter(([, selectors]) => selectors.length);
  const list = (/** @type {string[]} */ selectors) => `[${selectors.map((one) => JSON.stringify(one)).join(", ")}]`;
  return [`[${JSON.stringify(domain)}]`, ...lines.map(([name, selectors]) => `${name} = ${list(selectors)}`), ""].join("\n");
}
