/** Why an element hides its text: by attributes, by its own style, by classes of frameworks. */

import tables from "../tables.json" with { type: "json" };
import { tagOf, textsIn } from "./dom.js";
import { collapsed, findall, isSpace, length, pattern, slice, split, strip } from "../python.js";

const constants = tables["html.hiding"];
const ESCAPE = pattern(constants.ESCAPE, "g");
export const COMMENT = pattern(constants.COMMENT, "g");
const ZERO = pattern(constants.ZERO, "y");
const TINY = pattern(constants.TINY, "y");
const FAR = pattern(constants.FAR, "y");
const FAR_TRANSFORM = pattern(constants.FAR_TRANSFORM);
const CLIP = pattern(constants.CLIP, "y");
const CLIP_PATH = pattern(constants.CLIP_PATH, "y");
const RGB = pattern(constants.RGB);
const HEX = pattern(constants.HEX);
const WORD = pattern(constants.WORD, "g");
const NAMES = new Map(Object.entries(constants.NAMES));
const CLASSES = new Set(constants.HIDING_CLASSES);
const SHOWN_CLASS = pattern(constants.SHOWN_CLASS);
const SHOWN_ARIA = pattern(constants.SHOWN_ARIA);
const OPENED = pattern(constants.OPENED);
const STREAMED = pattern(constants.STREAMED);
const SAID = pattern(constants.SAID);
const SENTENCE_END = pattern(constants.SENTENCE_END);
const READ_ALOUD = new Set(constants.READ_ALOUD);

/** @import { Rules } from "./style_sheets.js" */
/** @typedef {Map<string, string>} Style */

const COLLAPSING = new Set(constants.COLLAPSING);
const UNDOABLE = new Map(Object.entries(constants.UNDOABLE).map(([code, property]) => [Number(code), property]));

/** @param {string} reason @returns {number} */
const codeOf = (reason) => constants.REASONS.indexOf(reason);

/**
 * @param {Element} element
 * @param {number} maxChars characters of its class and id that are read
 * @param {Rules | null} rules those of the page's own style sheets
 * @returns {number} why it hides itself, the place of the reason in `REASONS`; 0 if it does not
 */
export function reasonOf(element, maxChars, rules) {
  if (!element.hasAttributes()) return 0;
  const reason = ownReason(element, maxChars, rules);
  if (!COLLAPSING.has(reason)) return reason;
  const id = slice(element.getAttribute("id") ?? "", 0, maxChars);
  const isShown =
    rules?.opened.has(strip(id)) ||
    (reason === constants.BY_ATTRIBUTE && STREAMED.test(id)) ||
    OPENED.test(slice(element.getAttribute("class") ?? "", 0, maxChars)) ||
    strip(element.getAttribute("role") ?? "").toLowerCase() === constants.TAB_PANEL;
  return isShown ? 0 : reason;
}

/** @param {Element} element @param {number} maxChars @param {Rules | null} rules @returns {number} the same, whatever opens it */
function ownReason(element, maxChars, rules) {
  const hidden = element.getAttribute("hidden");
  if (hidden !== null && strip(hidden).toLowerCase() !== "until-found") return constants.BY_ATTRIBUTE;
  const byStyle = hidesByStyle(styleWithColours(element));
  if (byStyle) return byStyle;
  const classes = slice(element.getAttribute("class") ?? "", 0, maxChars);
  if (classes && split(classes).some((name) => CLASSES.has(name)) && !SHOWN_CLASS.test(classes)) return constants.BY_CLASS;
  const byRule = rules?.reason(tagOf(element), slice(element.getAttribute("id") ?? "", 0, maxChars), classes);
  if (byRule) return byRule;
  const aria = strip(element.getAttribute("aria-hidden") ?? "").toLowerCase();
  if (aria !== "true" || SHOWN_ARIA.test(classes) || isTeaser(element)) return 0;
  return element.parentElement && tagOf(element.parentElement) === constants.OPENS ? 0 : constants.BY_ARIA;
}

