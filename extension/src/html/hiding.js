/** Why an element hides its text: by attributes, by its own style, by classes of frameworks. */

import tables from "../tables.json" with { type: "json" };
import { collapsed, findall, pattern, slice, split, strip } from "../python.js";

const constants = tables["html.hiding"];
const ESCAPE = pattern(constants.ESCAPE, "g");
const COMMENT = pattern(constants.COMMENT, "g");
const MAY_HIDE = pattern(constants.MAY_HIDE);
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

/** @typedef {Map<string, string>} Style */

/**
 * @param {Element} element
 * @param {number} maxChars characters of its class that are read
 * @returns {boolean} whether it hides itself; style sheets are not read
 */
export function hidesItself(element, maxChars) {
  if (!element.hasAttributes()) return false;
  const hidden = element.getAttribute("hidden");
  if (hidden !== null && strip(hidden).toLowerCase() !== "until-found") return true;
  if (hidesByStyle(element.getAttribute("style") ?? "")) return true;
  const classes = slice(element.getAttribute("class") ?? "", 0, maxChars);
  if (classes && split(classes).some((name) => CLASSES.has(name)) && !SHOWN_CLASS.test(classes)) return true;
  const aria = strip(element.getAttribute("aria-hidden") ?? "").toLowerCase();
  return aria === "true" && !SHOWN_ARIA.test(classes);
}

/** @param {string} style a `style` attribute @returns {boolean} whether it hides its element */
function hidesByStyle(style) {
  if (!MAY_HIDE.test(style)) return false;
  const own = declarations(slice(style, 0, constants.MAX_STYLE_CHARS));
  const is = (/** @type {string} */ name, /** @type {RegExp} */ regex) => begins(regex, own.get(name) ?? "");
  if (own.get("display") === "none") return true;
  if (["hidden", "collapse"].includes(own.get("visibility") ?? "")) return true;
  if (is("opacity", ZERO) && !constants.MOVING.some((name) => own.has(name))) return true;
  if (is("font-size", ZERO) || isFar(own) || is("clip", CLIP) || is("clip-path", CLIP_PATH)) return true;
  const overflow = own.get("overflow") ?? own.get("overflow-y") ?? "";
  const sides = ["height", "max-height", "width", "max-width"];
  if (["hidden", "clip"].includes(overflow) && sides.some((side) => is(side, TINY))) return true;
  return isOfBackgroundColour(own);
}

/**
 * @param {string} style
 * @returns {Style} the values of its properties, in lower case; the last of each counts
 */
function declarations(style) {
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
  return colour === "transparent" || colour === colourIn(own.get("background-color") || own.get("background") || "");
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
