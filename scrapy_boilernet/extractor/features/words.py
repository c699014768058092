"""Words in any script, words of URLs, and kinds of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.patterns import lazy_pattern

_UNSPACED_RANGES = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Myanmar, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0002fa1f"
)
"""Scripts written without spaces; Hangul is not one of them."""

_TOKEN = lazy_pattern(rf"[{_UNSPACED_RANGES}]|[^\W{_UNSPACED_RANGES}]+")
_ASCII = "".join(map(chr, range(128)))
_APART = str.maketrans(_ASCII, re.sub(r"\W", " ", _ASCII.lower(), flags=re.ASCII))
"""Maps ASCII text to its tokens with white space between, which is quicker than ``_TOKEN``."""


def tokens(text: str) -> list[str]:
    r"""Return the lower-case tokens of ``text``: runs of ``\w+``, but each character of CJK, Thai,
    Lao, Myanmar and Khmer.

    >>> tokens("Don't panic: 東京")
    ['don', 't', 'panic', '東', '京']
    """
    return text.translate(_APART).split() if text.isascii() else _TOKEN.findall(text.lower())


SINGLES_ABOVE = "\u0e00"
"""A token of one character above this one belongs to a script without spaces."""
SINGLES_PER_WORD = 1.7
"""Characters per word in such scripts, measured on translations into English."""


def is_single(token: str) -> bool:
    """Return whether the token is one character of a script without spaces."""
    return token > SINGLES_ABOVE and len(token) == 1


PUNCTUATION, STOP, DIGIT, WORD, CAPITAL, SYMBOL, HIGH, UNSPACED = (1 << bit for bit in range(8))
"""Kinds of characters, as bits. CAPITAL: letters except a to z. HIGH: above ``SINGLES_ABOVE``,
without general punctuation; such a character can be a token. UNSPACED: every such character is a
token."""

STOPS = ".!?。！？؟…।"
"""The characters of the kind STOP, which end a sentence."""
_KINDS = {
    PUNCTUATION: re.compile(r"[,;:،、，；：।]"),
    STOP: re.compile(f"[{STOPS}]"),
    DIGIT: re.compile(r"\d"),
    WORD: re.compile(r"\w"),
    CAPITAL: re.compile(r"[^\W\d_a-z]"),
    SYMBOL: re.compile(r"[|©»›·•→▶★]"),
    HIGH: lazy_pattern(rf"[^\u0000-{SINGLES_ABOVE}\u2000-\u206f]"),
    UNSPACED: lazy_pattern(rf"[{_UNSPACED_RANGES}]"),
}
_BASIC = 0x10000
_SEPARATOR = "\n"  # it is of none of the kinds


class Characters:
    """The kinds of the characters of some texts, none of which is empty."""

    def __init__(self, texts: Sequence[str]) -> None:
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        self._starts = np.cumsum(lengths + 1) - lengths - 1
        _, self._kinds = codes_and_kinds(_SEPARATOR.join(texts))

    def count(self, kind: int) -> NDArray[np.int64]:
        """Return how many characters of the kind are in each text: (texts,)."""
        return self._sums(self._kinds & kind > 0)

    def count_capitalized(self) -> NDArray[np.int64]:
        """Return how many words of each text begin with a CAPITAL: (texts,)."""
        inside = self._kinds & WORD > 0
        begins = self._kinds & CAPITAL > 0
        begins[1:] &= ~inside[:-1]
        return self._sums(begins)

    def _sums(self, marked: NDArray[np.bool_]) -> NDArray[np.int64]:
        if not len(self._starts):
            return np.zeros(0, dtype=np.int64)
        return np.add.reduceat(marked, self._starts, dtype=np.int64)


def codes_and_kinds(text: str) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Return the code points of the text and their kinds: (characters,) both."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    kinds = basic_kinds()[np.minimum(codes, _BASIC - 1)]
    for place in np.flatnonzero(codes >= _BASIC).tolist():
        kinds[place] = kinds_of(chr(codes[place]))
    return codes, kinds


@lru_cache(maxsize=1)
def basic_kinds() -> NDArray[np.uint8]:
    """Return the kinds of the characters up to U+FFFF by code point: (65,536,)."""
    every = "".join(map(chr, range(_BASIC)))
    kinds = np.zeros(_BASIC, dtype=np.uint8)
    for kind, pattern in _KINDS.items():  # each is one set, of which a run takes less time
        characters = "".join(re.findall(f"{pattern.pattern}+", every))
        kinds[np.frombuffer(characters.encode("utf-16-le", "surrogatepass"), dtype="<u2")] |= kind
    return kinds


@lru_cache(maxsize=4096)
def kinds_of(character: str) -> int:
    """Return the kinds of a character."""
    return sum(kind for kind, pattern in _KINDS.items() if pattern.match(character))


_URL_WORD = re.compile(r"[a-z]+")
_LONG_NUMBER = re.compile(r"[0-9]{4,}")
_LETTERS = re.compile(r"[A-Za-z]+")
_MAX_SEGMENTS, _MAX_DEPTH, _MAX_SLUG_WORDS, _MAX_ENDING_CHARS = 20, 5, 6, 10
_MAX_PATH_WORDS = 2
"""Words of a segment such as "product"; with more it is the words of a headline."""


def url_words(url: str | None) -> tuple[str, ...]:
    """Return words for the URL's depth, query, short segments, and the shape of its last segment.

    >>> url_words("https://www.example.com/blog/ten-things-to-do.html")
    ('u:2', 'q:False', 'slug:5', 'dig:False', 'ext:html', 'p:blog')
    """
    if not url:
        return ()
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").split(".")[0]
    except ValueError:  # such as "http://[::1"
        return ()
    segments = [segment for segment in parts.path.split("/") if segment][:_MAX_SEGMENTS]
    return tuple(_shape(segments, bool(parts.query), host))


def _shape(segments: list[str], query: bool, host: str) -> Iterator[str]:
    yield f"u:{min(len(segments), _MAX_DEPTH)}"
    yield f"q:{query}"
    if segments:
        last = segments[-1]
        yield f"slug:{min(len(_LETTERS.findall(last)), _MAX_SLUG_WORDS)}"
        yield f"dig:{bool(_LONG_NUMBER.search(last))}"
        ending = last.rpartition(".")[2] if "." in last else ""
        yield f"ext:{ending.lower()[:_MAX_ENDING_CHARS]}"
    for segment in segments:
        words = _URL_WORD.findall(segment.lower())
        if len(words) <= _MAX_PATH_WORDS:
            yield from (f"p:{word}" for word in words)
    if host in _TELLING_HOSTS:
        yield f"h:{host}"


_TELLING_HOSTS = frozenset(
    "blog news forum forums community docs doc developer shop store support help wiki en m".split()
)
"""First labels of a host name that show the kind of page; others would only name the site."""


def trigrams(words: Sequence[str]) -> set[tuple[str, str, str]]:
    """Return all runs of three tokens."""
    return {(a, b, c) for (a, b), (_, c) in pairwise(pairwise(words))}
