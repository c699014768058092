/** The user's choices: the options, in the browser's storage, and a model, in the database. */

import tables from "../tables.json" with { type: "json" };
import { DEFAULTS } from "../labeling.js";
import { readModel } from "../labelers/model.js";
import { read, write } from "./database.js";
import { api } from "./messages.js";

/** @import { Options } from "../labeling.js" */
/** @import { Model } from "../labelers/model.js" */

const WORDS = /** @type {Record<string, string[]>} */ (tables.options.LABEL_WORDS);
/** The allowed values of each option. @type {Record<keyof Options, string[]>} */
export const CHOICES = /** @type {any} */ (
  Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, WORDS[name]]))
);

/**
 * @returns {Promise<Options>} the chosen options, or the default of each that is missing or not
 *   allowed
 */
export async function readOptions() {
  const { options } = await api.storage.local.get("options");
  const chosen = Object.entries(DEFAULTS).map(([name, otherwise]) => {
    const value = /** @type {any} */ (options)?.[name];
    return [name, CHOICES[/** @type {keyof Options} */ (name)].includes(value) ? value : otherwise];
  });
  return Object.fromEntries(chosen);
}

/** @param {Options} options */
export async function writeOptions(options) {
  await api.storage.local.set({ options });
}

/**
 * Stores the model of a file, for this and later sessions.
 *
 * @param {ArrayBuffer} file
 * @returns {Promise<Model>}
 * @throws {import("../labelers/model.js").ModelError}
 */
export async function saveModel(file) {
  const model = readModel(file);
  await write("models", (store) => store.put(file, "chosen"));
  return model;
}

/** Deletes the chosen model, so that the model that came with the extension is used. */
export async function dropModel() {
  await write("models", (store) => store.delete("chosen"));
}

/** @returns {Promise<Model>} the model that the user chose, or the one that came with the extension */
export async function loadModel() {
  const chosen = await read("models", (store) => store.get("chosen"));
  if (chosen) return readModel(chosen);
  const [document, file] = await Promise.all([
    fetch(api.runtime.getURL("model.json")).then((response) => response.text()),
    fetch(api.runtime.getURL("model.safetensors")).then((response) => response.arrayBuffer()),
  ]);
  return readModel(file, document);
}
