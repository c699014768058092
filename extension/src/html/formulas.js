/**
 * The formulas of a page as TeX, as their renderers leave it in the page.
 *
 * KaTeX, MathJax 2 to 4, Temml, LaTeXML, MediaWiki and the makers of formula images show a formula, and keep
 * its TeX beside it: in an annotation, an attribute, a script or an alternative text. MathML without TeX is
 * converted, and so is what KaTeX and MathJax draw, if a page has only that.
 */

import formulaTables from "./formulas.json" with { type: "json" };
import tables from "../tables.json" with { type: "json" };
import { collapsed, length, pattern, slice, strip } from "../python.js";
import { leadingText, tagOf, textBehind } from "./dom.js";
import { standsAlone } from "./equations.js";
import { nameOf, texOf } from "./mathml.js";
import { NOTHING, READ_INSIDE } from "./reading.js";
import { drawnMath } from "./rendered_math.js";
import { expressionOf, isProse, plainMarkup, statedTex, withoutSettings } from "./stated_tex.js";

/** @import { Reading, Readings } from "./reading.js" */
/** @typedef {{tex: string, isDisplay: boolean}} Source A TeX, and whether it shows that it stands alone. */

const { DISPLAY, FORMULA } = tables.markup;
const constants = formulaTables["html.formulas"];
const { BESIDE, DATA, ELEMENT_SIGNS, MAX_CHARS, MAX_LEVELS } = constants;
const FENCED = /** @type {[string, string, boolean][]} */ (constants.FENCED);
const BLOCKS = new Set(constants.BLOCKS);
const WRAPPER = pattern(constants.WRAPPER);
const { ENTITIES } = constants;
const RENDERED = pattern(constants.RENDERED);
const DISPLAYED = pattern(constants.DISPLAYED);
const FORMULA_IMAGE = pattern(constants.FORMULA_IMAGE);
const PERHAPS_IMAGE = pattern(constants.PERHAPS_IMAGE);
const FORMULA_ADDRESS = pattern(constants.FORMULA_ADDRESS);
const QUERY = pattern(constants.QUERY);
const CODECOGS = pattern(constants.CODECOGS);
const LOOKS_TEX = pattern(constants.LOOKS_TEX);
const COMMENT = pattern(constants.COMMENT, "g");
const STYLE = pattern(constants.STYLE, "y");

/** @param {string} source of a page @returns {boolean} whether it can have formulas other than TeX in its text */
export function mayHaveFormulas(source) {
  return constants.ENOUGH.some((sign) => source.includes(sign));
}

/**
 * @param {Element[]} every the elements of a page, in document order
 * @param {string} source of the page; if it can have formula images only, only images are looked at
 * @returns {Readings} the TeX of the formulas by their outermost elements
 */
export function formulasOf(every, source) {
  /** @type {Readings} */
  const readings = new Map();
  const names = DATA.filter((name) => source.includes(`${name}=`));
  const isWide = names.length || ELEMENT_SIGNS.some((sign) => source.includes(sign));
  const elements = isWide ? every : every.filter((element) => tagOf(element) === "img");
  for (const element of elements) {
    const found = tagOf(element) === "script" ? ofScript(element) : null;
    if (!found) continue;
    readings.set(element, found);
    for (const shown of shownBeside(element)) readings.set(shown, NOTHING);
  }
  const open = unclosed(elements);
  for (const element of open) readings.set(element, READ_INSIDE);
  /** Elements in which nothing more is looked for. @type {Set<Element>} */
  const done = new Set();
  for (const element of elements) {
    const parent = element.parentElement;
    if ((parent && done.has(parent)) || (readings.has(element) && !open.has(element))) {
      done.add(element);
      continue;
    }
    const own = open.has(element) ? null : sourceOf(element, names);
    if (!own) continue;
    const { wrapper, shows } = outermost(element, open);
    done.add(element).add(wrapper);
    const found = readings.has(wrapper) ? null : readingOf(own.tex, own.isDisplay || shows || standsAlone(wrapper));
    if (found) readings.set(wrapper, found);
  }
  for (const [element, label] of spoken(elements, readings)) readings.set(element, { ...NOTHING, text: label });
  return readings;
}

/**
 * @param {Element[]} elements
 * @param {Readings} readings
 * @returns {[Element, string][]} the labels for screen readers of formulas that have neither TeX nor a text
 */
function spoken(elements, readings) {
  return elements.flatMap((element) => {
    if (nameOf(element) !== "mjx-container" && element.getAttribute("role") !== "math") return [];
    const label = collapsed(slice(element.getAttribute("aria-label") ?? "", 0, MAX_CHARS));
    const inner = label ? [element, ...element.querySelectorAll("*")].slice(0, constants.MOST_SPOKEN) : [];
    const isRead = inner.some((one) => readings.has(one) || strip(leadingText(one)));
    /** @type {[Element, string][]} */
    const found = label && !isRead ? [[element, label]] : [];
    return found;
  });
}

/**
 * @param {Element[]} elements
 * @returns {Set<Element>} the `<math>` elements that hold blocks of the page, since nothing closes them
 */
