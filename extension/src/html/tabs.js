/**
 * Tabs: the label of each is read at the beginning of its panel, not beside the other labels.
 *
 * The labels and panels are those of ARIA and Bootstrap, and of radio buttons that only a style makes tabs
 * of, as Material for MkDocs writes them.
 */

import tables from "../tables.json" with { type: "json" };
import { collapsed, length, pattern, setDefault, slice, strip } from "../python.js";
import { tagOf, textNodesIn, textsIn } from "./dom.js";
import { NOTHING, READ_INSIDE } from "./reading.js";

/** @import { Readings } from "./reading.js" */

const constants = tables["html.tabs"];
const { LEVELS, MAX_CLASS_CHARS, MAX_LABEL_CHARS, MAX_TABS, MAX_TEXTS } = constants;
const CONTROLS = new Set(constants.CONTROLS);
const LISTS = new Set(constants.LISTS);
const PANELS = new Set(constants.PANELS);
const TAB_CLASS = pattern(constants.TAB_CLASS);
const WORD = pattern(constants.WORD);

/** @typedef {[Element[], Element[]]} Tabs The tabs of one list, and their panels. */

/** @param {string} source of a page @returns {boolean} whether it can have tabs */
export function mayHaveTabs(source) {
  const has = (/** @type {string} */ sign) => source.includes(sign);
  return has(constants.TABLIST) || (constants.OPENERS.some(has) && constants.TABS.some(has));
}

/**
 * @param {Element[]} elements of a page
 * @returns {Readings} those of labels, which are left out, and of panels, which begin with them
 */
export function tabsOf(elements) {
  /** @type {Readings} */
  const found = new Map();
  for (const [tabs, panels] of [...ofRoles(elements), ...ofRadios(elements)]) {
    const labels = tabs.map((tab) => collapsed(textsIn(tab, MAX_TEXTS).join("")));
    if (!areTabs(labels, panels) || [...tabs, ...panels].some((one) => found.has(one))) continue;
    for (const tab of tabs) found.set(tab, { ...NOTHING, tag: tagOf(tab) });
    labels.forEach((label, i) => {
      const isRepeated = label.toLowerCase() === firstText(panels[i]).toLowerCase();
      const lead = isRepeated ? "" : label;
      found.set(panels[i], { ...READ_INSIDE, tag: tagOf(panels[i]), lead, leadNodes: textNodesIn(tabs[i]) });
    });
  }
  return found;
}

/** @param {string[]} labels @param {Element[]} panels @returns {boolean} whether there is a short label for each panel, and more than one */
function areTabs(labels, panels) {
  const areShort = labels.every((one) => length(one) <= MAX_LABEL_CHARS && WORD.test(one));
  const arePanels = panels.every((one) => PANELS.has(tagOf(one)));
  return labels.length > 1 && labels.length === new Set(panels).size && areShort && arePanels;
}

/** @param {Element[]} elements @returns {Generator<Tabs>} those of each list of tabs by its role, or by what Bootstrap reads */
function* ofRoles(elements) {
  /** Per list, the places of its tabs. @type {Map<Element, number[]>} */
  const lists = new Map();
  /** @type {number[]} */
  const panels = [];
  elements.forEach((element, place) => {
    const role = strip(element.getAttribute("role") ?? "").toLowerCase();
    if (role === "tabpanel") panels.push(place);
    const isToggle = constants.TOGGLES.some((name) => element.getAttribute(name) === "tab");
    const above = role === "tab" || isToggle ? aroundOf(element, LEVELS).filter((one) => LISTS.has(tagOf(one))) : [];
    const owner = above.find((one) => one.getAttribute("role") === "tablist") ?? above[0];
    if (owner) setDefault(lists, owner, /** @type {number[]} */ ([])).push(place);
  });
  if (!lists.size) return;
  /** @type {Map<string, number>} */
  const byId = new Map();
  elements.forEach((element, place) => {
    const name = element.getAttribute("id");
    if (name !== null && !byId.has(name)) byId.set(name, place);
  });
  for (const places of lists.values()) {
    const tabs = places.slice(0, MAX_TABS + 1).map((place) => elements[place]);
    const last = places[places.length - 1];
    const named = namedBy(tabs, byId);
    const own = named.length ? named : besides(elements, last, panels);
    if (own.length === tabs.length && tabs.length <= MAX_TABS && last < Math.min(...own)) {
      yield [tabs, own.map((place) => elements[place])];
    }
  }
}

