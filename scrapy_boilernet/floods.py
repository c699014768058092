"""Whether a page may be one of those over which libxml2 takes time in the square of their size.

Guesses that never say no wrongly: yes costs a page a slower way to the same text.
"""

from __future__ import annotations

import re

_WINDOW_BYTES = 16_384
_MANY_WORDS = 2_000
"""Attributes that one element may have: libxml2 adds each at the end of a list that it walks from
its beginning, which takes 4 ms for so many and 3 s for 50,000."""
_MAX_GAP_BYTES = 64
"""White space between ``=`` and a value; where there is more, there may be a ``=`` before it."""
_SMALL_BYTES = 250_000
_MANY_END_TAGS = 5_000
"""End tags beyond what elements a page can have: each is looked for among all open elements."""
_QUOTES = (b'"', b"'")
_MOST_SIGNS = 8
"""Signs ``>`` that are looked at for one that ends a tag."""
_TAG_START = re.compile(rb"<[a-zA-Z]")
_WORD = re.compile(rb"[\s/\"'][^\s/\"'=>]")


def may_have_many_attributes(body: bytes) -> bool:
    """Return whether a tag of ``body`` may be longer than 32 kB and hold over 2,000 attributes.

    Looks at one ``>`` per 16 kB: none in such a tag ends it.
    """
    begin: int | None = None
    quotes, known = dict.fromkeys(_QUOTES, -1), 0  # the last ones before known
    for start in range(0, len(body) - _WINDOW_BYTES, _WINDOW_BYTES):
        place = body.find(b">", start, start + _WINDOW_BYTES)
        if place >= 0:
            quotes = {q: max(last, body.rfind(q, known, place)) for q, last in quotes.items()}
            known = place
        if place < 0 or any(_begins_a_value(body, last) for last in quotes.values()):
            begin = start if begin is None else begin
            continue
        if begin is not None and _may_be_flood(body, begin, start):
            return True
        begin = None
    return begin is not None and _may_be_flood(body, begin, len(body))


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
    start = _TAG_START.search(body, _end_before(body, begin), end + _WINDOW_BYTES)
    if start is None:
        return False
    words = _WORD.finditer(body, max(start.start(), begin - _WINDOW_BYTES), end + _WINDOW_BYTES)
    return next((True for number, _ in enumerate(words) if number > _MANY_WORDS), False)


def _end_before(body: bytes, begin: int) -> int:
    """Where the last tag before ``begin`` has surely ended; where to begin to look if none has."""
    low = max(0, begin - _WINDOW_BYTES)
    place = begin
    for _ in range(_MOST_SIGNS):
        place = body.rfind(b">", low, place)
        if place < 0 or not any(_begins_a_value(body, body.rfind(q, 0, place)) for q in _QUOTES):
            return max(place, low)
    return low
