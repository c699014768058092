/** Lets a person correct the labels on the page: by pointer and keys on it, or from the panel. */

import { Annotation, CHOICES } from "../annotate/annotation.js";
import { requestOf } from "../annotate/keys.js";
import { blocksOf, restored, SCHEMA, xpathOf } from "../annotate/sidecar.js";
import { pageBytes } from "./bytes.js";
import { api } from "./messages.js";
import { Outline } from "./outline.js";

/** @import { Choice } from "../annotate/annotation.js" */
/** @import { Sidecar } from "../annotate/sidecar.js" */
/** @import { AnnotateRequest, AnnotationState, Found } from "./messages.js" */
/** @import { Paint } from "./highlight.js" */

/** Events of the page that a click makes, and that must not do what the page would do. */
const HELD = ["pointerdown", "pointerup", "mousedown", "mouseup", "dblclick", "auxclick"];
const SHOWN_CHARS = 120;

export class Annotator {
  /** @param {Found} found @param {Paint} paint @param {string} annotator who @param {() => void} ended */
  constructor(found, paint, annotator, ended) {
    this.paint = paint;
    this.annotator = annotator;
    this.ended = ended;
    this.outline = new Outline();
    this.started = new Date().toISOString();
    this.finished = false;
    /** What a person labeled before and the page no longer has. @type {Sidecar["blocks"]} */
    this.lost = [];
    /** @type {Sidecar["page"]} */
    this.bytes = null;
    this.error = "";
    this.found = found;
    this.annotation = Annotation.of(found.labeled);
    this.xpaths = xpathsOf(found.texts);
    this.held = heldBy(found.texts);
    /** The blocks that a key acts on, and the elements around them that were passed by. @type {number[]} */
    this.chosen = [];
    /** @type {Element | null} */
    this.element = null;
    /** @type {Element[]} */
    this.inner = [];
    this.pointer = "";
    this.listeners = /** @type {[string, (event: any) => void][]} */ ([
      ["pointermove", (event) => this.moved(event)],
      ["click", (event) => this.clicked(event)],
      ["keydown", (event) => this.pressed(event)],
      ...HELD.map((name) => [name, (/** @type {Event} */ event) => this.hold(event)]),
    ]);
  }

  /** Takes up what was kept of this page, and begins to listen. */
  async start() {
    const kept = await api.runtime.sendMessage({ type: "kept", url: this.found.page.url, annotator: this.annotator });
    const bytes = pageBytes(this.found.page);
    if (kept?.sidecar) {
      this.restore(this.found, kept.sidecar);
      this.started = kept.sidecar.started;
      this.finished = kept.sidecar.finished;
    }
    this.outline.show();
    for (const [name, listener] of this.listeners) addEventListener(name, listener, true);
    this.show();
    await this.keep(await bytes);
  }

  stop() {
    for (const [name, listener] of this.listeners) removeEventListener(name, listener, true);
    this.outline.remove();
    this.keep(null, null);
    this.ended();
  }

  /** @param {Found} found the page as it is now @param {Sidecar} kept what was said of it */
  restore(found, kept) {
    const { annotation, lost } = restored(kept, found.page, found.labeled);
    this.annotation = annotation;
    this.lost = lost;
    this.use(found);
  }

  /** @param {Found} found the page as it is now, of which the annotation is */
  use(found) {
    this.found = found;
    this.xpaths = xpathsOf(found.texts);
    this.held = heldBy(found.texts);
    this.chosen = [];
    this.element = null;
    this.inner = [];
  }

  /** @param {Found} found the page after it changed */
  async changed(found) {
    const { blocks } = found.page;
    const before = this.found.page.blocks;
    const isAlike = blocks.length === before.length && blocks.every(({ text }, i) => text === before[i].text);
    if (isAlike) this.use(found); // what was done can still be undone
    else this.restore(found, this.sidecar());
    this.outline.remove();
    const bytes = await pageBytes(found.page);
    this.outline.show();
    this.show();
    await this.keep(bytes);
  }

