"""Runs a worker in a thread, so that the reactor never waits, or in the thread that awaits."""

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
"""How long an engine that closes waits for the end of a thread."""


class Engine(Protocol):
    """Passes pages to its workers, which label or store them, and awaits the outcomes."""

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return the outcome of the job; raises the page's exception.

        ``make_job`` is called where it does not block the reactor. Raises ``PageTimeoutError`` if
        the work takes too long, ``EngineClosedError`` after :meth:`close`.
        """
        ...

    @property
    def model(self) -> str:
        """The name, version and digest of the model; "" if the workers do not label."""
        ...

    def counts(self) -> Mapping[str, int]:
        """Return the engine's stats so far, without their prefix."""
        ...

    def close(self) -> None:
        """Close the workers. The pages that wait fail with ``EngineClosedError``."""
        ...


class InlineEngine:
    """Labels in the thread that awaits, and so blocks the reactor. For debugging and tests."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker

    @property
    def model(self) -> str:
        """The worker's model."""
        return self.worker.model

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return the outcome of the job; raises the page's exception."""
        (outcome,) = outcomes_of([make_job], self.worker.label)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def counts(self) -> Mapping[str, int]:
        """Return an empty dict, since there is no queue."""
        return {}

    def close(self) -> None:
        """Close the worker."""
        self.worker.close()


class ThreadEngine:
    """Runs one worker thread, outside the shared thread pools of Scrapy and asyncio.

    There is only one thread, because the feature code holds the GIL: a second thread would wait for
    the first, and the reactor for both. The thread takes all pages that wait at once, up to
    ``BOILERNET_BATCH_PAGES``. Works with the asyncio and select reactors and without a reactor.

    A thread cannot be ended from outside. When the current pages take longer than
    ``BOILERNET_TIMEOUT``, they fail with ``PageTimeoutError``, and their late outcomes are dropped.
    Pages that wait behind them fail after the same time.
    """

    def __init__(self, worker: Worker, config: Config) -> None:
        self.worker = worker
        self._config = config
        self._queue = PageQueue(config.queue_pages)
        self._busy = False
        """Whether the current batch has pages without an outcome."""
        self._moved = 0.0
        """When the last batch was taken or settled, by the monotonic clock, in seconds."""
        self._thread: Thread | None = None
        self._lock = Lock()

    @property
    def model(self) -> str:
        """The worker's model."""
        return self.worker.model

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return the outcome of the job; raises the page's exception."""
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
        while not self._busy and thread is not self._thread:  # another may have replaced it
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
            del batch  # keeps no page in memory while it waits for the next
            if left <= 0:
                with suppress(RuntimeError):  # no thread can be started: this one continues
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
        """Start a new daemon thread. A page that hangs in it does not keep Python running."""
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
        """Yield the outcome of each task. If the batch fails as a whole, try each task alone."""
        outcomes: Iterable[Outcome | Exception]
        try:
            outcomes = outcomes_of([task.make_job for task in batch], self.worker.label)
        except BaseException as error:  # a labeler's SystemExit must not end the thread
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

    The outcome of a job that cannot be made is its exception. Raises what ``label`` raises.
    """
    made = [attempt(maker) for maker in makers]
    jobs = [job for job in made if not isinstance(job, Exception)]
    outcomes = iter(label(jobs) if jobs else ())
    return [job if isinstance(job, Exception) else next(outcomes) for job in made]
