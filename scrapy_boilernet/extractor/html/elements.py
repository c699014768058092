"""The elements of a page by their place in document order, with their attributes and texts.

:mod:`scrapy_boilernet.extractor.html.compiled_elements`, if it is compiled, finds them in less
time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain

from lxml import etree

__all__ = ["NOT_TEXT", "CompiledElements", "Elements", "inner_text"]

NOT_TEXT = frozenset({"script", "style", "noscript", "template", "svg"})
"""Elements whose own text is none that readers see."""
_CONTROLS = "".join(map(chr, range(0x21)))
_DIGITS = frozenset("0123456789")


class Elements:
    """The elements of a page in document order, without comments; they are found when one is asked
    for.
    """

    def __init__(self, roots: Sequence[etree._Element]) -> None:
        self._roots = roots

    @cached_property
    def _elements(self) -> list[etree._Element]:
        return list(chain.from_iterable(root.iter(etree.Element) for root in self._roots))

    def __len__(self) -> int:
        return len(self._elements)

    def __getitem__(self, place: int) -> etree._Element:
        return self._elements[place]

    def values(self, name: str, part: str = "") -> Mapping[int, str]:
        """Return the values of an attribute, by the places of the elements that have it: those that
        contain a part, which is ASCII.
        """
        values = ((place, element.get(name)) for place, element in enumerate(self._elements))
        return {place: value for place, value in values if value is not None and part in value}

    def numbered_links(self) -> Mapping[int, str]:
        """Return the values of ``href`` that may end in a number, by the places of the elements.

        What stands behind the last slash, except one at the end, has a digit or a character that is
        not ASCII.
        """
        parts = (
            (place, value, value.rstrip(_CONTROLS).removesuffix("/").rpartition("/")[2])
            for place, value in self.values("href").items()
        )
        return {
            place: value
            for place, value, part in parts
            if not part.isascii() or not _DIGITS.isdisjoint(part)
        }

    def naming(self, name: str, words: Sequence[str], most_chars: int) -> list[int]:
        """Return the places of the elements whose attribute ``name`` contains one of ``words``.

        A word has two or more characters: lower-case ASCII letters and signs. Capitals count as
        lower case, and only the first ``most_chars`` characters of a value are read.
        """
        values = self.values(name)
        found = _containing([*set(values.values())], words, most_chars)
        return [place for place, value in values.items() if value in found]

    def having(self, names: Collection[str]) -> list[int]:
        """Return the places of the elements that have one of these attributes."""
        return [
            place
            for place, element in enumerate(self._elements)
            if any(element.get(name) is not None for name in names)
        ]

    def places(self, elements: Iterable[etree._Element]) -> list[int]:
        """Return the places of elements of the page, in the given order."""
        return [self._places[element] for element in elements]

    def ranges(self, elements: Iterable[etree._Element]) -> list[tuple[int, int]]:
        """Return the place of each element, and that of the last one inside of it, in order.

        Elements inside of others are left out.
        """
        found: list[tuple[int, int]] = []
        for place in sorted(self.places(elements)):
            if not found or place > found[-1][1]:
                found.append((place, self._places[_last(self._elements[place])]))
        return found

    @cached_property
    def _places(self) -> dict[etree._Element, int]:
        return {element: place for place, element in enumerate(self._elements)}

    def inside(self, tags: Collection[str], wanted: Collection[str] | None = None) -> list[int]:
        """Return the places of the elements in elements of these tags, in document order.

        ``wanted``: the tags of these elements; without them, all are returned.
        """
        inner: set[etree._Element] = set()
        found: list[int] = []
        for place, element in enumerate(self._elements):
            parent = element.getparent()
            if parent is not None and (parent in inner or parent.tag in tags):
                inner.add(element)
                if wanted is None or element.tag in wanted:
                    found.append(place)
        return found

    def of_tags(self, tags: Collection[str]) -> list[int]:
        """Return the places of the elements of these tags, in document order."""
        return [place for place, element in enumerate(self._elements) if element.tag in tags]


def is_only_child(element: etree._Element) -> bool:
    """Return whether nothing but text stands beside an element in the one around it.

    The ``len`` of the element around it counts all children, which is quadratic if each asks.
    """
    return element.getprevious() is None and element.getnext() is None


def _last(element: etree._Element) -> etree._Element:
    """Return the last element inside of an element, or itself."""
    while (last := next(element.iterchildren(etree.Element, reversed=True), None)) is not None:
        element = last
    return element


def _containing(values: Sequence[str], words: Sequence[str], most_chars: int) -> set[str]:
    """Return the values that contain one of the words; one search reads all values."""
    lower = [value[:most_chars].lower() for value in values]
    joined = "\n".join(lower)
    starts = list(accumulate((len(one) + 1 for one in lower), initial=0))
    found: set[str] = set()
    for word in words:
        at = joined.find(word)
        while at >= 0:
            i = bisect_right(starts, at) - 1
            found.add(values[i])
            at = joined.find(word, starts[i + 1])
    return found


def inner_text(
    element: etree._Element, skipped: Collection[str], most_elements: int, most_chars: int
) -> tuple[str, int]:
    """Return the joined texts in an element, and how many characters they have.

    The text is "" if the element has more elements or characters than allowed. ``skipped``: tags
    of elements whose own text is not read.
    """
    parts: list[str] = []
    size, goes_on = 0, False
    for number, inner in enumerate(element.iter()):
        if number > most_elements or size > most_chars:
            return "", size
        tag = inner.tag
        text = (inner.text or "") if isinstance(tag, str) and tag not in skipped else ""
        tail = (inner.tail or "") if number else ""
        goes_on = goes_on or (bool(tail) and not tail.isspace() and len(inner) > 0)
        parts += (text, " ", tail)
        size += len(text) + len(tail)
    return "".join(_ordered(element, parts) if goes_on else parts), size


def _ordered(element: etree._Element, parts: Sequence[str]) -> Iterator[str]:
    """Yield the texts of an element with each text that follows an element after all inside it.

    ``parts``: per element in it the text, a space, and what follows it.
    """
    open_ones: list[tuple[etree._Element, str]] = []
    for inner, text, tail in zip(element.iter(), parts[::3], parts[2::3], strict=True):
        while open_ones and open_ones[-1][0] is not inner.getparent():
            yield from (" ", open_ones.pop()[1])
        yield from (text, " ")
        open_ones.append((inner, tail))
    for _, tail in reversed(open_ones):
        yield from (" ", tail)


try:
    from scrapy_boilernet.extractor.html.compiled_elements import CompiledElements
except (ImportError, ValueError):  # not compiled, or compiled for another lxml
    CompiledElements = Elements  # type: ignore[misc,assignment]
