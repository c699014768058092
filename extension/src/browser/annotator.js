/** Lets a person correct the labels of a page, with pointer and keys on the page, or in the panel. */

import { Annotation, CHOICES } from "../annotate/annotation.js";
import { requestOf } from "../annotate/keys.js";
import { blocksOf, restored, SCHEMA, xpathOf } from "../annotate/sidecar.js";
import { ruleOf, ruleText } from "../annotate/site_rule.js";
import { pageBytes } from "./bytes.js";
import { api } from "./messages.js";
import { Outline } from "./outline.js";

/** @import { Choice } from "../annotate/annotation.js" */
/** @import { Labeled } from "../page.js" */
/** @import { Sidecar } from "../annotate/sidecar.js" */
/** @import { AnnotateRequest, AnnotationState, Found } from "./messages.js" */
/** @import { Paint } from "./highlight.js" */

/** Events of a pointer that must not reach the page. */
const POINTER_EVENTS = ["pointerdown", "pointerup", "mousedown", "mouseup", "dblclick", "auxclick"];
const SHOWN_CHARS = 120;

export class Annotator {
  /**
   * @param {Found} found
   * @param {Paint} paint
   * @param {string} annotator the name of the person
   * @param {() => void} onStop called when the annotation has stopped
   */
  constructor(found, paint, annotator, onStop) {
    this.paint = paint;
    this.annotator = annotator;
    this.onStop = onStop;
    this.outline = new Outline();
    this.started = new Date().toISOString();
    this.finished = false;
    /** Blocks that a person labeled and that the page lost. @type {Sidecar["blocks"]} */
    this.lost = [];
    /** @type {Sidecar["page"]} */
    this.bytes = null;
    this.error = "";
    this.found = found;
    this.annotation = Annotation.of(found.labeled);
    this.xpaths = xpathsOf(found.texts);
    this.blocksIn = blocksByElement(found.texts);
    /** The blocks that keys apply to. @type {number[]} */
    this.chosen = [];
    /** The element that the person points at, if it has blocks. @type {Element | null} */
    this.element = null;
    /** The elements from which `widen` went outwards, the last one last. @type {Element[]} */
    this.inner = [];
    /** The last position of the pointer on the screen. */
    this.pointer = "";
    this.listeners = /** @type {[string, (event: any) => void][]} */ ([
      ["pointermove", (event) => this.moved(event)],
      ["click", (event) => this.clicked(event)],
      ["keydown", (event) => this.pressed(event)],
      ...POINTER_EVENTS.map((name) => [name, (/** @type {Event} */ event) => this.keepFromPage(event)]),
    ]);
  }

  /** Restores the saved annotation of this page, if there is one, and begins to listen. */
  async start() {
    const saved = await api.runtime.sendMessage({ type: "saved", url: this.found.page.url, annotator: this.annotator });
    const bytes = pageBytes(this.found.page);
    if (saved?.sidecar) {
      this.restore(this.found, saved.sidecar);
      this.started = saved.sidecar.started;
      this.finished = saved.sidecar.finished;
    }
    this.outline.show();
    for (const [name, listener] of this.listeners) addEventListener(name, listener, true);
    this.show();
    await this.save(await bytes);
  }

  /** Saves the annotation, and stops listening. */
  stop() {
    for (const [name, listener] of this.listeners) removeEventListener(name, listener, true);
    this.outline.remove();
    this.save(null, null);
    this.onStop();
  }

  /**
   * @param {Found} found the page as it is now
   * @param {Sidecar} saved the annotation of an earlier state
   */
  restore(found, saved) {
    const { annotation, lost } = restored(saved, found.page, found.labeled);
    this.annotation = annotation;
    this.lost = lost;
    this.use(found);
  }

  /** @param {Found} found the page as it is now; the annotation has its blocks */
  use(found) {
    this.found = found;
    this.xpaths = xpathsOf(found.texts);
    this.blocksIn = blocksByElement(found.texts);
    this.chosen = [];
    this.element = null;
    this.inner = [];
  }

