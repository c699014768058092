/** The labels of one page while a person corrects them. Each change can be undone and redone. */

import tables from "../tables.json" with { type: "json" };

/** @import { Labeled } from "../page.js" */

/**
 * @typedef {"main" | "title" | "caption" | "comment" | "boilerplate"} Choice
 * @typedef {"human" | "model" | "spread"} By Who gave a label.
 *
 * @typedef {object} BlockLabel The label of a block.
 * @property {Choice} kind
 * @property {By} by
 * @property {number} probability P(content), in [0, 1], by the model or the spread; 1 or 0 if a person
 *   labeled it.
 * @property {string} at When a person or the spread labeled it, in ISO 8601; "" for the model.
 *
 * @typedef {object} Step A change.
 * @property {number[]} blocks The blocks that it changed.
 * @property {BlockLabel[]} before Their labels before it.
 * @property {BlockLabel[]} after Their labels after it.
 * @property {[boolean, boolean]} nothing `Annotation.nothing` before and after it.
 */

/** The labels that a person can give a block; `main` is the content. */
export const CHOICES = /** @type {Choice[]} */ (tables["annotations.sidecar"].KINDS);
/** The probability from which a block is content after a spread. */
const EVEN = 0.5;

export class Annotation {
  /**
   * @param {BlockLabel[]} labels per block
   * @param {number} threshold the probability from which the model keeps a block
   */
  constructor(labels, threshold) {
    this.labels = labels;
    this.threshold = threshold;
    /** Whether the person said that the page has nothing to find. */
    this.nothing = false;
    /** @type {Step[]} */
    this.done = [];
    /** @type {Step[]} */
    this.undone = [];
  }

  /** @param {Labeled} labeled @returns {Annotation} with the labels of the model */
  static of({ kinds, labels, probabilities, threshold }) {
    const own = kinds.map((kind, i) => {
      const choice = labels[i] === "content" ? kind : "boilerplate";
      return /** @type {BlockLabel} */ ({ kind: choice, by: "model", probability: probabilities[i], at: "" });
    });
    return new Annotation(own, threshold);
  }

  /** @param {number[]} blocks @param {Choice} kind labels the blocks on behalf of a person */
  label(blocks, kind) {
    const probability = kind === "boilerplate" ? 0 : 1;
    const label = { kind, by: /** @type {By} */ ("human"), probability, at: new Date().toISOString() };
    this.change(blocks, blocks.map(() => label), this.nothing && kind === "boilerplate");
  }

  /** @param {number[]} blocks makes them content, or boilerplate if all of them are content */
  toggle(blocks) {
    const isKept = blocks.every((i) => this.labels[i].kind !== "boilerplate");
    this.label(blocks, isKept ? "boilerplate" : "main");
  }

  /**
   * @returns {Map<number, boolean>} the blocks that a person labeled content or boilerplate:
   *   whether they are content
   */
  get byHuman() {
    const labeled = this.labels.flatMap(({ by, kind }, i) =>
      by === "human" && (kind === "main" || kind === "boilerplate")
        ? [/** @type {[number, boolean]} */ ([i, kind === "main"])]
        : [],
    );
    return new Map(labeled);
  }

  /**
   * @param {ArrayLike<number>} probabilities P(content) per block, which labels the blocks that no
   *   person labeled
   */
  spread(probabilities) {
    const at = new Date().toISOString();
    const blocks = this.labels.flatMap(({ by }, i) => (by === "human" ? [] : [i]));
    const after = blocks.map((i) => {
      const before = this.labels[i].kind;
      const kept = before === "boilerplate" ? "main" : before;
      const kind = probabilities[i] >= EVEN ? kept : "boilerplate";
      return /** @type {BlockLabel} */ ({ kind, by: "spread", probability: probabilities[i], at });
    });
    this.change(blocks, after, this.nothing);
  }

  /** Marks the page as one that has nothing to find, or removes that mark. */
  toggleNothing() {
    this.change([], [], !this.nothing);
  }

  /** @param {number[]} blocks @param {BlockLabel[]} after @param {boolean} nothing */
  change(blocks, after, nothing) {
    const before = blocks.map((i) => this.labels[i]);
    this.done.push({ blocks, before, after, nothing: [this.nothing, nothing] });
    this.undone = [];
    this.apply(blocks, after, nothing);
  }

  /** Undoes the last change, if there is one. */
  undo() {
    const step = this.done.pop();
    if (!step) return;
    this.undone.push(step);
    this.apply(step.blocks, step.before, step.nothing[0]);
  }

  /** Redoes the change that was undone last, if there is one. */
  redo() {
    const step = this.undone.pop();
    if (!step) return;
    this.done.push(step);
    this.apply(step.blocks, step.after, step.nothing[1]);
  }

  /** @param {number[]} blocks @param {BlockLabel[]} labels @param {boolean} nothing */
  apply(blocks, labels, nothing) {
    blocks.forEach((block, i) => (this.labels[block] = labels[i]));
    this.nothing = nothing;
  }

  /**
   * @param {number} after the block that was shown last, or -1
   * @returns {number} the least certain block that no person labeled, or the next one after `after`, if
   *   that is one of these blocks; -1 if a person labeled all blocks
   */
  uncertain(after) {
    const certainty = (/** @type {BlockLabel} */ { by, probability }) =>
      Math.abs(probability - (by === "model" ? this.threshold : EVEN));
    const open = this.labels.flatMap(({ by }, i) => (by === "human" ? [] : [i]));
    open.sort((a, b) => certainty(this.labels[a]) - certainty(this.labels[b]) || a - b);
    return open[(open.indexOf(after) + 1) % open.length] ?? -1;
  }
}