  /**
   * Has the annotation kept on the disk, and tells the panel.
   *
   * @param {Awaited<ReturnType<typeof pageBytes>>} bytes
   * @param {AnnotationState | null} state null: it is over
   */
  async keep(bytes = null, state = this.state()) {
    const answer = await api.runtime
      .sendMessage({ type: "keep", sidecar: this.sidecar(), bytes, state })
      .catch((/** @type {Error} */ error) => ({ error: error.message }));
    this.error = answer?.error ?? this.error;
    this.bytes = answer?.page ?? this.bytes;
  }

  /** @returns {Sidecar} */
  sidecar() {
    const { labeled, page } = this.found;
    return {
      schema: SCHEMA,
      url: page.url,
      title: page.title,
      annotator: this.annotator,
      started: this.started,
      saved: new Date().toISOString(),
      finished: this.finished,
      nothing: this.annotation.nothing,
      model: labeled.model,
      threshold: this.annotation.threshold,
      viewport: { width: innerWidth, height: innerHeight },
      browser: navigator.userAgent,
      page: this.bytes,
      shown: page.blocks.length,
      blocks: [...blocksOf(this.annotation, page, this.xpaths), ...this.lost],
    };
  }

  /** @returns {AnnotationState} */
  state() {
    const { done, given, nothing, undone } = this.annotation;
    /** @type {Record<string, number>} */
    const counts = {};
    for (const { kind } of given) counts[kind] = (counts[kind] ?? 0) + 1;
    const [first] = this.chosen;
    return {
      url: this.found.page.url,
      annotator: this.annotator,
      blocks: given.length,
      byHuman: given.filter(({ by }) => by === "human").length,
      counts,
      nothing,
      finished: this.finished,
      lost: this.lost.length,
      page: this.bytes,
      error: this.error,
      canUndo: done.length > 0,
      canRedo: undone.length > 0,
      chosen: this.chosen,
      chosenText: first === undefined ? "" : this.found.page.blocks[first].text.slice(0, SHOWN_CHARS),
    };
  }

  /** @returns {{text: string, kind: Choice, by: string, probability: number}[]} all blocks, for the panel's list */
  rows() {
    return this.annotation.given.map(({ by, kind, probability }, i) => ({
      text: this.found.page.blocks[i].text.slice(0, SHOWN_CHARS), kind, by, probability,
    }));
  }

  /**
   * Does what a key or the panel asks for.
   *
   * @param {AnnotateRequest} request
   * @returns {Promise<AnnotationState>}
   */
  async act(request) {
    const { annotation } = this;
    this.error = "";
    const blocks = request.blocks ?? this.chosen;
    if (blocks.some((i) => !(i in annotation.given))) throw new RangeError("the page has no such block");
    switch (request.do) {
      case "label":
        if (!request.kind || !CHOICES.includes(request.kind)) throw new RangeError("no such label");
        if (blocks.length) annotation.label(blocks, request.kind);
        break;
      case "toggle": if (blocks.length) annotation.toggle(blocks); break;
      case "undo": annotation.undo(); break;
      case "redo": annotation.redo(); break;
      case "nothing": annotation.toggleNothing(); break;
      case "finish": this.finished = !this.finished; break;
      case "spread": await this.spread(); break;
      case "next": return this.choose([annotation.uncertain(this.chosen[0] ?? -1)], true);
      case "choose": return this.choose(blocks, true);
      case "wider": return this.widen();
      case "narrower": return this.narrow();
      case "stop": this.stop(); return this.state();
      case "state": return this.state();
      default: throw new TypeError(`no such request: ${request.do}`);
    }
    this.show();
    await this.keep();
    return this.state();
  }

  async spread() {
    const given = [...this.annotation.byHuman];
    const answer = await api.runtime.sendMessage({ type: "spread", page: this.found.page, given });
    if (answer.error) this.error = answer.error;
    else this.annotation.spread(answer.probabilities);
  }

