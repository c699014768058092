/** What the tests run in a page: the extension's blockifier, without the extension around it. */

import { blockify } from "../src/html/blockify.js";

Object.assign(globalThis, {
  readPage: () => {
    const begin = performance.now();
    const { page, markup } = blockify(document);
    return JSON.stringify({ page, markup, ms: performance.now() - begin });
  },
});
