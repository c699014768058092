"""A worker process, as its parent sees it: it is started, sent pages, and ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Lock, Timer
from time import monotonic
from typing import Any, BinaryIO, cast

from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.queue import PageTimeoutError
from scrapy_boilernet.workers.wire import (
    read_frame,
    read_outcomes,
    read_places,
    write_frame,
    write_jobs,
)

_START = """
import importlib, json, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.path[:] = json.loads(sys.argv[1])
importlib.import_module(sys.argv[2]).main()
"""
"""The code that starts a program. Ctrl-C and a service manager's SIGTERM go to the whole process
group. A worker ignores them, since the crawl ends its workers when it has finished its pages."""
START_SECONDS = 120
"""How long a process may take to start and to load its model. Most take two seconds; reading torch
from a cold disk takes up to half a minute."""


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
        self.is_ahead = False
        """Whether it was sent jobs that :meth:`label` has not been asked for."""
        self.left_ahead = False
        """Whether it began none of the jobs of the last :meth:`label`, which were sent before."""
        self.place: int | None = None
        """The place among its jobs of the page that it works on; None: unknown, or all pages."""
        self._lock = Lock()
        self._working = False
        self._since = 0.0
        """When it began with its current work, by the monotonic clock, in seconds."""
        names = ("model", "engine", "cache_blocks", "formats", "timeout")
        self._setup = {name: getattr(config, name) for name in names}
        self._setup["sites"] = config.sites and config.sites.as_rows()

    @property
    def alive(self) -> bool:
        """Whether the process can take work: it has not ended, and was not killed."""
        return self._usable and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def load(self) -> None:
        """Load the model in the process; raises ``ModelError`` if it cannot be loaded.

        If that takes longer than :data:`START_SECONDS`, ends the process.
        """
        try:
            with self._limited_to(START_SECONDS):
                write_frame(self._jobs, self._setup)
                head, _ = read_frame(self._answers)
            problem = head["model_error"]
            self.model = str(head.get("model", ""))
        except Exception as error:  # the process may send anything
            if not self._usable:
                self.close()
                message = f"process {self.pid} was not ready after {START_SECONDS} seconds"
                raise WorkerDied(message) from error
            raise self._death() from error
        if problem is not None:
            self.close()
            raise ModelError(problem)

    def send(self, jobs: Sequence[Any]) -> None:
        """Send the jobs of the next :meth:`label` while the process works on others, so that it
        need not wait for them. Raises ``OSError`` if the process has ended.
        """
        self._program.write_jobs(self._jobs, jobs)
        self.is_ahead = True

    def label(
        self, jobs: Sequence[Any], before_last: Callable[[], None] | None = None
    ) -> list[Any]:
        """Return one outcome per job, as ``Program.read_outcomes`` returns them.

        ``before_last`` is called once, before the process has done the last job; it can send more.

        If one of the jobs takes longer than ``BOILERNET_TIMEOUT``, ends the process and raises
        ``PageTimeoutError``. Then, and if the process ends, :attr:`place` is the place of that job.
        """
        self.place = None
        try:
            with self._limited_to(self._seconds):
                self.left_ahead, self.is_ahead = self.is_ahead, False
                if not self.left_ahead:
                    self._program.write_jobs(self._jobs, jobs)
                times_last = 0  # a page is read, then labeled; a job may have several pages
                for place in read_places(self._answers):
                    self.place, self._since, self.left_ahead = place, monotonic(), False
                    if place == len(jobs) - 1:
                        times_last += 1
                        if times_last == 2 and before_last:
                            before_last()
                return self._program.read_outcomes(self._answers)
        except Exception as error:  # the process may send anything
            exceeded_seconds = None if self._usable else self._seconds
            death = self._death()
            raise PageTimeoutError(exceeded_seconds) if exceeded_seconds else death from error

    def kill(self) -> None:
        """End the process at once. Safe to call from any thread."""
        self._process.kill()

    def close(self) -> None:
        """End the process and wait for its end."""
        self._usable = self.is_ahead = False
        self._process.kill()
        self._process.wait()
        for pipe in (self._jobs, self._answers):
            with suppress(OSError):  # from bytes that could not be written
                pipe.close()

    @contextmanager
    def _limited_to(self, seconds: float | None) -> Iterator[None]:
        """End the process if no work takes place in the ``with`` block for so many seconds."""
        self._since, self._working = monotonic(), True
        if seconds:
            self._check_after(seconds, seconds)
        try:
            yield
        finally:
            with self._lock:
                self._working = False
                if seconds:
                    self._timer.cancel()

    def _check_after(self, left_seconds: float, seconds: float) -> None:
        self._timer = Timer(left_seconds, self._check, [seconds])
        self._timer.daemon = True
        self._timer.start()

    def _check(self, seconds: float) -> None:
        with self._lock:  # so that the process is not killed between two batches
            left_seconds = self._since + seconds - monotonic()
            if self._working and left_seconds > 0:
                self._check_after(left_seconds, seconds)
            elif self._working:
                self._usable = False
                self._process.kill()

    def _death(self) -> WorkerDied:
        self.close()
        return WorkerDied(f"worker process {self.pid} ended with status {self._process.returncode}")
