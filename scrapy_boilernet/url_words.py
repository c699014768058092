"""The shape of a URL as words to hash: what kind of page it names, never which site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

_WORD = re.compile(r"[a-z]+")
_LONG_NUMBER = re.compile(r"[0-9]{4,}")
_MAX_SEGMENTS = 20


def url_words(url: str | None) -> tuple[str, ...]:
    """Return words for the URL's depth, its query, its short segments and its last one's shape.

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
    yield f"u:{min(len(segments), 5)}"
    yield f"q:{query}"
    if segments:
        last = segments[-1]
        yield f"slug:{min(len(re.findall('[A-Za-z]+', last)), 6)}"
        yield f"dig:{bool(_LONG_NUMBER.search(last))}"
        yield f"ext:{last.rpartition('.')[2].lower()[:10] if '.' in last else ''}"
    for segment in segments:
        words = _WORD.findall(segment.lower())
        if len(words) <= 2:  # "product", not the words of a headline
            yield from (f"p:{word}" for word in words)
    if host in _TELLING_HOSTS:
        yield f"h:{host}"


_TELLING_HOSTS = frozenset(
    "blog news forum forums community docs doc developer shop store support help wiki en m".split()
)
"""First labels of a host name that tell a kind of page; others would only name the site."""