function unclosed(elements) {
  /** @type {Map<Element | null, Element>} */
  const mathOf = new Map();
  /** @type {Set<Element>} */
  const found = new Set();
  for (const element of elements) {
    const around = mathOf.get(element.parentElement);
    if (BLOCKS.has(tagOf(element))) {
      for (let math = around; math && !found.has(math); math = mathOf.get(math.parentElement)) found.add(math);
    }
    if (nameOf(element) === "math") mathOf.set(element, element);
    else if (around && tagOf(element) !== "annotation-xml") mathOf.set(element, around);
  }
  return found;
}

/**
 * @param {Element} element
 * @param {Set<Element>} open
 * @returns {{wrapper: Element, shows: boolean}} the outermost element of the formula, and whether it stands
 *   on a line of its own
 */
function outermost(element, open) {
  let wrapper = element;
  let shows = isDisplayed(element);
  let above = element.parentElement;
  for (let level = 0; level < MAX_LEVELS && above && !open.has(above) && isWrapper(above); level++) {
    wrapper = above;
    shows ||= isDisplayed(above);
    above = above.parentElement;
  }
  return { wrapper, shows };
}

/** @param {Element} element */
function isWrapper(element) {
  const name = nameOf(element);
  const isNamed = ["mjx-", "math-", "la-tex", "semantics"].some((begin) => name.startsWith(begin));
  return isNamed || name === "svg" || name === "g" || WRAPPER.test(element.getAttribute("class") ?? "");
}

/** @param {Element} element */
function isDisplayed(element) {
  const stated = element.getAttribute("display") || element.getAttribute("data-display");
  if (stated) return ["block", "true"].includes(strip(stated).toLowerCase());
  return DISPLAYED.test(element.getAttribute("class") ?? "");
}

/** @param {Element} script @returns {Reading | null} */
function ofScript(script) {
  const kind = strip(script.getAttribute("type") ?? "").toLowerCase();
  const text = kind.startsWith("math/") ? (script.textContent ?? "") : "";
  if (kind.startsWith("math/mml")) {
    const math = parsed(text);
    return math && readingOf(ofMath(math), slice(text, 0, 300).includes("display"));
  }
  const isTex = kind.startsWith("math/tex") || kind.startsWith("math/latex");
  if (!isTex) return null;
  const tex = ENTITIES.reduce((before, [entity, char]) => before.replaceAll(entity, char), text);
  return readingOf(tex, kind.includes("display"));
}

/** @param {Element} script @returns {Generator<Element>} the elements before it in which MathJax shows its formula */
function* shownBeside(script) {
  let before = script.previousElementSibling;
  for (let left = BESIDE; before && left; left--) {
    if (strip(textBehind(before)) || !RENDERED.test(before.getAttribute("class") ?? "")) return;
    yield before;
    before = before.previousElementSibling;
  }
}

/**
 * @param {Element} element
 * @param {string[]} names of attributes that the page has
 * @returns {Source | null} the TeX that an element has
 */
function sourceOf(element, names) {
  const name = nameOf(element);
  if (name === "math") return { tex: ofMath(element), isDisplay: false };
  const image = name === "img" ? ofImage(element) : null;
  if (image) return image;
  const isMathjax = name === "mjx-math" || element.getAttribute("data-mml-node") === "math";
  const stated = isMathjax ? element.getAttribute("data-latex") : null;
  if (stated) return { tex: stated, isDisplay: false };
  if (name === "annotation" && isTexAnnotation(element)) return { tex: leadingText(element), isDisplay: false };
  if (isDrawing(element, name) && !isRepeated(element)) {
    const drawn = drawnMath(element);
    return { tex: drawn ? texOf(drawn) : "", isDisplay: false };
  }
  if (["math-field", "la-tex", "tex-math"].includes(name)) return { tex: element.textContent ?? "", isDisplay: false };
  const style = element.getAttribute(constants.STYLE_OF_TEXT);
  if (style) return { tex: element.textContent ?? "", isDisplay: style === "display" };
  const inText = statedTex(element);
  if (inText) return inText;
  for (const data of names) {
    const value = element.getAttribute(data);
    if (value) return ofData(element, data, value);
  }
  return null;
}

/** @param {Element} element @param {string} name @returns {boolean} whether it is what KaTeX or MathJax draws of a formula */
function isDrawing(element, name) {
  if (name === "mjx-math" || element.getAttribute("data-mml-node") === "math") return true;
  return name === "span" && element.classList.contains("katex-html");
}

/** @param {Element} drawing @returns {boolean} whether MathML for screen readers follows it */
function isRepeated(drawing) {
  let one = /** @type {Element | null} */ (drawing);
  for (let level = 0; one && level <= MAX_LEVELS; level++, one = one.parentElement) {
    if (one.nextElementSibling?.localName === "mjx-assistive-mml") return true;
  }
  return false;
}

/** @param {Element} annotation */
function isTexAnnotation(annotation) {
  const encoding = (annotation.getAttribute("encoding") ?? "").toLowerCase();
  return constants.TEX_ENCODINGS.some((end) => encoding.endsWith(end));
}

