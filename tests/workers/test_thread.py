"""The modes in this process: where the work runs, its outcomes, and closing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from textwrap import dedent
from typing import Any

import pytest
from testing.crawling import run_python
from testing.standins import Half, job_of

from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers import page_worker
from scrapy_boilernet.workers import reactor as futures
from scrapy_boilernet.workers import thread as module
from scrapy_boilernet.workers.jobs import DeferredPage, Outcome, PageJob
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.queue import EngineClosedError, PageQueue, PageTimeoutError, Task
from scrapy_boilernet.workers.thread import InlineMode, Mode, ThreadMode

WAIT_SECONDS = 60
"""A wait for another thread has failed if it takes longer; none takes nearly that long."""

ON_SELECT_REACTOR = """
    import threading
    from twisted.internet import selectreactor
    selectreactor.install()
    from twisted.internet import reactor
    from twisted.internet.defer import CancelledError, ensureDeferred
    from scrapy_boilernet.settings.config import Config
    from scrapy_boilernet.workers.thread import ThreadMode
    from scrapy_boilernet.workers.jobs import DeferredPage

    running, go_on = threading.Event(), threading.Event()

    class Worker:
        def label(self, jobs):
            if jobs == ["block"]:
                running.set()
                go_on.wait()
            return [DeferredPage(threading.current_thread().name) for job in jobs]

    def engine_of(timeout):
        return ThreadMode(Worker(), Config(timeout=timeout, batch_pages=1))

    async def outcome(work):
        try:
            return (await work).key
        except Exception as error:
            return type(error).__name__

    async def check():
        engine = engine_of(30)
        where = await outcome(engine.label(lambda: "page"))
        print(where, threading.current_thread() is threading.main_thread())
        print(await outcome(engine.label(lambda: 1 / 0)))
        first = ensureDeferred(outcome(engine.label(lambda: "block")))
        second = ensureDeferred(outcome(engine.label(lambda: "page")))
        third = ensureDeferred(engine.label(lambda: "page"))
        running.wait()
        third.cancel()
        third.addErrback(lambda failure: print(failure.check(CancelledError).__name__))
        engine.close()
        go_on.set()
        print(await first, await second)
        running.clear(), go_on.clear()
        hanging = engine_of(1)  # long enough for the last page, also on a busy machine
        first = ensureDeferred(outcome(hanging.label(lambda: "block")))
        second = ensureDeferred(outcome(hanging.label(lambda: "page")))
        print(await first, await second)
        go_on.set()
        print(await outcome(hanging.label(lambda: "page")))

    def done(outcome):
        print(outcome)
        reactor.stop()

    reactor.callWhenRunning(lambda: ensureDeferred(check()).addBoth(done))
    reactor.run()
"""


class Noting:
    """A worker whose outcome is the name of its thread; keeps its batches."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def label(self, jobs: Sequence[PageJob]) -> Sequence[Outcome | Exception]:
        self.batches.append([job.url for job in jobs])
        return [DeferredPage(threading.current_thread().name) for _ in jobs]


