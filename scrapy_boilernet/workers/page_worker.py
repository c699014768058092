"""The worker that labels pages, with its cache; runs in any process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import compress
from sys import getsizeof
from threading import Lock
from time import perf_counter
from typing import Any, NamedTuple

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import top_level_domain
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler, model_version
from scrapy_boilernet.extractor.labeling import attempt, check_formats, formatted, label_pages
from scrapy_boilernet.extractor.options import Format, Units, parts_read_for
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.sites.rules import SiteRule, SiteRules
from scrapy_boilernet.workers.jobs import (
    Labeling,
    NotHtmlError,
    PageJob,
    TooLargeError,
    TooManyBlocksError,
)
from scrapy_boilernet.workers.templates import judged_templates

Key = tuple[str | int | SiteRule | None, ...]


class CachedBlockifier:
    """Blockifies pages, and keeps the most recently used ones, up to ``max_blocks`` blocks in all.

    The limit counts blocks, not pages, since a page of 500 KB can have 15,000 blocks. The key of a
    page is the digest of its body and everything else that its blocks depend on, such as the
    top-level domain of its URL, and the rule of its site, one of ``sites``. Safe to call from any
    thread.
    """

    def __init__(self, max_blocks: int, sites: SiteRules | None = None) -> None:
        self.max_blocks = max_blocks
        self.sites = sites
        self.blocks = 0
        """The sum of :func:`_weight` over the pages in the cache."""
        self._pages: OrderedDict[Key, Page] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._pages)

    def __call__(self, job: PageJob, units: Units) -> tuple[Page, bool]:
        """Return (the job's page, whether it was in the cache).

        The page has the markup, the stated values and the thread that the job's formats need.
        """
        limits, url = job.limits, job.url
        settings = (job.encoding, units, limits.max_blocks, job.charset, limits.max_bytes)
        rule = self.sites.rule_for(url) if self.sites else None
        parts = (*parts_read_for(job.formats), rule)
        if not self.max_blocks:
            return blockify(job.body, url, *settings, job.digest, *parts), False
        key: Key = (job.digest, top_level_domain(url), *settings, *parts)
        with self._lock:
            page = self._pages.get(key)
            if page is not None:
                self._pages.move_to_end(key)
                return (page if page.url == url else replace(page, url=url)), True
        page = blockify(job.body, url, *settings, job.digest, *parts)
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
    """Return how many blocks the page counts as.

    These are its blocks, or 1 if it has none; one per 1,000 characters, since a block can be long;
    and one per 1,000 bytes of its markup, of what it states and of the marks of its posts.
    """
    chars = sum(map(len, page.texts)) + len(page.head.article_body)
    extra_bytes = _bytes_of([page.markup, page.stated, page.thread])
    return max(1, len(page.blocks)) + chars // 1000 + extra_bytes // 1000


def _bytes_of(values: list[Any]) -> int:
    """Return the bytes of values and of all that they hold, each object once.

    The values are dataclasses, tuples, strings and numbers, as in ``Markup`` and ``Stated``.
    """
    size, seen, waiting = 0, set(), values
    while waiting:
        value = waiting.pop()
        if value is None or id(value) in seen:
            continue
        seen.add(id(value))
        size += getsizeof(value)
        if isinstance(value, tuple):
            waiting += value
        elif is_dataclass(value):
            waiting += [getattr(value, each.name) for each in fields(value)]
    return size


class PageWorker:
    """One labeler with a cache of blocks."""

    def __init__(self, labeler: Labeler, cache: CachedBlockifier, model: str = "") -> None:
        self.labeler = labeler
        self.model = model or labeler.name
        self.cache = cache
        self.began: Callable[[int | None], None] = _nothing
        """Called with the place of a job in its batch before the job is worked on, and with None
        before all pages are scored. So others know which page hangs, or ends the process."""

    @classmethod
    def of(
        cls,
        model: str,
        engine: str,
        cache_blocks: int,
        formats: Sequence[Format] = (),
        sites: SiteRules | None = None,
    ) -> PageWorker:
        """Return a worker with these settings; ``formats``: the formats that all pages get;
        ``sites``: the rules of sites.

        Raises ``ModelError`` if the model cannot be loaded or cannot make one of the formats.
        """
        labeler = load_labeler(model, engine)
        check_formats(formats, labeler)
        cache = CachedBlockifier(cache_blocks, sites)
        return cls(labeler, cache, model_version(labeler, model))

    def label(
        self, jobs: Sequence[PageJob], places: Sequence[int] | None = None
    ) -> list[Labeling | Exception]:
        """Return the labeling of each job, or the exception that its page raised.

        ``places``: the places of the jobs in a larger batch, for :attr:`began`.
        """
        placed = list(zip(places or range(len(jobs)), jobs, strict=True))
        reads = [attempt(self._read, place, job) for place, job in placed]
        readable = [
            (job, read)
            for job, read in zip(jobs, reads, strict=True)
            if not isinstance(read, Exception)
        ]
        if len(jobs) > 1:
            self.began(None)
        begin = perf_counter()
        pages, options = [read.page for _, read in readable], [job.options for job, _ in readable]
        results = iter(label_pages(pages, self.labeler, options))
        share = (perf_counter() - begin) / max(1, len(readable))
        return [
            read
            if isinstance(read, Exception)
            else self._outcome(place, job, read, next(results), share)
            for (place, job), read in zip(placed, reads, strict=True)
        ]

    def _outcome(
        self, place: int, job: PageJob, read: _Read, result: LabeledPage | Exception, share: float
    ) -> Labeling | Exception:
        self.began(place)
        if isinstance(result, Exception):
            return result
        return attempt(_finished, job, read, result, share)

    def _read(self, place: int, job: PageJob) -> _Read:
        self.began(place)
        begin = perf_counter()
        check_formats(job.formats, self.labeler)
        page, cached = read_page(job, self.labeler.units, self.cache)
        return _Read(page, cached, perf_counter() - begin)


def read_page(job: PageJob, units: Units, cache: CachedBlockifier) -> tuple[Page, bool]:
    """Return the job's page and whether it was in the cache.

    Raises ``NotHtmlError`` for bytes of another format, and ``TooLargeError`` or
    ``TooManyBlocksError`` for a page over a limit that is set to ``"skip"``.
    """
    limits = job.limits
    page, cached = cache(job, units)
    if page.not_html:
        raise NotHtmlError(f"{page.not_html}, not HTML")
    if page.over_max_bytes and limits.over_max_bytes == "skip":
        raise TooLargeError(
            f"more than BOILERNET_MAX_BYTES = {limits.max_bytes} bytes; raise it, or set "
            "BOILERNET_OVER_MAX_BYTES = 'cut'"
        )
    if page.over_max_blocks and limits.over_max_blocks == "skip":
        raise TooManyBlocksError(
            f"more blocks or elements than BOILERNET_MAX_BLOCKS = {limits.max_blocks} allows; "
            "raise it, or set BOILERNET_OVER_MAX_BLOCKS = 'cut'"
        )
    return page, cached


class _Read(NamedTuple):
    """A blockified page, whether it was in the cache, and how long that took."""

    page: Page
    cached: bool
    seconds: float


def _nothing(_: int | None) -> None:
    """Do nothing: nobody wants to know."""


def _finished(job: PageJob, read: _Read, result: LabeledPage, share: float) -> Labeling:
    begin = perf_counter()
    beside = job.options.beside
    result = formatted(result, job.formats, job.detect_language, job.opt_out, beside)
    _ = result.text  # computed here, not in the reactor's thread, and cached in the result
    if job.chunk_tokens:
        result = result.with_chunks(job.chunk_tokens)
    if job.rows:
        _ = result.label_columns
    seconds = share + perf_counter() - begin
    return Labeling(
        result=result,
        blocks=len(result.labels),
        content=sum(result.kept),
        hidden_chars=_hidden_chars(result),
        over_max_bytes=result.page.over_max_bytes,
        over_max_blocks=result.page.over_max_blocks,
        flat=result.page.flat,
        by_rule=_by_rule(result.page),
        templates=judged_templates(result) if job.judge_templates else (),
        cached=read.cached,
        blockify_seconds=read.seconds,
        label_seconds=seconds,
    )


def _by_rule(page: Page) -> bool | None:
    """Return whether ``keep`` of the rule of the site found a block; None if there is none."""
    return None if page.site is None or not page.site.keeps else not page.site.no_match


def _hidden_chars(result: LabeledPage) -> int:
    """Return the characters of :attr:`LabeledPage.hidden`, without making its blocks."""
    page = result.page
    hidden = compress(zip(page.texts, result.kept, strict=True), page.hidden)
    chars = sum(len(text) for text, keep in hidden if not keep)
    return chars + sum(len(each.text) for each in page.invisible)
