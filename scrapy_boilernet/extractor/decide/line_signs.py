"""The short lines of a page in which a rule may find something, such as "Reply" or "Tags: mills".

One look at all lines of a page finds the signs of all rules, and a rule tries its pattern only on
those that have one of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from scrapy_boilernet.extractor.decide.stems import StemFinder
from scrapy_boilernet.extractor.page import Page

MAX_LINE_CHARS = 220
"""The most characters of a line that a rule looks for."""


class LineSigns:
    """Tells which lines of a page have a sign of what a rule looks for."""

    _finder: ClassVar[_Finder]
    """Finds the signs of all rules."""

    def __init__(self, signs: Iterable[str]) -> None:
        """Take the signs, in lower case, of which every line has one in which the rule may find
        something.
        """
        self.stems = frozenset(sign.encode() for sign in signs)
        LineSigns._finder = _Finder((*LineSigns._finder.every, self))

    def on(self, page: Page) -> Sequence[int]:
        """Return the indexes of those lines, in order; the letters may have any case."""
        return page.once(LineSigns._finder).get(self, ())


class _Finder(StemFinder[LineSigns]):
    """Finds the lines of a page that have signs."""

    def __call__(self, page: Page) -> dict[LineSigns, Sequence[int]]:
        """Return the indexes of the lines of a page by the signs of which they have one."""
        found = self.find(page.texts, MAX_LINE_CHARS)
        return {signs: sorted(numbers) for signs, numbers in found.items()}


LineSigns._finder = _Finder()
