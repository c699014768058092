"""The types of a document: a flat list of parts, each with the containers around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from scrapy_boilernet.extractor.markup import FORMULA, STRONG, Span

Line = tuple[Span, ...]
"""A line of text; addresses in it are absolute and safe, or ""."""
TableCell = tuple[Line, ...]
"""The lines of a cell; () without text."""
PartKind = Literal["heading", "paragraph", "code", "table", "title", "rule"]


class Container(NamedTuple):
    """A quote, a list item or a note around a part."""

    kind: Literal["quote", "item", "note"]
    node: int
    """The number of its element."""
    list_node: int = 0
    """The number of the item's list."""
    number: int | None = None
    """The item's number in an ordered list; None in others."""
    label: str = ""
    """The label of a note; the kind of a callout, which is a quote; of an item with a box to tick
    "x" if it is done, else " "; "" of others."""


def shared_containers(one: Sequence[Container], other: Sequence[Container]) -> int:
    """Return how many containers, from the outermost, two parts share."""
    number = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        number += 1
    return number


class Part(NamedTuple):
    """A part of the content."""

    kind: PartKind
    within: tuple[Container, ...]
    """The quotes and list items around the part, from the outermost to the innermost."""
    lines: tuple[Line, ...] = ()
    """The lines of a heading, a paragraph or the title of a callout; () if the callout has none."""
    level: int = 0
    """The level of a heading, 1 to 6; 0 for other kinds."""
    code: str = ""
    """The code, with its line ends and indents."""
    language: str = ""
    """The code's language; "" if it is not known."""
    rows: tuple[tuple[TableCell, ...], ...] = ()
    """The cells of each row of a table. Rows are of one length, unless the table is too large."""
    header: bool = False
    """Whether the table's first row is marked up as its header."""
    row_headers: bool = False
    """Whether rows begin with a cell that is marked up as their header."""
    blocks: tuple[tuple[int, ...], ...] = ()
    """Per line, per block of code or per row of the table the indexes of its blocks; () for a
    picture."""
    term: bool = False
    """Whether it is a paragraph that names what follows: the term of a list of definitions, or the
    summary of details."""


def strong(line: Line) -> Line:
    """Return the line in bold, but for formulas and images."""
    return tuple(
        span if span.marks & FORMULA or span.src else span._replace(marks=span.marks | STRONG)
        for span in line
    )


class Place(NamedTuple):
    """The place of an item in the document."""

    kind: PartKind
    key: tuple[PartKind, int]
    """The part that the item belongs to: its kind and the number of an element."""
    within: tuple[Container, ...]
    level: int = 0
    term: bool = False
    """Whether the item is the term of a list of definitions, or the summary of details."""


class ContentItem(NamedTuple):
    """A kept block or picture."""

    tags: tuple[str, ...]
    nodes: tuple[int, ...]
    line: Line
    block: int
    """The block's index; -1 for a picture and for what the page has no block of."""
    raw: str
    """The block's ``preformatted``."""
    presentation: bool
    """Whether class words of its ancestors show that its table is for layout."""
    is_rule: bool = False
    """Whether it is a thematic break."""


def of_heading(line: Line, url: str) -> Line:
    """Return the line without its bold marks, since a heading is bold anyway, and without a link to
    the heading itself or to its page, whose address is ``url``.
    """
    here = url.partition("#")[0]
    return tuple(
        span._replace(
            marks=span.marks & ~STRONG, href="" if _is_here(span.href, here) else span.href
        )
        if span.marks or span.href
        else span
        for span in line
    )


def _is_here(href: str, here: str) -> bool:
    page = href.partition("#")[0]
    return (page == "" and href != "") or (page != "" and page.rstrip("/") == here.rstrip("/"))
