/** Presentation MathML as TeX: fractions, roots, scripts, matrices, fences, accents, operators. */

import { leadingText, textBehind } from "./dom.js";
import tables from "./formulas.json" with { type: "json" };
import { characters, collapsed, fullPattern, length, pattern, rstrip, slice, split, strip } from "../python.js";

/** @typedef {{text: string, kind: string}} Tex A part of a formula, as Python's `_Tex`. */
/** @typedef {(parts: Tex[], element: Element) => Tex} Write */

const constants = tables["html.mathml"];
const symbols = tables["html.mathml_symbols"];
const { MAX_DEPTH, NO_BREAK } = constants;
const SKIPPED = new Set(constants.SKIPPED);
const COMMAND_END = pattern(constants.COMMAND_END);
const SPECIAL = pattern(constants.SPECIAL, "g");
const NUMBER = fullPattern(constants.NUMBER);
const TALL = pattern(constants.TALL);
const TEXT_FORMS = mapOf(constants.TEXT_FORMS);
const SPACES = mapOf(constants.SPACES);
const PRIMES = mapOf(constants.PRIMES);
const NEEDED = mapOf(constants.NEEDED);
/** The environment of a matrix by its fences, which a line break divides. */
const MATRICES = new Map(constants.MATRICES.map(([opening, closing, name]) => [`${opening}\n${closing}`, name]));
const SYMBOLS = mapOf(symbols.SYMBOLS);
const FENCES = mapOf(symbols.FENCES);
const ACCENTS = mapOf(symbols.ACCENTS);
const UNDER_ACCENTS = mapOf(symbols.UNDER_ACCENTS);
const VARIANTS = mapOf(symbols.VARIANTS);
const BIG = new Set(symbols.BIG);
const CLOSING = new Set(symbols.CLOSING);
const FUNCTIONS = new Set(symbols.FUNCTIONS);
const INVISIBLE = new Set(symbols.INVISIBLE);
const OPENING = new Set(symbols.OPENING);
const RELATIONS = new Set(symbols.RELATIONS);
/** The command of each letter that has a style of its own; "": it is written as the plain letter. */
const STYLES = new Map(
  Object.entries(constants.STYLED).flatMap(([command, letters]) =>
    characters(letters).map((letter) => /** @type {[string, string]} */ ([letter, command])),
  ),
);
const WIDE = new Map([["bar", "overline"], ["hat", "widehat"], ["tilde", "widetilde"]]);
const LETTERS = /^\p{L}+$/u;
const ASCII_LETTERS = /^[a-zA-Z]+$/;
const BEGINS_WITH_LETTER = /^\p{L}/u;
const NOTHING = tex("");

/** Elements whose own texts are read, beside those of the elements in them. */
const LOOSE = new Set(constants.LOOSE);

/** @template V @param {Record<string, V>} object @returns {Map<string, V>} */
function mapOf(object) {
  return new Map(Object.entries(object));
}

/** @param {string} text @param {string} [kind] @returns {Tex} */
function tex(text, kind = "group") {
  return { text, kind };
}

/**
 * @param {Element} math a `<math>` element
 * @returns {string} its TeX; "" if it has no characters
 */
export function texOf(math) {
  const part = partOf(math, 1);
  return part ? collapsed(trimmed(joined([part]))) : "";
}

/**
 * @param {Element} element
 * @returns {string} its name without a prefix, in lower case
 */
export function nameOf(element) {
  const name = element.localName.toLowerCase();
  return name.slice(name.lastIndexOf(":") + 1);
}

/**
 * @param {Element} element
 * @param {number} depth
 * @returns {Tex | null} an element and those in it; null if it is none of the formula
 */
function partOf(element, depth) {
  const name = nameOf(element);
  if (SKIPPED.has(name)) return null;
  if (depth > MAX_DEPTH) return textPart(element.textContent ?? "");
  const parts = [];
  for (const child of element.children) {
    const part = partOf(child, depth + 1);
    if (part) parts.push(part);
    const loose = LOOSE.has(name) ? textPart(textBehind(child)) : NOTHING;
    if (loose.text) parts.push(loose);
  }
  return converted(name, element, parts);
}

/** @param {string} name @param {Element} element @param {Tex[]} parts @returns {Tex} */
function converted(name, element, parts) {
  const token = TOKENS.get(name);
  if (name === "mtext") return wordsPart(element.textContent ?? "");
  if (token) return token(collapsed(element.textContent ?? ""), element);
  const write = WRITERS.get(name);
  if (write && parts.length >= (NEEDED.get(name) ?? 0)) return write(parts, element);
  const loose = LOOSE.has(name) ? textPart(leadingText(element)) : NOTHING;
  return row(loose.text ? [loose, ...parts] : parts);
}

