"""Runs worker processes. Each has a thread that sends it pages and replaces it when it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from threading import Event, Lock, Thread
from typing import Any

from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.extractor.labeling import attempt
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.child import LABELING, Child, Program, WorkerDied
from scrapy_boilernet.workers.jobs import Outcome, PageError, PageJob
from scrapy_boilernet.workers.queue import EngineClosedError, PageQueue, PageTimeoutError, Task
from scrapy_boilernet.workers.reactor import result_of, settle
from scrapy_boilernet.workers.thread import JOIN_SECONDS

STARTS = 3
"""Worker processes that are started for a page one after the other, if they end as they start."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before an ended worker is replaced; doubled each time until a page succeeds."""


class Workers:
    """``config.workers`` processes that run a program on the tasks of one queue.

    A bad page does not affect the others. If a worker dies, the page that it worked on is tried
    once more, alone, and the others are labeled again. If it works on a page for longer than
    ``BOILERNET_TIMEOUT``, that page fails. If the page is unknown, each is tried once more, alone.
    Pages for which a worker has no memory left are tried by a new worker, each alone. Raises
    ``ModelError`` if the model cannot be loaded, or no process can be started.
    """

    def __init__(self, config: Config, queue_pages: int, program: Program = LABELING) -> None:
        self.queue = PageQueue(queue_pages, config.workers)
        self._feeders = [Feeder(self.queue, config, program) for _ in range(config.workers)]
        try:
            for feeder in self._feeders:
                feeder.loaded.result()
        except BaseException:
            self.close()
            raise

    @property
    def model(self) -> str:
        """The name, version and digest of the workers' model."""
        return self._feeders[0].model

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that run now."""
        return [child.pid for feeder in self._feeders if (child := feeder.child)]

    @property
    def restarted(self) -> int:
        """How often a worker was replaced."""
        return sum(feeder.restarted for feeder in self._feeders)

    def close(self) -> None:
        """Give up all pages and end the processes."""
        for task in self.queue.close():
            settle(task.future, EngineClosedError())
        for feeder in self._feeders:
            feeder.close()


class ProcessMode:
    """Labels pages in ``BOILERNET_WORKERS`` processes, each with its own model and cache."""

    def __init__(self, config: Config) -> None:
        self._workers = Workers(config, config.queue_pages)

    @property
    def model(self) -> str:
        """The workers' model."""
        return self._workers.model

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that run now."""
        return self._workers.pids

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return the outcome of the job; raises the page's exception, or ``WorkerDied``."""
        task = Task(make_job)
        self._workers.queue.put(task)
        outcome: Outcome = await result_of(task.future)
        return outcome

    def counts(self) -> Mapping[str, int]:
        """Return the stats of the queue and how often a worker was replaced."""
        return {**self._workers.queue.counts(), "workers/restarted": self._workers.restarted}

    def close(self) -> None:
        """Give up all pages and end the processes."""
        self._workers.close()


Batch = list[tuple[Task, Any]]
"""Tasks with their jobs."""


