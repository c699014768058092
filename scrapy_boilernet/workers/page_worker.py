"""The worker that labels: pages as bytes to labelings, in whichever process it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

from scrapy_boilernet.labeled import CONTENT, LabeledPage
from scrapy_boilernet.labelers.registry import Labeler, identity, load_labeler, model_version
from scrapy_boilernet.labeling import attempt, label_pages
from scrapy_boilernet.page import Page, Units
from scrapy_boilernet.workers.jobs import (
    Labeling,
    NotHtmlError,
    PageJob,
    TooLargeError,
    TooManyBlocksError,
)
from scrapy_boilernet.workers.page_cache import CachedBlockifier
from scrapy_boilernet.workers.result_cache import ResultCache


class PageWorker:
    """One labeler, and the caches before it: of results, if there is one, and of blocks."""

    def __init__(
        self,
        labeler: Labeler,
        cache: CachedBlockifier,
        results: ResultCache | None = None,
        model: str = "",
    ) -> None:
        self.labeler = labeler
        self.model = model or labeler.name
        self.cache = cache
        self.results = results
        self._errors = 0
        """Of those of the results cache, how many have been told."""

    @classmethod
    def of(
        cls,
        model: str,
        engine: str,
        device: str,
        cache_blocks: int,
        cache_folder: str | None,
        cache_bytes: int,
    ) -> PageWorker:
        """Return the worker of these settings.

        Raises ``ModelError`` if the model cannot be loaded, ``OSError`` if the folder of results
        cannot be made.
        """
        labeler = load_labeler(model, engine, device)
        results = None
        if cache_folder:
            results = ResultCache(cache_folder, identity(labeler, model, device), cache_bytes)
        return cls(labeler, CachedBlockifier(cache_blocks), results, model_version(labeler, model))

    def label(self, jobs: Sequence[PageJob]) -> list[Labeling | Exception]:
        """Return per job its labeling, or the exception that its page raised."""
        known = [self._known(job) for job in jobs]
        wanted = [job for job, found in zip(jobs, known, strict=True) if found is None]
        outcomes = iter(self._label(wanted))
        return [
            found if found is not None else self._kept(job, next(outcomes))
            for job, found in zip(jobs, known, strict=True)
        ]

    def close(self) -> None:
        """Let go of the results cache."""
        if self.results:
            self.results.close()

    def _known(self, job: PageJob) -> Labeling | None:
        """The labeling of a job whose result is in the results cache."""
        result = self.results.get(job) if self.results else None
        if result is None:
            return None
        return _labeling(result, cached=False, known=True, blockify_seconds=0.0, label_seconds=0.0)

    def _label(self, jobs: Sequence[PageJob]) -> list[Labeling | Exception]:
        read = [attempt(self._read, job) for job in jobs]
        good = [
            (job, found)
            for job, found in zip(jobs, read, strict=True)
            if not isinstance(found, Exception)
        ]
        begin = perf_counter()
        pages, options = [found.page for _, found in good], [job.options for job, _ in good]
        results = iter(label_pages(pages, self.labeler, options))
        share = (perf_counter() - begin) / max(1, len(good))
        return [
            found if isinstance(found, Exception) else _outcome(job, found, next(results), share)
            for job, found in zip(jobs, read, strict=True)
        ]

    def _read(self, job: PageJob) -> _Read:
        begin = perf_counter()
        page, cached = read_page(job, self.labeler.units, self.cache)
        return _Read(page, cached, perf_counter() - begin)

    def _kept(self, job: PageJob, outcome: Labeling | Exception) -> Labeling | Exception:
        """The outcome, put into the results cache."""
        if self.results is None or isinstance(outcome, Exception):
            return outcome
        self.results.put(job, outcome.result)
        errors, self._errors = self._errors, self.results.errors
        return replace(outcome, cache_errors=self._errors - errors)


def read_page(job: PageJob, units: Units, cache: CachedBlockifier) -> tuple[Page, bool]:
    """Return the job's page and whether it was in the cache.

    Raises ``NotHtmlError``; and ``TooLargeError`` or ``TooManyBlocksError`` if the job's limits
    have it skipped.
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
    """A page that the blockifier has done."""

    page: Page
    cached: bool
    seconds: float


def _outcome(
    job: PageJob, read: _Read, result: LabeledPage | Exception, share: float
) -> Labeling | Exception:
    return result if isinstance(result, Exception) else attempt(_finished, job, read, result, share)


def _finished(job: PageJob, read: _Read, result: LabeledPage, share: float) -> Labeling:
    begin = perf_counter()
    _ = result.text  # made here, not in the reactor's thread; kept with the result
    if job.rows:
        _ = result.rows
    seconds = share + perf_counter() - begin
    return _labeling(
        result,
        cached=read.cached,
        known=False,
        blockify_seconds=read.seconds,
        label_seconds=seconds,
    )


def _labeling(
    result: LabeledPage,
    *,
    cached: bool,
    known: bool,
    blockify_seconds: float,
    label_seconds: float,
) -> Labeling:
    return Labeling(
        result=result,
        blocks=len(result.labels),
        content=result.labels.count(CONTENT),
        over_max_bytes=result.page.over_max_bytes,
        over_max_blocks=result.page.over_max_blocks,
        flat=result.page.flat,
        cached=cached,
        known=known,
        cache_errors=0,
        blockify_seconds=blockify_seconds,
        label_seconds=label_seconds,
    )