/** @param {string} text @returns {Tex} it with the no-break spaces at its ends, which keep it apart from symbols */
function wordsPart(text) {
  const part = textPart(text);
  const [before, after] = [text[0], text[text.length - 1]].map((edge) => (edge === NO_BREAK ? " " : ""));
  const inner = part.text.slice("\\text{".length, -1);
  return inner ? { ...part, text: `\\text{${before}${inner}${after}}` } : part;
}

/** @param {string} text @returns {Tex} */
function textPart(text) {
  const escaped = collapsed(text).replace(SPECIAL, (sign) => TEXT_FORMS.get(sign) ?? `\\${sign}`);
  return tex(escaped ? `\\text{${escaped}}` : "", "text");
}

/** @param {string} text @param {Element} element @returns {Tex} */
function identifier(text, element) {
  const variant = VARIANTS.get(element.getAttribute("mathvariant") ?? "");
  if (FUNCTIONS.has(text)) return tex(`\\${text}`, BIG.has(text) ? "big" : "name");
  if (text.length > 1 && ASCII_LETTERS.test(text)) return tex(`\\${variant ?? "mathrm"}{${text}}`, "name");
  const written = signs(text);
  return tex(variant && written ? `\\${variant}{${written}}` : written, "name");
}

/** @param {string} text @returns {string} its characters in TeX */
function signs(text) {
  return characters(text).map(sign).join("");
}

