"""Worker processes of stored crawls: a page that ends or hangs its worker costs one page."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from testing.plugged import install

from scrapy_boilernet.bulk.pages import RawPage
from scrapy_boilernet.bulk.pool import (
    MAX_DEATHS,
    MAX_WAITING_ITEMS,
    PROGRAM,
    Pool,
    WorkersEndedError,
)
from scrapy_boilernet.bulk.records import Record, RecordOptions, StoredJob, Unwanted
from scrapy_boilernet.bulk.warc import Position
from scrapy_boilernet.extractor.labelers.registry import ModelError
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.child import WorkerDied
from scrapy_boilernet.workers.jobs import PageError
from scrapy_boilernet.workers.queue import PageTimeoutError

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def deadly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    site = install(tmp_path / "site", deadly="testing.plugged:Deadly")
    monkeypatch.syspath_prepend(site)
    return "deadly"


def config_of(model: str | Path, timeout: float | None = None) -> Config:
    engine = "auto" if model == "deadly" else "numpy"
    given = {"model": str(model), "engine": engine, "timeout": timeout}
    return Config(mode="process", workers=2, cache_blocks=0, **given)


def page(text: str, number: int = 0) -> RawPage:
    body = f"<nav>Menu</nav><p>{text}</p>".encode()
    return RawPage(source="a", body=body, position=Position(0, number), status=200)


def outcomes(pool: Pool, config: Config, pages: list[RawPage | None]) -> list[object]:
    def job_of(page: RawPage | None) -> StoredJob | None:
        return StoredJob.of(page, config, RecordOptions()) if page else None

    found = [*pool.outcomes(pages, job_of)]
    assert [item for item, _ in found] == pages
    return [outcome for _, outcome in found]


def test_outcomes_come_in_order_with_those_that_have_no_job(tiny_model: Path) -> None:
    config = config_of(tiny_model)
    pages = [None if n % 7 == 3 else page(f"Text {n}.", n) for n in range(200)]
    with Pool(config) as pool:
        found = outcomes(pool, config, pages)
        assert pool.workers.model
    for number, outcome in enumerate(found):
        if number % 7 == 3:
            assert outcome is None
        else:
            assert isinstance(outcome, Record)
            assert outcome.line.endswith(b"\n")


@pytest.mark.parametrize("more", [1, 3])
def test_records_of_several_pages_are_their_own(tiny_model: Path, more: int) -> None:
    config = config_of(tiny_model)
    pages: list[RawPage | None] = [page(f"Text {n}.", n) for n in range(100)]
    wanted = RecordOptions(join=True, with_blocks=True)

    def job_of(first: RawPage | None) -> StoredJob | None:
        assert first
        parts = [first, *(page(f"Part {n} of {first.position}.") for n in range(more))]
        return StoredJob.of_pages(parts, config, wanted, None)

    with Pool(config) as pool:
        found = [outcome for _, outcome in pool.outcomes(pages, job_of)]
        assert pool.workers.restarted == 0
    for number, outcome in enumerate(found):
        assert isinstance(outcome, Record)
        assert f"Text {number}.".encode() in outcome.line


@pytest.mark.parametrize(
    ("word", "error", "timeout"), [("deadly", WorkerDied, None), ("hangs", PageTimeoutError, 0.5)]
)
def test_a_bad_page_costs_itself_alone(
    deadly: str, word: str, error: type[Exception], timeout: float | None
) -> None:
    config = config_of(deadly, timeout)
    pages: list[RawPage | None] = [page(f"Text {n}.", n) for n in range(40)]
    pages[11] = page(f"It {word} here.", 11)
    with Pool(config) as pool:
        found = outcomes(pool, config, pages)
        assert pool.workers.restarted
    assert [n for n, outcome in enumerate(found) if not isinstance(outcome, Record)] == [11]
    assert isinstance(found[11], error)


BAD_READER = replace(PROGRAM, module="testing.bad_reader")
BAD = {
    "kills": (b"<p>" + b"deadly " * 9, WorkerDied),
    "hangs": (b"<p>it hangs", PageTimeoutError),
    "takes all memory": (b"<p>memory", PageError),
}
PLACES = ((0, 1, 2), (3, 4, 20), (38, 39), (1, 3, 5, 7))


@pytest.mark.parametrize("places", PLACES, ids=str)
@pytest.mark.parametrize("kind", BAD)
def test_only_the_bad_pages_of_a_batch_fail(
    tiny_model: Path, kind: str, places: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They fail in a stage that each page has alone, so no innocent page is tried alone."""
    monkeypatch.setattr("scrapy_boilernet.workers.process.LONGEST_PAUSE", 0.1)
    body, error = BAD[kind]
    config = config_of(tiny_model, 1.0 if error is PageTimeoutError else 60.0)
    pages: list[RawPage | None] = [page(f"Text {n}.", n) for n in range(40)]
    for place in places:
        pages[place] = replace(page("", place), body=body)
    with Pool(config, BAD_READER) as pool:
        found = outcomes(pool, config, pages)
    assert [n for n, one in enumerate(found) if not isinstance(one, Record)] == [*places]
    assert {type(found[place]) for place in places} == {error}


