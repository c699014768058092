"""The walk that also gathers a page's :class:`~scrapy_boilernet.extractor.markup.Markup`.

It sees the runs of text that become blocks, before they are merged, so each block's spans are its
own text. Each element is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any

from lxml import etree

from scrapy_boilernet.extractor.html.code import language_of
from scrapy_boilernet.extractor.html.embed_boxes import box_address
from scrapy_boilernet.extractor.html.embeds import EMBED_TAGS, embed_of
from scrapy_boilernet.extractor.html.emphasis import marks_inside
from scrapy_boilernet.extractor.html.images import (
    IMAGE_TAGS,
    Attributes,
    given_number,
    shown_image,
)
from scrapy_boilernet.extractor.html.paths import MAX_ANCESTORS, Frame
from scrapy_boilernet.extractor.html.raised import as_plain_text
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.style_sheets import Rules
from scrapy_boilernet.extractor.html.walk import INLINE_TAGS, ROW_TAGS, Run, Walk, is_apart, whole
from scrapy_boilernet.extractor.markup import (
    EMBED,
    Cell,
    Markup,
    Picture,
    Rule,
    Span,
)
from scrapy_boilernet.extractor.page import Block

STRUCTURE = frozenset(("ol", "td", "th", "pre"))
"""Elements that :class:`~scrapy_boilernet.extractor.markup.Markup` records, or whose items."""
_MAX_COLUMNS, _MAX_ROWS = 100, 1000
_new_tuple = tuple.__new__
_Part = tuple[str, Frame] | Span
"""A text and the element that it is in, or an image."""
_Style = tuple[str, int]
"""The address of the link around a text, and its marks."""
_PLAIN: _Style = ("", 0)


class MarkupWalk(Walk):
    """The walk over a page in block units that also gathers its markup."""

    def __init__(
        self, rules: Rules | None = None, readings: Mapping[etree._Element, Reading] | None = None
    ) -> None:
        super().__init__("block", rules, readings)
        self._paths.ids = []
        self._note = self._record
        self._spans: list[tuple[Span, ...]] = []
        self._breaks: list[int] = [0]
        """The last number belongs to the next block."""
        self._inside: list[tuple[int, Span, Frame]] = []
        """Images in the next block's run, each with the number of texts before it and the element
        around it."""
        self._pictures: list[Picture] = []
        self._seen_nodes: set[int] = set()
        self._structured: dict[int, bool] = {}
        """Whether a tuple of tags, which stays alive, has any of ``STRUCTURE``, by its identity."""
        self._numbers: list[tuple[int, int]] = []
        self._rows: list[tuple[int, tuple[Cell, ...]]] = []
        self._cells: list[tuple[int, int]] = []
        self._notes: list[tuple[int, str]] = []
        self._rules: list[Rule] = []
        self._roles: list[tuple[int, str]] = []
        self._item_numbers: dict[int, list[int]] = {}
        """The numbers of the items of an ordered list, by the number of its element."""
        self._languages: list[tuple[int, str]] = []
        self._cell_index: dict[etree._Element, int] = {}
        self._styles: dict[int, _Style] = {}
        """Styles by the number of an element that is inline or in a link."""
        self._base = ""
        self._marked: Run | None = None
        """The run with superscripts and subscripts that are only marked; None if it has none."""

    def markup(self, most: int) -> Markup:
        """Return the markup of the first ``most`` blocks, once the walk is done."""
        return Markup(
            spans=tuple(self._spans[:most]),
            breaks=tuple(self._breaks[: min(most, len(self._spans))]),
            pictures=tuple(picture for picture in self._pictures if picture.before <= most),
            numbers=tuple(self._numbers),
            rows=tuple(self._rows),
            cells=tuple(self._cells),
            languages=tuple(self._languages),
            notes=tuple(self._notes),
            rules=tuple(rule for rule in self._rules if rule.before <= most),
            roles=tuple(self._roles),
            base=self._base,
            ids=tuple(sorted(self._paths.ids or ())),
        )

    def _parts(self, run: Run) -> Iterator[Run]:
        parts = [*Walk._parts(self, run)]
        if self._inside and parts[0] is not run:
            self._inside = [*self._shown_images(run)]
        yield from parts

    def _shown_images(self, run: Run) -> Iterator[tuple[int, Span, Frame]]:
        """Yield the images of a run that is shown only in part, by the texts that are shown."""
        shown = self._shown(run)
        leading = next(i for i, piece in enumerate(shown) if piece and not piece[0].isspace())
        before = [*accumulate((piece is not None for piece in shown[leading:]), initial=0)]
        for place, image, frame in self._inside:
            if not self._paths.hidden_by(frame):
                yield before[max(0, place - leading)], image, frame

    def _in_plain_text(self, run: Run) -> Run:
        plain = Walk._in_plain_text(self, run)
        self._marked = None if plain is run else self._in_plain_text_without(run)
        return plain

    def _in_plain_text_without(self, run: Run) -> Run:
        """Return the run with its ruby as plain text, and its superscripts and subscripts as they
        are.
        """
        parts = [(text, self._mark(frame), frame.link) for text, frame in run]
        texts = as_plain_text(parts, scripts=False)
        return [(text, frame) for text, (_, frame) in zip(texts, run, strict=True)]

    def _block(self, run: Run) -> Block:
        block = Walk._block(self, run)  # quicker than super()
        run, self._marked = self._marked or run, None
        frame = run[0][1]
        spans: tuple[Span, ...] = ()
        if self._inside:
            spans = tuple(_collapsed(self._with_images(run), self._style))
            self._inside.clear()
        elif len(run) > 1 and not self._are_alike(run):
            spans = tuple(_collapsed(_with_spaces(run), self._style))
        elif (style := self._style(frame)) != _PLAIN:
            spans = (_span(block.text, style),)
        self._spans.append(spans)
        self._breaks.append(0)
        tags = block.tags
        structured = self._structured.get(id(tags))
        if structured is None:
            own = not STRUCTURE.isdisjoint(tags) or len(tags) >= MAX_ANCESTORS
            structured = self._structured[id(tags)] = own
        if structured or self.readings:
            self._look_at(frame)
        return block

    def _record(
        self, element: etree._Element, parent: Frame | None, length: int, number: int
    ) -> None:
        """Record an image, an embed, a line break, a thematic break or the page's base."""
        if element.tag == "br":
            self._breaks[-1] += 1
        elif element.tag == "hr":
            hides = parent and (self._paths.hidden_by(parent) or self._paths.hides_itself(element))
            if parent is not None and not hides:
                self._paths.locate(parent)
                self._look_at(parent)
                self._rules.append(Rule(len(self._spans), parent.path[0], parent.nodes))
        elif element.tag == "base":
            self._base = self._base or (element.get("href") or "").strip()
        elif parent is not None and (span := shown_by(element, bool(length))):
            if span.src:
                span = span._replace(href=self._style(parent)[0])
            if length:
                self._inside.append((length, span, parent))
            else:
                self._paths.locate(parent)
                self._look_at(parent)
                place = (len(self._spans), parent.path[0], parent.nodes)
                hidden, own = bool(self._paths.hidden_by(parent)), _number_of(element, number)
                self._pictures.append(Picture(*place, span, hidden, own))

    def _are_alike(self, run: Run) -> bool:
        """Return whether all texts except white space have the same link and marks."""
        first = run[0][1]
        link, style = first.link, self._style(first)
        for text, frame in run:
            if frame is first or text.isspace():
                continue
            if frame.link != link or self._style(frame) != style:
                return False
        return True

    def _with_images(self, run: Run) -> Iterator[_Part]:
        """Yield the run's texts and images in order, with the spaces of :func:`_with_spaces`."""
        images: Iterator[tuple[int, Span | None]] = iter(
            [*((place, image) for place, image, _ in self._inside), (0, None)]
        )
        place, image = next(images)
        number, before, chars_before = 0, run[0][1], 0
        for frame, same in groupby(run, itemgetter(1)):
            texts = [text for text, _ in same]
            chars = sum(map(len, texts))
            if number and chars_before > 1 and chars > 1 and is_apart(before, frame):
                yield " ", frame
            for text in texts:
                while image is not None and place <= number:
                    yield image
                    place, image = next(images)
                yield text, frame
                number += 1
            before, chars_before = frame, chars
        while image is not None:
            yield image
            place, image = next(images)

    def _style(self, frame: Frame) -> _Style:
        """Return the link around the texts of an element, and their marks.

        The marks are those of the inline elements around them, up to the first that is not inline.
        """
        if not frame.link and frame.tag not in INLINE_TAGS:
            return _PLAIN
        known = self._styles.get(frame.node)
        if known is not None:
            return known
        unknown: list[Frame] = []
        above: Frame | None = frame
        href, marks = style = _PLAIN
        while above is not None and (above.link or above.tag in INLINE_TAGS):
            if above.node in self._styles:
                href, marks = style = self._styles[above.node]
                break
            unknown.append(above)
            above = above.parent
        for inner in reversed(unknown):
            tag = inner.tag
            if tag == "a":
                href = inner.element.get("href") or ""
            own = inner.element.get("style") or ""
            marks = marks_inside(marks, tag, own) if tag in INLINE_TAGS else 0
            if tag == "cite" and is_whole_source(inner.element.get("class"), inner.element):
                marks = style[1]
            if self.readings and (reading := self.readings.get(inner.element)):
                href, marks = reading.href or href, reading.marks or marks
            if style[0] is not href or style[1] != marks:
                style = (href, marks)
            self._styles[inner.node] = style
        return style

    def _look_at(self, frame: Frame | None) -> None:
        """Record the list items, cells and ``<pre>`` elements around a block, each once."""
        while frame is not None and frame.node not in self._seen_nodes:
            self._seen_nodes.add(frame.node)
            parent = frame.parent
            if self.readings and (reading := self.readings.get(frame.element)):
                self._notes += [(frame.node, reading.label)] if reading.label else []
                self._roles += [(frame.node, reading.role)] if reading.role else []
            is_item = frame.tag == "li" and frame.element.tag == "li"
            if is_item and parent is not None and parent.tag == "ol":
                if parent.node not in self._item_numbers:
                    items = [child for child in parent.element if child.tag == "li"]
                    self._item_numbers[parent.node] = item_numbers(parent.element, items)
                number = self._item_numbers[parent.node][frame.step - 1]
                self._numbers.append((frame.node, number))
            elif frame.tag in ("td", "th") and parent is not None and parent.tag in ROW_TAGS:
                if frame.element not in self._cell_index:
                    self._look_at_row(parent)
                self._cells.append((frame.node, self._cell_index[frame.element]))
            elif frame.tag == "pre" and (language := language_of(frame.element)):
                self._languages.append((frame.node, language))
            frame = parent

    def _look_at_row(self, row: Frame) -> None:
        readings = ((child, self.readings.get(child)) for child in row.element)
        tags = ((child, reading.tag if reading else child.tag) for child, reading in readings)
        cells = {child: tag for child, tag in tags if tag in ("td", "th")}
        self._cell_index.update((cell, i) for i, cell in enumerate(cells))
        own = tuple(table_cell(cell, is_header=tag == "th") for cell, tag in cells.items())
        self._rows.append((row.node, own))


