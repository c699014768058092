"""Whether a page is one of those over which libxml2 takes time in the square of their size."""

from __future__ import annotations

import re
from collections import Counter

from scrapy_boilernet.markup import up_to_tag_of_more

_MANY_ATTRIBUTES = 500
"""Of one element: libxml2 adds each at the end of a list that it walks from its beginning."""
_LEAST_WINDOW_BYTES = 1_024
_WINDOW_BYTES_BY_PAGE = 1_000_000_000
"""A window's bytes by the page's: what tags of many attributes take grows with their length and
with the page; those shorter than two windows have too few attributes to take long."""
_MAX_GAP_BYTES = 64
"""White space between ``=`` and a value; where there is more, there may be a ``=`` before it."""
_SMALL_BYTES = 250_000
_MANY_END_TAGS = 5_000
"""End tags that end nothing: each is looked for among all open elements."""
_TAG = re.compile(rb"</?[a-z][^\s/>]*+", re.IGNORECASE)
_QUOTES = (b'"', b"'")
_MOST_SIGNS = 4
_UP_TO_MANY = up_to_tag_of_more(_MANY_ATTRIBUTES)


def has_many_attributes(body: bytes) -> bool:
    """Return whether ``body`` has a tag of over 500 attributes that takes libxml2 long.

    Most pages are known not to by a look at a few ``>`` in each of their parts: none in such a tag
    ends it. The others are parted into tokens.
    """
    window = max(_LEAST_WINDOW_BYTES, _WINDOW_BYTES_BY_PAGE // max(1, len(body)))
    signs = _Signs(body)
    starts = range(0, len(body) - window, window)
    if not any(signs.all_quoted(start, start + window) for start in starts):
        return False
    return _UP_TO_MANY.fullmatch(body) is None


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
    """Return whether ``body`` has over 5,000 end tags that no start tag of their name goes with;
    small pages never do.
    """
    if len(body) < _SMALL_BYTES:  # too small to take long, whatever it holds
        return False
    if body.count(b"</") <= _MANY_END_TAGS:
        return False
    counts = Counter(tag.lower() for tag in _TAG.findall(body))
    ends = ((tag, number) for tag, number in counts.items() if tag.startswith(b"</"))
    beyond = (number - counts[b"<" + tag[2:]] for tag, number in ends)
    return sum(number for number in beyond if number > 0) > _MANY_END_TAGS


def _begins_a_value(body: bytes, quote: int) -> bool:
    """Whether the quote at this place, if there is one, may begin the value of an attribute."""
    return quote > 0 and body[max(0, quote - _MAX_GAP_BYTES) : quote].rstrip()[-1:] in b"="
