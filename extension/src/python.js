/**
 * What Python's `str` and `re` do, where JavaScript does otherwise: lengths are counted in code
 * points, white space is Python's, and patterns of the package are read as Python reads them.
 */

/** Characters that `str.split()` takes for white space; `\s` of JavaScript has others. */
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACES = new RegExp(`[${SPACE}]+`, "g");
const ONLY_SPACES = new RegExp(`^[${SPACE}]*$`);
const EDGES = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "g");
const SURROGATE = /[\ud800-\udfff]/;
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

const WORD = "\\p{L}\\p{N}_";
const BOUNDARY = `(?:(?<![${WORD}])(?=[${WORD}])|(?<=[${WORD}])(?![${WORD}]))`;
/** Escapes of a pattern by where they stand: outside of a class, and inside of one. */
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
 * @param {{pattern: string, flags: string}} python a pattern as `tables.json` has it
 * @param {string} [flags] JavaScript's flags `g` and `y`
 * @returns {RegExp} the same for JavaScript
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
      // A possessive quantifier, which JavaScript lacks; none of these patterns backtracks anyway.
    } else {
      written += char;
    }
  }
  return new RegExp(written, `v${python.flags}${flags}`);
}

/**
 * @param {string} text
 * @param {RegExp} global a pattern with the flag `g`
 * @returns {string[]} all matches, as `re.findall` without groups
 */
export function findall(text, global) {
  return text.match(global) ?? [];
}

/** @param {string} text @returns {boolean} whether there is nothing but white space, if anything */
export function isSpace(text) {
  return ONLY_SPACES.test(text);
}

/** @param {string} text @returns {string} without white space at its ends */
export function strip(text) {
  return text.replace(EDGES, "");
}

/** @param {string} text @returns {string[]} what white space separates */
export function split(text) {
  const stripped = strip(text);
  return stripped ? stripped.split(SPACES) : [];
}

/** @param {string} text @returns {string} with each run of white space as one space, none outside */
export function collapsed(text) {
  return PLAIN.test(text) ? text : strip(text).replace(SPACES, " ");
}

/** @param {string} text @returns {number} its code points */
export function length(text) {
  if (!SURROGATE.test(text)) return text.length;
  let number = 0;
  for (const _ of text) number++;
  return number;
}

/** @param {string} text @returns {string[]} its code points; a lone surrogate is one, too */
export function characters(text) {
  return Array.from(text);
}

/**
 * @param {string} text
 * @param {number} begin
 * @param {number} [end]
 * @returns {string} `text[begin:end]`, counted in code points; a negative number from the end
 */
export function slice(text, begin, end) {
  if (begin >= 0 && end !== undefined && end >= text.length) {
    if (begin === 0) return text; // it cannot have more code points
  }
  return SURROGATE.test(text) ? characters(text).slice(begin, end).join("") : text.slice(begin, end);
}

/** @template T @param {Iterable<T>} values @returns {Map<T, number>} how often each is there */
export function counter(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