def shown_by(element: etree._Element, in_text: bool) -> Span | None:
    """Return what an element shows: an image without its link, or an embed; None for neither."""
    if element.tag not in IMAGE_TAGS:
        is_box = element.tag not in EMBED_TAGS
        address = box_address(element) if is_box else embed_of(element)
        address = "" if in_text and element.tag == "audio" else address
        return Span("", address, EMBED) if address else None
    image = shown_image(element, in_text)
    return Span("", "", 0, *image) if image else None


def _number_of(element: etree._Element, number: int) -> int:
    """Return the number of an element whose texts are read, 0 for others."""
    return number if element.tag == "blockquote" else 0


def _with_spaces(run: Run) -> Run:
    """Return the run with the spaces of :func:`~scrapy_boilernet.extractor.html.walk.joined`."""
    pieces: Run = []
    before, chars_before = run[0][1], 0
    for piece in whole(run):
        text, frame = piece
        chars = len(text)
        if chars > 1 and chars_before > 1 and is_apart(before, frame):
            pieces.append((" ", frame))
        pieces.append(piece)
        before, chars_before = frame, chars
    return pieces


def _collapsed(parts: Iterable[_Part], style_of: Callable[[Frame], _Style]) -> list[Span]:
    """Return the spans of the parts, with white space collapsed over all of them.

    A space stays in the part that it is in. Adjacent texts of one style become one span.
    """
    spans: list[Span] = []
    texts: list[str] = []  # the texts of the next span
    style: _Style = _PLAIN  # the style of these texts
    begun = trails = False  # whether there was a part; whether white space ends its text
    gap: Frame | None = None  # the element of white space between two texts
    for part in parts:
        raw = text = ""
        if not isinstance(part, Span):
            raw = part[0]
            text = " ".join(raw.split())
            if not text:
                gap = gap or part[1]
                continue
        if trails:
            texts.append(" ")
        elif gap is not None and begun:
            own = style_of(gap)
            if own != style:
                style = _flush(spans, texts, style, own)
            texts.append(" ")
        elif begun and raw[:1].isspace():
            text = f" {text}"
        if isinstance(part, Span):
            style = _flush(spans, texts, style, style)
            spans.append(part)
            trails = False
        else:
            own = style_of(part[1])
            if own != style:
                style = _flush(spans, texts, style, own)
            texts.append(text)
            trails = raw[-1].isspace()
        begun, gap = True, None
    _flush(spans, texts, style, style)
    return spans


