"""Runs worker processes. Each has a thread that sends it pages and replaces it when it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Lock, Thread, Timer
from typing import Any, BinaryIO, cast

from scrapy_boilernet.config import Config
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.workers.jobs import Outcome, PageJob
from scrapy_boilernet.workers.queue import EngineClosedError, PageQueue, PageTimeoutError, Task
from scrapy_boilernet.workers.reactor import result_of, settle
from scrapy_boilernet.workers.thread import JOIN_SECONDS, outcomes_of
from scrapy_boilernet.workers.wire import read_frame, read_outcomes, write_frame, write_jobs

_START = """
import importlib, json, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.path[:] = json.loads(sys.argv[1])
importlib.import_module(sys.argv[2]).main()
"""
"""The code that starts a program. Ctrl-C and a service manager's SIGTERM go to the whole process
group. A worker ignores them, since the crawl ends its workers when it has finished its pages."""


def _search_path() -> list[str]:
    """Return ``sys.path`` as text, since some programs add paths of :mod:`pathlib` to it."""
    return [os.fsdecode(path) for path in sys.path if isinstance(path, (str, bytes, os.PathLike))]


class WorkerDied(Exception):  # noqa: N818 - a stat has this name
    """A worker process ended during its work, or could not be started."""


@dataclass(frozen=True)
class Program:
    """The program of a worker process, with functions that send it jobs and read its outcomes."""

    module: str
    """The module whose ``main`` is called; see :func:`scrapy_boilernet.workers.child_main.main`."""
    write_jobs: Callable[[BinaryIO, Sequence[Any]], None]
    read_outcomes: Callable[[BinaryIO], list[Any]]
    remedy: str = ""
    """What the user can do if no process can start, besides reading standard error."""


LABELING = Program(
    "scrapy_boilernet.workers.child_main",
    write_jobs,
    read_outcomes,
    remedy="set BOILERNET_MODE = 'thread', which starts no process",
)
"""Answers each ``PageJob`` with a ``Labeling`` or an exception."""


class Child:
    """One worker process; methods raise :class:`WorkerDied` when they notice that it has ended.

    It is not started by ``multiprocessing``, which would import the main module again in the
    worker, and so start Scrapy, or a script's whole crawl. The worker ends when its pipe is closed,
    so also when its parent ends.
    """

    def __init__(self, config: Config, program: Program = LABELING) -> None:
        self._seconds = config.timeout
        self._program = program
        command = [sys.executable, "-P", "-c", _START, json.dumps(_search_path()), program.module]
        self._process = subprocess.Popen(  # noqa: S603 - this Python
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._jobs = cast("BinaryIO", self._process.stdin)
        self._answers = cast("BinaryIO", self._process.stdout)
        self._usable = True
        self.model = ""
        """The name, version and digest of the model, once it is loaded."""
        self._lock = Lock()
        self._working = False
        names = (
            "model", "engine", "cache_blocks", "cache_folder", "cache_bytes", "formats",
            "timeout",
        )  # fmt: skip
        self._setup = {name: getattr(config, name) for name in names}

    @property
    def alive(self) -> bool:
        """Whether the process can take work: it has not ended, and was not killed."""
        return self._usable and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def load(self) -> None:
        """Load the model in the process; raises ``ModelError`` if it cannot be loaded."""
        try:
            write_frame(self._jobs, self._setup)
            head, _ = read_frame(self._answers)
            problem = head["model_error"]
            self.model = str(head.get("model", ""))
        except Exception as error:  # the process may send anything
            raise self._death() from error
        if problem is not None:
            self.close()
            raise ModelError(problem)

    def label(self, jobs: Sequence[Any]) -> list[Any]:
        """Return one outcome per job, as ``Program.read_outcomes`` returns them.

        If the jobs take longer than ``BOILERNET_TIMEOUT``, ends the process and raises
        ``PageTimeoutError``.
        """
        self._working = True
        timer = Timer(self._seconds, self._expire) if self._seconds else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            self._program.write_jobs(self._jobs, jobs)
            return self._program.read_outcomes(self._answers)
        except Exception as error:  # the process may send anything
            exceeded_seconds = None if self._usable else self._seconds
            death = self._death()
            raise PageTimeoutError(exceeded_seconds) if exceeded_seconds else death from error
        finally:
            with self._lock:
                self._working = False
            if timer:
                timer.cancel()

    def kill(self) -> None:
        """End the process at once. Safe to call from any thread."""
        self._process.kill()

    def close(self) -> None:
        """End the process and wait for its end."""
        self._usable = False
        self._process.kill()
        self._process.wait()
        for pipe in (self._jobs, self._answers):
            with suppress(OSError):  # from bytes that could not be written
                pipe.close()

    def _expire(self) -> None:
        with self._lock:  # so that the process is not killed between two batches
            if self._working:
                self._usable = False
                self._process.kill()

    def _death(self) -> WorkerDied:
        self.close()
        return WorkerDied(f"worker process {self.pid} ended with status {self._process.returncode}")


STARTS = 3
"""Worker processes that are started for a page one after the other, if they end as they start."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before an ended worker is replaced; doubled each time until a page succeeds."""


class Workers:
    """``config.workers`` processes that run a program on the tasks of one queue.

    If a worker dies, or takes longer than ``BOILERNET_TIMEOUT`` for its pages, each page is tried
    once more, alone. So a bad page does not affect the others. Raises ``ModelError`` if the model
    cannot be loaded, or no process can be started.
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


class ProcessEngine:
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


class Feeder:
    """The thread that sends tasks to one worker process, and replaces the process when it ends."""

    def __init__(self, queue: PageQueue, config: Config, program: Program = LABELING) -> None:
        self._queue = queue
        self._config = config
        self._program = program
        self._closed = Event()
        self._lock = Lock()
        self._pause = 0.0
        self.child: Child | None = None
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
        while batch := self._queue.take(self._config.batch_pages):
            self._work(batch)
            self._queue.done()
            del batch  # keeps no page in memory while it waits for the next
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

    def _label(self, jobs: Sequence[Any]) -> Sequence[Any]:
        """Return the outcomes of a running process; raises as :meth:`Child.label` does."""
        child = self.child if self.child and self.child.alive else self._next()
        outcomes = child.label(jobs)
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


def _start_error(error: Exception, remedy: str) -> ModelError:
    if isinstance(error, ModelError):
        return error
    reason = str(error) if isinstance(error, (WorkerDied, OSError)) else repr(error)
    alternative = f", or {remedy}" if remedy else ""
    return ModelError(
        f"no worker process could be started: {reason}; see standard error{alternative}"
    )