  /** @param {Found} found the page after it changed */
  async changed(found) {
    const { blocks } = found.page;
    const before = this.found.page.blocks;
    const isAlike = blocks.length === before.length && blocks.every(({ text }, i) => text === before[i].text);
    if (isAlike) this.use(found); // keeps the changes that can be undone
    else this.restore(found, this.sidecar());
    this.outline.remove();
    const bytes = await pageBytes(found.page);
    this.outline.show();
    this.show();
    await this.save(bytes);
  }

  /**
   * Sends the annotation to the background, which saves it, and its state to the panel.
   *
   * @param {Awaited<ReturnType<typeof pageBytes>>} bytes
   * @param {AnnotationState | null} state null: the annotation has stopped
   */
  async save(bytes = null, state = this.state()) {
    const answer = await api.runtime
      .sendMessage({ type: "save", sidecar: this.sidecar(), bytes, state })
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
    const { done, labels, nothing, undone } = this.annotation;
    /** @type {Record<string, number>} */
    const counts = {};
    for (const { kind } of labels) counts[kind] = (counts[kind] ?? 0) + 1;
    const [first] = this.chosen;
    return {
      url: this.found.page.url,
      annotator: this.annotator,
      blocks: labels.length,
      byHuman: labels.filter(({ by }) => by === "human").length,
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

  /**
   * @returns {{text: string, kind: Choice, by: string, probability: number, why: string}[]} all blocks,
   *   for the panel's list, with the step that decided, such as "boilerplate title, dropped by: title"
   */
  rows() {
    const { labeled, page } = this.found;
    return this.annotation.labels.map(({ by, kind, probability }, i) => ({
      text: page.blocks[i].text.slice(0, SHOWN_CHARS), kind, by, probability,
      why: by === "model" ? reasonOf(labeled, i) : "",
    }));
  }

  /** @returns {{rule: string}} the rule of the site that keeps and drops the same, in TOML; "" without one */
  rule() {
    const { page, texts } = this.found;
    const { labels, nothing } = this.annotation;
    const containers = texts.map(holderOf);
    const kinds = labels.map(({ kind }) => (nothing ? "boilerplate" : kind));
    return { rule: ruleText(page.url, ruleOf(page.blocks.map(({ text }) => text), kinds, containers)) };
  }

  /**
   * Answers a request of a key or the panel.
   *
   * @param {AnnotateRequest} request
   * @returns {Promise<AnnotationState>}
   */
  async act(request) {
    const { annotation } = this;
    this.error = "";
    const blocks = request.blocks ?? this.chosen;
    if (blocks.some((i) => !(i in annotation.labels))) throw new RangeError("the page has no such block");
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
    await this.save();
    return this.state();
  }

  /** Spreads the labels of the person over the rest of the page. */
  async spread() {
    const given = [...this.annotation.byHuman];
    const answer = await api.runtime.sendMessage({ type: "spread", page: this.found.page, given });
    if (answer.error) this.error = answer.error;
    else this.annotation.spread(answer.probabilities);
  }

  /** Paints the labels as they are now. */
  show() {
    const { texts } = this.found;
    const { labels, nothing } = this.annotation;
    this.paint.show(
      texts,
      labels.map(({ by, kind }) => {
        const marks = by !== "human" ? [] : [kind === "boilerplate" ? "dropped" : "human"];
        return nothing ? marks.filter((mark) => mark === "dropped") : [kind, ...marks];
      }),
    );
    this.outline.around("current", this.chosen.flatMap((i) => texts[i]));
  }

  /**
   * Chooses the blocks that keys apply to.
   *
   * @param {number[]} blocks
   * @param {boolean} scroll whether to scroll to them
   * @returns {AnnotationState}
   */
  choose(blocks, scroll = false) {
    this.chosen = blocks.filter((i) => i >= 0);
    const texts = this.chosen.flatMap((i) => this.found.texts[i]);
    if (scroll) {
      this.element = null;
      texts[0]?.parentElement?.scrollIntoView({ block: "center" });
      this.outline.around("hover", []);
    }
    this.outline.around("current", scroll ? texts : []);
    return this.state();
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const position = `${event.screenX} ${event.screenY}`;
    if (!event.isTrusted || position === this.pointer) return; // the page moved, not the pointer
    this.pointer = position;
    this.pointAt(event);
  }

  /**
   * Makes the innermost element of an event that has blocks the current one.
   *
   * @param {Event} event
   */
  pointAt(event) {
    let element = /** @type {Node | null} */ (event.composedPath()[0] ?? null);
    while (element && !this.blocksIn.has(element)) element = parentOf(element);
    const { body, documentElement } = document;
    this.inner = [];
    this.point(element === body || element === documentElement ? null : /** @type {Element | null} */ (element));
  }

  /**
   * Makes an element the current one: a click and keys apply to the blocks in it.
   *
   * @param {Element | null} element
   */
  point(element) {
    this.element = element;
    this.choose(element ? (this.blocksIn.get(element) ?? []) : []);
    this.outline.around("hover", this.chosen.flatMap((i) => this.found.texts[i]));
  }

  /** Points at the nearest element around the current one that has more blocks. */
  widen() {
    const from = this.element ?? this.found.texts[this.chosen[0]]?.[0];
    let outer = from ? parentOf(from) : null;
    while (outer && (this.blocksIn.get(outer)?.length ?? 0) <= this.chosen.length && outer !== document.body) outer = parentOf(outer);
    if (outer instanceof Element) {
      if (this.element) this.inner.push(this.element);
      this.point(outer);
    }
    return this.state();
  }

  /** Points at the element from which `widen` came. */
  narrow() {
    const inner = this.inner.pop();
    if (inner) this.point(inner);
    return this.state();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (!this.keepFromPage(event) || event.button !== 0) return;
    if (!this.element || !event.composedPath().includes(this.element)) this.pointAt(event);
    if (this.chosen.length) this.act({ do: "toggle" });
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const request = event.isTrusted ? requestOf(event) : undefined;
    if (!request) return;
    this.keepFromPage(event);
    this.act(request);
  }

  /**
   * Keeps an event from the page, if a person made it.
   *
   * @param {Event} event
   * @returns {boolean} whether a person made it
   */
  keepFromPage(event) {
    if (!event.isTrusted) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    return true;
  }
}

/** @param {Text[]} texts of a block @returns {Element | null} the innermost element that holds all of them */
function holderOf([first, ...others]) {
  let holder = first?.parentElement ?? null;
  while (holder && !others.every((text) => holder?.contains(text))) holder = holder.parentElement;
  return holder;
}

/** @param {Text[][]} texts per block its text nodes @returns {string[]} per block its XPath */
function xpathsOf(texts) {
  return texts.map(([text]) => (text ? xpathOf(text) : ""));
}

/**
 * @param {Text[][]} texts per block its text nodes
 * @returns {Map<Node, number[]>} per element the blocks with text in it
 */
function blocksByElement(texts) {
  /** @type {Map<Node, number[]>} */
  const blocksIn = new Map();
  texts.forEach((nodes, i) => {
    for (const element of new Set(nodes.flatMap(ancestors))) {
      const blocks = blocksIn.get(element);
      if (blocks) blocks.push(i);
      else blocksIn.set(element, [i]);
    }
  });
  return blocksIn;
}

/**
 * @param {Node} node
 * @returns {Node | null} the node around it; for a child of a shadow tree, the tree's host
 */
function parentOf(node) {
  return node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode;
}

/** @param {Node} node @returns {Node[]} */
function ancestors(node) {
  const found = [];
  for (let parent = parentOf(node); parent; parent = parentOf(parent)) found.push(parent);
  return found;
}

/**
 * @param {Labeled} labeled
 * @param {number} place
 * @returns {string} what the block is, and which step kept it or left it out
 */
function reasonOf({ kinds, labels, steps }, place) {
  const isKept = labels[place] === "content";
  const label = kinds[place] === labels[place] ? labels[place] : `${labels[place]} ${kinds[place]}`;
  return `${label}, ${isKept ? "kept" : "dropped"} by: ${steps[place]}`;
}
