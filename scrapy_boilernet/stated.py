"""What a page states about itself, as plain values: ``Stated``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Syntax = Literal["json-ld", "microdata"]


class StatedObject(NamedTuple):
    """An object of JSON-LD, or an item of microdata or RDFa."""

    syntax: Syntax
    """RDFa in the body is read like microdata and counts as such."""
    types: tuple[str, ...]
    """Lower case, without the vocabulary, such as ``("newsarticle",)``."""
    place: str
    """The property that it stands under, lower case; "" at the top or in ``@graph``."""
    values: tuple[tuple[str, str], ...]
    """(property in lower case, text), in order. A property of many values comes more than once. Of
    an object it has the name, or else the URL."""

    def all(self, *names: str) -> Iterator[str]:
        """Yield the values of the first of the properties that has one."""
        for name in names:
            found = [value for key, value in self.values if key == name]
            if found:
                yield from found
                return

    def first(self, *names: str) -> str:
        """Return the first value of the first of the properties that has one, or ""."""
        return next(self.all(*names), "")


class Mark(NamedTuple):
    """An element whose names say that it holds an author, a date or the like."""

    tag: str
    names: str
    """Its class, id, rel and property in lower case, joined by spaces."""
    value: str
    """Its ``datetime``, ``content`` or ``title``; "" where it has none."""
    text: str
    """Its text, if that has at most 200 characters; else ""."""
    block: int
    """Index of the block that it stands in or that follows; at most ``len(page.blocks)``."""


class Picture(NamedTuple):
    """An ``<img>`` with an address."""

    source: str
    """As the page has it, relative perhaps."""
    width: int
    """In pixels as stated; 0: not stated."""
    height: int
    block: int
    """Index of the block that follows; at most ``len(page.blocks)``."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a page states about itself, in the order of the page; bounded in number and length."""

    language: str = ""
    """``lang`` of the root, or of the ``Content-Language`` metadata."""
    base: str = ""
    """``href`` of ``<base>``."""
    metas: tuple[tuple[str, str], ...] = ()
    """(name or property in lower case, content), without empty ones."""
    links: tuple[tuple[str, str], ...] = ()
    """(rel in lower case, href) of ``<link>``: canonical, shortlink, author, image_src."""
    objects: tuple[StatedObject, ...] = ()
    marks: tuple[Mark, ...] = ()
    pictures: tuple[Picture, ...] = ()
    scripts: int = 0
    """How many ``<script>`` elements it has."""
    empty_app: bool = False
    """Whether an element that a script fills, with an id such as ``root``, is empty."""

    def meta(self, *names: str) -> str:
        """Return the first content of the first of the names that has one, or ""."""
        return next((value for name in names for value in self.all_metas(name)), "")

    def all_metas(self, name: str) -> Iterator[str]:
        """Yield the contents of the name."""
        return (value for key, value in self.metas if key == name)