/** @param {string} char @returns {string} a character of a formula in TeX */
function sign(char) {
  const symbol = SYMBOLS.get(char);
  if (symbol !== undefined) return spaced(symbol);
  if (/[{}%#&$_]/.test(char)) return `\\${char}`;
  const command = STYLES.get(char);
  if (command === undefined) return char;
  const plain = char.normalize("NFKD");
  const inner = SYMBOLS.get(plain) ?? plain;
  return command ? `${command}{${inner}}` : spaced(inner);
}

/** @param {string} text @returns {string} */
function spaced(text) {
  return COMMAND_END.test(text) ? `${text} ` : text;
}

/** @param {string} text @returns {Tex} */
function number(text) {
  return tex(strip(signs(text)), "number");
}

/** @param {string} text @returns {Tex} */
function operator(text) {
  if (!text || characters(text).some((char) => INVISIBLE.has(char))) return NOTHING;
  if (FUNCTIONS.has(text)) return tex(`\\${text}`, BIG.has(text) ? "big" : "name");
  const fence = FENCES.get(text);
  if (fence !== undefined) return tex(fence, "fence");
  if (length(text) > 1 && LETTERS.test(text)) return tex(`\\operatorname{${text}}`, "name");
  const written = strip(signs(text));
  if (BIG.has(text)) return tex(written, "big");
  if (",;".includes(text)) return tex(text, "comma");
  return tex(written, RELATIONS.has(text) ? "relation" : "operator");
}

/** @param {string} _ @param {Element} element @returns {Tex} */
function space(_, element) {
  const width = strip(element.getAttribute("width") ?? "");
  const isWide = width !== "0" && /^\p{Nd}/u.test(width);
  return tex(SPACES.get(width) ?? (isWide ? "\\ " : ""), "space");
}

/** @param {Tex[]} parts @returns {string} the parts of a row side by side, with the spaces that keep commands apart */
function joined(parts) {
  let written = "";
  /** @type {Tex | null} */
  let before = null;
  for (const part of parts) {
    if (!part.text) continue;
    if (before) written += between(before, part);
    written += part.text;
    // A relation at the beginning is a sign of its own.
    before = !before && part.kind === "relation" ? tex(part.text, "operator") : part;
  }
  return written;
}

/** @param {Tex} before @param {Tex} part @returns {string} the space between two parts */
function between(before, part) {
  const kinds = [before.kind, part.kind];
  if (kinds.includes("relation") || kinds.includes("space") || before.kind === "comma") return " ";
  if (COMMAND_END.test(before.text) && BEGINS_WITH_LETTER.test(part.text)) return " ";
  const isLetter = (/** @type {string} */ kind) => kind === "name" || kind === "script" || kind === "big";
  const isApart = isLetter(part.kind) || part.kind === "text" || part.text.startsWith("\\frac");
  return isLetter(before.kind) && isApart ? " " : "";
}

/** @param {Tex[]} every @returns {Tex} */
function row(every) {
  const parts = withoutOwnFences(every.filter((part) => part.text));
  if (parts.length === 1) return parts[0];
  if (parts.length && parts[0].kind === "fence") {
    const first = parts[0].text;
    const last = parts[parts.length - 1];
    if (parts.length === 2 && parts[1].kind === "table") return matrix(parts[1].text, first, "");
    if (last.kind === "fence" && parts.length > 2) {
      const inner = parts.slice(1, -1);
      if (inner.length === 1 && inner[0].kind === "table") return matrix(inner[0].text, first, last.text);
      const text = joined(inner);
      if (OPENING.has(first) && CLOSING.has(last.text) && TALL.test(text)) {
        return tex(`\\left${spaced(first)}${text}\\right${last.text}`);
      }
    }
  }
  return tex(joined(parts), parts.length > 1 ? "group" : "name");
}

/** @param {Tex[]} parts @returns {Tex[]} without the parentheses around binomials, which their command draws */
function withoutOwnFences(parts) {
  /** @type {Tex[]} */
  const kept = [];
  for (const part of parts) {
    const isClosing = part.text === ")" && kept.at(-1)?.kind === "binomial" && kept.at(-2)?.text === "(";
    if (isClosing) kept.splice(-2, 1);
    else kept.push(part);
  }
  return kept;
}

/**
 * @param {string} text
 * @returns {string} without white space at its ends; at its last one, also without `\\ `, of which only a sign that
 *   escapes what follows would be left
 */
function trimmed(text) {
  let written = strip(text);
  while (/(?<!\\)(?:\\\\)*\\$/.test(written)) written = rstrip(written.slice(0, -1));
  return written;
}

/**
 * @param {string} table with the environment `matrix` around it
 * @param {string} opening
 * @param {string} closing
 * @returns {Tex} the table between fences
 */
function matrix(table, opening, closing) {
  const name = MATRICES.get(`${opening}\n${closing}`);
  if (name === undefined) return tex(`\\left${opening}${table}\\right${closing || "."}`);
  const rows = table.replace(/^\\begin\{\w+\}|\\end\{\w+\}$/g, "");
  return tex(`\\begin{${name}}${rows}\\end{${name}}`, "table");
}

/** @param {Tex} part @returns {string} */
function braced(part) {
  return `{${trimmed(part.text)}}`;
}

/** @param {Tex} part @returns {string} what is raised or lowered: one character needs no braces */
function argument(part) {
  return length(part.text) === 1 ? part.text : braced(part);
}

/** @param {Tex} part @param {string} raises the sign `_` or `^` @returns {string} what scripts stand at */
function baseOf({ text, kind }, raises) {
  const inBraces = `{${strip(text)}}`;
  if (kind === "script") return text.includes(raises) || text.includes("^") ? inBraces : text;
  const isOne = ["name", "number", "big", "text", "fence", "table", "operator"].includes(kind);
  const isFenced = /^(?:[([|]|\\left)/.test(text) && /[)\]|]$/.test(text);
  return (isOne || isFenced) && text ? strip(text) : inBraces;
}

/** @type {Write} */
function superscript([base, raised]) {
  const primes = PRIMES.get(strip(raised.text));
  if (primes !== undefined) return tex(baseOf(base, "^") + primes, "script");
  return tex(raised.text ? `${baseOf(base, "^")}^${argument(raised)}` : base.text, "script");
}

/** @type {Write} */
function subscript([base, lowered]) {
  return tex(lowered.text ? `${baseOf(base, "_")}_${argument(lowered)}` : base.text, "script");
}

/** @type {Write} */
function both(parts, element) {
  return superscript([subscript(parts, element), parts[2]], element);
}

/** @type {Write} */
function fraction([above, below], element) {
  const thickness = strip(element.getAttribute("linethickness") ?? "");
  const isBinomial = ["0", "0px", "0pt", "0em"].includes(thickness);
  const command = isBinomial ? "binom" : "frac";
  return tex(`\\${command}${braced(above)}${braced(below)}`, isBinomial ? "binomial" : "group");
}

/** @type {Write} */
function over([base, above], element) {
  const accent = ACCENTS.get(strip(above.text));
  if (accent) {
    const isWide = base.kind === "group" && length(base.text) > 1;
    return tex(`\\${(isWide && WIDE.get(accent)) || accent}${braced(base)}`, "name");
  }
  if (base.kind === "big" || /^\\(?:over|under)brace/.test(base.text)) return superscript([base, above], element);
  return tex(`\\overset${braced(above)}${braced(base)}`);
}

/** @type {Write} */
function under([base, below], element) {
  const accent = UNDER_ACCENTS.get(strip(below.text));
  if (accent) return tex(`\\${accent}${braced(base)}`, "name");
  if (base.kind === "big" || base.text.startsWith("\\underbrace")) return subscript([base, below], element);
  return tex(`\\underset${braced(below)}${braced(base)}`);
}

/** @type {Write} */
function underOver(parts, element) {
  if (parts[0].kind === "big") return both(parts, element);
  return over([under(parts, element), parts[2]], element);
}

/** @type {Write} */
function scripts(parts, element) {
  const named = [...element.children].map(nameOf).indexOf("mprescripts");
  const at = named < 0 ? parts.length : named;
  const before = parts.slice(at + 1);
  const text = before.length ? `{}${pairs(before)}` : "";
  return tex(`${text}${baseOf(parts[0], "_")}${pairs(parts.slice(1, at))}`, "script");
}

/** @param {Tex[]} parts @returns {string} */
function pairs(parts) {
  return parts.map((part, i) => (part.text ? (i % 2 ? "^" : "_") + argument(part) : "")).join("");
}

/** @type {Write} */
function table(parts, element) {
  if (parts.length === 1 && parts[0].kind === "numbered") return parts[0];
  const rows = parts.map((part) => part.text).join(" \\\\ ");
  const align = split(element.getAttribute("columnalign") ?? "");
  const name = align[0] === "right" && align[1] === "left" ? "aligned" : "matrix";
  return tex(`\\begin{${name}} ${rows} \\end{${name}}`, "table");
}

/** @type {Write} */
function tableRow(parts, element) {
  const isLabeled = nameOf(element) === "mlabeledtr";
  const cells = isLabeled ? parts.slice(1) : parts;
  const label = isLabeled && cells.length === 1 ? NUMBER.exec(parts[0].text) : null;
  if (label) return tex(`${trimmed(cells[0].text)} \\tag{${label[1] ?? label[2]}}`, "numbered");
  return tex(cells.map((part) => trimmed(part.text)).join(" & "), "row");
}

/** @type {Write} */
function fenced(parts, element) {
  const ends = [["open", "("], ["close", ")"]].map(([name, otherwise]) => {
    const given = element.getAttribute(name);
    return tex(slice(given === null ? otherwise : (FENCES.get(given) ?? given), 0, 20), "fence");
  });
  const separators = characters(split(element.getAttribute("separators") ?? ",").join(""));
  const inner = parts.flatMap((part, i) =>
    i && separators.length ? [operator(separators[Math.min(i, separators.length) - 1]), part] : [part],
  );
  return row([ends[0], ...inner, ends[1]]);
}

/** @type {Write} */
function enclosed(parts, element) {
  const notation = split(element.getAttribute("notation") ?? "");
  const inner = row(parts);
  if (notation.includes("box")) return tex(`\\boxed${braced(inner)}`);
  if (notation.includes("radical")) return tex(`\\sqrt${braced(inner)}`);
  if (notation.includes("top")) return tex(`\\overline${braced(inner)}`);
  if (notation.includes("bottom")) return tex(`\\underline${braced(inner)}`);
  if (notation.some((name) => name.endsWith("diagonalstrike"))) return tex(`\\cancel${braced(inner)}`);
  return inner;
}

/** @type {Write} */
function phantom(parts) {
  const inner = row(parts);
  return tex(inner.text ? `\\phantom${braced(inner)}` : "");
}

/** @type {Write} */
function first(parts) {
  return parts.find((part) => part.text) ?? NOTHING;
}

const TOKENS = /** @type {Map<string, (text: string, element: Element) => Tex>} */ (
  new Map(Object.entries({
    mi: identifier, mn: number, mo: operator, mspace: space, mtext: textPart,
    ms: (/** @type {string} */ text) => textPart(`"${text}"`),
  }))
);
const WRITERS = mapOf(/** @type {Record<string, Write>} */ ({
  msup: superscript, msub: subscript, msubsup: both, mfrac: fraction, mover: over, munder: under,
  msqrt: (parts) => tex(`\\sqrt${braced(row(parts))}`),
  mroot: ([base, index]) => tex(`\\sqrt[${trimmed(index.text)}]${braced(base)}`),
  munderover: underOver, mmultiscripts: scripts, mtable: table, mtr: tableRow, mlabeledtr: tableRow,
  mtd: (parts) => tex(joined(parts), "cell"),
  mfenced: fenced, menclose: enclosed, mphantom: phantom, maction: first, semantics: first,
}));
