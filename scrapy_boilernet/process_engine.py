"""The engine of worker processes: a thread per process feeds it and replaces it when it dies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from threading import Event, Lock, Thread

from scrapy_boilernet.child import Child, WorkerDied
from scrapy_boilernet.config import Config
from scrapy_boilernet.engine import JOIN_SECONDS, outcomes_of
from scrapy_boilernet.futures import arrival, settle
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.page_queue import EngineClosedError, PageQueue, PageTimeoutError, Task
from scrapy_boilernet.worker import Outcome, PageJob

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before a dead worker is replaced; doubled from death to death, until a page succeeds."""


class ProcessEngine:
    """``BOILERNET_WORKERS`` processes, each with a model and a cache of its own.

    The pages of a worker that dies, or that takes longer than ``BOILERNET_TIMEOUT`` over them, are
    tried once more, each alone; so one bad page never takes others with it.
    """

    def __init__(self, config: Config) -> None:
        self._queue = PageQueue(config.queue_pages, config.workers)
        self._feeders = [Feeder(self._queue, config) for _ in range(config.workers)]
        try:
            for feeder in self._feeders:
                feeder.loaded.result()
        except BaseException:
            self.close()
            raise

    @property
    def model(self) -> str:
        """The workers' model."""
        return self._feeders[0].model

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that run now."""
        return [child.pid for feeder in self._feeders if (child := feeder.child)]

    async def label(self, make_job: Callable[[], PageJob]) -> Outcome:
        """Return what comes of the job; raises what its page raises, or ``WorkerDied``."""
        task = Task(make_job)
        self._queue.put(task)
        return await arrival(task.future)

    def counts(self) -> Mapping[str, int]:
        """Return the stats of the queue and how often a worker was replaced."""
        restarted = sum(feeder.restarted for feeder in self._feeders)
        return {**self._queue.counts(), "workers/restarted": restarted}

    def close(self) -> None:
        """Give up all pages and end the processes."""
        for task in self._queue.close():
            settle(task.future, EngineClosedError())
        for feeder in self._feeders:
            feeder.close()


class Feeder:
    """The thread that has one worker process, and after its death the next one."""

    def __init__(self, queue: PageQueue, config: Config) -> None:
        self._queue = queue
        self._config = config
        self._closed = Event()
        self._lock = Lock()
        self._pause = 0.0
        self.child: Child | None = None
        self.restarted = 0
        self.model = ""
        self.loaded: Future[None] = Future()
        """Done when the first process has loaded its model, or could not."""
        self._thread = Thread(target=self._serve, name="boilernet-feeder", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the process and the thread; the pages at hand are given up."""
        with self._lock:
            self._closed.set()
            if self.child:
                self.child.kill()
        self._thread.join(JOIN_SECONDS)

    def _serve(self) -> None:
        try:
            self._start()
        except Exception as error:  # whatever it is, the crawl waits for it
            settle(self.loaded, _start_error(error))
            return
        settle(self.loaded, None)
        config = self._config
        while batch := self._queue.take(config.batch_pages, config.batch_wait_ms / 1000):
            self._work(batch)
            self._queue.done()
            del batch  # no page is held while the next is waited for
        self._end()

    def _work(self, batch: Sequence[Task]) -> None:
        """Settle every task of the batch."""
        try:
            outcomes = outcomes_of([task.make_job for task in batch], self._label)
        except Exception as error:
            for task in batch:
                if self._closed.is_set():
                    settle(task.future, EngineClosedError())
                elif len(batch) == 1 and (task.retried or isinstance(error, PageTimeoutError)):
                    settle(task.future, error)
                else:
                    task.retried = True
                    self._work([task])
        else:
            for task, outcome in zip(batch, outcomes, strict=True):
                settle(task.future, outcome)

    def _label(self, jobs: Sequence[PageJob]) -> Sequence[Outcome | Exception]:
        """Have the jobs done by a process that runs; raises as :meth:`Child.label` does."""
        child = self.child if self.child and self.child.alive else self._next()
        outcomes = child.label(jobs)
        self._pause = 0.0
        return outcomes

    def _next(self) -> Child:
        """The process that takes the dead one's place."""
        self._end()
        self._pause = min(2 * self._pause or FIRST_PAUSE, LONGEST_PAUSE)
        self._closed.wait(self._pause)
        self.restarted += 1
        try:
            return self._start()
        except (ModelError, OSError) as error:
            raise WorkerDied(f"the next worker process could not start: {error}") from error

    def _start(self) -> Child:
        with self._lock:
            if self._closed.is_set():
                raise WorkerDied("the crawl has ended")
            child = self.child = Child(self._config)
        child.load()
        self.model = child.model
        return child

    def _end(self) -> None:
        with self._lock:
            child, self.child = self.child, None
        if child:
            child.close()


def _start_error(error: Exception) -> ModelError:
    if isinstance(error, ModelError):
        return error
    said = str(error) if isinstance(error, (WorkerDied, OSError)) else repr(error)
    return ModelError(
        f"no worker process could be started: {said}; standard error says more, and "
        "BOILERNET_MODE = 'thread' needs none"
    )
