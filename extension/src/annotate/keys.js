/** The keys for correcting labels, on the page and in the panel. */

/** @import { AnnotateRequest } from "../browser/messages.js" */

/** @type {Record<string, AnnotateRequest>} */
const KEYS = {
  c: { do: "label", kind: "main" },
  b: { do: "label", kind: "boilerplate" },
  t: { do: "label", kind: "title" },
  p: { do: "label", kind: "caption" },
  m: { do: "label", kind: "comment" },
  n: { do: "next" },
  u: { do: "undo" },
  r: { do: "redo" },
  s: { do: "spread" },
  0: { do: "nothing" },
  ArrowUp: { do: "wider" },
  ArrowDown: { do: "narrower" },
  Escape: { do: "stop" },
};
const INPUT_TAGS = new Set(["input", "textarea", "select"]);

/**
 * @param {KeyboardEvent} event
 * @returns {AnnotateRequest | undefined} the request of the key; undefined if it has none, or if it
 *   is typed into a field
 */
export function requestOf(event) {
  const target = /** @type {HTMLElement | undefined} */ (event.composedPath()[0]);
  if (target?.isContentEditable || INPUT_TAGS.has(target?.localName ?? "")) return undefined;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    return { do: event.shiftKey ? "redo" : "undo" };
  }
  return event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key];
}
