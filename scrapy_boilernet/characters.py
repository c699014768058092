"""What kinds of characters the texts of a page are made of, for all texts at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

PUNCTUATION, STOP, DIGIT, WORD, CAPITAL, SYMBOL, HIGH = (1 << bit for bit in range(7))
"""Kinds, as bits. CAPITAL: letters but a to z. HIGH: above U+0E00 and no general punctuation; one
of these can be a token of its own."""

_KINDS = {
    PUNCTUATION: re.compile(r"[,;:،、，；：।]"),
    STOP: re.compile(r"[.!?。！？؟…।]"),
    DIGIT: re.compile(r"\d"),
    WORD: re.compile(r"\w"),
    CAPITAL: re.compile(r"[^\W\d_a-z]"),
    SYMBOL: re.compile(r"[|©»›·•→▶★]"),
    HIGH: re.compile(r"[^\u0000-\u0e00\u2000-\u206f]"),
}
_BASIC = 0x10000
_SEPARATOR = "\n"  # of none of the kinds

Counts = NDArray[np.int64]


class Characters:
    """The kinds of the characters of some texts, none of which is empty."""

    def __init__(self, texts: Sequence[str]) -> None:
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        self._starts = np.cumsum(lengths + 1) - lengths - 1
        joined = _SEPARATOR.join(texts)
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        self._kinds = _basic_kinds()[np.minimum(codes, _BASIC - 1)]
        for place in np.flatnonzero(codes >= _BASIC).tolist():
            self._kinds[place] = _kinds_of(chr(codes[place]))

    def count(self, kind: int) -> Counts:
        """Return how many characters of the kind are in each text: (texts,)."""
        return self._sums(self._kinds & kind > 0)

    def count_capitalized(self) -> Counts:
        """Return how many words of each text begin with a CAPITAL: (texts,)."""
        inside = self._kinds & WORD > 0
        begins = self._kinds & CAPITAL > 0
        begins[1:] &= ~inside[:-1]
        return self._sums(begins)

    def _sums(self, marked: NDArray[np.bool_]) -> Counts:
        if not len(self._starts):
            return np.zeros(0, dtype=np.int64)
        return np.add.reduceat(marked, self._starts, dtype=np.int64)


@lru_cache(maxsize=1)
def _basic_kinds() -> NDArray[np.uint8]:
    """The kinds of the characters up to U+FFFF."""
    every = "".join(map(chr, range(_BASIC)))
    kinds = np.zeros(_BASIC, dtype=np.uint8)
    for kind, pattern in _KINDS.items():
        found = "".join(pattern.findall(every))
        kinds[np.frombuffer(found.encode("utf-16-le", "surrogatepass"), dtype="<u2")] |= kind
    return kinds


@lru_cache(maxsize=4096)
def _kinds_of(character: str) -> int:
    return sum(kind for kind, pattern in _KINDS.items() if pattern.match(character))