def _flush(spans: list[Span], texts: list[str], style: _Style, following: _Style) -> _Style:
    """Add the span of the texts, if there are any, and clear them; return the following style."""
    if texts:
        spans.append(_span("".join(texts), style))
        texts.clear()
    return following


def _span(text: str, style: _Style) -> Span:
    return _new_tuple(Span, (text, *style, "", ""))  # what Span's own __new__ does


def is_whole_source(class_words: str | None, inside: Iterable[Any]) -> bool:
    """Return whether a ``<cite>`` is a whole reference, in which only the title is emphasized.

    ``class_words``: its class. ``inside``: the elements directly in it.
    """
    if class_words and ("citation" in class_words or "ltx_cite" in class_words):
        return True
    return any(element.tag in ("i", "em", "cite") for element in inside)


def item_numbers(ordered_list: Attributes, items: Sequence[Attributes]) -> list[int]:
    """Return the numbers of the items of an ``<ol>``: those that they state, or else counted from
    the one before; no number is below 0.
    """
    is_reversed = ordered_list.get("reversed") is not None
    step = -1 if is_reversed else 1
    number = given_number(ordered_list, "start", len(items) if is_reversed else 1)
    numbers = []
    for item in items:
        number = given_number(item, "value", number)
        numbers.append(number)
        number = max(number + step, 0)
    return numbers


def table_cell(cell: Attributes, is_header: bool) -> Cell:
    """Return how many columns and rows a ``<td>`` or ``<th>`` spans, within bounds."""
    columns = given_number(cell, "colspan", 1)
    rows = given_number(cell, "rowspan", 1)
    return Cell(min(max(columns, 1), _MAX_COLUMNS), min(max(rows, 1), _MAX_ROWS), is_header)
