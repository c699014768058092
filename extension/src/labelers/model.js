/**
 * Reads a model: the file that `scrapy boilernet export --extension` writes, or the two files of the
 * model that comes with the extension.
 *
 * The exported file is safetensors with the text of `model.json` under that name in its metadata. It
 * holds data only, never code.
 */

import { BAG_ROWS, FEATURIZER, PAGE_ROWS } from "../features/hashed.js";
import { NUMBERS } from "../features/block_numbers.js";
import tables from "../tables.json" with { type: "json" };

const MAX_FILE_BYTES = 64 << 20;
const MAX_HEADER_BYTES = 9 << 20;
const { MOST_LAYERS, MOST_NAME, MOST_UNITS } = tables["labelers.spec"];
const { FORMAT_VERSION, LARGEST_WEIGHT } = tables["labelers.model_folder"];

/** A file is not a model, or this extension cannot run it. */
export class ModelError extends Error {}

/**
 * @typedef {object} Spec The fields of `model.json` that the extension reads.
 * @property {string} name
 * @property {{bags: Record<string, [number, number]>, bag_mode: "mean" | "sum", numbers: number,
 *   dense: number, hidden: number, layers: number, page_bag: [number, number] | null}} architecture
 * @property {number} threshold
 * @property {[number, number][]} confidence
 * @property {"fixed" | "expected-f" | "correlated-f"} decision
 * @property {boolean} judgesComments
 * @property {number} templateShare
 *
 * @typedef {object} Model
 * @property {Spec} spec
 * @property {Map<string, Float32Array>} tensors
 */

/**
 * @param {ArrayBuffer} file
 * @param {string} [modelJson] the text of `model.json`, if it is not in the file
 * @returns {Model}
 * @throws {ModelError} whose message names the problem
 */
