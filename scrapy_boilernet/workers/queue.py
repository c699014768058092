"""The bounded queue of pages that wait for the workers, in order of arrival."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition
from time import monotonic
from typing import Any


class EngineClosedError(RuntimeError):
    """The crawl has ended; the page is left unlabeled."""

    def __init__(self) -> None:
        super().__init__("the crawl has ended")


class PageTimeoutError(TimeoutError):
    """The work on a page took longer than ``BOILERNET_TIMEOUT``."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not done after BOILERNET_TIMEOUT = {seconds:g} seconds")


class Task:
    """A page that a mode has to label or store."""

    __slots__ = ("future", "make_job", "retried", "since")

    def __init__(self, make_job: Callable[[], Any]) -> None:
        self.make_job = make_job
        """Not called in the reactor's thread, since detecting an undeclared encoding takes long."""
        self.future: Future[Any] = Future()
        self.retried = False
        """Whether it is tried a second time, since a worker process ended on its batch."""
        self.since: float | None = None
        """When it entered the queue, by the monotonic clock, in seconds; None if it has not."""


class PageQueue:
    """Tasks for one or more workers. Safe to use from any thread.

    It holds at most ``limit`` tasks. Tasks that come when it is full wait outside and enter one by
    one. Their requests stay in Scrapy's downloader, which then sends fewer new requests. So a full
    queue slows down the crawl.
    """

    def __init__(self, limit: int, workers: int = 1) -> None:
        self._limit = limit
        self._idle = self._workers = workers
        self._inside: deque[Task] = deque()
        self._outside: deque[Task] = deque()
        self._changed = Condition()
        self._closed = False
        self._counts = {"batches": 0, "batch/pages_max": 0, "queue/max": 0, "queue/waits": 0}

    def counts(self) -> dict[str, int]:
        """Return the queue's stats so far, without their prefix."""
        with self._changed:
            return dict(self._counts)

    def put(self, task: Task) -> None:
        """Add a task; raises ``EngineClosedError`` after :meth:`close`."""
        with self._changed:
            if self._closed:
                raise EngineClosedError
            self._outside.append(task)
            self._admit()
            if task.since is None:
                self._counts["queue/waits"] += 1
            self._changed.notify_all()

    def take(self, pages: int) -> list[Task]:
        """Wait for tasks and return at least one; return none after :meth:`close`.

        Takes at most ``pages`` tasks, and at most an equal share of the queue per idle worker.
        """
        with self._changed:
            batch: list[Task] = []
            while not batch and not self._closed:
                self._changed.wait_for(lambda: self._inside or self._closed)
                batch = self._taken(pages, self._idle)
            self._idle -= bool(batch)
            return batch

    def take_more(self, pages: int) -> list[Task]:
        """Return what a worker with a batch can take for its next one, perhaps nothing.

        Takes at most ``pages`` tasks, and at most an equal share of the queue per worker.
        """
        with self._changed:
            return self._taken(pages, self._workers)

    def done(self) -> None:
        """Count a worker that has done all that it took as idle again."""
        with self._changed:
            self._idle += 1

    def drop(self, task: Task) -> None:
        """Remove a task if it still waits."""
        with self._changed:
            for tasks in (self._inside, self._outside):
                if task in tasks:
                    tasks.remove(task)
            self._admit()
            self._changed.notify_all()

    def close(self) -> list[Task]:
        """Accept no more tasks, release the workers, and return the tasks that still wait."""
        with self._changed:
            self._closed = True
            left = [*self._inside, *self._outside]
            self._inside.clear()
            self._outside.clear()
            self._changed.notify_all()
            return left

    def _taken(self, pages: int, workers: int) -> list[Task]:
        share = -(-len(self._inside) // workers)
        taken = [self._inside.popleft() for _ in range(min(pages, share))]
        self._admit()
        batch = [task for task in taken if task.future.set_running_or_notify_cancel()]
        self._counts["batches"] += bool(batch)
        self._counts["batch/pages_max"] = max(self._counts["batch/pages_max"], len(batch))
        return batch

    def _admit(self) -> None:
        while self._outside and len(self._inside) < self._limit:
            task = self._outside.popleft()
            task.since = monotonic()
            self._inside.append(task)
        self._counts["queue/max"] = max(self._counts["queue/max"], len(self._inside))
