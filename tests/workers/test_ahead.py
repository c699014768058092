"""A worker process has its next pages before it has done its last, and loses none of them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from testing import plugged
from testing.standins import job_of
from testing.synthetic import article

from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers import child as child_module
from scrapy_boilernet.workers.child import Child, WorkerDied
from scrapy_boilernet.workers.jobs import Labeling, PageJob
from scrapy_boilernet.workers.process import Feeder, ProcessMode, Workers
from scrapy_boilernet.workers.queue import EngineClosedError, PageQueue, Task

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
WAIT_SECONDS = 60
PAGES = 24


def maker(number: int) -> Callable[[], PageJob]:
    return lambda: job_of(article(number)[0], f"http://a/{number}", rows=True)


def waiting(event: Event, make: Callable[[], PageJob]) -> Callable[[], PageJob]:
    def job() -> PageJob:
        event.wait(WAIT_SECONDS)
        return make()

    return job


def config_of(model: Path, **more: Any) -> Config:
    return Config(
        **{"mode": "process", "engine": "numpy", "model": str(model), "batch_pages": 2, **more}
    )


def outcomes(config: Config, pages: int = PAGES) -> tuple[list[Any], dict[str, int]]:
    """Label pages that all wait from the beginning; return the outcomes and the mode's counts."""
    mode, all_wait = ProcessMode(config), Event()

    async def label() -> list[Any]:
        jobs = [waiting(all_wait, maker(n)) for n in range(pages)]
        work = asyncio.gather(*map(mode.label, jobs), return_exceptions=True)
        await asyncio.sleep(0)  # each is in the queue
        all_wait.set()
        return list(await asyncio.wait_for(work, WAIT_SECONDS))

    try:
        return asyncio.run(label()), dict(mode.counts())
    finally:
        mode.close()


