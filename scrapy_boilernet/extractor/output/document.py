"""The kept content as a flat list of parts, which the writers of Markdown and HTML share.

A part is a heading, a paragraph, code or a table. It names the quotes and list items around it, so
that nothing is nested and a writer goes through the list once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, groupby
from operator import attrgetter
from typing import Any, NamedTuple

from scrapy_boilernet.extractor.html.paths import SIDE_NOTES
from scrapy_boilernet.extractor.html.walk import INLINE_TAGS
from scrapy_boilernet.extractor.markup import EMBED, NOTE, SUPERSCRIPT, Markup, Span
from scrapy_boilernet.extractor.output.beside import Beside, with_captions
from scrapy_boilernet.extractor.output.budget import (
    LANGUAGE_BYTES,
    STRONG_BYTES,
    Budget,
    span_bytes,
)
from scrapy_boilernet.extractor.output.callouts import callouts_and_titles, with_titles
from scrapy_boilernet.extractor.output.cell_labels import with_labels
from scrapy_boilernet.extractor.output.flat_lists import FlatLists
from scrapy_boilernet.extractor.output.note_labels import with_notes_last
from scrapy_boilernet.extractor.output.parts import (
    Container,
    ContentItem,
    Line,
    Part,
    PartKind,
    Place,
    of_heading,
    shared_containers,
    strong,
)
from scrapy_boilernet.extractor.output.pictures import chosen_pictures, chosen_rules, is_same
from scrapy_boilernet.extractor.output.tables import (
    TableMarkup,
    is_heading_in_cell,
    table_part,
    written_tables,
)
from scrapy_boilernet.extractor.output.urls import IMAGE_SCHEMES, LINK_SCHEMES, SafeUrls, base_url
from scrapy_boilernet.extractor.page import HEADING_TAGS, Page

_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_DEFINITIONS = frozenset(("dt", "dd"))
_TERMS = frozenset(("dt", "summary"))
_LABEL = re.compile(r"\s*[\[(]?(?:(\w{1,8})[\])][.:]?|(\d{1,4})[.:]|([*†‡§¶#※⁂]{1,4})[\])]?)\s+")
"""The label that a page shows before a note."""
_WORD = re.compile(r"\w")
_STRUCTURE = (
    HEADING_TAGS | _LISTS | _DEFINITIONS | _TERMS | {"details", "li", "blockquote", "pre", "table"}
)
_new_tuple = tuple.__new__  # a page has many, and it is quicker than calling the type
_BOXES = {"task": " ", "task done": "x"}
"""The labels of items with a box to tick, by the role of their element."""


class Document(NamedTuple):
    """The content of a page."""

    parts: list[Part]
    """In document order."""
    shortened: bool
    """Whether addresses, marks, nesting or empty cells are left out, to bound the size."""


def document_of(
    page: Page, kept: Sequence[bool], beside: Beside | None = None, budget: Budget | None = None
) -> Document:
    """Return the content of a page.

    ``kept``: per block whether it is content. ``beside``: what else is written; None: nothing. The
    document begins with the headline, unless it is content and other content stands before it.
    ``budget``: what several documents of one page share; None: its own. Raises ``ValueError`` if
    the page has no markup.
    """
    if page.markup is None:
        raise ValueError("the page has no markup: read it with blockify(..., markup=True)")
    budget = budget or Budget.of(page.blocks_without_xpaths, page.markup)
    builder = _Builder(page, page.markup, budget)
    return Document(list(builder.parts(kept, beside or Beside())), budget.refused)


class _Builder:
    """Makes the parts of one page."""

    def __init__(self, page: Page, markup: Markup, budget: Budget) -> None:
        self._page = page
        self._markup = markup
        self._budget = budget
        base = base_url(page.url, markup.base)
        self._links, self._images = SafeUrls(base, LINK_SCHEMES), SafeUrls(base, IMAGE_SCHEMES)
        self._table_markup = TableMarkup(markup)
        self._numbers = dict(markup.numbers)
        self._notes = dict(markup.notes)
        self._begun, self._side_notes = set[int](), set[int]()
        """The notes of which a line was made, and those that stand in sentences or are hidden."""
        self._kept_labels: frozenset[str] = frozenset()
        """The labels of the notes that are content."""
        self._callouts, self._titles = callouts_and_titles(markup)
        self._boxes = {node: _BOXES[role] for node, role in markup.roles if role in _BOXES}
        self._flat = FlatLists(markup, self._callouts.keys(), self._shared)
        self._last_items: dict[int, tuple[Container]] = {}
        """The last item of each list, by the number of its element."""
        self._languages = dict(markup.languages)
        self._tables: frozenset[int] = frozenset()
        self._structures: dict[int, tuple[Sequence[int], int]] = {}
        """Results of :meth:`_structure_of` by the ``id`` of the tags, which the page keeps."""
        self._containers: dict[tuple[Any, ...], Container] = {}
        """Each container by itself, so that all blocks share one."""

    def parts(self, kept: Sequence[bool], beside: Beside) -> Iterator[Part]:
        before: tuple[Container, ...] = ()
        found = self._with_headline(self._unbounded(kept, beside), kept, beside.headline)
        if "table" in self._page.names[0]:
            found = with_labels(found, self._page.blocks_without_xpaths)
        for part in with_notes_last(found, self._side_notes) if self._notes else found:
            within = self._budget.containers(part, before) if part.within else ()
            yield part._replace(within=within) if within != part.within else part
            before = within

    def _with_headline(
        self, parts: Iterator[Part], kept: Sequence[bool], headline: Sequence[int]
    ) -> Iterable[Part]:
        """Return the parts with the headline as a heading of level 1, unless it is in a table.

        It comes first, but content stays in the order of the plain text.
        """
        if not headline:
            return parts
        found = list(parts)
        for number, part in enumerate(found):
            own = [i for blocks in part.blocks for i in blocks]
            is_alone = part.kind == "paragraph" and set(own) <= set(headline)
            if headline[0] in own and (part.kind == "heading" or is_alone):
                lines = tuple(of_heading(line, self._page.url or "") for line in part.lines)
                del found[number]
                has_text = any(any(one.blocks) for one in found[:number])
                place = number if kept[headline[0]] and has_text else 0
                found.insert(place, Part("heading", (), lines, 1, blocks=part.blocks))
                break
        return found

    def _unbounded(self, kept: Sequence[bool], beside: Beside) -> Iterator[Part]:
        """Yield the parts, in quotes and list items that may be beyond the budget."""
        items = list(self._items(kept, beside))
        self._tables = written_tables(items, self._page, self._table_markup)
        places = [self._place(item) for item in items]
        if self._callouts:
            items, places = with_titles(items, places, self._titles)
        begin = 0
        before: tuple[Container, ...] = ()
        for (kind, _), group in groupby(places, attrgetter("key")):
            place, *others = group
            end = begin + 1 + len(others)
            if kind == "rule":  # it is in what is around the parts on both sides
                shared = before[: shared_containers(before, place.within)]
                following = places[end].within if end < len(places) else ()
                if not following or following[0].kind != "note":  # notes need no line above them
                    yield Part("rule", shared[: shared_containers(shared, following)])
            else:
                yield from self._parts_of(place, items[begin:end])
            begin, before = end, place.within

    def _parts_of(self, place: Place, members: Sequence[ContentItem]) -> Iterator[Part]:
        """Yield the parts of items that have one place."""
        kind = place.kind
        if kind == "table":
            yield table_part(place.within, members, self._table_markup, self._budget)
        elif kind == "code":
            code = "\n".join(item.raw or _text(item.line) for item in members)
            language = self._language(members[0])
            yield Part("code", place.within, code=code, language=language, blocks=_of(members))
        elif kind == "heading":
            lines = tuple(of_heading(item.line, self._page.url or "") for item in members)
            yield Part("heading", place.within, lines, place.level, blocks=_of(members))
        elif kind == "title":
            lines = tuple(item.line for item in members if item.line)
            yield Part("title", place.within, lines, blocks=_of(members))
        elif len(members) == 1 and not place.term:
            yield Part("paragraph", place.within, (members[0].line,), blocks=_of(members))
        else:
            for same in self._paragraphs(members):
                lines = tuple(item.line for item in same)
                is_strong = place.term and self._budget.gives(STRONG_BYTES * len(lines))
                term = tuple(map(strong, lines)) if is_strong else lines
                yield Part("paragraph", place.within, term, blocks=_of(same), term=place.term)

    def _items(self, kept: Sequence[bool], beside: Beside) -> Iterator[ContentItem]:
        """Yield the kept blocks, those beside, pictures and thematic breaks in document order."""
        blocks, spans = self._page.blocks_without_xpaths, self._markup.spans
        if self._notes:
            inside = {node for i in compress(range(len(blocks)), kept) for node in blocks[i].nodes}
            self._kept_labels = frozenset(self._notes[n] for n in self._notes.keys() & inside)
        chosen, kept = chosen_rules(self._markup.rules, blocks, kept)
        rules = iter([*chosen, None])
        rule = next(rules)
        headline, is_post = beside.headline, beside.is_post
        shown = [*chosen_pictures(self._markup.pictures, blocks, kept, headline, is_post)]
        kept = with_captions(kept, beside.captions, shown, blocks)
        pictures = iter([*shown, None])
        picture = next(pictures)
        written = [i for i, keep in enumerate(kept) if keep or i in headline]
        for i in (*written, len(blocks)):
            while picture is not None and picture.before <= i:
                if line := self._line((picture.span,)):
                    yield ContentItem(picture.tags, picture.nodes, line, -1, "", False)
                picture = next(pictures)
            if i == len(blocks):
                break
            while rule is not None and rule.before <= i:
                yield ContentItem(rule.tags, rule.nodes, (), -1, "", False, True)
                rule = next(rules)
            block, block_spans = blocks[i], spans[i]
            layout = "table" in block.tags and "presentation" in " ".join(block.class_words)
            line = (block_spans and self._line(block_spans)) or (Span(block.text),)
            if self._notes:
                line = self._without_label(block.nodes, line)
                if not line:
                    continue
            item = (block.tags, block.nodes, line, i, block.preformatted, layout, False)
            yield _new_tuple(ContentItem, item)

    def _without_label(self, nodes: Sequence[int], line: Line) -> Line:
        """Return the first line of a note without its label, which Markdown writes; perhaps ()."""
        for node in nodes:
            if node in self._notes and node not in self._begun:
                self._begun.add(node)
                label = self._notes[node].lower()
                if _text(line).strip("[]()").lower() == label:
                    return ()
                shown = _LABEL.match(line[0].text)
                if shown and (shown[3] or (shown[1] or shown[2]).lower() == label):
                    return (line[0]._replace(text=line[0].text[shown.end() :]), *line[1:])
        return line

    def _place(self, item: ContentItem) -> Place:
        within: list[Container] = []
        tags, nodes = item.tags, item.nodes
        last_list, term = 0, False
        structure, block = self._structure_of(tags)
        if note := next((n for n in nodes if n in self._notes), 0) if self._notes else 0:
            self._side_notes.update((note,) if tags[nodes.index(note)] in SIDE_NOTES else ())
            structure = [i for i in structure if nodes[i] > note]
            within.append(self._shared("note", note, 0, None, self._notes[note]))
        structure = self._flat.structure_with(structure, nodes)
        for i in structure:
            tag, node = tags[i], nodes[i]
            if tag in _LISTS:
                # A list directly in a list belongs to the item before it.
                within += self._last_items.get(last_list, ())
                last_list = self._flat.wholes.get(node, node)
            elif node in self._flat.levels:
                within += self._flat.items(node, nodes[i - 1 - (tag == "li")] if i else 0)
            elif tag == "li" and node not in self._flat.posts:
                # An item outside of a list belongs to the element around it.
                within.append(self._item(node, last_list or (nodes[i - 1] if i else 0)))
                last_list = 0
            elif tag == "blockquote" or node in self._callouts:
                within.append(self._shared("quote", node, 0, None, self._callouts.get(node, "")))
            elif tag in _TERMS or tag in _DEFINITIONS or tag == "details":
                term = tag in _TERMS
            elif kind := self._own_kind(item, tag, node):
                return Place(
                    kind, (kind, node), tuple(within), int(tag[1]) if kind == "heading" else 0
                )
        last = max(nodes[block] if block >= 0 else 0, note)
        if item.is_rule:
            return Place("rule", ("rule", last), tuple(within))
        return _new_tuple(Place, ("paragraph", ("paragraph", last), tuple(within), 0, term))

    def _item(self, node: int, list_node: int) -> Container:
        """Return the container of a list item."""
        number, box = self._numbers.get(node), self._boxes.get(node, "")
        item = self._shared("item", node, list_node, number, box)
        if list_node:
            self._last_items[list_node] = (item,)
        return item

    def _own_kind(self, item: ContentItem, tag: str, node: int) -> PartKind | None:
        """Return the kind of the part that is all of an element; None for others."""
        if tag in HEADING_TAGS:
            return "heading"
        if tag == "pre" and item.block >= 0:
            return "code"
        if tag == "table" and node in self._tables and "caption" not in item.tags:
            return None if is_heading_in_cell(item.tags) else "table"
        return None

    def _shared(self, *fields: Any) -> Container:
        known = self._containers.get(fields)  # which equals a container of the same fields
        if known is None:
            container = Container(*fields)
            known = self._containers[container] = container
        return known

    def _structure_of(self, tags: tuple[str, ...]) -> tuple[Sequence[int], int]:
        """Return (indexes of the tags that make structure, index of the last tag not inline).

        The second is -1 if all tags are inline. Blocks of one template share their tags.
        """
        known = self._structures.get(id(tags))
        if known is None:
            structure = [i for i, tag in enumerate(tags) if tag in _STRUCTURE]
            block = next((i for i in reversed(range(len(tags))) if tags[i] not in INLINE_TAGS), -1)
            known = self._structures[id(tags)] = (structure, block)
        return known

    def _paragraphs(self, items: Sequence[ContentItem]) -> Iterator[Sequence[ContentItem]]:
        """Yield the items of each paragraph in one element, each of which is a line; a single
        ``<br>`` only ends a line.
        """
        lines: list[ContentItem] = []
        before = -2
        for item in items:
            follows = 0 <= item.block == before + 1 and self._markup.breaks[item.block] == 1
            if lines and not follows:
                yield lines
                lines = []
            lines.append(item)
            before = item.block if item.block >= 0 else -2
        yield lines

    def _language(self, item: ContentItem) -> str:
        language = next(filter(None, map(self._languages.get, item.nodes)), "")
        return language if language and self._budget.gives(len(language) + LANGUAGE_BYTES) else ""

    def _line(self, spans: Iterable[Span]) -> Line:
        """Return the spans, with safe addresses only, as long as the budget gives them.

        Images without an address are left out, and so are the second of one image in two sizes, and
        signs that link to their heading, such as a pilcrow.
        """
        line: list[Span] = []
        image: Span | None = None
        for span in spans:
            if span.src and image is not None and is_same(image, span):
                if line[-1].text.isspace():
                    del line[-1]
                continue
            if span.src or (image is not None and not span.text.isspace()):
                image = span if span.src else None
            if not (span.href or span.src or span.marks):
                line.append(span)
                continue
            if span.href[:1] == "#" and not span.src and not _WORD.search(span.text):
                continue
            given = Span(span.text) if self._budget.is_spent else self._given(span)
            if given.text or given.src:
                line.append(given)
        return tuple(line)

    def _given(self, span: Span) -> Span:
        """Return the span with its safe addresses, or without any if the budget is used up."""
        if span.marks & NOTE and span.text.strip()[1:-1] in self._kept_labels:
            return Span(span.text, "", NOTE if self._budget.gives(span_bytes(span)) else 0)
        if span.marks & EMBED:
            address = self._images[span.href]
            safe = Span(address, address, EMBED)
            is_whole = address.startswith(("http://", "https://"))  # else it would be a tag
            return safe if is_whole and self._budget.gives(span_bytes(safe)) else Span("")
        if span.marks & NOTE:
            span = span._replace(marks=SUPERSCRIPT)
        href = "" if span.href.strip() in ("", "#") else self._links[span.href]
        src = self._images[span.src] if span.src else ""
        safe = Span(span.text, href, span.marks, src, span.alt)
        return safe if self._budget.gives(span_bytes(safe)) else Span(span.text)


def _of(items: Sequence[ContentItem]) -> tuple[tuple[int, ...], ...]:
    """Return the ``blocks`` of a part that is no table."""
    return tuple([(item.block,) if item.block >= 0 else () for item in items])


def _text(line: Line) -> str:
    return "".join(span.text for span in line).strip()
