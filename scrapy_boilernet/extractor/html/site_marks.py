"""Finds what a site's rule selects on a page."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeGuard

from lxml import etree

from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.walk import INLINE_TAGS
from scrapy_boilernet.extractor.page import Block, SiteMarks, nodes_of
from scrapy_boilernet.extractor.site_rules import SiteRule, selected, xpath_of

_NOT_LINEAR = re.compile(r"(?:following|preceding)|\[[^\]]*(?://|descendant|ancestor)")
"""XPath that may take time quadratic in the children of an element, or in the depth of the page."""
_MOST_STEPS = 20_000_000
"""Such selectors are left out on pages on which they may take more steps; they take some 0.2 s."""
_LEFT_OUT = Reading("", 0, "span")
_MAX_VALUE_CHARS = 1_000
Selected = tuple[tuple[str, frozenset[etree._Element]], ...]


class SiteElements:
    """The elements and values of a page that a rule selects."""

    def __init__(self, rule: SiteRule, roots: Sequence[etree._Element]) -> None:
        """Select them; ``roots``: the roots of the page's tree."""
        self._rule = rule
        self._roots = roots
        self._steps: int | None = None
        self.skipped: list[str] = []
        """Selectors that are left out, since they may take too long on this page."""
        self._keep, self._drop = self._elements(rule.keep), self._elements(rule.drop)

    def left_out(self) -> dict[etree._Element, Reading]:
        """Return the readings of elements within a block that are dropped."""
        dropped = chain.from_iterable(elements for _, elements in self._drop)
        return {element: _LEFT_OUT for element in dropped if element.tag in INLINE_TAGS}

    def marks(self, blocks: Sequence[Block]) -> SiteMarks:
        """Return which of the page's blocks are in the elements, and the values."""
        nodes, depths = nodes_of(blocks)
        innermost = nodes[depths.cumsum() - 1].tolist()
        keep, drop = (self._places(which, innermost) for which in (self._keep, self._drop))
        values = {name: self._value(selector) for name, selector in self._rule.values.items()}
        return SiteMarks(keep, drop, self._rule.inside, tuple(self.skipped), **values)

    def _elements(self, selectors: Sequence[str]) -> Selected:
        return tuple(
            (selector, frozenset(found for found in self._found(selector) if _is_element(found)))
            for selector in selectors
        )

    def _found(self, selector: str) -> list[object]:
        if _NOT_LINEAR.search(xpath_of(selector)) and self._most_steps() > _MOST_STEPS:
            self.skipped.append(selector)
            return []
        return [found for root in self._roots for found in selected(selector, root)]

    def _most_steps(self) -> int:
        """Return how many steps a selector may take at most: over all elements, those to all
        elements around and to all beside.
        """
        if self._steps is None:
            self._steps = sum(map(_steps_of, self._roots))
        return self._steps

    def _places(
        self, which: Selected, innermost: Sequence[int]
    ) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return per selector the indexes of the blocks in its elements.

        ``innermost``: per block the number of the innermost element around it.
        """
        wanted = frozenset(chain.from_iterable(elements for _, elements in which))
        spans = self._spans(wanted) if wanted else {}
        return tuple(
            (selector, tuple(_places_in([spans[element] for element in elements], innermost)))
            for selector, elements in which
        )

    def _spans(self, wanted: frozenset[etree._Element]) -> Mapping[etree._Element, tuple[int, int]]:
        """Return the numbers of elements, by which blocks name those around them, and of the last
        element in each.
        """
        number, firsts, spans = 0, {}, {}
        for root in self._roots:
            for event, element in etree.iterwalk(root, events=("start", "end")):
                number += event == "start"
                if element in wanted:
                    if event == "start":
                        firsts[element] = number
                    else:
                        spans[element] = (firsts[element], number)
        return spans

    def _value(self, selector: str) -> str:
        """Return the text of the first element or value with one; "" without any."""
        texts = (" ".join("".join(_texts(found)).split()) for found in self._found(selector))
        return next(filter(None, texts), "")[:_MAX_VALUE_CHARS]


def _places_in(spans: Sequence[tuple[int, int]], innermost: Sequence[int]) -> Iterator[int]:
    """Yield the places of the numbers that are in one of the spans."""
    outer: list[tuple[int, int]] = []  # spans are in each other, or apart
    for first, last in sorted(spans):
        if not outer or last > outer[-1][1]:
            outer.append((first, last))
    firsts = [first for first, _ in outer]
    for place, number in enumerate(innermost):
        before = bisect_right(firsts, number)
        if before and number <= outer[before - 1][1]:
            yield place


def _is_element(found: object) -> TypeGuard[etree._Element]:
    return isinstance(found, etree._Element) and isinstance(found.tag, str)


def _texts(found: object) -> Iterator[str]:
    if isinstance(found, etree._Element):
        stated = found.get("datetime") or found.get("content")
        return iter([stated]) if stated else map(str, found.itertext())
    return iter([str(found)])


def _steps_of(root: etree._Element) -> int:
    """Return the sum over elements of their depths and their squared numbers of children."""
    steps, depth = 0, 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        steps += depth + len(element) ** 2 if event == "start" else 0
    return steps
