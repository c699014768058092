"""``Markup``: links, marks, images and tables of a page, for its Markdown and HTML.

It is plain data, free of lxml. A page has it only if it was asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

STRONG, EMPHASIS, CODE, DELETED, SUPERSCRIPT, SUBSCRIPT, FORMULA, DISPLAY, NOTE, EMBED = (
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
)  # fmt: skip
"""The marks of a span; a span can have several, as their sum. ``FORMULA``: the text is TeX;
``DISPLAY``: on a line of its own. A formula has no other marks. ``EMBED``: the span is a video, a
post or the like that the page embeds; its ``href`` is the address."""


class Span(NamedTuple):
    """A part of a block's text with one link and one set of marks, or an image."""

    text: str
    """White space collapsed; it may begin or end with a space. "" for an image or an embed."""
    href: str = ""
    """The address of the link around it, as the page writes it; "" outside of links."""
    marks: int = 0
    """The sum of its marks, such as ``STRONG + CODE``."""
    src: str = ""
    """The address of the image, as the page writes it; "" for text."""
    alt: str = ""
    """The alternative text of the image."""


class Picture(NamedTuple):
    """An image, or what the page embeds, that no block holds."""

    before: int
    """Index of the block before which it stands; the number of blocks after the last one."""
    tags: tuple[str, ...]
    """As in a block, without the image itself."""
    nodes: tuple[int, ...]
    """As in a block, without the image itself."""
    span: Span
    hidden: bool = False
    """Whether the page hides it."""
    element: int = 0
    """The number of its element if that has texts, which are read; 0: it has none."""


class Rule(NamedTuple):
    """A thematic break, ``<hr>``."""

    before: int
    """Index of the block before which it stands; the number of blocks after the last one."""
    tags: tuple[str, ...]
    """As in a block, without the break itself."""
    nodes: tuple[int, ...]
    """As in a block, without the break itself."""


class Cell(NamedTuple):
    """A cell of a table's row, also one without text."""

    columns: int = 1
    """How many columns it spans, 1 to 100."""
    rows: int = 1
    """How many rows it spans, 1 to 1,000."""
    header: bool = False
    """Whether it is a ``<th>``."""


@dataclass(frozen=True, slots=True)
class Markup:
    """The markup of a page in block units. Elements have the numbers of ``Block.nodes``."""

    spans: tuple[tuple[Span, ...], ...] = ()
    """Per block its spans. Their texts are the block's text, except for spaces beside images. () if
    the text has neither links nor marks nor images."""
    breaks: tuple[int, ...] = ()
    """Per block how many ``<br>`` are between it and the block before."""
    pictures: tuple[Picture, ...] = ()
    """The images outside of blocks, in document order."""
    numbers: tuple[tuple[int, int], ...] = ()
    """Per item of an ordered list: (number of the element, number of the item)."""
    rows: tuple[tuple[int, tuple[Cell, ...]], ...] = ()
    """Per table row with text: (number of the element, all its cells)."""
    cells: tuple[tuple[int, int], ...] = ()
    """Per table cell with text: (number of the element, its index in the row)."""
    languages: tuple[tuple[int, str], ...] = ()
    """Per ``<pre>`` that names a programming language: (number of the element, the name)."""
    ids: tuple[tuple[int, str], ...] = ()
    """Per element around a block that has an id: (number of the element, the id)."""
    notes: tuple[tuple[int, str], ...] = ()
    """Per footnote that a mark links to: (number of the element, label of the note)."""
    rules: tuple[Rule, ...] = ()
    """The thematic breaks that the page shows, in document order."""
    roles: tuple[tuple[int, str], ...] = ()
    """Per element with a role: (number of the element, role). ``callout note`` and the like: a box
    such as a warning; ``title``: the title of one; ``task``, ``task done``: an item with a box to
    tick; ``item 2 7``: a paragraph that is the item 7 of a list in a list, ``item 1`` one without a
    number; ``list 9``: a list of those that are one; ``post``: an item that is a post."""
    base: str = ""
    """The page's ``<base href>``, as the page writes it."""
    page_bytes: int = 0
    """The size of the page, without compression; as UTF-8 if that is less."""
