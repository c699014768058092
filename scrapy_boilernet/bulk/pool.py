"""Worker processes that label stored pages; the outcomes come in the order of the pages."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Self, TypeVar

from scrapy_boilernet.bulk.records import (
    Record,
    StoredJob,
    Unwanted,
    read_records,
    write_stored_jobs,
)
from scrapy_boilernet.config import Config
from scrapy_boilernet.labeling import attempt
from scrapy_boilernet.workers.process import Program, WorkerDied, Workers
from scrapy_boilernet.workers.queue import Task

T = TypeVar("T")
Outcome = Record | Unwanted | Exception

PROGRAM = Program("scrapy_boilernet.bulk.child_main", write_stored_jobs, read_records)
PAGES_PER_WORKER = 32
"""Pages that wait or are worked on, per worker: enough that none waits for the next."""
MAX_WAITING_BYTES = 128_000_000
MAX_DEATHS = 6
"""After so many pages in a row of which each ended its worker, workers cannot run at all."""


class WorkersEndedError(RuntimeError):
    """Worker processes end or fail to start whatever the page is."""


class Pool:
    """``config.workers`` processes that label stored pages, each with a model of its own.

    A page that hangs longer than ``config.timeout`` seconds, or ends its worker, costs that page
    alone. It is tried four times, since a worker may be killed from outside, too. ``program``: what
    the processes run. Raises ``ModelError`` if the model cannot be loaded. Close it, or use
    ``with``.
    """

    def __init__(self, config: Config, program: Program = PROGRAM) -> None:
        self._window = PAGES_PER_WORKER * config.workers
        self.workers = Workers(config, self._window, program)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.workers.close()

    def outcomes(
        self, items: Iterable[T], job_of: Callable[[T], StoredJob | None]
    ) -> Iterator[tuple[T, Outcome | None]]:
        """Yield each item with the outcome of its job, None if it has none, in the items' order.

        Only a few items are read ahead of the slowest page. Raises :class:`WorkersEndedError` if
        workers end on page after page.
        """
        waiting: deque[tuple[T, Task | None, int]] = deque()
        try:
            yield from self._in_order(items, job_of, waiting)
        finally:  # the caller may have enough
            for _, task, _ in waiting:
                if task:
                    self.workers.queue.drop(task)

    def _in_order(
        self,
        items: Iterable[T],
        job_of: Callable[[T], StoredJob | None],
        waiting: deque[tuple[T, Task | None, int]],
    ) -> Iterator[tuple[T, Outcome | None]]:
        tasks = waiting_bytes = deaths = 0
        for item in items:
            job = job_of(item)
            size = len(job.page.body) if job else 0
            waiting.append((item, self._task(partial(_itself, job)) if job else None, size))
            tasks += job is not None
            waiting_bytes += size
            while waiting and (
                waiting[0][1] is None or tasks > self._window or waiting_bytes > MAX_WAITING_BYTES
            ):
                outcome, deaths = _counted(self._outcome(waiting[0][1]), deaths)
                first, task, size = waiting.popleft()
                tasks -= task is not None
                waiting_bytes -= size
                yield first, outcome
        while waiting:
            outcome, deaths = _counted(self._outcome(waiting[0][1]), deaths)
            yield waiting.popleft()[0], outcome

    def _task(self, make_job: Callable[[], StoredJob]) -> Task:
        task = Task(make_job)
        self.workers.queue.put(task)
        return task

    def _outcome(self, task: Task | None) -> Outcome | None:
        """What came of the task; if its worker died twice, it is tried again like a new one."""
        if task is None:
            return None
        outcome: Outcome = attempt(task.future.result)
        if isinstance(outcome, WorkerDied):
            outcome = attempt(self._task(task.make_job).future.result)
        return outcome


def _itself(job: StoredJob) -> StoredJob:
    return job


def _counted(outcome: Outcome | None, deaths: int) -> tuple[Outcome | None, int]:
    """(the outcome, pages in a row that ended their worker)."""
    deaths = deaths + 1 if isinstance(outcome, WorkerDied) else deaths if outcome is None else 0
    if deaths >= MAX_DEATHS:
        raise WorkersEndedError(
            f"{deaths} pages in a row ended their worker process, so it is not the pages; the last "
            f"error was: {outcome}"
        )
    return outcome, deaths