/** @param {Element} element @param {string} name @param {string} value @returns {Source | null} */
function ofData(element, name, value) {
  if (name === "data-mathml") {
    const math = parsed(plainMarkup(value));
    return math && !mathIn(element) ? { tex: ofMath(math), isDisplay: false } : null;
  }
  if (name === "data-value" && !(element.getAttribute("class") ?? "").includes("formula")) return null;
  if (name === "data-attrs") return expressionOf(value);
  const isTex = (/^\p{L}$/u.test(value) || LOOKS_TEX.test(value)) && !isProse(value);
  return isTex && !value.includes("://") ? { tex: value, isDisplay: false } : null;
}

/** @param {string} text @returns {Element | null} the `<math>` of a piece of markup */
function parsed(text) {
  const size = text ? length(text) : 0;
  if (!size || size > 10 * MAX_CHARS) return null;
  return mathIn(new DOMParser().parseFromString(text, "text/html").documentElement);
}

/** @param {Element} root @returns {Element | null} it, or the first element in it, that is a `<math>` */
function mathIn(root) {
  for (const element of withInner(root)) if (nameOf(element) === "math") return element;
  return null;
}

/** @param {Element} root @returns {Generator<Element>} it and the elements in it, in document order */
function* withInner(root) {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  do yield /** @type {Element} */ (walker.currentNode);
  while (walker.nextNode());
}

/** @param {Element} math @returns {string} the TeX that a `<math>` names, or the one that it is converted to */
function ofMath(math) {
  const stated = math.getAttribute("data-latex");
  if (stated) return stated;
  for (const element of withInner(math)) {
    if (nameOf(element) !== "annotation") continue;
    const text = isTexAnnotation(element) ? strip(leadingText(element)) : "";
    if (text) return text;
  }
  const named = strip(math.getAttribute("alttext") ?? "");
  return named && !isProse(named) ? named : texOf(math);
}

/**
 * @param {Element} image
 * @returns {Source | null} the TeX of a formula's image: its alternative text, or what its address names
 */
function ofImage(image) {
  const valueOf = (/** @type {string[]} */ ...names) => names.map((name) => image.getAttribute(name)).find(Boolean) ?? "";
  const classes = valueOf("class");
  const address = slice(valueOf("src", "data-src"), 0, MAX_CHARS);
  const alt = strip(valueOf("alt", "data-alt"));
  const isFormula = FORMULA_IMAGE.test(classes) || FORMULA_ADDRESS.test(address) || valueOf("eeimg");
  if (!isFormula && !(PERHAPS_IMAGE.test(classes) && LOOKS_TEX.test(alt))) return null;
  if (alt && !isProse(alt) && (LOOKS_TEX.test(alt) || length(alt) <= 20)) return { tex: alt, isDisplay: false };
  const query = QUERY.exec(address);
  if (query) return { tex: withoutSettings(unquoted(query[1].replaceAll("+", " "))), isDisplay: false };
  const whole = CODECOGS.exec(address);
  return whole && { tex: withoutSettings(unquoted(whole[1])), isDisplay: false };
}

/** @param {string} text of an address @returns {string} without `%XX`, as Python's `unquote` */
function unquoted(text) {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) => {
    const codes = bytes.slice(1).split("%").map((code) => parseInt(code, 16));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(codes));
  });
}

/**
 * @param {string} source
 * @param {boolean} isDisplay
 * @returns {Reading | null} the reading of a formula, cleaned; null without characters
 */
function readingOf(source, isDisplay) {
  let tex = strip(source.replace(COMMENT, ""));
  for (const [opening, closing, displays] of FENCED) {
    const inner = tex.slice(opening.length, -closing.length);
    if (tex.startsWith(opening) && tex.endsWith(closing) && inner && !inner.includes("$")) {
      tex = strip(inner);
      isDisplay ||= displays;
      break;
    }
  }
  const text = collapsed(withoutStyle(tex));
  if (!text) return null;
  const marks = isDisplay ? FORMULA | DISPLAY : FORMULA;
  return { ...NOTHING, text: isDisplay ? ` ${text} ` : text, marks };
}

/** @param {string} source @returns {string} the TeX without a style of display around all of it */
function withoutStyle(source) {
  const inner = source.startsWith("{") && source.endsWith("}") ? strip(source.slice(1, -1)) : "";
  const tex = inner && styleLength(inner) && isBalanced(inner) ? inner : source;
  return tex.slice(styleLength(tex));
}

/** @param {string} tex @returns {number} the length of the style that it begins with; 0 without one */
function styleLength(tex) {
  STYLE.lastIndex = 0;
  return STYLE.exec(tex)?.[0].length ?? 0;
}

/** @param {string} tex @returns {boolean} whether each `}` closes a `{` before it */
function isBalanced(tex) {
  let depth = 0;
  let isEscaped = false;
  for (const char of tex) {
    if (!isEscaped && (char === "{" || char === "}")) {
      depth += char === "{" ? 1 : -1;
      if (depth < 0) return false;
    }
    isEscaped = char === "\\" && !isEscaped;
  }
  return depth === 0;
}
