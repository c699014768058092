"""The numbers of a page's elements, counted in document order from 1 as in ``Block.nodes``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Protocol

from lxml import etree

_text_chars: Any = etree.XPath("string-length(/)")
_MANY, _ALL_CHARS = 50, 2**31 - 1
_MAX_ELEMENTS, _MAX_TEXT_CHARS = 10_000, 1_000_000
"""The largest page on which predicates that look at other elements are evaluated."""


class Elements(Protocol):
    """The elements of a page: :class:`~scrapy_boilernet.extractor.html.elements.Elements`."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: int) -> Any: ...

    def naming(self, name: str, words: Sequence[str], most_chars: int) -> list[int]:
        """Return the places of the elements whose attribute contains one of the words, of two
        lower-case characters or more.
        """
        ...

    def places(self, elements: Iterable[Any]) -> list[int]:
        """Return the place of each element, counted from 0."""
        ...

    def ranges(self, elements: Iterable[Any]) -> list[tuple[int, int]]:
        """Return the place of each element and that of the last one inside of it, in order,
        without elements inside of others.
        """
        ...


class Numbering:
    """Numbers elements when that is needed."""

    def __init__(self, root: etree._Element, elements: Elements, body: bytes) -> None:
        """Take the root in which selectors look, the elements of the page, and the page in
        UTF-8.
        """
        self.root = root
        self.body = body
        self.held: list[Any] = []
        """What was found. lxml walks to the root for each element that it forgets, so it forgets
        each only once, with this object."""
        self._elements = elements

    @cached_property
    def is_large(self) -> bool:
        """Whether the page is too large for predicates that look at other elements."""
        if len(self._elements) > _MAX_ELEMENTS:
            return True
        may_be = len(self.body) > _MAX_TEXT_CHARS
        return bool(may_be and _text_chars(self.root) > _MAX_TEXT_CHARS)

    def naming(self, attribute: str, word: str) -> list[Any] | None:
        """Return the elements inside of ``root``, and itself, whose attribute contains the word,
        which has two lower-case characters or more; None if there are many.
        """
        places = self._elements.naming(attribute, (word,), _ALL_CHARS)
        if len(places) > _MANY:
            return None
        last = self._elements.ranges([self.root])[0][1] if places else 0
        return [self._elements[place] for place in places if place <= last]

    def in_order(self, elements: Sequence[Any]) -> list[Any]:
        """Return the elements in document order, each once."""
        alone = [*dict.fromkeys(elements)]
        places = dict(zip(alone, self._elements.places(alone), strict=True))
        return sorted(alone, key=places.__getitem__)

    def ranges(self, elements: Sequence[Any]) -> list[tuple[int, int]]:
        """Return the number of each element, and that of the last one inside of it, in order.

        Elements inside of others are left out.
        """
        return [(begin + 1, end + 1) for begin, end in self._elements.ranges(elements)]


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