/** @param {Element[]} tabs @param {Map<string, number>} byId @returns {number[]} the places of the panels that they name; [] if one names none */
function namedBy(tabs, byId) {
  const found = [];
  for (const tab of tabs) {
    const inner = [tab, ...[...tab.children].filter((child) => tagOf(child) === "a").slice(0, 1)];
    const names = inner.flatMap((one) => constants.TARGETS.map((name) => one.getAttribute(name) ?? ""));
    const place = names.map((name) => byId.get(name.replace(/^#+/, ""))).find((one) => one !== undefined);
    if (place === undefined) return [];
    found.push(place);
  }
  return found;
}

/** @param {Element[]} elements @param {number} last @param {number[]} panels @returns {number[]} the places of the panels after the last tab of a list that have one parent */
function besides(elements, last, panels) {
  const following = panels.filter((place) => place > last).slice(0, MAX_TABS + 1);
  return following.filter((place) => elements[place].parentElement === elements[following[0]].parentElement);
}

/** @param {Element[]} elements @returns {Generator<Tabs>} the labels of radio buttons, side by side, and the panels after them */
function* ofRadios(elements) {
  const inputs = elements.filter((one) => tagOf(one) === "input");
  const radios = new Set(
    inputs.filter((one) => (one.getAttribute("type") ?? "").toLowerCase() === "radio").map((one) => one.getAttribute("id")),
  );
  radios.delete(null);
  /** @type {Map<Element, Element[]>} */
  const groups = new Map();
  for (const label of radios.size ? elements : []) {
    const parent = label.parentElement;
    if (tagOf(label) === "label" && parent && radios.has(label.getAttribute("for"))) {
      setDefault(groups, parent, /** @type {Element[]} */ ([])).push(label);
    }
  }
  for (const [parent, labels] of groups) {
    if (labels.length > MAX_TABS || !isOfTabs(parent)) continue;
    let after = following(labels[0]);
    const before = after.length ? labelBefore(after[0]) : null;
    if (!before) after = following(parent);
    else if (before !== labels[labels.length - 1]) continue; // each label stands before its panel
    const inside = after.length ? [...after[0].children].slice(0, MAX_TABS + 1) : [];
    yield [labels, after.length === labels.length ? after : inside];
  }
}

/** @param {Element} element @returns {boolean} whether its class, or that of the element around it, is that of tabs */
function isOfTabs(element) {
  const around = [element, ...aroundOf(element, 1)];
  return around.some((one) => TAB_CLASS.test(slice(one.getAttribute("class") ?? "", 0, MAX_CLASS_CHARS)));
}

/** @param {Element} element @returns {Element[]} the elements after it, but for labels and controls */
function following(element) {
  const found = [];
  for (let next = element.nextElementSibling, i = 0; next && i < 3 * MAX_TABS; i++, next = next.nextElementSibling) {
    if (!CONTROLS.has(tagOf(next))) found.push(next);
  }
  return found;
}

/** @param {Element} element @returns {Element | null} the label before it, among its siblings */
function labelBefore(element) {
  let before = element.previousElementSibling;
  while (before && tagOf(before) !== "label") before = before.previousElementSibling;
  return before;
}

/** @param {Element} element @param {number} levels @returns {Element[]} the nearest elements around it */
function aroundOf(element, levels) {
  const found = [];
  for (let each = element.parentElement; each && found.length < levels; each = each.parentElement) found.push(each);
  return found;
}

/** @param {Element} panel @returns {string} */
function firstText(panel) {
  return textsIn(panel, MAX_TEXTS).map(collapsed).find(Boolean) ?? "";
}