class Holding(Noting):
    """Stops at every batch until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.running, self.go_on = threading.Event(), threading.Event()

    def label(self, jobs: Sequence[PageJob]) -> Sequence[Outcome | Exception]:
        self.running.set()
        assert self.go_on.wait(WAIT_SECONDS)
        return super().label(jobs)


def maker(name: str = "page") -> Callable[[], PageJob]:
    return lambda: job_of(b"", name)


def broken() -> PageJob:
    raise ZeroDivisionError


def thread_engine(worker: Noting, **config: Any) -> ThreadMode:
    return ThreadMode(worker, Config(**{"batch_pages": 3, **config}))


async def begin(engine: Mode, worker: Holding, *names: str) -> list[asyncio.Task[Outcome]]:
    """Let the worker hold the first page, with the others in the queue after it."""
    tasks = [asyncio.ensure_future(engine.label(maker(names[0])))]
    assert await asyncio.to_thread(worker.running.wait, WAIT_SECONDS)
    tasks += [asyncio.ensure_future(engine.label(maker(name))) for name in names[1:]]
    await asyncio.sleep(0)
    return tasks


async def outcomes(tasks: Sequence[asyncio.Task[Outcome]]) -> list[str]:
    """Return per task "done", or the name of its exception."""
    found = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), WAIT_SECONDS)
    return ["done" if isinstance(each, DeferredPage) else type(each).__name__ for each in found]


def test_inline_engine_works_where_it_is_awaited() -> None:
    engine = InlineMode(Noting())
    assert asyncio.run(engine.label(maker())) == DeferredPage(threading.current_thread().name)
    assert engine.counts() == {}
    engine.close()


def test_thread_engine_works_in_one_thread_of_its_own() -> None:
    engine = thread_engine(Noting())

    async def run() -> list[Outcome]:
        return await asyncio.gather(*(engine.label(maker()) for _ in range(20)))

    assert set(asyncio.run(run())) == {DeferredPage("boilernet")}
    engine.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "boilernet"]


def test_closing_waits_for_the_thread_once_its_last_page_is_settled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = thread_engine(Noting())
    closer = threading.Thread(target=engine.close)
    waits = []

    def settle(*arguments: Any) -> None:
        closer.start()
        closer.join(0.1)
        waits.append(closer.is_alive())
        futures.settle(*arguments)

    asyncio.run(engine.label(maker()))
    monkeypatch.setattr(module, "settle", settle)
    assert asyncio.run(engine.label(maker())) == DeferredPage("boilernet")
    closer.join(WAIT_SECONDS)
    assert waits == [True]
    assert not [thread for thread in threading.enumerate() if thread.name == "boilernet"]


@pytest.mark.parametrize("kind", [InlineMode, thread_engine])
def test_job_that_cannot_be_made_raises_where_it_is_awaited(kind: Any) -> None:
    worker = Noting()
    engine = kind(worker)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(engine.label(broken))
    engine.close()
    assert worker.batches == []


def test_worker_that_fails_as_a_whole_fails_its_pages_and_works_on() -> None:
    class Failing(Noting):
        def label(self, jobs: Sequence[PageJob]) -> Sequence[Outcome | Exception]:
            if jobs[0].url == "bad":
                raise OSError("no space left")
            return super().label(jobs)

    engine = thread_engine(Failing())
    with pytest.raises(OSError, match="no space"):
        asyncio.run(engine.label(maker("bad")))
    assert asyncio.run(engine.label(maker())) == DeferredPage("boilernet")
    engine.close()


def test_pages_that_wait_are_taken_at_once_in_order_up_to_the_batch_size() -> None:
    worker = Holding()
    engine = thread_engine(worker)

    async def run() -> list[str]:
        tasks = await begin(engine, worker, *"abcdefgh")
        worker.go_on.set()
        return await outcomes(tasks)

    assert asyncio.run(run()) == ["done"] * 8
    assert worker.batches == [["a"], ["b", "c", "d"], ["e", "f", "g"], ["h"]]
    counts = {"batches": 4, "batch/pages_max": 3, "queue/max": 7, "queue/waits": 0}
    assert engine.counts() == counts
    engine.close()


def test_job_that_cannot_be_made_harms_no_neighbour() -> None:
    worker = Holding()
    engine = thread_engine(worker)

    async def run() -> list[str]:
        tasks = await begin(engine, worker, "a", "b")
        tasks.append(asyncio.ensure_future(engine.label(broken)))
        tasks.append(asyncio.ensure_future(engine.label(maker("c"))))
        await asyncio.sleep(0)
        worker.go_on.set()
        return await outcomes(tasks)

    assert asyncio.run(run()) == ["done", "done", "ZeroDivisionError", "done"]
    assert worker.batches == [["a"], ["b", "c"]]
    engine.close()


def test_full_queue_lets_pages_wait_outside_and_loses_none() -> None:
    worker = Holding()
    engine = thread_engine(worker, queue_pages=2)

    async def run() -> list[str]:
        tasks = await begin(engine, worker, *"abcdefgh")
        worker.go_on.set()
        return await outcomes(tasks)

    assert asyncio.run(run()) == ["done"] * 8
    assert worker.batches == [["a"], ["b", "c"], ["d", "e"], ["f", "g"], ["h"]]
    counts = engine.counts()
    assert (counts["queue/max"], counts["queue/waits"]) == (2, 5)
    engine.close()


def test_event_loop_goes_on_while_the_thread_works() -> None:
    worker = Holding()
    engine = thread_engine(worker)

    async def run() -> list[str]:
        tasks = await begin(engine, worker, "a")  # the loop turns, although the work waits for it
        worker.go_on.set()
        return await outcomes(tasks)

    assert asyncio.run(run()) == ["done"]
    engine.close()


def test_page_that_takes_too_long_is_given_up_and_so_are_those_that_wait_behind_it() -> None:
    worker = Holding()
    engine = thread_engine(worker, timeout=1)  # the worker begins with the first page before

    async def run() -> tuple[list[str], Outcome]:
        given_up = await outcomes(await begin(engine, worker, *"abc"))
        worker.go_on.set()
        return given_up, await engine.label(maker("d"))

    assert asyncio.run(run()) == (["PageTimeoutError"] * 3, DeferredPage("boilernet"))
    assert ["d"] in worker.batches
    engine.close()


class Hanging(Half):
    """Hangs on pages that say so until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    def probabilities(self, pages: Sequence[Page]) -> list[Any]:
        if any("hangs" in text for page in pages for text in page.texts):
            assert self.go_on.wait(WAIT_SECONDS)
        return super().probabilities(pages)