def are_their_own(found: Sequence[Any]) -> bool:
    """Whether each outcome is that of its own page."""
    urls = [f"http://a/{number}" for number in range(len(found))]
    return [each.result.page.url for each in found if isinstance(each, Labeling)] == urls


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many jobs were sent ahead, each time."""
    counts: list[int] = []
    send = Child.send

    def count(child: Child, jobs: Sequence[Any]) -> None:
        counts.append(len(jobs))
        send(child, jobs)

    monkeypatch.setattr(Child, "send", count)
    return counts


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("batch_pages", [1, 2, 5])
def test_pages_that_wait_are_sent_ahead(
    tiny_model: Path, sent: list[int], workers: int, batch_pages: int
) -> None:
    found, counts = outcomes(config_of(tiny_model, workers=workers, batch_pages=batch_pages))
    assert are_their_own(found)
    assert sent
    assert max(sent) <= batch_pages == counts["batch/pages_max"]
    assert counts["workers/restarted"] == 0


@POSIX
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_worker_that_dies_with_pages_ahead_loses_none(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    send, killed = Child.send, []

    def kill(child: Child) -> None:
        if not killed:
            killed.append(child.pid)
            os.kill(child.pid, signal.SIGKILL)

    def sending(child: Child, jobs: Sequence[Any]) -> None:
        if when == "before":
            kill(child)
        send(child, jobs)
        kill(child)

    monkeypatch.setattr(Child, "send", sending)
    found, counts = outcomes(config_of(tiny_model))
    assert killed
    assert are_their_own(found)
    assert counts["workers/restarted"] == 1


@POSIX
def test_a_page_that_hangs_costs_no_page_that_was_sent_ahead(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, stopped = Child.send, []

    def stop(child: Child, jobs: Sequence[Any]) -> None:
        send(child, jobs)
        if not stopped:
            stopped.append(child.pid)
            os.kill(child.pid, signal.SIGSTOP)

    monkeypatch.setattr(Child, "send", stop)
    found, counts = outcomes(config_of(tiny_model, timeout=2.0))
    lost = [each for each in found if not isinstance(each, Labeling)]
    assert [type(each).__name__ for each in lost] in ([], ["PageTimeoutError"])
    assert counts["workers/restarted"] == 1


@POSIX
def test_a_page_ahead_that_ends_its_worker_is_tried_once_more_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = plugged.install(tmp_path / "site", deadly="testing.plugged:Deadly")
    monkeypatch.syspath_prepend(str(site))
    work, ended = Feeder._work, []

    def working(feeder: Feeder, batch: Any) -> None:
        if b"deadly" in batch[0][1].body:
            assert feeder.child
            ended.append(feeder.child._process.wait(WAIT_SECONDS))  # before the feeder looks
        work(feeder, batch)

    monkeypatch.setattr(Feeder, "_work", working)
    workers = Workers(Config(mode="process", model="deadly", batch_pages=1), 20)
    bodies = [b"<p>deadly" if n == 1 else b"<p>good" for n in range(4)]
    all_wait = Event()
    tasks = [Task(waiting(all_wait, partial(job_of, body))) for body in bodies]
    try:
        for task in tasks:
            workers.queue.put(task)
        all_wait.set()
        found = [task.future.exception(WAIT_SECONDS) for task in tasks]
        assert [type(each) for each in found] == [type(None), WorkerDied, type(None), type(None)]
        assert ended == [3]
        assert workers.restarted == 2
    finally:
        workers.close()


def test_pages_ahead_that_a_worker_never_began_do_not_count_as_tried(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, read, is_lost = Child.send, child_module.read_places, []

    def sending(child: Child, jobs: Sequence[Any]) -> None:
        send(child, jobs)
        is_lost.append(child.pid)

    def reading(stream: Any) -> Any:
        if len(is_lost) == 1:
            is_lost.append(0)
            raise EOFError  # as if the worker had ended
        return read(stream)

    monkeypatch.setattr(Child, "send", sending)
    monkeypatch.setattr(child_module, "read_places", reading)
    workers = Workers(config_of(tiny_model, batch_pages=1), 20)
    all_wait = Event()
    tasks = [Task(waiting(all_wait, maker(n))) for n in range(4)]
    try:
        for task in tasks:
            workers.queue.put(task)
        all_wait.set()
        assert [task.future.exception(WAIT_SECONDS) for task in tasks] == [None] * 4
        assert workers.restarted == 1
        assert not any(task.retried for task in tasks)
    finally:
        workers.close()


def test_jobs_ahead_that_cannot_be_made_fail_alone(tiny_model: Path) -> None:
    def broken() -> PageJob:
        raise ZeroDivisionError

    workers = Workers(config_of(tiny_model), 20)
    tasks = [Task(broken if n in (2, 3, 5) else maker(n)) for n in range(8)]
    try:
        for task in tasks:
            workers.queue.put(task)
        found = [task.future.exception(WAIT_SECONDS) for task in tasks]
    finally:
        workers.close()
    assert [type(each) for each in found] == [
        ZeroDivisionError if n in (2, 3, 5) else type(None) for n in range(8)
    ]


def test_pages_ahead_are_given_up_at_the_end(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers, is_sent = Workers(config_of(tiny_model), 20), Future[None]()
    send = Child.send

    def sending(child: Child, jobs: Sequence[Any]) -> None:
        send(child, jobs)
        if not is_sent.done():
            is_sent.set_result(None)
            child.kill()  # as closing does, at any time
            workers.queue.close()
            workers._feeders[0]._closed.set()

    monkeypatch.setattr(Child, "send", sending)
    all_wait = Event()
    tasks = [Task(waiting(all_wait, maker(n))) for n in range(4)]
    for task in tasks:
        workers.queue.put(task)
    all_wait.set()
    is_sent.result(WAIT_SECONDS)
    found = [task.future.exception(WAIT_SECONDS) for task in tasks]
    workers.close()
    assert {type(each) for each in found} == {EngineClosedError}


def test_a_busy_worker_takes_its_share_of_what_waits() -> None:
    queue = PageQueue(20, workers=2)
    assert queue.take_more(8) == []
    tasks = [Task(maker(n)) for n in range(9)]
    for task in tasks:
        queue.put(task)
    first, second = queue.take(2), queue.take(2)
    assert [len(first), len(second)] == [2, 2]
    assert queue.take_more(8) == tasks[4:7]  # the other one has as much
    assert queue.take_more(8) == tasks[7:8]
    tasks[8].future.cancel()
    assert queue.take_more(8) == []
    assert queue.counts()["batches"] == 4