/**
 * @param {Element} element
 * @returns {boolean} whether it is a link that hides its text from screen readers alone and is a sentence, such as the
 *   text of a teaser below its headline, which leads to the same page
 */
function isTeaser(element) {
  if (tagOf(element) !== "a" || element.getAttribute("tabindex") !== constants.UNREACHABLE) return false;
  if ((element.getAttribute("href") || constants.HERE).startsWith(constants.HERE)) return false;
  const text = strip(textsIn(element, constants.MAX_TEASER_TEXTS).join(""));
  return length(text) >= constants.MIN_TEASER_CHARS && SENTENCE_END.test(text);
}

/**
 * @param {number} above why the element around it is hidden; 0: it is not
 * @param {number} own why it hides itself
 * @param {Element} element
 * @returns {number} why it is hidden by itself or by the one around it
 */
export function inheritedReason(above, own, element) {
  const property = UNDOABLE.get(above);
  if (!property) return above || own;
  return own || (undoes(element.getAttribute("style") ?? "", property) ? 0 : above);
}

/** @param {string} style @param {string} property @returns {boolean} whether it shows what the property hid */
function undoes(style, property) {
  const value = declarations(slice(style, 0, constants.MAX_STYLE_CHARS)).get(property) ?? "";
  if (property === "visibility") return value === "visible";
  return /^[1-9.]/.test(value) && !/%$|(?<!r)em$/.test(value);
}

/** @param {Element} element @returns {string} its style, with what `bgcolor` and `color` add to it */
function styleWithColours(element) {
  let style = element.getAttribute("style") ?? "";
  if (!style) return "";
  const [background, colour] = [element.getAttribute("bgcolor"), element.getAttribute("color")];
  if (background !== null) style = `background-color:${background};${style}`;
  return colour === null ? style : `color:${colour};${style}`;
}

/** @param {string} style a `style` attribute @returns {number} why it hides its element; 0 if it does not */
function hidesByStyle(style) {
  return style ? styleHides(declarations(slice(style, 0, constants.MAX_STYLE_CHARS))) : 0;
}

/** @param {Style} own @returns {number} why an element with these declarations is hidden; 0 if it is not */
export function styleHides(own) {
  const is = (/** @type {string} */ name, /** @type {RegExp} */ regex) => begins(regex, own.get(name) ?? "");
  if (own.get("display") === "none") return codeOf("display:none");
  if (["hidden", "collapse"].includes(own.get("visibility") ?? "")) return codeOf("visibility:hidden");
  if (is("opacity", ZERO) && !constants.MOVING.some((name) => own.has(name))) return codeOf("opacity:0");
  if (is("font-size", ZERO)) return codeOf("font-size:0");
  if (isFar(own)) return codeOf("off-screen");
  if (is("clip", CLIP) || is("clip-path", CLIP_PATH)) return codeOf("clipped");
  const overflow = own.get("overflow") ?? own.get("overflow-y") ?? "";
  const sides = ["height", "max-height", "width", "max-width"];
  if (["hidden", "clip"].includes(overflow) && sides.some((side) => is(side, TINY))) return codeOf("zero-size");
  return isOfBackgroundColour(own) ? codeOf("colour") : 0;
}

/**
 * @param {string} style
 * @returns {Style} the values of its properties, in lower case; the last of each counts
 */
export function declarations(style) {
  const plain = style.replace(COMMENT, " ").replace(ESCAPE, unescaped).toLowerCase();
  /** @type {Style} */
  const values = new Map();
  const important = new Set();
  for (const declaration of plain.split(";")) {
    const [before, after] = halves(declaration, ":");
    const name = strip(before);
    const [value] = halves(after, "!");
    const isImportant = after.includes("!");
    if (isImportant || !important.has(name)) {
      values.set(name, collapsed(value));
      if (isImportant) important.add(name);
    }
  }
  return values;
}