@pytest.mark.parametrize(("stage", "batch_pages"), [("read", 1), ("read", 8), ("label", 1)])
@pytest.mark.parametrize("places", [(0,), (3,), (7,), (0, 1), (2, 6), (0, 4, 7)], ids=str)
def test_a_page_that_hangs_takes_no_innocent_page_with_it(
    monkeypatch: pytest.MonkeyPatch, places: tuple[int, ...], stage: str, batch_pages: int
) -> None:
    labeler = Hanging()
    worker = PageWorker(labeler, CachedBlockifier(0))
    if stage == "read":  # of several pages at once, only this tells which one hangs
        keep = page_worker.read_page

        def read(job: PageJob, *others: Any) -> Any:
            assert b"hangs" not in job.body or labeler.go_on.wait(WAIT_SECONDS)
            return keep(job, *others)

        monkeypatch.setattr(page_worker, "read_page", read)
    engine = ThreadMode(worker, Config(batch_pages=batch_pages, timeout=0.3))
    pages = [b"<p>it hangs" if n in places else b"<p>page %d" % n for n in range(8)]

    async def run() -> list[str]:
        makers = [lambda body=body: job_of(body) for body in pages]
        found = await outcomes([asyncio.ensure_future(engine.label(maker)) for maker in makers])
        labeler.go_on.set()
        return found

    found = asyncio.run(run())
    assert found == ["PageTimeoutError" if n in places else "Labeling" for n in range(8)]
    engine.close()


def test_no_more_threads_hang_than_a_machine_bears() -> None:
    labeler = Hanging()
    engine = ThreadMode(
        PageWorker(labeler, CachedBlockifier(0)), Config(batch_pages=1, timeout=0.1)
    )

    async def run() -> list[str]:
        found = [engine.label(lambda: job_of(b"<p>it hangs")) for _ in range(8)]
        return await outcomes([asyncio.ensure_future(each) for each in found])

    assert asyncio.run(run()) == ["PageTimeoutError"] * 8
    threads = [thread for thread in threading.enumerate() if thread.name == "boilernet"]
    assert len(threads) == module.MOST_HANGING + 1
    labeler.go_on.set()
    for thread in threads[:-1]:
        thread.join(WAIT_SECONDS)
    assert asyncio.run(engine.label(lambda: job_of(b"<p>page"))).result.page.texts == ("page",)
    engine.close()


def test_page_that_waits_longer_than_the_timeout_behind_quick_ones_is_labeled() -> None:
    worker = Noting()
    engine = thread_engine(worker, timeout=1, batch_pages=1)

    def slow() -> PageJob:
        threading.Event().wait(0.1)
        return job_of(b"")

    async def run() -> list[str]:
        return await outcomes([asyncio.ensure_future(engine.label(slow)) for _ in range(15)])

    assert asyncio.run(run()) == ["done"] * 15
    engine.close()


