"""Worker processes: killed, hanging, orphaned, closed; no page is lost and no process left."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from testing.standins import job_of
from testing.synthetic import article

from scrapy_boilernet.extractor.labelers.registry import ModelError
from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.jobs import Labeling, Outcome, PageError, PageJob
from scrapy_boilernet.workers.process import ProcessMode

WAIT_SECONDS = 60
"""A wait for another process has failed if it takes longer; none takes nearly that long."""
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

PARENT = """
    import asyncio, sys
    from scrapy_boilernet.settings.config import Config
    from scrapy_boilernet.extractor.options import Limits
    from scrapy_boilernet.workers.process import ProcessMode
    from scrapy_boilernet.workers.jobs import PageJob

    model, busy = sys.argv[1:]
    config = Config(mode="process", engine="numpy", model=model, workers=2, timeout=None)
    engine = ProcessMode(config)  # the script has no "if __name__": a worker never runs it

    def job(n):
        body = f"<p>{n}".encode() + b"<p>One more block." * 20_000
        return PageJob(body, "http://a/", limits=Limits(max_blocks=1_000_000))

    async def work():
        tasks = [asyncio.ensure_future(engine.label(lambda n=n: job(n))) for n in range(20)]
        while engine.counts()["batches"] < 2:
            await asyncio.sleep(0.001)
        print("busy", flush=True)
        await asyncio.gather(*tasks)

    if busy == "busy":
        asyncio.run(work())
    print("idle", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def new_engine(tiny_model: Path) -> Iterator[Callable[..., ProcessMode]]:
    engines = []

    def new(**config: Any) -> ProcessMode:
        given = {"mode": "process", "engine": "numpy", "model": str(tiny_model), **config}
        engines.append(ProcessMode(Config(**given)))
        return engines[-1]

    yield new
    for engine in engines:
        engine.close()


def maker(number: int) -> Callable[[], PageJob]:
    return lambda: job_of(article(number)[0], f"http://a/{number}", rows=True)


def until(condition: Callable[[], Any]) -> Any:
    """Wait for another thread or process; return what the condition returns."""
    for _ in range(WAIT_SECONDS * 1000):
        if found := condition():
            return found
        time.sleep(0.001)
    pytest.fail("what was waited for has not come")


async def outcomes(engine: ProcessMode, pages: int, meanwhile: Callable[[], Any]) -> list[Any]:
    """Label pages; ``meanwhile`` runs in another thread."""
    tasks = [asyncio.ensure_future(engine.label(maker(n))) for n in range(pages)]
    work = asyncio.gather(*tasks, asyncio.to_thread(meanwhile), return_exceptions=True)
    *found, done = await asyncio.wait_for(work, WAIT_SECONDS)
    assert not isinstance(done, BaseException), repr(done)
    return found


def run(engine: ProcessMode, pages: int, meanwhile: Callable[[], Any] = lambda: None) -> list[Any]:
    return asyncio.run(outcomes(engine, pages, meanwhile))


def stop(engine: ProcessMode) -> int:
    """Make the worker hang; return its process id."""
    (pid,) = until(lambda: engine.pids)
    os.kill(pid, signal.SIGSTOP)
    return pid


def test_labels_are_those_of_this_process(new_engine: Any, tiny_model: Path) -> None:
    found = run(new_engine(workers=2, batch_pages=2), 6)
    for number, outcome in enumerate(found):
        assert isinstance(outcome, Labeling)
        expected = extract(
            article(number)[0], f"http://a/{number}", "utf-8", model=str(tiny_model), engine="numpy"
        )
        assert outcome.result.labels == expected.labels
        assert outcome.result.text == expected.text
        assert outcome.result.page == expected.page
        assert outcome.result.probabilities == pytest.approx(expected.probabilities, abs=1e-5)


def test_model_that_cannot_be_loaded_raises_as_in_this_process(new_engine: Any) -> None:
    with pytest.raises(ModelError, match="set BOILERNET_MODEL to one of them"):
        new_engine(model="no-such-model", workers=2)


def test_python_that_cannot_be_started_raises_with_a_remedy(
    new_engine: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(ModelError, match="see standard error, or set BOILERNET_MODE = 'thread'"):
        new_engine()


def test_worker_that_ends_before_it_is_ready_raises_with_a_remedy(
    new_engine: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(ModelError, match="ended with status 1; see standard error"):
        new_engine()


def test_a_search_path_of_other_kinds_than_text_reaches_the_worker(
    new_engine: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "path", [tmp_path, os.fsencode(tmp_path), None, *sys.path])
    (outcome,) = run(new_engine(), 1)
    assert isinstance(outcome, Labeling)


def test_whatever_keeps_a_worker_from_starting_raises(
    new_engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise TypeError("no pipe of this kind")

    monkeypatch.setattr("scrapy_boilernet.workers.process.Child", refuse)
    with pytest.raises(ModelError, match=r"TypeError\('no pipe of this kind'\); see standard"):
        new_engine(workers=2)


def test_page_that_cannot_be_made_or_labeled_harms_no_neighbour(new_engine: Any) -> None:
    engine = new_engine(batch_pages=5)

    def broken() -> PageJob:
        raise ZeroDivisionError

    def nonsense() -> PageJob:  # raises in the worker
        return job_of(b"<p>x", max_blocks=-5)

    async def label() -> list[Outcome | BaseException]:
        makers = [maker(0), broken, nonsense, maker(1)]
        return await asyncio.gather(*map(engine.label, makers), return_exceptions=True)

    found = asyncio.run(label())
    assert [type(each).__name__ for each in found] == [
        "Labeling", "ZeroDivisionError", "PageError", "Labeling",
    ]  # fmt: skip
    assert isinstance(found[2], PageError)
    assert found[2].name == "ValueError"
    assert engine.counts()["workers/restarted"] == 0


@POSIX
def test_pages_of_a_killed_worker_are_labeled_by_the_next(new_engine: Any) -> None:
    engine = new_engine(batch_pages=4)
    first = stop(engine)

    def kill() -> None:
        until(lambda: engine.counts()["batches"])
        os.kill(first, signal.SIGKILL)

    found = run(engine, 6, kill)
    assert [type(each) for each in found] == [Labeling] * 6
    assert engine.counts()["workers/restarted"] == 1
    assert first not in engine.pids


@POSIX
def test_a_worker_that_dies_while_it_loads_its_model_costs_no_page(new_engine: Any) -> None:
    engine = new_engine(batch_pages=1)
    first = stop(engine)

    def kill_twice() -> None:
        until(lambda: engine.counts()["batches"])
        os.kill(first, signal.SIGKILL)
        second = until(lambda: [pid for pid in engine.pids if pid != first])[0]
        os.kill(second, signal.SIGKILL)  # while it loads its model

    found = run(engine, 2, kill_twice)
    assert [type(each) for each in found] == [Labeling] * 2
    assert engine.counts()["workers/restarted"] == 2


@POSIX
def test_worker_that_dies_while_it_is_idle_is_replaced_when_a_page_comes(new_engine: Any) -> None:
    engine = new_engine()
    os.kill(engine.pids[0], signal.SIGKILL)
    assert [type(each) for each in run(engine, 2)] == [Labeling] * 2
    assert engine.counts()["workers/restarted"] == 1


@POSIX
def test_page_that_hangs_is_ended_with_its_worker_and_the_next_is_labeled(new_engine: Any) -> None:
    engine = new_engine(timeout=3.0, batch_pages=1)
    first = stop(engine)
    hanging, *others = run(engine, 3)
    assert type(hanging).__name__ == "PageTimeoutError"
    assert [type(each) for each in others] == [Labeling] * 2
    assert engine.counts()["workers/restarted"] == 1
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


@POSIX
def test_pages_taken_together_with_one_that_hangs_are_tried_again_alone(new_engine: Any) -> None:
    engine = new_engine(timeout=3.0, batch_pages=4)
    stop(engine)
    assert [type(each) for each in run(engine, 4)] == [Labeling] * 4  # it was none of them
    assert engine.counts()["workers/restarted"] == 1


@POSIX
def test_a_worker_that_is_stopped_at_its_start_is_ended(
    new_engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops itself before it answers, as one that waits for a lock or a disk does."""
    stopping = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    monkeypatch.setattr("scrapy_boilernet.workers.child._START", stopping)
    monkeypatch.setattr("scrapy_boilernet.workers.child.START_SECONDS", 0.2)
    with pytest.raises(ModelError, match=r"not ready after 0.2 seconds; see standard error"):
        new_engine()


@POSIX
@pytest.mark.parametrize("hang", ["while True: pass", "import time; time.sleep(1e6)"])
def test_a_worker_that_hangs_as_it_replaces_another_costs_no_more_than_its_page(
    new_engine: Any, monkeypatch: pytest.MonkeyPatch, hang: str
) -> None:
    engine = new_engine(batch_pages=1)
    (pid,) = engine.pids
    monkeypatch.setattr("scrapy_boilernet.workers.child._START", hang)
    monkeypatch.setattr("scrapy_boilernet.workers.child.START_SECONDS", 0.1)
    os.kill(pid, signal.SIGKILL)
    (outcome,) = run(engine, 1)
    assert "was not ready after 0.1 seconds" in str(outcome)
    monkeypatch.undo()
    assert [type(each) for each in run(engine, 2)] == [Labeling] * 2


@POSIX
def test_ctrl_c_and_sigterm_are_left_to_the_parent(new_engine: Any) -> None:
    engine = new_engine()
    (pid,) = engine.pids
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, number)
        assert [type(each) for each in run(engine, 1)] == [Labeling]
    assert engine.pids == [pid]
    assert engine.counts()["workers/restarted"] == 0


@POSIX
def test_close_gives_up_all_pages_at_once_and_leaves_no_process_or_thread(new_engine: Any) -> None:
    engine = new_engine(batch_pages=1, queue_pages=1)
    pid = stop(engine)

    def close() -> None:
        until(lambda: engine.counts()["batches"] and engine.counts()["queue/waits"])
        engine.close()

    found = run(engine, 3, close)
    assert [type(each).__name__ for each in found] == ["EngineClosedError"] * 3
    assert engine.pids == []
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not [thread for thread in threading.enumerate() if "feeder" in thread.name]


@POSIX
@pytest.mark.parametrize("state", ["idle", "busy"])
def test_workers_end_with_a_parent_that_is_killed(tiny_model: Path, state: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", dedent(PARENT), str(tiny_model), state],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert parent.stdout
    assert parent.stdout.readline().decode().strip() == state
    parent.kill()
    # the workers hold its standard error: reading it to the end waits until they are gone
    _, errors = parent.communicate(timeout=WAIT_SECONDS)
    assert errors == b""