export function readModel(file, modelJson) {
  const { header, data } = readSafetensors(file);
  const document = modelJson ?? header.__metadata__?.["model.json"];
  if (typeof document !== "string") {
    throw new ModelError(
      'the file has no "model.json" in its metadata: write it with scrapy boilernet export --extension',
    );
  }
  const spec = readSpec(parsed(document));
  const tensors = new Map();
  for (const [name, shape] of shapes(spec)) {
    tensors.set(name, readTensor(name, shape, header[name], data));
  }
  return { spec, tensors };
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ModelError(`the file is not a model: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {ArrayBuffer} file @returns {{header: any, data: DataView}} */
function readSafetensors(file) {
  if (file.byteLength < 8) throw new ModelError("the file is not a model: it has fewer than 8 bytes");
  if (file.byteLength > MAX_FILE_BYTES) {
    throw new ModelError(`the file has ${file.byteLength} bytes; at most ${MAX_FILE_BYTES} are allowed`);
  }
  const size = Number(new DataView(file).getBigUint64(0, true));
  if (size > MAX_HEADER_BYTES || 8 + size > file.byteLength) {
    throw new ModelError("the file is not a model: it is not a safetensors file, or it was cut off");
  }
  const header = parsed(new TextDecoder().decode(new Uint8Array(file, 8, size)));
  if (header === null || typeof header !== "object") throw new ModelError("the file is not a model");
  return { header, data: new DataView(file, 8 + size) };
}

/** @param {any} document @returns {Spec} */
function readSpec(document) {
  const name = typeof document?.name === "string" ? document.name : "without a name";
  /** @type {(isRight: boolean, message: string) => void} */
  const check = (isRight, message) => {
    if (!isRight) throw new ModelError(`model ${name}: ${message}`);
  };
  const shape = document?.architecture;
  const featurizer = document?.featurizer;
  check(document?.format_version === FORMAT_VERSION, `its format is not ${FORMAT_VERSION}`);
  check(
    featurizer?.kind === FEATURIZER.kind,
    `it reads the features of ${JSON.stringify(featurizer?.kind ?? "another labeler")}; ` +
      "only models of the hashed featurizer run in the browser",
  );
  check(
    featurizer?.version === FEATURIZER.version,
    `it needs version ${featurizer?.version} of the featurizer; this is ${FEATURIZER.version}`,
  );
  const numbers = featurizer.numbers ?? 1;
  check(
    numbers === FEATURIZER.numbers,
    `it needs version ${numbers} of the block numbers; this is ${FEATURIZER.numbers}`,
  );
  check(document.units === "block", `it labels ${document.units} units; only "block" is read here`);
  check(shape?.numbers === NUMBERS, `it reads ${shape?.numbers} numbers per block, not ${NUMBERS}`);
  check(["mean", "sum"].includes(shape.bag_mode), `bag_mode ${shape.bag_mode} is not known`);
  const bags = Object.entries(shape.bags ?? {});
  const rows = /** @type {Record<string, number>} */ (BAG_ROWS);
  check(bags.every(([bag, size]) => rows[bag] === /** @type {any} */ (size)[0]), "its bags do not fit the featurizer");
  check(!shape.page_bag || shape.page_bag[0] === PAGE_ROWS, "its page bag does not fit the featurizer");
  const sizes = [...bags, ["page", shape.page_bag ?? [0, 1]]].map(([, size]) => size[1]);
  check([...sizes, shape.hidden].every((size) => isSize(size, 1, MOST_UNITS)), "its widths are out of range");
  check(isSize(shape.dense, 0, MOST_UNITS) && isSize(shape.layers, 0, MOST_LAYERS), "its layers are out of range");
  check(isShare(document.threshold), `threshold ${document.threshold} is outside [0, 1]`);
  check(tables["decide.threshold"].DECISIONS.includes(document.decision), `decision ${document.decision} is not known`);
  check(
    Array.isArray(document.confidence) &&
      document.confidence.length > 0 &&
      document.confidence.every((/** @type {any} */ point) => point?.every?.(isShare)),
    "its confidence has no points in [0, 1]",
  );
  const templateShare = document.template_share ?? 0;
  check(isShare(templateShare) && templateShare < 1, `template_share ${templateShare} is outside [0, 1)`);
  const judgesComments = document.judges_comments ?? false;
  check(typeof judgesComments === "boolean", "judges_comments is neither true nor false");
  const { threshold, confidence, decision } = document;
  const deciding = { threshold, confidence, decision, templateShare, judgesComments };
  return { name: name.slice(0, MOST_NAME), architecture: shape, ...deciding };
}

/** @param {unknown} value @param {number} min @param {number} max */
function isSize(value, min, max) {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** @param {unknown} value */
function isShare(value) {
  return typeof value === "number" && value >= 0 && value <= 1;
}

/** @param {Spec} spec @returns {[string, number[]][]} the name and the shape of each tensor */
function shapes({ architecture }) {
  const { dense, hidden, layers } = architecture;
  /** @type {[string, number[]][]} */
  const found = Object.entries(architecture.bags).map(([name, size]) => [`bags.${name}.weight`, size]);
  if (architecture.page_bag) found.push(["page_bag.weight", architecture.page_bag]);
  const width = inputWidth(architecture);
  if (dense) found.push(["dense.weight", [dense, width]]);
  const units = dense || width;
  found.push(["dense.bias", [units]]);
  for (let layer = 0; layer < layers; layer++) {
    for (const side of ["forwards", "backwards"]) {
      const lstm = `bilstm.${layer}.${side}`;
      found.push(
        [`${lstm}.weight_ih_l0`, [4 * hidden, layer ? 2 * hidden : units]],
        [`${lstm}.weight_hh_l0`, [4 * hidden, hidden]],
        [`${lstm}.bias_ih_l0`, [4 * hidden]],
        [`${lstm}.bias_hh_l0`, [4 * hidden]],
      );
    }
  }
  const output = layers ? 2 * hidden : units;
  found.push(["out.weight", [1, output]], ["out.bias", [1]]);
  return found;
}

/**
 * @param {Spec["architecture"]} architecture
 * @returns {number} the columns of the dense layer's input
 */
export function inputWidth({ bags, numbers, page_bag: pageBag }) {
  const bagColumns = Object.values(bags).reduce((sum, [, columns]) => sum + columns, 0);
  return bagColumns + (pageBag ? pageBag[1] : 0) + numbers;
}

/**
 * @param {string} name
 * @param {number[]} shape
 * @param {any} entry
 * @param {DataView} data
 * @returns {Float32Array}
 */
function readTensor(name, shape, entry, data) {
  const wanted = JSON.stringify(shape);
  if (!entry || JSON.stringify(entry.shape) !== wanted) {
    throw new ModelError(`tensor ${name} should have the shape ${wanted}`);
  }
  const size = shape.reduce((product, length) => product * length, 1);
  const bytes = { F16: 2, F32: 4 }[/** @type {string} */ (entry.dtype)];
  const [begin, end] = entry.data_offsets ?? [];
  if (!bytes || end - begin !== size * bytes || !(begin >= 0) || end > data.byteLength) {
    throw new ModelError(`tensor ${name} is not an array of float16 or float32, or it was cut off`);
  }
  const values = new Float32Array(size);
  for (let i = 0; i < size; i++) {
    const place = begin + i * bytes;
    values[i] = bytes === 4 ? data.getFloat32(place, true) : FLOAT16[data.getUint16(place, true)];
  }
  if (values.some((value) => !(Math.abs(value) <= LARGEST_WEIGHT))) {
    throw new ModelError(`tensor ${name} has weights outside [-${LARGEST_WEIGHT}, ${LARGEST_WEIGHT}]`);
  }
  return values;
}

/** The values of all float16 numbers, by their bits. */
const FLOAT16 = Float32Array.from({ length: 1 << 16 }, (_, bits) => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
});