def test_page_that_nobody_waits_for_any_more_is_not_worked_on() -> None:
    worker = Holding()
    engine = thread_engine(worker)

    async def run() -> list[str]:
        tasks = await begin(engine, worker, *"abc")
        tasks[0].cancel()
        tasks[1].cancel()
        await asyncio.sleep(0)
        worker.go_on.set()
        return await outcomes(tasks)

    assert asyncio.run(run()) == ["CancelledError", "CancelledError", "done"]
    assert worker.batches == [["a"], ["c"]]
    engine.close()


def test_close_gives_up_what_waits_and_lets_the_pages_at_hand_finish() -> None:
    worker = Holding()
    engine = thread_engine(worker, queue_pages=1)

    async def run() -> list[str]:
        tasks = await begin(engine, worker, *"abc")
        engine.close()
        worker.go_on.set()
        return await outcomes(tasks)

    assert asyncio.run(run()) == ["done", "EngineClosedError", "EngineClosedError"]


def test_closed_engine_takes_no_more_work() -> None:
    engine = thread_engine(Noting())
    engine.close()
    engine.close()
    with pytest.raises(EngineClosedError, match="crawl has ended"):
        asyncio.run(engine.label(maker()))


class Threads(Noting):
    """Keeps the thread of each page."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[threading.Thread] = []

    def label(self, jobs: Sequence[PageJob]) -> Sequence[Outcome | Exception]:
        self.threads += [threading.current_thread()] * len(jobs)
        return super().label(jobs)


def test_another_thread_goes_on_after_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_boilernet.workers.thread.PAGES_PER_THREAD", 4)
    worker = Threads()
    engine = thread_engine(worker, batch_pages=1)

    async def run() -> list[str]:
        return await outcomes([asyncio.ensure_future(engine.label(maker(n))) for n in "abcdefghij"])

    assert asyncio.run(run()) == ["done"] * 10
    assert [batch[0] for batch in worker.batches] == [*"abcdefghij"]
    first, second, third = dict.fromkeys(worker.threads)
    assert worker.threads == [first] * 4 + [second] * 4 + [third] * 2
    engine.close()
    for thread in (first, second, third):  # closing does not wait for a thread that has not rested
        thread.join(60)
        assert not thread.is_alive()


def test_queue_gives_each_of_several_idle_workers_its_share() -> None:
    queue = PageQueue(10, workers=2)
    for _ in range(6):
        queue.put(Task(maker()))
    assert [len(queue.take(5)), len(queue.take(5))] == [3, 3]
    queue.put(Task(maker()))
    queue.done()
    assert len(queue.take(5)) == 1
    assert queue.close() == []
    assert queue.take(5) == []


def test_a_thread_that_cannot_be_started_fails_the_page_at_hand_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(module, "PAGES_PER_THREAD", 1)
    engine = thread_engine(Noting())

    async def run() -> None:
        with monkeypatch.context() as patched:
            patched.setattr(module.Thread, "start", refuse)
            with pytest.raises(RuntimeError, match="new thread"):
                await engine.label(maker())
        assert await engine.label(maker()) == DeferredPage("boilernet")
        with monkeypatch.context() as patched:
            patched.setattr(module.Thread, "start", refuse)
            for _ in range(3):
                assert await engine.label(maker()) == DeferredPage("boilernet")

    asyncio.run(run())
    engine.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "boilernet"]


def test_closing_at_any_moment_of_a_change_of_threads_leaves_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PAGES_PER_THREAD", 1)
    for _ in range(200):
        engine = thread_engine(Noting())

        async def run(engine: Mode) -> None:
            await engine.label(maker())
            engine.close()

        asyncio.run(run(engine))
        assert not [thread for thread in threading.enumerate() if thread.name == "boilernet"]


def test_timeout_says_what_it_was() -> None:
    assert "BOILERNET_TIMEOUT = 2.5 seconds" in str(PageTimeoutError(2.5))


def test_thread_engine_works_on_a_reactor_without_asyncio() -> None:
    completed = run_python("-c", dedent(ON_SELECT_REACTOR))
    assert completed.stderr.decode() == ""
    assert completed.stdout.decode().splitlines() == [
        "boilernet True",
        "ZeroDivisionError",
        "CancelledError",
        "boilernet EngineClosedError",
        "PageTimeoutError boilernet",
        "boilernet",
        "None",
    ]
