"""A labeler that knows the other pages of a site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.site_memory import SiteMemory
from scrapy_boilernet.extractor.labelers.base import Labeler
from scrapy_boilernet.extractor.page import Page


class SiteLabeler:
    """A labeler whose probabilities are moved by a memory of the templates of sites.

    It has all other attributes of the labeler inside. Unlike those of other labelers, a page's
    scores depend on the pages before it as long as it learns. Not safe for several threads at once.
    """

    def __init__(self, labeler: Labeler, memory: SiteMemory, *, learns: bool) -> None:
        """``learns``: whether the memory takes in each page before it is used for it."""
        self.labeler = labeler
        self.memory = memory
        self._learns = learns

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1].

        Those of pages without a host are the labeler's.
        """
        scores = self.labeler.probabilities(pages)
        return [self._remembered(page, own) for page, own in zip(pages, scores, strict=True)]

    def _remembered(self, page: Page, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        site = site_of(page.url)
        if not site:
            return scores
        if self._learns:
            self.memory.learn(site, page, scores)
        return self.memory.moved(site, page, scores)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.labeler, name)


def site_of(url: str | None) -> str:
    """Return the host of a URL without ``www.``, in lower case; "" if it has none.

    >>> site_of("https://www.Example.org:8000/a"), site_of("a.html")
    ('example.org', '')
    """
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:  # such as "http://[a"
        return ""
    return host.removeprefix("www.")
