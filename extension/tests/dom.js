/** The extension's blockifier alone, which tests run in a page. */

import { blockify } from "../src/html/blockify.js";

Object.assign(globalThis, {
  readPage: () => {
    const begin = performance.now();
    const { page, markup } = blockify(document);
    return JSON.stringify({ page, markup, ms: performance.now() - begin });
  },
});
