"""The tree that libxml2 would build, without the attributes that nobody reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lxml import etree

READ_ATTRIBUTES = frozenset(
    "aria-hidden class content hidden id itemprop itemtype name property rel role style "
    "type".split()
)
"""All that the walk, the places and the head look at."""

_SPACE = re.compile("[\x0b\x0c\x1c-\x1f]")
"""White space that XML has not."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_IN_NAMES = re.compile(f"[<>&/'\"]|{_NOT_XML.pattern}")
_ODD = "é"
"""In names stands for what lxml refuses in them, and is no more sayable in an XPath than that."""


class LeanTree:
    """A parser target that builds the tree of what the parser tells it.

    It takes longer than libxml2's own building, but not the square of the number of an element's
    attributes.
    """

    def __init__(self) -> None:
        self._names = etree.HTMLParser()  # lets names through that XML has not
        self._roots: list[etree._Element] = []
        self._builder: Any = None
        self._depth = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        if not self._depth:  # what follows </html> becomes a root of its own
            self._builder = etree.TreeBuilder(parser=self._names, insert_comments=True)
        read = {name: _xml(attributes[name]) for name in READ_ATTRIBUTES & attributes.keys()}
        if attributes and not read:  # an element without attributes is another thing
            read["rel"] = ""
        self._builder.start(_plain(tag), read)
        self._depth += 1

    def end(self, tag: str) -> None:
        """Close it."""
        self._depth -= 1
        self._builder.end(_plain(tag))
        if not self._depth:
            self._roots.append(self._builder.close())

    def data(self, text: str) -> None:
        """Add text."""
        if self._depth:
            self._builder.data(_xml(text))

    def comment(self, _: str) -> None:
        """Say that a comment parts the text here; what it says may be no comment in XML."""
        if self._depth:
            self._builder.comment("")

    def pi(self, _: str, __: str | None = None) -> None:
        """Say the same of a processing instruction."""
        self.comment("")

    def close(self) -> list[etree._Element]:
        """Return the roots; there may be none."""
        return self._roots


def _plain(tag: str) -> str:
    """The name, without what lxml refuses in names though libxml2 gives it."""
    return _NOT_IN_NAMES.sub(_ODD, tag)


def _xml(text: str) -> str:
    """The text, without what lxml refuses in text."""
    return _NOT_XML.sub("\ufffd", _SPACE.sub(" ", text))
