/** What is read of an element instead of its texts. */

/**
 * @typedef {object} Reading
 * @property {string | null} text The text; "": the element is left out; null: its own texts are read,
 *   whatever its tag.
 * @property {number} marks The marks of the text, as in a span.
 * @property {string} tag The tag that the element counts as.
 * @property {string} label The label of a note, whose own texts are read.
 * @property {string} [href] The address of the link of the text; "": that of the link around it.
 * @property {string} [role] What Markdown makes of the element, whose own texts are read.
 * @property {string} [lead] A text before all texts in an element that is not inline, which is a block of its own.
 * @property {Text[]} [leadNodes] The nodes of that text.
 */
/** @typedef {Map<Element, Reading>} Readings */

/** The reading of an element that is left out, as a formula. @type {Readonly<Reading>} */
export const NOTHING = Object.freeze({ text: "", marks: 0, tag: "math", label: "" });
/** The reading of an element that is read although its tag is not. @type {Readonly<Reading>} */
export const READ_INSIDE = Object.freeze({ ...NOTHING, text: null });
/** The reading of an element that is left out, within a text. @type {Readonly<Reading>} */
export const LEFT_OUT = Object.freeze({ ...NOTHING, tag: "span" });
/** The reading of an element that is code as a `<pre>` is. @type {Readonly<Reading>} */
export const LISTING = Object.freeze({ ...NOTHING, text: null, tag: "pre" });
