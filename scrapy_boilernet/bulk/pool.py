"""Labels stored pages in worker processes, and returns the outcomes in the order of the pages."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Self, TypeVar

from scrapy_boilernet.bulk.records import (
    Linked,
    Record,
    StoredJob,
    Unwanted,
    read_records,
    write_stored_jobs,
)
from scrapy_boilernet.extractor.labeling import attempt
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.child import Program, WorkerDied
from scrapy_boilernet.workers.process import Workers
from scrapy_boilernet.workers.queue import Task

T = TypeVar("T")
Outcome = Record | Linked | Unwanted | Exception

PROGRAM = Program("scrapy_boilernet.bulk.records", write_stored_jobs, read_records)
PAGES_PER_WORKER = 32
"""How many pages per worker wait or are being labeled: enough to keep every worker busy."""
MAX_WAITING_BYTES = 128_000_000
MAX_WAITING_ITEMS = 10_000
"""How many items, most of them without a job, may wait behind a slow page."""
MAX_DEATHS = 6
"""If so many pages in a row end their worker, the run ends, since the pages are not the cause."""


class WorkersEndedError(RuntimeError):
    """Worker processes end, or fail to start, on page after page."""


class Pool:
    """``config.workers`` processes that label stored pages, each with its own model.

    A page that takes longer than ``config.timeout`` seconds, or ends its worker, does not affect
    other pages. A page whose worker ends is tried four times, since something else may have ended
    the worker. ``program``: the program of the processes. Raises ``ModelError`` if the model cannot
    be loaded. Use it in a ``with`` statement.
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
        """Yield each item with the outcome of its job, in the order of the items.

        The outcome is None if the item has no job. The items are read only a little ahead of the
        slowest page. Raises :class:`WorkersEndedError` if workers end on page after page.
        """
        waiting: deque[tuple[T, Task | None, int]] = deque()
        try:
            yield from self._in_order(items, job_of, waiting)
        finally:  # the caller may stop early
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
            size = job.size if job else 0
            waiting.append((item, self._task(partial(_itself, job)) if job else None, size))
            tasks += job is not None
            waiting_bytes += size
            while waiting and (
                waiting[0][1] is None
                or tasks > self._window
                or len(waiting) > MAX_WAITING_ITEMS
                or waiting_bytes > MAX_WAITING_BYTES
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
        """Return the outcome of the task. If its worker died twice, try it once more as a new one.

        A new task is tried twice, too.
        """
        if task is None:
            return None
        outcome: Outcome = attempt(task.future.result)
        if isinstance(outcome, WorkerDied):
            outcome = attempt(self._task(task.make_job).future.result)
        return outcome


def _itself(job: StoredJob) -> StoredJob:
    return job


def _counted(outcome: Outcome | None, deaths: int) -> tuple[Outcome | None, int]:
    """Return (the outcome, how many pages in a row have ended their worker)."""
    deaths = deaths + 1 if isinstance(outcome, WorkerDied) else deaths if outcome is None else 0
    if deaths >= MAX_DEATHS:
        raise WorkersEndedError(
            f"{deaths} pages in a row ended their worker process, so the pages are not the cause; "
            f"the last error was: {outcome}"
        )
    return outcome, deaths
