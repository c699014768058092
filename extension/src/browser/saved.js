/** Annotations that are stored in the browser until they are downloaded as files. */

import { strToU8, zipSync } from "fflate";
import { checkSidecar } from "../annotate/sidecar.js";
import { read, write } from "./database.js";

/** @import { Sidecar } from "../annotate/sidecar.js" */
/** @import { PageBytes } from "./bytes.js" */

const MAX_NAME_CHARS = 60;

/** Resolves when the annotations given so far are stored. @type {Promise<unknown>} */
let saving = Promise.resolve();

/**
 * @param {string} url
 * @param {string} annotator
 * @returns {string} the key of this person's annotation of this page
 */
function keyOf(url, annotator) {
  return JSON.stringify([url, annotator]);
}

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<string>} */
async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Stores an annotation, and its page's bytes if they are given, on the disk. An annotation with bytes
 * takes longer. So each waits for the ones before it, and the last one given is the one that stays.
 *
 * @param {unknown} value a sidecar
 * @param {PageBytes | null} given
 * @returns {Promise<Sidecar>} the stored annotation
 * @throws {TypeError} if the value is not a sidecar
 */
export function saveAnnotation(value, given) {
  const saved = saving.then(() => save(checkSidecar(value), given));
  saving = saved.catch(() => {});
  return saved;
}

/** @type {(sidecar: Sidecar, given: PageBytes | null) => Promise<Sidecar>} */
async function save(sidecar, given) {
  const key = keyOf(sidecar.url, sidecar.annotator);
  /** @type {Sidecar | undefined} */
  const before = await read("annotations", (store) => store.get(key));
  sidecar.page = before?.page ?? null;
  if (given) {
    const bytes = Uint8Array.from(atob(String(given.base64)), (char) => char.charCodeAt(0));
    const { agreement, charset, from } = given;
    sidecar.page = { sha256: await sha256(bytes), bytes: bytes.length, charset, from, agreement };
    checkSidecar(sidecar);
    await write("pages", (store) => store.put(bytes, key));
  }
  await write("annotations", (store) => store.put(sidecar, key));
  return sidecar;
}

/**
 * @param {string} url
 * @param {string} annotator
 * @returns {Promise<Sidecar | undefined>} the last annotation given, if there is one
 */
export async function readAnnotation(url, annotator) {
  await saving;
  return read("annotations", (store) => store.get(keyOf(url, annotator)));
}

/** @returns {Promise<Sidecar[]>} all stored annotations */
export function readAnnotations() {
  return read("annotations", (store) => store.getAll());
}

/** @param {Sidecar} sidecar deletes it, and its page */
export async function dropAnnotation({ url, annotator }) {
  await write("annotations", (store) => store.delete(keyOf(url, annotator)));
  await write("pages", (store) => store.delete(keyOf(url, annotator)));
}

/**
 * @returns {Promise<Uint8Array<ArrayBuffer>>} a zip file of all annotations, NAME.json, and their
 *   pages, NAME.html
 */
export async function packed() {
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  for (const sidecar of await readAnnotations()) {
    const key = keyOf(sidecar.url, sidecar.annotator);
    const name = await nameOf(sidecar.url, key);
    const page = await read("pages", (store) => store.get(key));
    files[`${name}.json`] = strToU8(`${JSON.stringify({ ...sidecar, file: page ? `${name}.html` : "" }, null, 1)}\n`);
    if (page) files[`${name}.html`] = page;
  }
  return zipSync(files, { mtime: "1980-01-02" });
}

/**
 * @param {string} url
 * @param {string} key
 * @returns {Promise<string>} a file name that contains the address
 */
async function nameOf(url, key) {
  const digest = await sha256(/** @type {any} */ (strToU8(key)));
  const shown = url.replace(/^\w+:\/\//, "").replace(/[^A-Za-z0-9]+/g, "-").slice(0, MAX_NAME_CHARS);
  return `${shown.replace(/^-|-$/g, "")}-${digest.slice(0, 8)}`;
}
