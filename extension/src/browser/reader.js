/** The reader view, which shows only the kept content of a tab's page. */

import tables from "../tables.json" with { type: "json" };
import { LINK_SCHEMES, safeUrl } from "../output/urls.js";
import { sharedContainers } from "../output/budget.js";
import { byId, make } from "./elements.js";
import { api } from "./messages.js";

/** @import { Span } from "../page.js" */
/** @import { Container, Line, Part } from "../output/document.js" */
/** @import { Content } from "./messages.js" */

const { CODE, DELETED, EMPHASIS, FORMULA, NOTE, STRONG, SUBSCRIPT, SUPERSCRIPT } = tables.markup;
const MARKS = /** @type {[number, string][]} */ ([
  [CODE, "code"],
  [DELETED, "del"],
  [EMPHASIS, "em"],
  [STRONG, "strong"],
  [SUBSCRIPT, "sub"],
  [SUPERSCRIPT | NOTE, "sup"],
  [FORMULA, "code"],
]);

/** The elements of containers. */
const ELEMENTS = { quote: "blockquote", item: "li", note: "div" };

/** @param {Span} span @returns {Node} */
function inline(span) {
  /** @type {Node} */
  let node = document.createTextNode(span.text);
  if (span.src) {
    node = make("span", `Image: ${span.alt || "without a description"}`);
    /** @type {HTMLElement} */ (node).className = "image";
  }
  for (const [mark, name] of MARKS) if (span.marks & mark) node = make(name, node);
  const href = safeUrl(span.href, "", LINK_SCHEMES); // checked again, since a content script may send anything
  if (!href) return node;
  const link = /** @type {HTMLAnchorElement} */ (make("a", node));
  link.href = href;
  link.rel = "noreferrer noopener";
  return link;
}

/** @param {Line[]} lines @returns {(Node | string)[]} the lines with line breaks between them */
function broken(lines) {
  return lines.flatMap((line, i) => [...(i ? [make("br")] : []), ...line.map(inline)]);
}

/** @param {Part} part @returns {HTMLElement} */
function block(part) {
  if (part.kind === "heading") return make(`h${part.level}`, ...broken(part.lines));
  if (part.kind === "code") return make("pre", make("code", part.code));
  if (part.kind === "rule") return make("hr");
  if (part.kind === "title") return make("p", make("strong", ...broken(part.lines)));
  if (part.kind === "paragraph") return make("p", ...broken(part.lines));
  const rows = part.rows.map((row, number) => {
    const isHeader = part.header && number === 0;
    const cells = row.map((lines, column) =>
      make(isHeader || (part.rowHeaders && column === 0) ? "th" : "td", ...broken(lines)),
    );
    return make("tr", ...cells);
  });
  return make("table", ...rows);
}

/**
 * @param {HTMLElement} root
 * @param {Part[]} parts appends the parts to the root, with their quotes and lists
 */
function write(root, parts) {
  /** @type {Container[]} */
  let before = [];
  /** Per open container its element. @type {HTMLElement[]} */
  let open = [];
  for (const part of parts) {
    const common = sharedContainers(before, part.within);
    const closed = before[common];
    const closedElement = open[common];
    open = open.slice(0, common);
    for (const container of part.within.slice(common)) {
      const parent = open.at(-1) ?? root;
      const element = make(ELEMENTS[container.kind]);
      if (container.kind === "item" && container.label) element.append(container.label === "x" ? "☑ " : "☐ ");
      if (container.kind === "note") element.append(make("sup", `[${container.label}]`));
      if (container.kind !== "item") {
        parent.append(element);
      } else {
        const isSameList = open.length === common && closed?.kind === "item" && closed.listNode === container.listNode;
        const list = isSameList ? closedElement?.parentElement : null;
        if (list) list.append(element);
        else {
          const made = make(container.number === null ? "ul" : "ol", element);
          if (container.number !== null) /** @type {HTMLOListElement} */ (made).start = container.number;
          parent.append(made);
        }
      }
      open.push(element);
    }
    (open.at(-1) ?? root).append(block(part));
    before = part.within;
  }
}

/** @param {Content} content */
function show(content) {
  const article = byId("content");
  document.title = content.title || "Reader view";
  if (/^[A-Za-z0-9-]{1,35}$/.test(content.lang)) article.lang = content.lang;
  article.dir = content.dir === "rtl" ? "rtl" : "ltr";
  const [first] = content.parts;
  const hasHeadline = first?.kind === "heading" && first.level === 1;
  if (content.title && !hasHeadline) article.append(make("h1", content.title));
  write(article, content.parts);
  if (!content.parts.length) article.append(make("p", "The model finds no main text on this page."));
  const source = /** @type {HTMLAnchorElement} */ (byId("source"));
  source.href = safeUrl(content.url, "", LINK_SCHEMES) || "#";
  for (const form of /** @type {const} */ (["text", "markdown"])) {
    byId(form).addEventListener("click", async () => {
      await navigator.clipboard.writeText(content[form]);
      byId("message").textContent = "Copied.";
    });
  }
}

const tab = Number(new URLSearchParams(location.search).get("tab"));
const content = await api.tabs.sendMessage(tab, { type: "content" }).catch(() => null);
if (content && !content.error) show(content);
else byId("content").append(make("p", "The page is gone. Open it again and press the button first."));
