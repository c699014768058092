"""Compares letters as regular expressions do that ignore case."""

from __future__ import annotations

from collections.abc import Iterable


def folded(text: str) -> str:
    """Return the text with letters in one form that a pattern without case takes for the same.

    >>> folded("CRÉÉ ıN İZMİR")
    'créé in izmir'
    """
    if text.isascii():
        return text.lower()
    return text.casefold().replace("ı", "i").replace("\u0307", "")  # "İ" is an "i" with this dot


def has_one_of(stems: Iterable[str], text: str) -> bool:
    """Return whether the text has one of the stems, which are folded.

    A pattern that ignores case need not look at a text that has none of the stems of its matches.
    """
    return any(map(folded(text).__contains__, stems))
