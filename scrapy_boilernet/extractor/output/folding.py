"""Compares letters as regular expressions do that ignore case."""

from __future__ import annotations

from collections.abc import Iterable

from scrapy_boilernet.extractor.html.scan import SignFinder


def folded(text: str) -> str:
    """Return the text with letters in one form that a pattern without case takes for the same.

    >>> folded("CRÉÉ ıN İZMİR")
    'créé in izmir'
    """
    if text.isascii():
        return text.lower()
    return text.casefold().replace("ı", "i").replace("\u0307", "")  # "İ" is an "i" with this dot


def stem_finder(stems: Iterable[str]) -> SignFinder:
    """Return what finds some stems in folded texts."""
    return SignFinder([folded(stem).encode() for stem in stems])


def has_one_of(stems: SignFinder, text: str) -> bool:
    """Return whether the text, once it is folded, has one of the stems.

    A pattern that ignores case need not look at a text that has none of the stems of its matches.
    """
    return bool(stems(folded(text).encode("utf-8", "surrogatepass")))
