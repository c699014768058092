"""Runs a worker in one thread, so that the reactor never waits, or inline."""

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
from scrapy_boilernet.workers.reactor import ExpiryTimer, result_of, settle

JOIN_SECONDS = 5
"""How long a closing engine waits for a thread or process that is done with its work."""


class Engine(Protocol):
    """Has pages labeled or stored, and awaits the outcomes."""

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return the outcome of the job; raises what its page raises.

        ``make_job`` is called where it does not block the reactor. Raises ``PageTimeoutError`` if
        the work takes too long, ``EngineClosedError`` after :meth:`close`.
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
        """Close the workers; pages that wait are given up with ``EngineClosedError``."""
        ...


class InlineEngine:
    """Labels in the thread that awaits. Blocks the reactor: for debugging and for tests."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker

    @property
    def model(self) -> str:
        """The worker's model."""
        return self.worker.model

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return the outcome of the job; raises what its page raises."""
        (outcome,) = outcomes_of([make_job], self.worker.label)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def counts(self) -> Mapping[str, int]:
        """Return nothing: there is no queue."""
        return {}

    def close(self) -> None:
        """Close the worker."""
        self.worker.close()


class ThreadEngine:
    """One worker thread; it does not use the shared thread pools of Scrapy and asyncio.

    There is only one, because the feature code holds the GIL: a second thread would wait for the
    first, and the reactor for both. It takes all pages that wait at once, up to
    ``BOILERNET_BATCH_PAGES``. Works on the asyncio and select reactors and without one.

    A thread cannot be ended from outside. When the current pages take longer than
    ``BOILERNET_TIMEOUT`` they are given up, and their outcomes are dropped. Pages that wait behind
    them are given up after the same time.
    """

    def __init__(self, worker: Worker, config: Config) -> None:
        self.worker = worker
        self._config = config
        self._queue = PageQueue(config.queue_pages)
        self._busy = False
        """Whether the current batch has unsettled pages."""
        self._moved = 0.0
        """When the last batch was taken or settled, by the monotonic clock, in seconds."""
        self._thread: Thread | None = None
        self._lock = Lock()

    @property
    def model(self) -> str:
        """The worker's model."""
        return self.worker.model

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return the outcome of the job; raises what its page raises."""
        task = Task(make_job)
        self._queue.put(task)
        if self._thread is None:
            self._begin(task)
        seconds = self._config.timeout
        if seconds is None:
            return await result_of(task.future)

        def left() -> float:
            return max(task.since or monotonic(), self._moved) + seconds - monotonic()

        def expire() -> None:
            self._queue.drop(task)
            settle(task.future, PageTimeoutError(seconds))

        timer = ExpiryTimer(left, expire)
        try:
            return await result_of(task.future)
        finally:
            timer.stop()

    def counts(self) -> Mapping[str, int]:
        """Return the queue's stats so far."""
        return self._queue.counts()

    def close(self) -> None:
        """Give up the pages that wait; the thread ends after the current pages."""
        for task in self._queue.close():
            settle(task.future, EngineClosedError())
        thread: Thread | None = None
        while not self._busy and thread is not self._thread:  # another may have taken over
            thread = self._thread
            if thread:
                thread.join(JOIN_SECONDS)

    def _serve(self) -> None:
        config, left = self._config, PAGES_PER_THREAD
        while batch := self._queue.take(config.batch_pages):
            self._busy, self._moved = True, monotonic()
            self._work(batch)
            self._queue.done()
            left -= len(batch)
            del batch  # no page is held while the next is waited for
            if left <= 0:
                with suppress(RuntimeError):  # no thread can be started: this one goes on
                    self._start_thread()
                    return
                left = PAGES_PER_THREAD
        self.worker.close()

    def _begin(self, task: Task) -> None:
        """Start the first thread; if none can be started, the next page tries again."""
        try:
            self._start_thread()
        except RuntimeError:
            self._queue.drop(task)
            raise

    def _start_thread(self) -> None:
        """Serve in a new daemon thread, so that a page that hangs does not keep Python running."""
        thread = Thread(target=self._serve, name="boilernet", daemon=True)
        with self._lock:  # the new thread may start the next one only after this
            thread.start()
            self._thread = thread

    def _work(self, batch: Sequence[Task]) -> None:
        """Settle every task of the batch."""
        unsettled = len(batch)
        for task, outcome in zip(batch, self._outcomes(batch), strict=True):
            unsettled -= 1
            if not unsettled:  # set before the crawl gets the last outcome and may close
                self._busy, self._moved = False, monotonic()
            settle(task.future, outcome)

    def _outcomes(self, batch: Sequence[Task]) -> Iterator[Outcome | Exception]:
        """Yield the outcome of each task; if the batch fails as a whole, each is tried alone."""
        outcomes: Iterable[Outcome | Exception]
        try:
            outcomes = outcomes_of([task.make_job for task in batch], self.worker.label)
        except BaseException as error:  # a labeler's SystemExit must not end the thread, either
            raised = error if isinstance(error, Exception) else None
            outcomes = [raised or PageError(type(error).__name__, repr(error))]
            if len(batch) > 1:
                outcomes = chain.from_iterable(self._outcomes([task]) for task in batch)
        yield from outcomes


def outcomes_of(
    makers: Sequence[Callable[[], PageJob]],
    label: Callable[[Sequence[PageJob]], Sequence[Outcome | Exception]],
) -> list[Outcome | Exception]:
    """Make the jobs, label them, and return one outcome per maker.

    A job that cannot be made gives its exception. Raises what ``label`` raises.
    """
    made = [attempt(maker) for maker in makers]
    jobs = [job for job in made if not isinstance(job, Exception)]
    outcomes = iter(label(jobs) if jobs else ())
    return [job if isinstance(job, Exception) else next(outcomes) for job in made]
