"""Bounds the size of Markdown and HTML: four times the bytes of the page, and 1,000,000.

An address can be shared by all blocks of a page, a prefix by all lines of a quote. A small page
would otherwise become hundreds of megabytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from scrapy_boilernet.extractor.markup import (
    CODE,
    DELETED,
    DISPLAY,
    EMBED,
    EMPHASIS,
    FORMULA,
    NOTE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Markup,
    Span,
)
from scrapy_boilernet.extractor.output.parts import Container, Part, shared_containers
from scrapy_boilernet.extractor.page import Block

TIMES_BYTES = 4
"""Escaping makes at most four bytes of one: ``&lt;`` of ``<``."""
FREE_BYTES = 1_000_000
"""A page of 5,000 links with addresses of 180 characters takes less."""
MAX_NESTED = 20
"""Quotes and list items around a part; deeper ones are left out."""
STRONG_BYTES = len("<strong></strong>")
_MARK_BYTES = {
    STRONG: STRONG_BYTES, EMPHASIS: 9, DELETED: 11, CODE: 13, SUPERSCRIPT: 11, SUBSCRIPT: 11,
    FORMULA: len('<span class="math inline">\\(\\)</span>'), DISPLAY: 1,
    NOTE: len('<sup><a href="#fn-"></a></sup>') + 40, EMBED: len(' class="embed"'),
}  # fmt: skip
"""The tags of a mark in HTML, which are longer than Markdown's signs."""
_MARKS_BYTES = tuple(
    sum(size for mark, size in _MARK_BYTES.items() if marks & mark) for marks in range(2 * EMBED)
)
LANGUAGE_BYTES = len(' class="language-"')
EMPTY_CELL_BYTES = len(" |  | --- | ")
"""An empty cell and its part of an empty header and of the line below it, in Markdown."""
PADDING_BYTES = len(" | ")
"""An empty cell at the end of a row, in Markdown."""
CODE_LINE_BYTES = len("<br><code></code>")
_LINK_BYTES, _IMAGE_BYTES = len('<a href=""></a>'), len('<img src="" alt="">')
_ITEM_BYTES, _CONTAINER_BYTES = len("<li></li>\n"), len('<ol start="">\n<li></li>\n</ol>\n')
_LABEL_BYTES, _VALUE_BYTES = 80, len(' value="999999999"')
"""The tags and the title of a callout, or the box of an item; the number of an item."""
_BLOCK_BYTES, _CODE_BYTES = 16, len("<pre><code></code></pre>\n")
"""The tags of a block, ``<h1></h1>`` at most, and those of code."""
_ROW_BYTES = len("<table>\n<thead><tr></tr></thead>\n</table>\n")


class Budget:
    """The bytes that are left for addresses, marks, nesting and empty cells.

    Once they are used up, nothing more is given, and the rest of the page is written without these.
    Markdown and HTML are made of the same parts; each part counts as in the larger of the two.
    """

    def __init__(self, left: int) -> None:
        self._left = left
        self.refused = False
        """Whether something was not given."""

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is given."""
        return self._left < 0

    @classmethod
    def of(cls, blocks: Sequence[Block], markup: Markup) -> Budget:
        """Return the budget of a page: the bound, less the texts and the tags of their blocks."""
        code = [block for block in blocks if block.preformatted]
        texts = sum([len(block.text) for block in blocks])
        texts += sum(max(0, len(block.preformatted) - len(block.text)) for block in code)
        tags = _CODE_BYTES * len(code) + _BLOCK_BYTES * len(blocks)
        tags += _ROW_BYTES * len(markup.rows)
        bound = FREE_BYTES + TIMES_BYTES * markup.page_bytes
        return cls(max(0, bound - TIMES_BYTES * texts - tags))

    def gives(self, size: int) -> bool:
        """Return whether so many bytes were left, and take them."""
        if size > self._left:
            self._left, self.refused = -1, True
            return False
        self._left -= size
        return True

    def has(self, size: int) -> bool:
        """Return whether so many bytes are left."""
        return size <= self._left

    def containers(self, part: Part, before: Sequence[Container]) -> tuple[Container, ...]:
        """Return the quotes and list items around a part that are given, at most 20.

        ``before``: those around the part before.
        """
        within = part.within[:MAX_NESTED]
        if not self.gives(_nesting_bytes(part, within, before)):
            within = ()
        self.refused = self.refused or within != part.within
        return within


def span_bytes(span: Span) -> int:
    """Return how many bytes a span takes besides its text, with its addresses."""
    size = _MARKS_BYTES[span.marks]
    if span.href:
        size += _LINK_BYTES + _address_bytes(span.href) * (2 if span.marks & EMBED else 1)
    if span.src:
        alt = _bytes(escape(span.alt)) + len(span.alt)  # one for each backslash in Markdown
        size += _IMAGE_BYTES + _address_bytes(span.src) + alt
    return size


def _address_bytes(address: str) -> int:
    """Return the size of an address with its ``&`` as ``&amp;``, its brackets as ``%28``."""
    brackets = address.count("(") + address.count(")")
    return _bytes(address) + 4 * address.count("&") + 2 * brackets


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))


def _nesting_bytes(part: Part, within: Sequence[Container], before: Sequence[Container]) -> int:
    """Return how many bytes the quotes and list items around a part take.

    Each line of Markdown begins with the signs of all, and so do a blank line before the part, a
    table's header and the line below it, and the fences of code.
    """
    lines = len(part.lines) + 1
    if part.kind in ("table", "code"):
        lines = len(part.rows) + part.code.count("\n") + 4
    signs = sum(2 if one.number is None else 2 + len(str(one.number)) for one in within)
    common = shared_containers(before, within)
    opened = (len(within) - common) * _CONTAINER_BYTES
    opened += sum(_LABEL_BYTES for one in within[common:] if one.label)
    opened += sum(_VALUE_BYTES for one in within[common:] if one.number is not None)
    if 0 < _list_at(common, within) == _list_at(common, before):
        opened += _ITEM_BYTES - _CONTAINER_BYTES  # the item goes on with its list
    return lines * signs + opened


def _list_at(depth: int, containers: Sequence[Container]) -> int:
    return containers[depth].list_node if depth < len(containers) else 0
