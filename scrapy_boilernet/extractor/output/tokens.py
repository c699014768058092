"""Sizes of texts in tokens, estimated by a rule or counted by a function of the user."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import index
from typing import SupportsIndex

_LETTERS_PER_TOKEN, _ASCII_PER_TOKEN = 2, 4
_ALPHABETS = re.compile(r"[\u0080-\u0dff\u10a0-\u10ff\u1200-\u137f\u1e00-\u1fff]")
"""Letters of alphabets beside ASCII, such as Latin with accents, Cyrillic, Greek, Arabic."""


class Sizes:
    """Measures texts. A size is a number of units, so that sizes of pieces can be added.

    ``count``: returns the number of tokens of a text. None: a unit is a quarter of a token; an
    ASCII character has one, a letter of another alphabet two, any other character four.
    """

    def __init__(self, count: Callable[[str], int] | None) -> None:
        self._count = count
        self._empty = _counted(count, "") if count else 0
        self._units = 1 if count else _ASCII_PER_TOKEN

    def limit(self, tokens: int) -> int:
        """Return the size of so many tokens, less the tokens of an empty text."""
        return tokens * self._units - self._empty

    def of(self, text: str) -> int:
        """Return the size of a text, without the tokens that an empty text has."""
        if self._count:
            return _counted(self._count, text) - self._empty
        return len(text) if text.isascii() else _units(text)

    def tokens(self, text: str) -> int:
        """Return the tokens of a text."""
        return _counted(self._count, text) if self._count else -(-self.of(text) // _ASCII_PER_TOKEN)


def _counted(count: Callable[[str], int], text: str) -> int:
    """Return a text's tokens; raises ``TypeError`` if ``count`` returns something else."""
    number: object = count(text)
    if isinstance(number, bool) or not isinstance(number, SupportsIndex):
        raise TypeError(
            f"count must return a number of tokens, not {type(number).__name__}; for a tokenizer, "
            "pass count=lambda text: len(tokenizer.encode(text))"
        )
    return index(number)


def _units(text: str) -> int:
    ascii_chars = len(text.encode("ascii", "ignore"))
    letters = len(_ALPHABETS.findall(text))
    others = len(text) - ascii_chars - letters
    per_letter = _ASCII_PER_TOKEN // _LETTERS_PER_TOKEN
    return ascii_chars + per_letter * letters + _ASCII_PER_TOKEN * others