  /** Paints the labels as they are now. */
  show() {
    const { texts } = this.found;
    const { given, nothing } = this.annotation;
    this.paint.show(
      texts,
      given.map(({ by, kind }) => {
        const mark = by !== "human" ? [] : [kind === "boilerplate" ? "dropped" : "human"];
        return nothing ? mark.filter((own) => own === "dropped") : [kind, ...mark];
      }),
    );
    this.outline.around("current", this.chosen.flatMap((i) => texts[i]));
  }

  /** @param {number[]} blocks that a key acts on from now on @param {boolean} isShown whether they are scrolled to */
  choose(blocks, isShown = false) {
    this.chosen = blocks.filter((i) => i >= 0);
    const texts = this.chosen.flatMap((i) => this.found.texts[i]);
    if (isShown) {
      this.element = null;
      texts[0]?.parentElement?.scrollIntoView({ block: "center" });
      this.outline.around("hover", []);
    }
    this.outline.around("current", isShown ? texts : []);
    return this.state();
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const place = `${event.screenX} ${event.screenY}`;
    if (!event.isTrusted || place === this.pointer) return; // the page moved, not the pointer
    this.pointer = place;
    this.pointAt(event);
  }

  /** @param {Event} event points at the innermost element with text that it is about */
  pointAt(event) {
    let element = /** @type {Node | null} */ (event.composedPath()[0] ?? null);
    while (element && !this.held.has(element)) element = parentOf(element);
    const { body, documentElement } = document;
    this.inner = [];
    this.point(element === body || element === documentElement ? null : /** @type {Element | null} */ (element));
  }

  /** @param {Element | null} element that a click and keys act on, with all below it */
  point(element) {
    this.element = element;
    this.choose(element ? (this.held.get(element) ?? []) : []);
    this.outline.around("hover", this.chosen.flatMap((i) => this.found.texts[i]));
  }

  widen() {
    const from = this.element ?? this.found.texts[this.chosen[0]]?.[0];
    let outer = from ? parentOf(from) : null;
    while (outer && (this.held.get(outer)?.length ?? 0) <= this.chosen.length && outer !== document.body) outer = parentOf(outer);
    if (outer instanceof Element) {
      if (this.element) this.inner.push(this.element);
      this.point(outer);
    }
    return this.state();
  }

  narrow() {
    const inner = this.inner.pop();
    if (inner) this.point(inner);
    return this.state();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (!this.hold(event) || event.button !== 0) return;
    if (!this.element || !event.composedPath().includes(this.element)) this.pointAt(event);
    if (this.chosen.length) this.act({ do: "toggle" });
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const request = event.isTrusted ? requestOf(event) : undefined;
    if (!request) return;
    this.hold(event);
    this.act(request);
  }

  /** @param {Event} event keeps it from the page @returns {boolean} whether a person made it */
  hold(event) {
    if (!event.isTrusted) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    return true;
  }
}

/** @param {Text[][]} texts per block its text nodes @returns {string[]} */
function xpathsOf(texts) {
  return texts.map(([text]) => (text ? xpathOf(text) : ""));
}

/** @param {Text[][]} texts per block its text nodes @returns {Map<Node, number[]>} per element the blocks that it holds */
function heldBy(texts) {
  /** @type {Map<Node, number[]>} */
  const held = new Map();
  texts.forEach((own, i) => {
    for (const element of new Set(own.flatMap(ancestors))) {
      const blocks = held.get(element);
      if (blocks) blocks.push(i);
      else held.set(element, [i]);
    }
  });
  return held;
}

/** @param {Node} node @returns {Node | null} the element around it, out of a shadow tree, too */
function parentOf(node) {
  return node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode;
}

/** @param {Node} node @returns {Node[]} */
function ancestors(node) {
  const found = [];
  for (let own = parentOf(node); own; own = parentOf(own)) found.push(own);
  return found;
}
