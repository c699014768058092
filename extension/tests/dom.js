/** The extension's blockifier and its reader of formulas alone, which tests run in a page. */

import { blockify } from "../src/html/blockify.js";
import { formulasOf, mayHaveFormulas } from "../src/html/formulas.js";
import { texOf } from "../src/html/mathml.js";

Object.assign(globalThis, {
  readPage: () => {
    const begin = performance.now();
    const { page, markup } = blockify(document);
    return JSON.stringify({ page, markup, ms: performance.now() - begin });
  },
  /** @param {string} source of a page */
  readFormulas: (source) => {
    if (!mayHaveFormulas(source)) return [];
    const elements = [...new DOMParser().parseFromString(source, "text/html").querySelectorAll("*")];
    const found = formulasOf(elements, source);
    return elements.flatMap((element) => {
      const reading = found.get(element);
      return reading ? [[element.localName, reading.text, reading.marks, reading.tag]] : [];
    });
  },
  /** @param {string[]} formulas in XML */
  texOf: (formulas) =>
    formulas.map((text) => texOf(new DOMParser().parseFromString(text, "text/xml").documentElement)),
});
