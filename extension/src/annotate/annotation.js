/** The labels of one page while a person corrects them: each change can be undone and done again. */

import tables from "../tables.json" with { type: "json" };

/** @import { Labeled } from "../page.js" */

/**
 * @typedef {"main" | "title" | "caption" | "comment" | "boilerplate"} Choice
 * @typedef {"human" | "model" | "spread"} By Who gave a label.
 *
 * @typedef {object} Given What is said of a block.
 * @property {Choice} kind
 * @property {By} by
 * @property {number} probability P(content) by the model or by the spread; of a person 1 or 0.
 * @property {string} at When, in ISO 8601; "" for the model's.
 *
 * @typedef {{blocks: number[], before: Given[], after: Given[], nothing: [boolean, boolean]}} Step
 */

/** What a block can be said to be; `main` is the content. */
export const CHOICES = /** @type {Choice[]} */ (tables["annotations.sidecar"].KINDS);
const EVEN = 0.5;

export class Annotation {
  /** @param {Given[]} given per block @param {number} threshold probability from which the model keeps */
  constructor(given, threshold) {
    this.given = given;
    this.threshold = threshold;
    /** Whether the person said that there is nothing to find on the page. */
    this.nothing = false;
    /** @type {Step[]} */
    this.done = [];
    /** @type {Step[]} */
    this.undone = [];
  }

  /** @param {Labeled} labeled @returns {Annotation} that says what the model says */
  static of({ kinds, probabilities, threshold }) {
    const given = kinds.map((kind, i) => {
      const own = kind === "hidden" ? "boilerplate" : kind;
      return /** @type {Given} */ ({ kind: own, by: "model", probability: probabilities[i], at: "" });
    });
    return new Annotation(given, threshold);
  }

  /** @param {number[]} blocks @param {Choice} kind labels the blocks as a person does */
  label(blocks, kind) {
    const probability = kind === "boilerplate" ? 0 : 1;
    const own = { kind, by: /** @type {By} */ ("human"), probability, at: new Date().toISOString() };
    this.change(blocks, blocks.map(() => own), this.nothing && kind === "boilerplate");
  }

  /** @param {number[]} blocks makes them content, or boilerplate if none of them is */
  toggle(blocks) {
    const isKept = blocks.every((i) => this.given[i].kind !== "boilerplate");
    this.label(blocks, isKept ? "boilerplate" : "main");
  }

  /** @returns {Map<number, boolean>} the blocks that a person called content or boilerplate */
  get byHuman() {
    const own = this.given.flatMap(({ by, kind }, i) =>
      by === "human" && (kind === "main" || kind === "boilerplate")
        ? [/** @type {[number, boolean]} */ ([i, kind === "main"])]
        : [],
    );
    return new Map(own);
  }

  /** @param {ArrayLike<number>} probabilities P(content) per block, taken where no person gave a label */
  spread(probabilities) {
    const at = new Date().toISOString();
    const blocks = this.given.flatMap(({ by }, i) => (by === "human" ? [] : [i]));
    const after = blocks.map((i) => {
      const before = this.given[i].kind;
      const kept = before === "boilerplate" ? "main" : before;
      const kind = probabilities[i] >= EVEN ? kept : "boilerplate";
      return /** @type {Given} */ ({ kind, by: "spread", probability: probabilities[i], at });
    });
    this.change(blocks, after, this.nothing);
  }

  /** Says that the page has nothing to find, or takes that back. */
  toggleNothing() {
    this.change([], [], !this.nothing);
  }

  /** @param {number[]} blocks @param {Given[]} after @param {boolean} nothing */
  change(blocks, after, nothing) {
    const before = blocks.map((i) => this.given[i]);
    this.done.push({ blocks, before, after, nothing: [this.nothing, nothing] });
    this.undone = [];
    this.apply(blocks, after, nothing);
  }

  /** Takes the last change back, if there is one. */
  undo() {
    const step = this.done.pop();
    if (!step) return;
    this.undone.push(step);
    this.apply(step.blocks, step.before, step.nothing[0]);
  }

  /** Makes the change again that was taken back last, if there is one. */
  redo() {
    const step = this.undone.pop();
    if (!step) return;
    this.done.push(step);
    this.apply(step.blocks, step.after, step.nothing[1]);
  }

  /** @param {number[]} blocks @param {Given[]} given @param {boolean} nothing */
  apply(blocks, given, nothing) {
    blocks.forEach((block, i) => (this.given[block] = given[i]));
    this.nothing = nothing;
  }

  /**
   * @param {number} after the block that was shown last, or -1
   * @returns {number} the block that is the least sure among those that no person labeled, the next
   *   one in that order if `after` is such a block; -1 if a person labeled all
   */
  uncertain(after) {
    const doubt = (/** @type {Given} */ { by, probability }) =>
      Math.abs(probability - (by === "model" ? this.threshold : EVEN));
    const open = this.given.flatMap(({ by }, i) => (by === "human" ? [] : [i]));
    open.sort((a, b) => doubt(this.given[a]) - doubt(this.given[b]) || a - b);
    return open[(open.indexOf(after) + 1) % open.length] ?? -1;
  }
}
