"""Quick looks at a page's bytes, by which most pages are spared a slow one.

Most of these functions have compiled forms, which take less time; tests check that both agree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

_QUOTES = (b'"', b"'")
_NODE = re.compile(rb"<[a-z/!?]", re.IGNORECASE)
_TAG = re.compile(rb"</?[a-z][^\s/>]*+", re.IGNORECASE)
_PIECE_BYTES = 1 << 20
CONTROLS = bytes({*range(0x20)} - {*b"\t\n\r"})
"""The control characters that XML 1.0 excludes."""
NO_CHARACTERS = ("\ufffe".encode(), "\uffff".encode())


def count_nodes(body: bytes) -> int:
    """Return how many tags, comments and declarations the page has at most: what looks like one in
    a script counts, too.
    """
    # In pieces, since other threads wait for a search to end.
    pieces = range(0, len(body), _PIECE_BYTES)
    return sum(len(_NODE.findall(body, i, i + _PIECE_BYTES + 1)) for i in pieces)


def count_unmatched_ends(body: bytes, most: int) -> int:
    """Return how many end tags are beyond the start tags of their name; 0 if the page has at most
    so many end tags.
    """
    if body.count(b"</") <= most:
        return 0
    counts = Counter[bytes]()
    for tag, number in Counter(_TAG.findall(body)).items():
        counts[tag.lower()] += number
    ends = ((tag, number) for tag, number in counts.items() if tag.startswith(b"</"))
    return sum(max(0, number - counts[b"<" + tag[2:]]) for tag, number in ends)


def count_continuations(body: bytes) -> int:
    """Return how many continuation bytes UTF-8 has; -1 if it is not valid, or has a U+FFFD."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return -1
    return -1 if "\ufffd" in text else len(body) - len(text)


def may_be_malformed(body: bytes) -> bool:
    """Return whether UTF-8 may hold a character that XML 1.0 excludes, or a reference to one."""
    return (
        b"&#" in body
        or len(body.translate(None, CONTROLS)) < len(body)
        or any(character in body for character in NO_CHARACTERS)
    )


def may_have_many_attributes(
    body: bytes,
    window: int,
    signs: int,
    gap: int,
    most: int,  # noqa: ARG001
) -> bool:
    """Return whether a tag may have more than ``most`` attributes and be longer than a window.

    It may if in some window of the page each of the first ``>`` may be in an attribute's value.
    """
    read = _Signs(body, signs, gap)
    starts = range(0, len(body) - window, window)
    return any(read.all_quoted(start, start + window) for start in starts)


def may_have(text: str, stems: Iterable[str]) -> bool:
    """Return whether a pattern that ignores case may find something in a text; ``stems``: every
    text of ASCII in which it does has one of them, in lower case.
    """
    return not text.isascii() or any(map(text.lower().__contains__, stems))


def places_of_digits(
    texts: Sequence[str], most_chars: int, search: Callable[[str], object]
) -> list[int]:
    """Return the places of the texts of at most so many characters in which a search finds
    something; of ASCII, it finds two digits side by side.
    """
    return [i for i, text in enumerate(texts) if len(text) <= most_chars and search(text)]


class SignFinder:
    """Finds which of some signs a page has, in any case of their letters.

    The compiled form reads a page once for all signs. It passes most places by a look at four bytes
    at every other place.
    """

    def __init__(self, signs: Iterable[bytes]) -> None:
        """Take the signs, which are not empty; upper case is as lower case."""
        self._signs = frozenset(sign.lower() for sign in signs)

    def __call__(self, body: bytes) -> frozenset[bytes]:
        """Return the signs that the page has, in lower case."""
        lower = body.lower()
        return frozenset(sign for sign in self._signs if sign in lower)

    def lines(self, texts: Iterable[str], most_chars: int) -> dict[bytes, list[int]]:
        """Return by sign, in lower case, the numbers of the texts of at most so many characters
        that have it, from 0.
        """
        short = [text.lower() if len(text) <= most_chars else "" for text in texts]
        lower = [text.encode("utf-8", "surrogatepass") for text in short]
        found, numbered = self(b"\n".join(lower)), [*enumerate(lower)]
        lines = {sign: [n for n, line in numbered if sign in line] for sign in found}
        return {sign: numbers for sign, numbers in lines.items() if numbers}


class _Signs:
    """Finds the signs ``>`` of a page, from its beginning on."""

    def __init__(self, body: bytes, most: int, max_gap: int) -> None:
        self._body = body
        self._most = most
        self._max_gap = max_gap
        self._quotes = dict.fromkeys(_QUOTES, -1)
        """By kind of quote, the offset of the last one before ``_known``."""
        self._known = 0

    def all_quoted(self, start: int, end: int) -> bool:
        """Return whether each of the first signs from ``start`` to ``end`` may be in a value."""
        sign = start - 1
        for _ in range(self._most):
            sign = self._body.find(b">", sign + 1, end)
            if sign < 0:
                break
            for quote, last in self._quotes.items():
                self._quotes[quote] = max(last, self._body.rfind(quote, self._known, sign))
            self._known = sign
            if not any(map(self._begins_a_value, self._quotes.values())):
                return False
        return True

    def _begins_a_value(self, quote: int) -> bool:
        """Return whether the quote at this offset may begin an attribute's value; -1: no quote."""
        before = self._body[max(0, quote - self._max_gap) : max(0, quote)].rstrip()
        return quote > 0 and before[-1:] in b"="


in_python = (
    count_nodes, count_unmatched_ends, may_be_malformed, may_have_many_attributes,
    SignFinder, count_continuations, places_of_digits,
)  # fmt: skip
"""What of this module has a compiled form, for tests of both."""

try:
    from scrapy_boilernet.extractor.html import compiled_scan
except ImportError:  # not compiled
    pass
else:
    count_continuations = compiled_scan.count_continuations
    count_nodes = compiled_scan.count_nodes
    may_be_malformed = compiled_scan.may_be_malformed
    may_have_many_attributes = compiled_scan.may_have_many_attributes
    places_of_digits = compiled_scan.places_of_digits
    SignFinder = compiled_scan.SignFinder  # type: ignore[misc, assignment]

    def count_unmatched_ends(body: bytes, most: int) -> int:
        """Return how many end tags are beyond the start tags of their name; 0 if the page has at
        most so many end tags.
        """
        count = compiled_scan.count_unmatched_ends(body, most)
        return in_python[1](body, most) if count < 0 else count
