"""The worker: jobs to labelings, several at once, and a bad page harms no other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from testing.standins import Half, job_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeling import label_page, label_pages
from scrapy_boilernet.extractor.options import LabelOptions, Units
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.workers.jobs import Labeling, PageJob
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker


class Recording(Half):
    """Keeps the sizes of its batches; raises on a page with the title "bad"."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        self.batches.append(len(pages))
        if any(page.title == "bad" for page in pages):
            raise ZeroDivisionError
        return super().probabilities(pages)


def test_jobs_are_scored_together_and_labeled_as_alone() -> None:
    labeler = Recording()
    worker = PageWorker(labeler, CachedBlockifier(100))
    jobs = [job_of(f"<p>{n}</p><p>two</p>".encode(), f"http://a/{n}") for n in range(3)]
    outcomes = worker.label([*jobs, jobs[0]])
    assert labeler.batches == [4]
    for job, outcome in zip(jobs, outcomes, strict=False):
        assert isinstance(outcome, Labeling)
        assert outcome.result == label_page(blockify(job.body, url=job.url), Half())
        assert (outcome.blocks, outcome.content, outcome.over_max_blocks) == (2, 1, False)
    cached = [outcome.cached for outcome in outcomes if isinstance(outcome, Labeling)]
    assert cached == [False, False, False, True]


def test_options_are_those_of_each_job() -> None:
    worker = PageWorker(Half(), CachedBlockifier(0))
    body = b"<p>1<p>2<p>3"
    strict = job_of(body, options=LabelOptions(threshold=0.95))
    short = job_of(body, max_blocks=1)
    first, second = worker.label([strict, short])
    assert isinstance(first, Labeling)
    assert isinstance(second, Labeling)
    assert (first.content, second.blocks, second.over_max_blocks) == (0, 1, True)


def test_page_that_the_labeler_cannot_score_gives_its_error_and_harms_no_neighbour() -> None:
    labeler = Recording()
    pages = [job_of(b"<p>good"), job_of(b"<title>bad</title><p>x"), job_of(b"<p>good, too")]
    first, bad, last = PageWorker(labeler, CachedBlockifier(0)).label(pages)
    assert isinstance(bad, ZeroDivisionError)
    assert isinstance(first, Labeling)
    assert isinstance(last, Labeling)
    assert labeler.batches == [3, 1, 1, 1]


def test_page_that_cannot_be_read_gives_its_error_and_harms_no_neighbour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = PageWorker(Half(), CachedBlockifier(0))
    cache = worker.cache

    def memory(job: PageJob, units: Units) -> object:
        if job.body == b"bad":
            raise MemoryError
        return cache(job, units)

    monkeypatch.setattr(worker, "cache", memory)
    bad, good = worker.label([job_of(b"bad"), job_of(b"<p>good")])
    assert isinstance(bad, MemoryError)
    assert isinstance(good, Labeling)
    assert worker.label([job_of(b"bad")])[0].__class__ is MemoryError
    assert worker.label([]) == []


def test_label_pages_without_pages_gives_nothing() -> None:
    assert label_pages([], Half(), []) == []


@pytest.mark.parametrize("wrong", [{"threshold": 2}, {"favor": "both"}, {"title": "perhaps"}])
def test_wrong_options_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        LabelOptions(**wrong)  # type: ignore[arg-type]


def test_process_of_a_worker_imports_neither_scrapy_nor_twisted() -> None:
    code = "import sys, scrapy_boilernet.workers.child_main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert "scrapy_boilernet.workers.child_main" in loaded.split()
    assert not {"scrapy", "twisted", "torch", "onnxruntime"} & set(loaded.split())
