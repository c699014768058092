"""Finds the texts that have a stem which a rule names, for all rules at once.

A page has hundreds of lines and class words, and each rule a pattern that takes long. One look for
the stems of all rules spares most texts the patterns.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from scrapy_boilernet.extractor.html.scan import SignFinder


class Stemmed(Protocol):
    """What looks for texts."""

    stems: frozenset[bytes]
    """In lower case, of UTF-8; every text in which it may find something has one of these."""


Rule = TypeVar("Rule", bound=Stemmed)


class StemFinder(Generic[Rule]):
    """Finds for some rules which texts have one of their stems."""

    def __init__(self, every: tuple[Rule, ...] = ()) -> None:
        self.every = every

    def find(self, texts: Iterable[str], most_chars: int) -> dict[Rule, set[int]]:
        """Return, by the rules that have any, the numbers of the texts of at most so many
        characters with one of their stems, in any case of the letters.
        """
        found: dict[Rule, set[int]] = {}
        for stem, numbers in self._signs.lines(texts, most_chars).items():
            for rule in self._rules[stem]:
                found.setdefault(rule, set()).update(numbers)
        return found

    @cached_property
    def _rules(self) -> dict[bytes, list[Rule]]:
        """The rules that have each stem."""
        stems = {stem for rule in self.every for stem in rule.stems}
        return {stem: [rule for rule in self.every if stem in rule.stems] for stem in stems}

    @cached_property
    def _signs(self) -> SignFinder:
        return SignFinder(self._rules)
