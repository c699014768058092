"""Finds the pages that two data sets share, by equal bytes or equal URLs.

Near-duplicates are found by :mod:`scrapy_boilernet.lab.evaluation.splits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scrapy_boilernet.extractor.html.encoding import digest
from scrapy_boilernet.lab.evaluation.datasets import GoldPage

_SCHEME = re.compile(r"\A[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def keys_of(pages: Iterable[GoldPage]) -> frozenset[str]:
    """Return the keys by which :func:`has_page` finds these pages: digests of bytes, and URLs."""
    return frozenset(key for page in pages for key in _keys(page))


def has_page(keys: frozenset[str], page: GoldPage) -> bool:
    """Return whether ``keys`` has the page's bytes or its URL.

    A URL is compared without its scheme, its fragment and the slashes at its end. Empty bytes and
    missing URLs are not compared.
    """
    return not keys.isdisjoint(_keys(page))


def _keys(page: GoldPage) -> Iterator[str]:
    if page.html:
        yield digest(page.html)
    address = _SCHEME.sub("", (page.url or "").partition("#")[0]).rstrip("/")
    if address:
        yield f"//{address}"
