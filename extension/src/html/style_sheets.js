/** What a page's own `<style>` hides, by rules on single tags, classes and ids. */

import tables from "../tables.json" with { type: "json" };
import { findall, length, pattern, slice, split, strip } from "../python.js";
import { COMMENT, declarations, styleHides } from "./hiding.js";

const constants = tables["html.style_sheets"];
const REASONS = tables["html.hiding"].REASONS;
const PROPERTIES = /** @type {Record<string, string[]>} */ (constants.PROPERTIES);
const ALWAYS = pattern(constants.ALWAYS, "y");
const SIMPLE = pattern(constants.SIMPLE, "y");
const NAMES = pattern(constants.NAME, "g");
const HINTS = Object.entries(constants.HINTS).map(
  ([word, declaration]) => /** @type {[string, RegExp]} */ ([word, pattern(declaration)]),
);
const { MEDIA } = tables["html.blockify"];
const ON_SCREENS = pattern({ ...MEDIA, pattern: `^(?:${MEDIA.pattern})$` });

/**
 * @typedef {object} Rule
 * @property {string} selectors
 * @property {string} own Its declarations.
 * @property {boolean} isAlways Whether it holds on every screen.
 *
 * @typedef {object} Simple A selector of one element, and why its rule hides it.
 * @property {string} tag
 * @property {string[]} names Classes with a leading `.`, ids with `#`.
 * @property {number} reason
 */

/** The rules of a page's style sheets that hide elements, and what its controls open. */
export class Rules {
  /** @param {Simple[]} selectors @param {Set<string>} opened the ids of panels */
  constructor(selectors, opened) {
    this.opened = opened;
    /** By one of their names. @type {Map<string, Simple[]>} */
    this.selectors = new Map();
    for (const selector of selectors) {
      const name = sorted(selector.names)[0];
      const same = this.selectors.get(name);
      if (same) same.push(selector);
      else this.selectors.set(name, [selector]);
    }
  }

  /** @param {string} tag @param {string} id @param {string} classes @returns {number} why an element is hidden; 0 if it is not */
  reason(tag, id, classes) {
    const names = new Set(split(classes).map((name) => `.${name}`));
    if (id) names.add(`#${strip(id)}`);
    for (const name of sorted(names)) {
      for (const selector of this.selectors.get(name) ?? []) {
        if (["", tag].includes(selector.tag) && selector.names.every((each) => names.has(each))) return selector.reason;
      }
    }
    return 0;
  }
}

/** @param {Document} document @returns {Rules | null} the rules of its style sheets and its controls; null if there are none */
export function hidingRules(document) {
  const kept = selectorsThatHide(document);
  const opened = controlledIds(document);
  return kept.length || opened.size ? new Rules(kept, opened) : null;
}

/** @param {Document} document @returns {Set<string>} the ids of the panels of tabs and accordions */
function controlledIds(document) {
  const controls = [...document.querySelectorAll("[aria-controls]:not([aria-haspopup])")];
  return new Set(controls.flatMap((control) => split(control.getAttribute("aria-controls") ?? "")));
}

/** @param {Document} document @returns {Simple[]} the selectors of elements that are hidden, and that no other rule shows */
function selectorsThatHide(document) {
  const sheets = [...document.querySelectorAll("style")].filter((style) => ON_SCREENS.test(strip(style.getAttribute("media") ?? "")));
  const short = sheets.filter(({ textContent }) => length(textContent ?? "") <= constants.MAX_SHEET_CHARS);
  const texts = short.map((style) => (style.closest("noscript") ? "@noscript{" : "") + (style.textContent ?? ""));
  const css = slice(texts.join(constants.SHEET_END), 0, constants.MAX_CHARS);
  const plain = css.replaceAll("<!--", " ").replaceAll("-->", " ").replace(COMMENT, " ");
  const rules = plain.split(constants.SHEET_END.slice(-1)).flatMap((sheet) => [...rulesOf(sheet)]);
  const hiding = rules.flatMap(hidingSelectors).slice(0, constants.MAX_RULES);
  if (!hiding.length) return [];
  const shown = shownNames(rules, hiding);
  return hiding.filter(({ names, reason }) => !names.some((name) => shown.get(name)?.has(reason)));
}

/** @param {string} css @returns {Generator<Rule>} its rules, those in at-rules too */
function* rulesOf(css) {
  /** Per open at-rule whether its rules always hold. @type {boolean[]} */
  const around = [];
  for (const part of css.split("}")) {
    const openings = part.split("{");
    const own = openings.pop() ?? "";
    if (!openings.length) {
      around.pop();
      continue;
    }
    const last = openings.pop() ?? "";
    for (const opening of openings) {
      ALWAYS.lastIndex = 0;
      around.push(ALWAYS.test(opening));
    }
    const selectors = last.slice(last.lastIndexOf(";") + 1);
    if (!strip(selectors).startsWith("@")) yield { selectors, own, isAlways: around.every(Boolean) };
  }
}

/** @param {Rule} rule @returns {Simple[]} its simple selectors, if it hides what they name */
function hidingSelectors({ selectors, own, isAlways }) {
  const squeezed = `;${split(own).join("")}`;
  const mayHide = HINTS.some(([word, declaration]) => own.includes(word) && declaration.test(squeezed));
  if (!isAlways || !mayHide) return [];
  const reason = styleHides(declarations(own));
  if (!(REASONS[reason] in PROPERTIES)) return [];
  return selectors.split(",").flatMap((selector) => {
    SIMPLE.lastIndex = 0;
    const simple = SIMPLE.exec(strip(selector));
    return simple ? [{ tag: simple[1] ?? "", names: [...new Set(findall(simple[2], NAMES))], reason }] : [];
  });
}

/** @param {Rule[]} rules @param {Simple[]} hiding @returns {Map<string, Set<number>>} per class or id the reasons for which another rule may show its elements */
function shownNames(rules, hiding) {
  const names = new Set(hiding.flatMap((each) => each.names));
  const reasons = [...new Set(hiding.map((each) => each.reason))];
  const properties = (/** @type {number} */ reason) => PROPERTIES[REASONS[reason]];
  /** @type {Map<string, Set<number>>} */
  const shown = new Map();
  for (const { selectors, own: text } of rules) {
    if (!findall(selectors, NAMES).some((name) => names.has(name))) continue;
    const own = declarations(text);
    const hides = styleHides(own);
    const shows = reasons.filter((reason) => reason !== hides && properties(reason).some((name) => own.has(name)));
    for (const selector of selectors.split(",")) {
      const subject = strip(selector).split(/[\s>+~]/).at(-1) ?? "";
      for (const name of findall(subject, NAMES)) shown.set(name, new Set([...(shown.get(name) ?? []), ...shows]));
    }
  }
  return shown;
}

/** @param {Iterable<string>} names @returns {string[]} in the order of their characters */
function sorted(names) {
  return [...names].sort((one, other) => (one < other ? -1 : Number(one > other)));
}
