"""Bounds what Markdown and HTML of a page have besides its text.

An address can be shared by all blocks of a page, a prefix by all lines of a quote. A small page
would otherwise become hundreds of megabytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from scrapy_boilernet.markup import CODE, DELETED, EMPHASIS, STRONG, Span
from scrapy_boilernet.output.parts import Container, Part, shared_containers
from scrapy_boilernet.page import Page

FREE_CHARS = 500_000
"""A page of 2,000 links with addresses of 200 characters takes less."""
MAX_NESTED = 20
"""Quotes and list items around a part; pages of eight labeled sets have at most 15."""
_LINK_CHARS, _IMAGE_CHARS = len('<a href=""></a>'), len('<img src="" alt="">')
_MARK_CHARS = {STRONG: 17, EMPHASIS: 9, DELETED: 11, CODE: 13}
"""Characters of a mark's tags in HTML, which are longer than Markdown's signs."""
_MARKS_CHARS = tuple(
    sum(chars for mark, chars in _MARK_CHARS.items() if marks & mark) for marks in range(16)
)
_CONTAINER_CHARS = len('<ol start="999999999">\n<li></li>\n</ol>\n')
"""Characters of a quote or list item in HTML at most."""
CODE_CHARS = len(' class="language-"')
EMPTY_CELL_CHARS = len("<td></td>")


class Budget:
    """The characters that are left for addresses, marks, nesting and empty cells.

    Once they are used up, nothing more is given, and the rest of the page is written without these.
    """

    def __init__(self, chars: int) -> None:
        self._left = chars
        self.refused = False
        """Whether something was not given."""

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is given."""
        return self._left < 0

    @classmethod
    def of(cls, page: Page) -> Budget:
        """Return the budget of a page: 500,000 and one per byte that is no text.

        Since escaping makes at most four characters of one, Markdown and HTML then have at most
        four times the bytes of the page and 1,000,000.
        """
        size_bytes = page.markup.page_bytes if page.markup else 0
        return cls(FREE_CHARS + max(0, size_bytes - sum(map(len, page.texts))))

    def gives(self, chars: int) -> bool:
        """Return whether so many characters were left, and take them."""
        if chars > self._left:
            self._left, self.refused = -1, True
            return False
        self._left -= chars
        return True

    def containers(self, part: Part, before: Sequence[Container]) -> tuple[Container, ...]:
        """Return the quotes and list items around a part that are given.

        ``before``: those around the part before.
        """
        within = part.within[:MAX_NESTED]
        if not self.gives(_nesting_chars(part, within, before)):
            within = ()
        self.refused = self.refused or within != part.within
        return within


def span_chars(span: Span) -> int:
    """Return how many characters a span takes besides its text, with its addresses."""
    chars = _MARKS_CHARS[span.marks]
    if span.href:
        chars += _LINK_CHARS + _written_chars(span.href)
    if span.src:
        chars += _IMAGE_CHARS + _written_chars(span.src) + len(escape(span.alt))
    return chars


def _written_chars(address: str) -> int:
    return len(address) + 4 * address.count("&")  # "&amp;"


def _nesting_chars(
    part: Part, within: Sequence[Container], before: Sequence[Container]
) -> int:
    """Return how many characters the quotes and list items around a part take.

    Each line of the part begins with the signs of all.
    """
    lines = len(part.lines) + len(part.rows) + part.code.count("\n") + 3
    signs = sum(2 + len(str(container.number or "")) for container in within)
    opened = len(within) - shared_containers(before, within)
    return lines * signs + opened * _CONTAINER_CHARS
