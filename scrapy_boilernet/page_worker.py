"""The worker that labels: pages as bytes to labelings, in whichever process it is."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

from scrapy_boilernet.cache import CachedBlockifier
from scrapy_boilernet.extract import attempt, label_pages
from scrapy_boilernet.labeled import CONTENT, LabeledPage
from scrapy_boilernet.labelers import Labeler
from scrapy_boilernet.page import Page
from scrapy_boilernet.worker import Labeling, PageJob


class PageWorker:
    """One labeler, and the cache before it."""

    def __init__(self, labeler: Labeler, cache: CachedBlockifier) -> None:
        self.labeler = labeler
        self.cache = cache

    def label(self, jobs: Sequence[PageJob]) -> list[Labeling | Exception]:
        """Return per job its labeling, or the exception that its page raised."""
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
        page, cached = self.cache(
            job.body, job.url, job.encoding, self.labeler.units, job.max_blocks
        )
        return _Read(page, cached, perf_counter() - begin)


class _Read(NamedTuple):
    """A page that the blockifier has done."""

    page: Page
    cached: bool
    seconds: float


def _outcome(
    job: PageJob, read: _Read, result: LabeledPage | Exception, share: float
) -> Labeling | Exception:
    return result if isinstance(result, Exception) else attempt(_labeling, job, read, result, share)


def _labeling(job: PageJob, read: _Read, result: LabeledPage, share: float) -> Labeling:
    begin = perf_counter()
    _ = result.text  # made here, not in the reactor's thread; kept with the result
    if job.rows:
        _ = result.rows
    return Labeling(
        result=result,
        blocks=len(result.labels),
        content=result.labels.count(CONTENT),
        truncated=read.page.truncated,
        cached=read.cached,
        blockify_seconds=read.seconds,
        label_seconds=share + perf_counter() - begin,
    )
