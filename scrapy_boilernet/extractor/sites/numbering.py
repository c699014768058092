"""The numbers of a page's elements, counted in document order from 1 as in ``Block.nodes``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain, count
from typing import Any

from lxml import etree

_FEW = 6
"""Elements that libxml2 counts one by one faster than all elements of a page are numbered."""
_number: Any = etree.XPath("count(preceding::*) + count(ancestor-or-self::*)")
_inside: Any = etree.XPath("count(descendant::*)")
_elements: Any = etree.XPath("count(//*)")
_text_chars: Any = etree.XPath("string-length(/)")
_MAX_ELEMENTS, _MAX_TEXT_CHARS = 10_000, 1_000_000
"""The largest page on which predicates that look at other elements are evaluated."""


class Numbering:
    """Numbers elements when that is needed."""

    def __init__(self, roots: Sequence[etree._Element], body: bytes) -> None:
        """Take the roots of a page, and the page in UTF-8."""
        self.root = roots[0]
        self.body = body
        self._roots = roots

    @cached_property
    def is_large(self) -> bool:
        """Whether the page is too large for predicates that look at other elements."""
        if len(self.body) > _MAX_TEXT_CHARS and _text_chars(self.root) > _MAX_TEXT_CHARS:
            return True
        is_long = self.body.count(b"<") > _MAX_ELEMENTS
        return bool(is_long and _elements(self.root) > _MAX_ELEMENTS)

    @cached_property
    def _known(self) -> dict[etree._Element, int]:
        elements = chain.from_iterable(root.iter("*") for root in self._roots)
        return dict(zip(elements, count(1), strict=False))

    def in_order(self, elements: Sequence[Any]) -> list[Any]:
        """Return the elements in document order, each once."""
        return sorted(dict.fromkeys(elements), key=self._known.__getitem__)

    def ranges(self, elements: Sequence[Any]) -> list[tuple[int, int]]:
        """Return the number of each element, and that of the last one inside of it, in order.

        Elements inside of others are left out.
        """
        alone = outermost(elements)
        if len(alone) <= _FEW:
            begins = [int(_number(one)) for one in alone]
            ends = [begin + int(_inside(one)) for begin, one in zip(begins, alone, strict=True)]
        else:
            begins = [self._known[one] for one in alone]
            ends = [self._known[_last(one)] for one in alone]
        return sorted(zip(begins, ends, strict=True))


def _last(element: etree._Element) -> etree._Element:
    """Return the last element inside of an element, or itself."""
    while (last := next(element.iterchildren("*", reversed=True), None)) is not None:
        element = last
    return element


def outermost(elements: Sequence[Any]) -> list[Any]:
    """Return the elements that are not inside of another of them, in linear time."""
    chosen, found = set(elements), []
    known: dict[Any, bool] = {}
    for element in elements:
        passed, above = [], element.getparent()
        while above is not None and above not in known and above not in chosen:
            passed.append(above)
            above = above.getparent()
        inside = above is not None and (above in chosen or known[above])
        known.update(dict.fromkeys(passed, inside))
        if not inside:
            found.append(element)
    return found