def test_pages_that_hang_cost_their_own_time_only(tiny_model: Path) -> None:
    """A batch with a page that hangs is not waited for twice: the others go on at once."""
    config = config_of(tiny_model, 1.0)
    pages: list[RawPage | None] = [page(f"Text {n}.", n) for n in range(16)]
    pages[3] = replace(page("", 3), body=b"<p>it hangs")
    with Pool(config, BAD_READER) as pool:
        found = outcomes(pool, config, pages)
        assert pool.workers.restarted == 1
    assert isinstance(found[3], PageTimeoutError)


@pytest.mark.parametrize("items", [MAX_WAITING_ITEMS + 5000, 60_000])
def test_items_that_wait_behind_a_slow_page_are_bounded(tiny_model: Path, items: int) -> None:
    """Whether a page is slow does not matter: none is read further ahead than the bound."""
    config = config_of(tiny_model)
    read = 0

    def listed() -> Iterator[int]:
        nonlocal read
        for number in range(items):
            read = number
            yield number

    def job_of(number: int) -> StoredJob | None:
        return None if number % 20_000 else StoredJob.of(page("One."), config, RecordOptions())

    with Pool(config) as pool:
        for number, (item, _) in enumerate(pool.outcomes(listed(), job_of)):
            assert item == number
            assert read - item <= MAX_WAITING_ITEMS


@POSIX
def test_workers_that_are_killed_lose_no_page(tiny_model: Path) -> None:
    config = config_of(tiny_model)
    with Pool(config) as pool:
        killed = 0

        def job_of(item: RawPage) -> StoredJob:
            nonlocal killed
            if item.position.skip % 60 == 30:
                for pid in pool.workers.pids[:1]:
                    with suppress(ProcessLookupError):  # the one killed before, not replaced yet
                        os.kill(pid, signal.SIGKILL)
                        killed += 1
            return StoredJob.of(item, config, RecordOptions())

        items = [page(f"Text {n}.", n) for n in range(300)]
        found = [*pool.outcomes(items, job_of)]
    assert killed
    assert [item for item, _ in found] == items
    assert all(isinstance(outcome, Record) for _, outcome in found)


def test_if_every_page_ends_its_worker_the_run_ends(
    deadly: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_boilernet.workers.process.LONGEST_PAUSE", 0.1)
    config = config_of(deadly)
    pages: list[RawPage | None] = [page("deadly", n) for n in range(MAX_DEATHS + 20)]
    with Pool(config) as pool, pytest.raises(WorkersEndedError, match="pages are not the cause"):
        outcomes(pool, config, pages)


def test_a_missing_model_raises_at_the_start() -> None:
    with pytest.raises(ModelError, match="no-such-model"):
        Pool(config_of("no-such-model"))


def test_if_no_process_can_start_the_error_names_no_setting_of_a_crawl(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(ModelError, match=r"could be started: .*; see standard error$"):
        Pool(config_of(tiny_model))


def test_pages_of_low_confidence_are_unwanted(tiny_model: Path) -> None:
    config = config_of(tiny_model)
    with Pool(config) as pool:
        ((_, outcome),) = pool.outcomes(
            [page("Text.")],
            lambda one: StoredJob.of(one, config, RecordOptions(min_confidence=1.0)),
        )
    assert outcome == Unwanted("confidence")


def test_each_page_gets_what_is_wanted_of_it(tiny_model: Path) -> None:
    """Pages of two runs may be sent together."""
    config = config_of(tiny_model)

    def job_of(page: RawPage) -> StoredJob:
        return StoredJob.of(page, config, RecordOptions(with_blocks=page.position.skip % 2 == 0))

    with Pool(config) as pool:
        outcomes = [
            outcome for _, outcome in pool.outcomes([page("A", n) for n in range(20)], job_of)
        ]
    for number, outcome in enumerate(outcomes):
        assert isinstance(outcome, Record)
        assert (b'"block_labels"' in outcome.line) == (number % 2 == 0)


def test_pages_that_nobody_waits_for_any_more_are_dropped(tiny_model: Path) -> None:
    config = config_of(tiny_model)
    with Pool(config) as pool:
        items = [page("Text", n) for n in range(100)]
        found = pool.outcomes(items, lambda one: StoredJob.of(one, config, RecordOptions()))
        next(found)
        found.close()  # type: ignore[attr-defined]
        assert [*pool.outcomes(items[:1], lambda one: StoredJob.of(one, config, RecordOptions()))]