/** @param {string} _ @param {string} [code] @param {string} [char] @returns {string} */
function unescaped(_, code, char) {
  const number = code ? Number.parseInt(code, 16) : 0;
  return char || (number > 0 && number < 0xd800 ? String.fromCharCode(number) : " ");
}

/** @param {string} text @param {string} sign @returns {[string, string]} what is before and after it */
function halves(text, sign) {
  const place = text.indexOf(sign);
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + 1)];
}

/** @param {RegExp} sticky @param {string} text @returns {boolean} whether the text begins with it */
function begins(sticky, text) {
  sticky.lastIndex = 0;
  return sticky.test(text);
}

/** @param {Style} own @returns {boolean} */
function isFar(own) {
  const names = ["text-indent", "margin-left", "margin-top"];
  if (["absolute", "fixed"].includes(own.get("position") ?? "")) names.push("left", "top", "right", "bottom");
  return names.some((name) => begins(FAR, own.get(name) ?? "")) || FAR_TRANSFORM.test(own.get("transform") ?? "");
}

/** @param {Style} own @returns {boolean} */
function isOfBackgroundColour(own) {
  const colour = colourIn(own.get("color") ?? "");
  if (!colour || own.get("background-clip") === "text" || own.get("-webkit-background-clip") === "text") return false;
  if (colour === "transparent") return true;
  const background = colourIn(own.get("background-color") || own.get("background") || "");
  if (!background || background === "transparent" || (own.get("background") ?? "").includes("url(")) return false;
  const shade = (/** @type {string} */ hex, /** @type {number} */ i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return [0, 1, 2].every((i) => Math.abs(shade(colour, i) - shade(background, i)) <= constants.ALIKE);
}

/** @param {string} value @returns {string} its first colour: six digits or `transparent`; "" if it has none */
function colourIn(value) {
  const rgb = RGB.exec(value);
  if (rgb) {
    if (rgb[4] && begins(ZERO, rgb[4])) return "transparent";
    const hex = (/** @type {string} */ digits) => Math.min(Number(digits), 255).toString(16).padStart(2, "0");
    return rgb.slice(1, 4).map(hex).join("");
  }
  const digits = HEX.exec(value)?.[0].slice(1);
  if (digits) return digits.length < 6 ? [...digits.slice(0, 3)].map((digit) => digit + digit).join("") : digits.slice(0, 6);
  const words = findall(value, WORD);
  if (words.includes("transparent")) return "transparent";
  const name = words.find((word) => NAMES.has(word));
  return name ? (NAMES.get(name) ?? "") : "";
}

/**
 * @param {string[]} texts of each piece of a run
 * @param {number[]} reasons why each is hidden; 0 if it is not
 * @param {() => boolean} inHeading whether the run is in a heading that is shown
 * @returns {number[]} the places of the hidden texts that are shown after all
 */
export function revealed(texts, reasons, inHeading) {
  const solid = texts.flatMap((text, i) => (isSpace(text) ? [] : [i]));
  const known = new Set(solid.map((i) => reasons[i]));
  if (!known.has(constants.BY_ARIA)) return [];
  if (known.has(0)) {
    const isAria = (/** @type {number} */ i) => reasons[i] === constants.BY_ARIA;
    const beside = (/** @type {number[]} */ order) => {
      let last = -1;
      return order.map((i) => READ_ALOUD.has(reasons[isAria(i) ? last : (last = i)]));
    };
    const before = beside(solid);
    const after = beside([...solid].reverse()).reverse();
    return solid.filter((i, k) => isAria(i) && (before[k] || after[k]) && SAID.test(texts[i]));
  }
  const wanted = new Set([...known].filter((reason) => READ_ALOUD.has(reason)));
  if (!wanted.size && known.size === 1 && inHeading()) wanted.add(constants.BY_ARIA);
  return reasons.flatMap((reason, i) => (wanted.has(reason) ? [i] : []));
}