class Feeder:
    """The thread that sends tasks to one worker process, and replaces the process when it ends.

    The worker gets its next batch when it begins with the last page of one, so that it need not
    wait until the outcomes of that one are read.
    """

    def __init__(self, queue: PageQueue, config: Config, program: Program = LABELING) -> None:
        self._queue = queue
        self._config = config
        self._program = program
        self._closed = Event()
        self._lock = Lock()
        self._pause = 0.0
        self.child: Child | None = None
        self._ahead: Batch = []
        """The next batch, which the worker may have got while it worked on the one before."""
        self.restarted = 0
        self.model = ""
        self.loaded: Future[None] = Future()
        """Done when the first process has loaded its model or failed to."""
        self._thread = Thread(target=self._serve, name="boilernet-feeder", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the process and the thread; give up the current pages."""
        with self._lock:
            self._closed.set()
            if self.child:
                self.child.kill()
        self._thread.join(JOIN_SECONDS)

    def _serve(self) -> None:
        try:
            self._start()
        except Exception as error:  # the crawl waits for `loaded`, whatever fails
            settle(self.loaded, _start_error(error, self._program.remedy))
            return
        settle(self.loaded, None)
        while tasks := self._queue.take(self._config.batch_pages):
            self._ahead = _made(tasks)
            del tasks  # keeps no page in memory while it waits for the next
            while batch := self._ahead:
                self._ahead = []
                self._work(batch)
                del batch
            self._queue.done()
        self._end()

    def _work(self, batch: Batch) -> None:
        """Settle every task of the batch."""
        batches = [batch]
        while batches:
            if tried := batches.pop():
                batches += self._try(tried, self._send_ahead if not batches else None)

    def _send_ahead(self) -> None:
        """Send the worker its next batch, if there is one. One that was sent to a worker which has
        ended is sent again.
        """
        self._ahead = self._ahead or _made(self._queue.take_more(self._config.batch_pages))
        if self._ahead and self.child:
            self.child.send([job for _, job in self._ahead])

    def _try(self, batch: Batch, before_last: Callable[[], None] | None) -> list[Batch]:
        """Settle tasks of the batch; return batches of the others, to be tried from the last on,
        all by a new worker.
        """
        try:
            outcomes = self._label([job for _, job in batch], before_last)
        except Exception as error:
            return self._after(error, batch)
        again = []
        for each, outcome in zip(batch, outcomes, strict=True):
            if len(batch) > 1 and _lacked_memory(outcome):
                again.append([each])
            else:
                settle(each[0].future, outcome)
        if any(map(_lacked_memory, outcomes)):
            self._end()
        return again

    def _after(self, error: Exception, batch: Batch) -> list[Batch]:
        """Do as :meth:`_try` after an error that ended the worker or kept it from starting."""
        hangs = isinstance(error, PageTimeoutError)
        if self.child and self.child.left_ahead and not hangs and not self._closed.is_set():
            return [batch]  # not tried yet
        place = self.child.place if self.child else None
        if self._closed.is_set():
            error, ended = EngineClosedError(), list(batch)
        elif len(batch) == 1:
            ended = [each for each in batch if hangs or each[0].retried]
        else:
            ended = [batch[place]] if hangs and place is not None else []
        for task, _ in ended:
            settle(task.future, error)
        left = [each for each in batch if each not in ended]
        alone = [batch[place]] if place is not None else left
        for task, _ in alone:
            task.retried = True
        others = [each for each in left if each not in alone]
        return [*([each] for each in reversed(alone) if each in left), others]

    def _label(self, jobs: Sequence[Any], before_last: Callable[[], None] | None) -> Sequence[Any]:
        """Return the outcomes of a running process; raises as :meth:`Child.label` does."""
        child = self.child  # one that has ended after it began these jobs tells which page it was
        if not child or not (child.alive or child.is_ahead):
            child = self._next()
        outcomes = child.label(jobs, before_last)
        self._pause = 0.0
        return outcomes

    def _next(self) -> Child:
        """Start the process that replaces the ended one, and return it.

        If the new process ends as it starts, no page is the cause, so another one is started.
        """
        for tries_left in reversed(range(STARTS)):
            self._end()
            self._pause = min(2 * self._pause or FIRST_PAUSE, LONGEST_PAUSE)
            self._closed.wait(self._pause)
            self.restarted += 1
            try:
                return self._start()
            except WorkerDied:
                if not tries_left or self._closed.is_set():
                    raise
            except (ModelError, OSError) as error:
                raise WorkerDied(f"the next worker process could not start: {error}") from error
        raise AssertionError

    def _start(self) -> Child:
        with self._lock:
            if self._closed.is_set():
                raise WorkerDied("the crawl has ended")
            child = self.child = Child(self._config, self._program)
        child.load()
        self.model = child.model
        return child

    def _end(self) -> None:
        with self._lock:
            child, self.child = self.child, None
        if child:
            child.close()


def _made(tasks: Sequence[Task]) -> Batch:
    """Return the tasks with their jobs; settle those whose jobs cannot be made."""
    made = [(task, attempt(task.make_job)) for task in tasks]
    for task, job in made:
        if isinstance(job, Exception):
            settle(task.future, job)
    return [(task, job) for task, job in made if not isinstance(job, Exception)]


def _lacked_memory(outcome: object) -> bool:
    """Return whether a page failed for want of memory, which other pages may have taken."""
    if not isinstance(outcome, Exception):
        return False
    name = outcome.name if isinstance(outcome, PageError) else type(outcome).__name__
    return name.endswith("MemoryError") or "bad_alloc" in str(outcome)  # NumPy's; C++'s


def _start_error(error: Exception, remedy: str) -> ModelError:
    if isinstance(error, ModelError):
        return error
    reason = str(error) if isinstance(error, (WorkerDied, OSError)) else repr(error)
    alternative = f", or {remedy}" if remedy else ""
    return ModelError(
        f"no worker process could be started: {reason}; see standard error{alternative}"
    )
