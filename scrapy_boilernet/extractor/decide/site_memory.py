"""What the pages of a site have in common: the mean log-odds of its templates.

A site builds its pages of the same templates, and a template mostly has the same label on each of
them. A network that sees one page at a time may judge the same box differently on two pages. So
the log-odds of a block are moved towards the mean of its template over the pages of the site that
were seen. ``docs/results/quality/site-memory.md`` has the gain for each share of the distance.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.pooling import CLASS_STEPS, TAG_STEPS
from scrapy_boilernet.extractor.decide.threshold import log_odds
from scrapy_boilernet.extractor.page import Ancestors, Page

SHARE = 0.5
"""By what share of the distance to the mean blocks move, chosen on folds of whole sites."""
MAX_SITES, MAX_TEMPLATES = 1_000, 500
"""Sites that are remembered, those seen last, and templates of each, those seen first."""
_MIN_PAGES = 2

Templates = dict[bytes, tuple[float, int]]
"""By the digest of a template, the sum of its means over pages, and the number of pages."""


class SiteMemory:
    """The templates of sites. Not safe for several threads at once."""

    def __init__(self, share: float = SHARE) -> None:
        """Remember nothing; ``share``: how far blocks move, in [0, 1]."""
        self.share = share
        self._sites: OrderedDict[str, Templates] = OrderedDict()

    def learn(self, site: str, page: Page, probabilities: NDArray[np.float32]) -> None:
        """Take in a page of a site. ``probabilities``: P(content) per block, (blocks,)."""
        if not len(probabilities):
            return
        known = self._sites.setdefault(site, {})
        self._sites.move_to_end(site)
        if len(self._sites) > MAX_SITES:
            self._sites.popitem(last=False)
        digests, places = _templates_of(page)
        sums = np.bincount(places, log_odds(probabilities), len(digests))
        means = (sums / np.maximum(np.bincount(places, minlength=len(digests)), 1)).tolist()
        for digest, mean in zip(digests, means, strict=True):
            total, pages = known.get(digest, (0.0, 0))
            if pages or len(known) < MAX_TEMPLATES:
                known[digest] = (total + mean, pages + 1)

    def moved(
        self, site: str, page: Page, probabilities: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return P(content) per block after the move, (blocks,); the same array if the site has no
        template that two of its pages share.
        """
        known = self._sites.get(site)
        if not known or not len(probabilities):
            return probabilities
        digests, places = _templates_of(page)
        seen = [known.get(digest, (0.0, 0)) for digest in digests]
        if all(pages < _MIN_PAGES for _, pages in seen):
            return probabilities
        shares = np.array([self.share * (pages >= _MIN_PAGES) for _, pages in seen])[places]
        means = np.array([total / max(pages, 1) for total, pages in seen])[places]
        odds = (1 - shares) * log_odds(probabilities) + shares * means
        moved = (1 / (1 + np.exp(-odds))).astype(np.float32)
        return np.where(shares > 0, moved, probabilities)

    def to_json(self) -> dict[str, Any]:
        """Return what :meth:`from_json` reads."""
        sites = {
            site: {digest.hex(): list(value) for digest, value in templates.items()}
            for site, templates in self._sites.items()
        }
        return {"share": self.share, "sites": sites}

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> SiteMemory:
        """Return the memory that :meth:`to_json` gave. Raises ``ValueError`` if this is none."""
        try:
            memory = cls(float(saved["share"]))
            for site, templates in saved["sites"].items():
                memory._sites[site] = {
                    bytes.fromhex(digest): (float(total), int(pages))
                    for digest, (total, pages) in templates.items()
                }
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"this is no memory of sites: {error!r}") from error
        return memory


def _templates_of(page: Page) -> tuple[list[bytes], NDArray[np.int64]]:
    """Return (digests of the page's templates, per block the place of its template)."""
    places: dict[bytes, int] = {}
    of_pairs = [
        places.setdefault(_digest(tags[-TAG_STEPS:], class_words[-CLASS_STEPS:]), len(places))
        for tags, class_words in page.paths.pairs
    ]
    return [*places], np.array(of_pairs, dtype=np.int64)[page.path_places]


@lru_cache(maxsize=1 << 14)  # the pages of a site have the same templates
def _digest(tags: Ancestors, class_words: Ancestors) -> bytes:
    return blake2b("\n".join((*tags, "", *class_words)).encode(), digest_size=8).digest()
