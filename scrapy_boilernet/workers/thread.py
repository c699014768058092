"""Where the work runs: in one worker thread, so that the reactor never waits, or inline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from threading import Lock, Thread
from time import monotonic
from typing import Protocol

from scrapy_boilernet.config import Config
from scrapy_boilernet.labeling import attempt
from scrapy_boilernet.workers.jobs import PAGES_PER_THREAD, Outcome, PageError, PageJob, Worker
from scrapy_boilernet.workers.queue import EngineClosedError, PageQueue, PageTimeoutError, Task
from scrapy_boilernet.workers.reactor import Patience, arrival, settle

JOIN_SECONDS = 5
"""How long a closing engine waits for a thread or process that has nothing left to do."""


class Engine(Protocol):
    """Has pages worked on, and awaits what comes of it."""

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return what comes of the job; raises what its page raises.

        ``make_job`` is called where it does not hold up the reactor. Raises ``PageTimeoutError``
        if the work takes too long, ``EngineClosedError`` after :meth:`close`.
        """
        ...

    @property
    def model(self) -> str:
        """The name, version and digest of the model that labels; "" if none does."""
        ...

    def counts(self) -> Mapping[str, int]:
        """Return the engine's stats so far, without their prefix."""
        ...

    def close(self) -> None:
        """Let go of the workers; pages that wait are given up with ``EngineClosedError``."""
        ...


class InlineEngine:
    """Works where it is awaited. Blocks the reactor: for debugging and for tests."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker

    @property
    def model(self) -> str:
        """The worker's model."""
        return self.worker.model

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return what comes of the job; raises what its page raises."""
        (outcome,) = outcomes_of([make_job], self.worker.label)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def counts(self) -> Mapping[str, int]:
        """Return nothing: there is no queue."""
        return {}

    def close(self) -> None:
        """Let go of the worker."""
        self.worker.close()


class ThreadEngine:
    """One worker thread of our own; Scrapy's and asyncio's shared pools are left alone.

    One, because the feature code holds the GIL: a second thread would wait for the first, and the
    reactor for both. It takes all pages that wait at once, up to ``BOILERNET_BATCH_PAGES``.
    Works on the asyncio and select reactors and without one.

    A thread cannot be ended. When the pages at hand take longer than ``BOILERNET_TIMEOUT`` they are
    given up, and what comes of them is thrown away; pages that wait behind them are given up after
    the same time.
    """

    def __init__(self, worker: Worker, config: Config) -> None:
        self.worker = worker
        self._config = config
        self._queue = PageQueue(config.queue_pages)
        self._busy = False
        """Whether there is a batch at hand of which not all is settled."""
        self._moved = 0.0
        """When the last batch was taken or settled."""
        self._thread: Thread | None = None
        self._lock = Lock()

    @property
    def model(self) -> str:
        """The worker's model."""
        return self.worker.model

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return what comes of the job; raises what its page raises."""
        task = Task(make_job)
        self._queue.put(task)
        if self._thread is None:
            self._begin(task)
        seconds = self._config.timeout
        if seconds is None:
            return await arrival(task.future)

        def left() -> float:
            return max(task.since or monotonic(), self._moved) + seconds - monotonic()

        def expire() -> None:
            self._queue.drop(task)
            settle(task.future, PageTimeoutError(seconds))

        patience = Patience(left, expire)
        try:
            return await arrival(task.future)
        finally:
            patience.stop()

    def counts(self) -> Mapping[str, int]:
        """Return the queue's stats so far."""
        return self._queue.counts()

    def close(self) -> None:
        """Give up what waits; the thread ends after the pages at hand."""
        for task in self._queue.close():
            settle(task.future, EngineClosedError())
        thread: Thread | None = None
        while not self._busy and thread is not self._thread:  # another may have taken over
            thread = self._thread
            if thread:
                thread.join(JOIN_SECONDS)

    def _serve(self) -> None:
        config, left = self._config, PAGES_PER_THREAD
        while batch := self._queue.take(config.batch_pages, config.batch_wait_ms / 1000):
            self._busy, self._moved = True, monotonic()
            self._work(batch)
            self._queue.done()
            left -= len(batch)
            del batch  # no page is held while the next is waited for
            if left <= 0:
                with suppress(RuntimeError):  # no thread can be started: this one goes on
                    self._go_on()
                    return
                left = PAGES_PER_THREAD
        self.worker.close()

    def _begin(self, task: Task) -> None:
        """Serve, unless no thread can be started: then the next page tries again."""
        try:
            self._go_on()
        except RuntimeError:
            self._queue.drop(task)
            raise

    def _go_on(self) -> None:
        """Serve in a new thread, a daemon: a page that hangs must not keep Python from ending."""
        thread = Thread(target=self._serve, name="boilernet", daemon=True)
        with self._lock:  # the next one of all comes after this one is known
            thread.start()
            self._thread = thread

    def _work(self, batch: Sequence[Task]) -> None:
        """Settle every task of the batch."""
        unsettled = len(batch)
        for task, outcome in zip(batch, self._outcomes(batch), strict=True):
            unsettled -= 1
            if not unsettled:  # before the crawl hears of it, ends, and asks whether to wait
                self._busy, self._moved = False, monotonic()
            settle(task.future, outcome)

    def _outcomes(self, batch: Sequence[Task]) -> Iterator[Outcome | Exception]:
        """Yield what comes of each task; if the batch fails as a whole, each is tried alone."""
        found: Iterable[Outcome | Exception]
        try:
            found = outcomes_of([task.make_job for task in batch], self.worker.label)
        except BaseException as error:  # a labeler's SystemExit must not end the thread, either
            said = error if isinstance(error, Exception) else None
            found = [said or PageError(type(error).__name__, repr(error))]
            if len(batch) > 1:
                found = chain.from_iterable(self._outcomes([task]) for task in batch)
        yield from found


def outcomes_of(
    makers: Sequence[Callable[[], PageJob]],
    label: Callable[[Sequence[PageJob]], Sequence[Outcome | Exception]],
) -> list[Outcome | Exception]:
    """Make the jobs and have them done; a job that cannot be made gives its exception.

    Returns one outcome per maker; raises what ``label`` raises.
    """
    made = [attempt(maker) for maker in makers]
    jobs = [job for job in made if not isinstance(job, Exception)]
    done = iter(label(jobs) if jobs else ())
    return [job if isinstance(job, Exception) else next(done) for job in made]
