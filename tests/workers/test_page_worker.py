"""The worker with results on disk: what was labeled before is not labeled again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from testing.standins import Half, job_of
from testing.synthetic import article

from scrapy_boilernet.labelers.registry import ModelError
from scrapy_boilernet.options import LabelOptions, Limits
from scrapy_boilernet.page import Page
from scrapy_boilernet.workers.jobs import Labeling, PageJob, TooManyBlocksError
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.result_cache import FILE_NAME, ResultCache, ResultFile

ROOM = 2**24
JOB = job_of(article(1)[0], rows=True)


class Counting(Half):
    """Counts the pages that it scores."""

    def __init__(self) -> None:
        self.pages = 0

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        self.pages += len(pages)
        return super().probabilities(pages)


def worker_in(folder: Path, identity: str = "half") -> PageWorker:
    return PageWorker(Counting(), CachedBlockifier(0), ResultCache(folder, identity, ROOM))


def one(worker: PageWorker, job: PageJob = JOB) -> Labeling:
    (outcome,) = worker.label([job])
    assert isinstance(outcome, Labeling)
    return outcome


def scored(worker: PageWorker) -> int:
    assert isinstance(worker.labeler, Counting)
    return worker.labeler.pages


def test_the_same_job_comes_from_disk_and_equals_the_first(tmp_path: Path) -> None:
    worker = worker_in(tmp_path)
    first, second = one(worker), one(worker)
    assert (first.known, second.known, scored(worker)) == (False, True, 1)
    assert second.result == first.result
    assert second.result.text == first.result.text
    assert second.result.block_labels() == first.result.block_labels()
    assert (second.blocks, second.content) == (first.blocks, first.content)
    assert (second.over_max_bytes, second.flat, second.cached) == (False, False, False)
    assert (second.blockify_seconds, second.label_seconds, second.cache_errors) == (0, 0, 0)


def test_another_worker_finds_it_too(tmp_path: Path) -> None:
    before = worker_in(tmp_path)
    first = one(before)
    before.close()
    after = worker_in(tmp_path)
    assert one(after).result == first.result
    assert scored(after) == 0


def test_known_and_new_pages_of_one_batch_keep_their_order(tmp_path: Path) -> None:
    worker = worker_in(tmp_path)
    jobs = [job_of(article(seed)[0], f"http://example.com/{seed}") for seed in range(5)]
    one(worker, jobs[1])
    one(worker, jobs[4])
    outcomes = worker.label(jobs)
    alone = PageWorker(Half(), CachedBlockifier(0)).label(jobs)
    known = []
    for outcome, expected in zip(outcomes, alone, strict=True):
        assert isinstance(outcome, Labeling)
        assert isinstance(expected, Labeling)
        assert outcome.result == expected.result
        known.append(outcome.known)
    assert known == [False, True, False, False, True]
    assert scored(worker) == 5


@pytest.mark.parametrize(
    "other",
    [
        replace(JOB, url="http://example.com/other"),
        replace(JOB, encoding="latin-1"),
        replace(JOB, body=JOB.body + b" "),
        replace(JOB, charset="latin-1"),
        replace(JOB, limits=Limits(max_blocks=4_999)),
        replace(JOB, limits=Limits(max_bytes=9_999_999)),
        replace(JOB, limits=Limits(over_max_bytes="skip")),
        replace(JOB, limits=Limits(over_max_blocks="skip")),
        *(
            replace(JOB, options=options)
            for options in (
                LabelOptions(threshold=0.4), LabelOptions(favor="recall"),
                LabelOptions(fallback=()),
                LabelOptions(title="keep"), LabelOptions(comments="drop"),
                LabelOptions(captions="drop"),
                LabelOptions(hidden="model"),
            )
        ),
    ],
)  # fmt: skip
def test_a_job_that_differs_in_anything_is_another(tmp_path: Path, other: PageJob) -> None:
    worker = worker_in(tmp_path)
    one(worker)
    assert not one(worker, other).known
    assert one(worker, other).known
    assert one(worker).known


def test_whether_rows_are_wanted_makes_no_other_job(tmp_path: Path) -> None:
    worker = worker_in(tmp_path)
    first = one(worker, replace(JOB, rows=False))
    again = one(worker)
    assert again.known
    assert again.result.block_labels() == first.result.block_labels()


def test_another_labeler_finds_nothing(tmp_path: Path) -> None:
    one(worker_in(tmp_path))
    assert not one(worker_in(tmp_path, "another")).known
    assert one(worker_in(tmp_path)).known


def test_what_raises_is_not_kept(tmp_path: Path) -> None:
    worker = worker_in(tmp_path)
    job = replace(JOB, limits=Limits(max_blocks=2, over_max_blocks="skip"))
    for _ in range(2):
        (outcome,) = worker.label([job])
        assert isinstance(outcome, TooManyBlocksError)
    short = one(worker, replace(job, limits=Limits(max_blocks=2)))
    assert (short.blocks, short.over_max_blocks) == (2, True)


def test_cut_and_deep_pages_are_marked_when_they_come_again(tmp_path: Path) -> None:
    worker = worker_in(tmp_path)
    for job in (replace(JOB, limits=Limits(max_bytes=99)), job_of(b"<div>" * 2_100 + b"tide")):
        first, second = one(worker, job), one(worker, job)
        assert second.known
        assert first.over_max_bytes == second.over_max_bytes == (not second.flat)
        assert first.flat == second.flat
    assert second.flat


def test_a_disk_that_fails_is_counted_and_costs_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    worker = worker_in(tmp_path)
    monkeypatch.setattr(ResultFile, "read", full)
    monkeypatch.setattr(ResultFile, "write", full)
    first, second = one(worker), one(worker)
    assert (first.known, first.cache_errors) == (second.known, second.cache_errors) == (False, 2)
    assert first.result == second.result == one(PageWorker(Half(), CachedBlockifier(0))).result
    monkeypatch.undo()
    assert (one(worker).cache_errors, one(worker).known) == (0, True)


def test_what_stands_where_the_file_should_is_counted_and_costs_no_page(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    worker = worker_in(tmp_path)
    found = one(worker)
    assert found.result == one(PageWorker(Half(), CachedBlockifier(0))).result
    assert worker.results is not None
    assert found.cache_errors == worker.results.errors >= 1
    worker.close()


def test_after_closing_pages_are_labeled_and_not_kept(tmp_path: Path) -> None:
    worker = worker_in(tmp_path)
    one(worker)
    worker.close()
    worker.close()
    assert not one(worker).known


def test_without_results_on_disk_nothing_is_known() -> None:
    worker = PageWorker(Half(), CachedBlockifier(100))
    first, second = one(worker), one(worker)
    assert (first.known, second.known, second.cached) == (False, False, True)
    worker.close()


def test_worker_of_settings_distinguishes_models(
    tmp_path: Path, tiny_model: Path, tiny_own_model: Path
) -> None:
    for model in (tiny_model, tiny_own_model):
        worker = PageWorker.of(str(model), "numpy", 0, str(tmp_path), ROOM)
        first, second = one(worker), one(worker)
        assert (first.known, second.known) == (False, True)
        assert second.result == first.result
        worker.close()
    assert PageWorker.of(str(tiny_model), "numpy", 0, None, ROOM).results is None


def test_worker_of_wrong_settings_is_refused(tmp_path: Path, tiny_model: Path) -> None:
    with pytest.raises(ModelError):
        PageWorker.of("no-such-model", "auto", 0, None, ROOM)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        PageWorker.of(str(tiny_model), "numpy", 0, str(tmp_path / "file"), ROOM)
