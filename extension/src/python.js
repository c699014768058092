/**
 * Functions that do what Python's `str` and `re` do where JavaScript differs. They count code points,
 * use Python's white space, and translate the patterns of the package.
 */

import tables from "./tables.json" with { type: "json" };

/** The characters that `str.split()` counts as white space; `\s` of JavaScript has others. */
const { SPACE } = tables.python;
const SPACES = new RegExp(`[${SPACE}]+`, "g");
const ONLY_SPACES = new RegExp(`^[${SPACE}]*$`);
const EDGES = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "g");
const TRAILING = new RegExp(`[${SPACE}]+$`);
const SURROGATE = /[\ud800-\udfff]/;
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

const WORD = "\\p{L}\\p{N}_";
const BOUNDARY = `(?:(?<![${WORD}])(?=[${WORD}])|(?<=[${WORD}])(?![${WORD}]))`;
/** What replaces an escape of a pattern: outside of a character class, and inside of one. */
const ESCAPES = /** @type {Record<string, [string, string]>} */ ({
  w: [`[${WORD}]`, WORD],
  W: [`[^${WORD}]`, `[^${WORD}]`],
  d: ["\\p{Nd}", "\\p{Nd}"],
  s: [`[${SPACE}]`, SPACE],
  S: [`[^${SPACE}]`, `[^${SPACE}]`],
  b: [BOUNDARY, "\\b"],
  A: ["(?<![^])", ""],
  Z: ["(?![^])", ""],
});

/**
 * @param {{pattern: string, flags: string}} python a pattern of `tables.json`
 * @param {string} [flags] JavaScript's flags `g` and `y`
 * @returns {RegExp} the same pattern in JavaScript
 */
export function pattern(python, flags = "") {
  const source = python.pattern;
  let written = "";
  let inside = false;
  for (let i = 0; i < source.length; i++) {
    const char = source[i];
    if (char === "\\") {
      const escaped = source[++i];
      if (escaped in ESCAPES) written += ESCAPES[escaped][inside ? 1 : 0];
      else written += /["'` ]/.test(escaped) ? escaped : `\\${escaped}`;
    } else if (inside) {
      if (char === "]") inside = false;
      const range = char === "-" && source[i - 1] !== "[" && source[i + 1] !== "]";
      written += /[()[{}/|]/.test(char) || (char === "-" && !range) ? `\\${char}` : char;
    } else if (char === "[") {
      inside = true;
      written += char;
      if (source[i + 1] === "^") written += source[++i];
    } else if (char === "+" && /[*+}]/.test(source[i - 1]) && source[i - 2] !== "\\") {
      // JavaScript has no possessive quantifiers; none of these patterns backtracks anyway.
    } else {
      written += char;
    }
  }
  return new RegExp(written, `v${python.flags}${flags}`);
}

/**
 * @param {{pattern: string, flags: string}} python a pattern of `tables.json`
 * @returns {RegExp} one that matches a whole text, as `re.fullmatch`
 */
export function fullPattern(python) {
  return pattern({ ...python, pattern: `\\A(?:${python.pattern})\\Z` });
}

/**
 * @param {string} text
 * @param {RegExp} global a pattern with the flag `g`
 * @returns {string[]} all matches, as `re.findall` without groups
 */
export function findall(text, global) {
  return text.match(global) ?? [];
}

/** @param {string} text @returns {boolean} whether it is empty or only white space */
export function isSpace(text) {
  return ONLY_SPACES.test(text);
}

/** @param {string} text @returns {string} without white space at its ends */
export function strip(text) {
  return text.replace(EDGES, "");
}

/** @param {string} text @returns {string} without white space at its end */
export function rstrip(text) {
  return text.replace(TRAILING, "");
}

/** @param {string} text @returns {string[]} the parts between white space */
export function split(text) {
  const stripped = strip(text);
  return stripped ? stripped.split(SPACES) : [];
}

/**
 * @param {string} text
 * @returns {string} with one space for each run of white space, and none at its ends
 */
export function collapsed(text) {
  return PLAIN.test(text) ? text : strip(text).replace(SPACES, " ");
}

/** @param {string} text @returns {number} how many code points it has */
export function length(text) {
  if (!SURROGATE.test(text)) return text.length;
  let number = 0;
  for (const _ of text) number++;
  return number;
}

/** @param {string} text @returns {string[]} its code points; a lone surrogate counts as one */
export function characters(text) {
  return Array.from(text);
}

/**
 * @param {string} text
 * @param {number} begin
 * @param {number} [end]
 * @returns {string} `text[begin:end]` in code points; negative numbers count from the end
 */
export function slice(text, begin, end) {
  if (begin >= 0 && end !== undefined && end >= text.length) {
    if (begin === 0) return text; // it cannot have more code points
  }
  return SURROGATE.test(text) ? characters(text).slice(begin, end).join("") : text.slice(begin, end);
}

/**
 * @template K, V
 * @param {Map<K, V>} map
 * @param {K} key
 * @param {V} otherwise
 * @returns {V} the value of the key, which is set to `otherwise` if it is missing
 */
export function setDefault(map, key, otherwise) {
  const value = map.get(key);
  if (value !== undefined) return value;
  map.set(key, otherwise);
  return otherwise;
}

/** @template T @param {Iterable<T>} values @returns {Map<T, number>} how often each value occurs */
export function counter(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
