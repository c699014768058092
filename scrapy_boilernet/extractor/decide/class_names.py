"""The class words of a page that name what a rule looks for, such as an area of comments.

Some 20 rules look for names of their own. One look at all class words of a page finds the stems of
all rules, and a rule looks closer only at those that have one of its own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from scrapy_boilernet.extractor.decide.stems import StemFinder
from scrapy_boilernet.extractor.page import Page

OF_FUNCTION = re.compile(
    r"\b(?:methods?(?! source code)|functions?|funcs?|constructors?|member signature|"
    r"instance attribute|tsd|docblock|sig object|doc (?:object|heading|contents))\b|"
    r"\A(?:detail|level|sect)\b"
)
"""Class words of what documents a function or the like in a manual, or of a section. Its name is
among them, too, such as "popover", since it is the id."""
NAME_TAGS = frozenset("h1 h2 h3 h4 h5 h6 dt summary".split())
"""Elements that have as their id the name of what a manual documents."""
_MAX_KNOWN = 1 << 12


class ClassNames:
    """Tells which class words of a page name what a rule looks for."""

    _finder: ClassVar[_Finder]
    """Finds the stems of all names."""

    def __init__(
        self, stems: Iterable[str], finds: re.Pattern[str] | Callable[[str], object] = bool
    ) -> None:
        """Take what finds something in such class words, and the stems, of which every text has one
        in which it does.
        """
        self.stems = frozenset(stem.encode() for stem in stems)
        self._known = _Known(finds)
        ClassNames._finder = _Finder((*ClassNames._finder.every, self))

    def on(self, page: Page) -> frozenset[str]:
        """Return those class words of the page. An element that has them may hold no block."""
        likely = page.once(ClassNames._finder).get(self)
        return frozenset(filter(self._known.__getitem__, likely)) if likely else _NONE


class _Known(dict[str, bool]):
    """Whether class words name what a rule looks for; pages of a site have the same ones."""

    def __init__(self, finds: Any) -> None:
        self._finds = finds

    def __missing__(self, words: str) -> bool:
        if len(self) >= _MAX_KNOWN:
            self.clear()
        search = getattr(self._finds, "search", self._finds)  # compiles it at its first use
        is_one = self[words] = bool(search(words))
        return is_one


class _Finder(StemFinder[ClassNames]):
    """Finds the class words of a page that have stems of names."""

    def __call__(self, page: Page) -> dict[ClassNames, set[str]]:
        """Return the class words of a page by the names of which they have a stem."""
        every = [*page.names[1]]
        found = self.find(every, sys.maxsize)
        return {names: {every[number] for number in own} for names, own in found.items()}


_NONE: frozenset[str] = frozenset()
ClassNames._finder = _Finder()
