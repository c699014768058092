"""The cached blockifier: pages that come again, under any URL, are blockified once."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.html.decode import top_level_domain
from scrapy_boilernet.page import Page, Units
from scrapy_boilernet.workers.jobs import PageJob

Key = tuple[str | int | None, ...]


class CachedBlockifier:
    """Blockifies, keeping the most recently used pages up to ``max_blocks`` blocks in all.

    Bounded by blocks, not by pages: a page of 500 KB can be 15,000 blocks. Keyed by the digest of
    the body, with all else that its blocks depend on: of the URL, the top-level domain. Safe to
    call from any thread.
    """

    def __init__(self, max_blocks: int) -> None:
        self.max_blocks = max_blocks
        self.blocks = 0
        """Blocks held now, with one more per 1,000 characters of text."""
        self._pages: OrderedDict[Key, Page] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._pages)

    def __call__(self, job: PageJob, units: Units) -> tuple[Page, bool]:
        """Return (the job's page, whether it was in the cache)."""
        limits, url = job.limits, job.url
        how = (job.encoding, units, limits.max_blocks, job.charset, limits.max_bytes)
        if not self.max_blocks:
            return blockify(job.body, url, *how, job.digest), False
        key: Key = (job.digest, top_level_domain(url), *how)
        with self._lock:
            page = self._pages.get(key)
            if page is not None:
                self._pages.move_to_end(key)
                return (page if page.url == url else replace(page, url=url)), True
        page = blockify(job.body, url, *how, job.digest)
        self._keep(key, page)
        return page, False

    def _keep(self, key: Key, page: Page) -> None:
        with self._lock:
            if key in self._pages or _weight(page) > self.max_blocks:
                return
            self._pages[key] = page
            self.blocks += _weight(page)
            while self.blocks > self.max_blocks:
                _, dropped = self._pages.popitem(last=False)
                self.blocks -= _weight(dropped)


def _weight(page: Page) -> int:
    """The page's blocks, at least one, and one per 1,000 characters: a block can hold a book."""
    chars = sum(len(block.text) for block in page.blocks) + len(page.head.article_body)
    return max(1, len(page.blocks)) + chars // 1000
