/** Items of lists that a page writes side by side, each with its level, and lists that are a piece of the one before. */

import tables from "../tables.json" with { type: "json" };
import { setDefault } from "../python.js";

/** @import { Markup } from "../page.js" */
/** @import { Container } from "./document.js" */

const { ITEM, LIST } = tables["html.list_pieces"];
const { POST } = tables["html.post_lists"];
const BOXES = /** @type {Record<string, string>} */ (tables["output.flat_lists"].BOXES);

/** Nests the items of such lists; knows which items of other lists are posts. */
export class FlatLists {
  /** @param {Pick<Markup, "roles">} markup */
  constructor({ roles }) {
    const items = roles.filter(([, role]) => role.startsWith(ITEM));
    /** The level, number and box of each item, by the number of its element. @type {Map<number, {level: number, number: number | null, box: string}>} */
    this.levels = new Map(
      items.map(([node, role]) => {
        const [level, label = ""] = role.slice(ITEM.length).split(" ");
        const number = /^[0-9]+$/.test(label) ? Number(label) : null;
        return [node, { level: Number(level), number, box: BOXES[label] ?? "" }];
      }),
    );
    /** The first of the lists that are one. @type {Map<string, number>} */
    const first = new Map();
    const pieces = roles.filter(([, role]) => role.startsWith(LIST));
    /** The same by the numbers of the elements of all of them. @type {Map<number, number>} */
    this.wholes = new Map(pieces.map(([node, role]) => [node, setDefault(first, role, node)]));
    /** The items that are posts, by the numbers of their elements. */
    this.posts = new Set(roles.filter(([, role]) => role === POST).map(([node]) => node));
    this.around = 0;
    /** The items around the next one, from the outermost. @type {{level: number, item: Container}[]} */
    this.open = [];
  }

  /** @param {number[]} nodes the elements of what stands in the text next: without an item among them, all lists end */
  endUnless(nodes) {
    if (this.open.length && !nodes.some((node) => this.levels.has(node))) this.open = [];
  }

  /**
   * @param {number} node
   * @param {number} around the element around it
   * @returns {Container[]} an item and those that it is in
   */
  items(node, around) {
    const { level, number, box } = /** @type {{level: number, number: number | null, box: string}} */ (this.levels.get(node));
    if (around !== this.around) [this.open, this.around] = [[], around];
    while (this.open.length && this.open[this.open.length - 1].level > level) this.open.pop();
    let listNode = node;
    if (this.open.length && this.open[this.open.length - 1].level === level) {
      const before = this.open.pop()?.item;
      if (before && (before.number === null) === (number === null)) listNode = before.listNode;
    }
    this.open.push({ level, item: { kind: "item", node, listNode, number, label: box } });
    return this.open.map(({ item }) => item);
  }
}
