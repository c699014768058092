"""Whether a page may be one of those over which libxml2 takes time in the square of their size.

Guesses that never say no wrongly: yes costs a page a slower way to the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_WINDOW_BYTES = 16_384
_MANY_WORDS = 2_000
"""Attributes that one element may have: libxml2 adds each at the end of a list that it walks from
its beginning."""
_MAX_GAP_BYTES = 64
"""White space between ``=`` and a value; where there is more, there may be a ``=`` before it."""
_SMALL_BYTES = 500_000
_MANY_END_TAGS = 5_000
"""End tags beyond what elements a page can have: each is looked for among all open elements."""
_QUOTES = (b'"', b"'")
_TAG_START = re.compile(rb"<[a-zA-Z]")
_MOST_SIGNS = 4
_RAW_START = re.compile(rb"<(?:script|style)\b[^<>]*>\Z", re.IGNORECASE)
_ATTRIBUTES = re.compile(rb"""(?:=\s*+(?:"[^"]*+"|'[^']*+')|[^>=]++|=)*+""")
_ATTRIBUTE = re.compile(rb"""[^\s=>"'/][^\s=>/]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?""")
_WORD = re.compile(rb"[\s/\"'][^\s/\"'=>]")


def may_have_many_attributes(body: bytes) -> bool:
    """Return whether a tag of ``body`` may be longer than 32 kB and hold over 2,000 attributes.

    Looks at a few ``>`` per 16 kB: none in such a tag ends it.
    """
    begin: int | None = None
    signs = _Signs(body)
    for start in range(0, len(body) - _WINDOW_BYTES, _WINDOW_BYTES):
        if signs.all_quoted(start, start + _WINDOW_BYTES):
            begin = start if begin is None else begin
            continue
        if begin is not None and _may_be_flood(body, begin, start):
            return True
        begin = None
    return begin is not None and _may_be_flood(body, begin, len(body))


class _Signs:
    """The signs ``>`` of a page, looked at from its beginning on."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._quotes = dict.fromkeys(_QUOTES, -1)
        """Where the last of each is before ``_known``."""
        self._known = 0

    def all_quoted(self, start: int, end: int) -> bool:
        """Whether each of the first signs from ``start`` to ``end`` may stand in a value."""
        place = start - 1
        for _ in range(_MOST_SIGNS):
            place = self._body.find(b">", place + 1, end)
            if place < 0:
                break
            for quote, last in self._quotes.items():
                self._quotes[quote] = max(last, self._body.rfind(quote, self._known, place))
            self._known = place
            if not any(_begins_a_value(self._body, last) for last in self._quotes.values()):
                return False
        return True


def has_many_end_tags(body: bytes) -> bool:
    """Return whether ``body`` has over 5,000 more end tags than start tags; small pages
    never do.
    """
    if len(body) < _SMALL_BYTES:  # over in half a second, whatever it holds
        return False
    ends = body.count(b"</")
    return ends > _MANY_END_TAGS and 2 * ends > body.count(b"<") + _MANY_END_TAGS


def _begins_a_value(body: bytes, quote: int) -> bool:
    """Whether the quote at this place, if there is one, may begin the value of an attribute."""
    return quote > 0 and body[max(0, quote - _MAX_GAP_BYTES) : quote].rstrip()[-1:] in b"="


def _may_be_flood(body: bytes, begin: int, end: int) -> bool:
    """Whether a tag over all windows from ``begin`` to ``end`` may have too many attributes."""
    low = max(0, begin - _WINDOW_BYTES)
    last = body.rfind(b">", low, begin)
    if last >= 0 and _ends_a_tag(body, last):
        after = body.find(b">", begin)
        if after < 0 or after >= end - _WINDOW_BYTES:  # one stretch without such a sign
            known = _is_flood(body, last + 1, after if after >= 0 else len(body))
            if known is not None:
                return known
        low = last + 1
    start = _TAG_START.search(body, low, end + _WINDOW_BYTES)
    if start is None:
        return False
    words = _WORD.finditer(body, max(start.start(), begin - _WINDOW_BYTES), end + _WINDOW_BYTES)
    return _are_many(words)


def _is_flood(body: bytes, begin: int, end: int) -> bool | None:
    """Whether a tag between two signs ``>`` has too many attributes; None if it may end later."""
    if _RAW_START.search(body, max(0, begin - _MAX_GAP_BYTES * 4), begin):
        begin = body.find(b"</", begin, end)  # no other tag begins in there
    start = None if begin < 0 else _TAG_START.search(body, begin, end)
    if start is None:
        return False
    inside = _ATTRIBUTES.match(body, start.end())
    if inside is None or inside.end() != end:
        return None
    return _are_many(_ATTRIBUTE.finditer(body, start.end(), end))


def _are_many(found: Iterator[re.Match[bytes]]) -> bool:
    return next(islice(found, _MANY_WORDS, None), None) is not None


def _ends_a_tag(body: bytes, place: int) -> bool:
    """Whether the ``>`` there surely stands in no attribute's value."""
    return not any(_begins_a_value(body, body.rfind(quote, 0, place)) for quote in _QUOTES)
