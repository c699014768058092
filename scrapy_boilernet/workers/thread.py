"""Runs a worker in a thread, so that the reactor never waits, or in the thread that awaits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from threading import Lock, Thread, get_ident
from time import monotonic
from typing import Protocol

from scrapy_boilernet.extractor.labeling import attempt
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.jobs import PAGES_PER_THREAD, Outcome, PageError, PageJob, Worker
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.queue import EngineClosedError, PageQueue, PageTimeoutError, Task
from scrapy_boilernet.workers.reactor import ExpiryTimer, result_of, settle
from scrapy_boilernet.workers.scheduling import let_others_run_first, wait_longer_for_the_lock

MOST_HANGING = 3
"""How many threads may hang at once and still be replaced. Each slows down the others."""
JOIN_SECONDS = 5
"""How long a mode that closes waits for the end of a thread."""


class Mode(Protocol):
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
        """Return the mode's stats so far, without their prefix."""
        ...

    def close(self) -> None:
        """End the workers. The pages that wait fail with ``EngineClosedError``."""
        ...


class InlineMode:
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
        """Do nothing, since no page waits."""


class ThreadMode:
    """Runs one worker thread, outside the shared thread pools of Scrapy and asyncio.

    There is only one thread, because the feature code holds the GIL: a second thread would wait for
    the first, and the reactor for both. The thread takes all pages that wait at once, up to
    ``BOILERNET_BATCH_PAGES``. Works with the asyncio and select reactors and without a reactor.

    A thread cannot be ended from outside. If it works on a page for longer than
    ``BOILERNET_TIMEOUT``, that page fails with ``PageTimeoutError``, its late outcome is dropped,
    and another thread labels the others. If :data:`MOST_HANGING` threads hang already, or if it is
    unknown which page hangs, all pages of the batch and those behind them fail.
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
        self._batch: Sequence[Task] = ()
        self._made: list[Task] = []
        """The tasks of the batch whose jobs could be made."""
        self._place: int | None = None
        """The place in ``_made`` of the page that is worked on; None: unknown, or all pages."""
        self._ident = 0
        """The number of the thread that works on the batch."""
        self._hanging: set[int] = set()
        """The numbers of threads that were given up and have not come back."""
        self._lock = Lock()
        if isinstance(worker, PageWorker):
            worker.began = self._began

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
            left_seconds = max(task.since or monotonic(), self._moved) + seconds - monotonic()
            return seconds if left_seconds <= 0 and self._replace(seconds) else left_seconds

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

    def _serve(self, batch: Sequence[Task] | None = None) -> None:
        """Label what the queue has; first ``batch``, what is left of one whose thread hangs."""
        let_others_run_first()
        wait_longer_for_the_lock()
        config, left = self._config, PAGES_PER_THREAD
        if batch is not None and not batch:
            self._queue.done()
        while batch := batch or self._queue.take(config.batch_pages):
            with self._lock:
                self._ident, self._batch, self._place = get_ident(), batch, None
                self._busy, self._moved = True, monotonic()
            self._work(batch)
            if self._given_up:
                self._hanging.discard(get_ident())
                return
            self._queue.done()
            left -= len(batch)
            batch = self._batch = self._made = []  # keeps no page while it waits for the next
            if left <= 0:
                with suppress(RuntimeError):  # no thread can be started: this one continues
                    self._start_thread()
                    return
                left = PAGES_PER_THREAD

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

    @property
    def _given_up(self) -> bool:
        """Whether the thread that asks was given up."""
        return get_ident() in self._hanging

    def _began(self, place: int | None) -> None:
        with self._lock:
            if not self._given_up:
                self._place, self._moved = place, monotonic()

    def _replace(self, seconds: float) -> bool:
        """Give up the thread and the page that hangs in it; let another thread label the others.

        Returns whether there is another thread.
        """
        with self._lock:
            made, place = self._made, 0 if len(self._made) == 1 else self._place
            if not self._busy or place is None or len(self._hanging) >= MOST_HANGING:
                return False
            hanging = made[place]
            others = [
                task for task in self._batch if task is not hanging and not task.future.done()
            ]
            thread = Thread(target=self._serve, args=(others,), name="boilernet", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # no thread can be started
                return False
            self._hanging.add(self._ident)
            self._thread, self._batch, self._made = thread, others, []
            self._busy, self._moved = bool(others), monotonic()
        settle(hanging.future, PageTimeoutError(seconds))
        return True

    def _work(self, batch: Sequence[Task]) -> None:
        """Settle every task of the batch."""
        unsettled = len(batch)
        for task, outcome in zip(batch, self._outcomes(batch), strict=True):
            unsettled -= 1
            with self._lock:
                # Set before the crawl gets the last outcome and may close.
                if not unsettled and not self._given_up:
                    self._busy, self._moved = False, monotonic()
            settle(task.future, outcome)

    def _outcomes(self, batch: Sequence[Task]) -> Iterator[Outcome | Exception]:
        """Yield the outcome of each task. If the batch fails as a whole, try each task alone."""
        outcomes: Iterable[Outcome | Exception]
        made: list[Task] = []
        with self._lock:
            if not self._given_up:
                self._made, self._place = made, None
        try:
            makers = [partial(_made, task, made) for task in batch]
            outcomes = outcomes_of(makers, self.worker.label)
        except BaseException as error:  # a labeler's SystemExit must not end the thread
            raised = error if isinstance(error, Exception) else None
            outcomes = [raised or PageError(type(error).__name__, repr(error))]
            if len(batch) > 1:
                outcomes = chain.from_iterable(self._outcomes([task]) for task in batch)
        yield from outcomes


def _made(task: Task, made: list[Task]) -> PageJob:
    """Return the task's job; add the task to ``made`` if it could be made."""
    job: PageJob = task.make_job()
    made.append(task)
    return job


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
