"""A worker process as its parent sees it: started, fed, timed and ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock, Timer
from typing import BinaryIO, cast

from scrapy_boilernet.config import Config
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.page_queue import PageTimeoutError
from scrapy_boilernet.wire import job_head, read_frame, read_outcomes, write_frame
from scrapy_boilernet.worker import Labeling, PageJob

_START = """
import json, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.path[:] = json.loads(sys.argv[1])
from scrapy_boilernet.worker_process import main
main()
"""
"""Ctrl-C and a service manager's SIGTERM go to the whole group; the crawl ends its workers itself,
when it has finished its pages."""


def _search_path() -> list[str]:
    """``sys.path`` as text: programs put paths of :mod:`pathlib` into it, too."""
    return [os.fsdecode(each) for each in sys.path if isinstance(each, (str, bytes, os.PathLike))]


class WorkerDied(Exception):  # noqa: N818 - the name of its stat, too
    """A worker process ended in the midst of its work, or could not be started."""


class Child:
    """One worker process; raises :class:`WorkerDied` from where its end is noticed.

    A Python of its own, not ``multiprocessing``: that would run the program's main module again in
    the worker, and with it Scrapy, or a script's whole crawl. It ends when its pipe is closed, so
    with its parent, however that ends.
    """

    def __init__(self, config: Config) -> None:
        self._seconds = config.timeout
        command = [sys.executable, "-P", "-c", _START, json.dumps(_search_path())]
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
            "model", "engine", "device", "cache_blocks", "cache_folder", "cache_bytes", "timeout",
        )  # fmt: skip
        self._setup = {name: getattr(config, name) for name in names}

    @property
    def alive(self) -> bool:
        """Whether it can be given work: it has neither ended nor been told to."""
        return self._usable and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def load(self) -> None:
        """Have the model loaded; raises ``ModelError`` as loading it here would."""
        try:
            write_frame(self._jobs, self._setup)
            head, _ = read_frame(self._answers)
            problem = head["model_error"]
            self.model = str(head.get("model", ""))
        except Exception as error:  # what it sends may be anything
            raise self._death() from error
        if problem is not None:
            self.close()
            raise ModelError(problem)

    def label(self, jobs: Sequence[PageJob]) -> list[Labeling | Exception]:
        """Return one outcome per job.

        Raises ``PageTimeoutError`` if they take longer than ``BOILERNET_TIMEOUT``, and ends the
        process then.
        """
        self._working = True
        timer = Timer(self._seconds, self._expire) if self._seconds else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            heads = [job_head(job) for job in jobs]
            write_frame(self._jobs, {"jobs": heads}, [job.body for job in jobs])
            return read_outcomes(self._answers)
        except Exception as error:  # what it sends may be anything
            seconds = None if self._usable else self._seconds
            death = self._death()
            raise PageTimeoutError(seconds) if seconds else death from error
        finally:
            with self._lock:
                self._working = False
            if timer:
                timer.cancel()

    def kill(self) -> None:
        """End the process at once, whatever it does. From any thread."""
        self._process.kill()

    def close(self) -> None:
        """End the process and wait until it is gone."""
        self._usable = False
        self._process.kill()
        self._process.wait()
        for pipe in (self._jobs, self._answers):
            with suppress(OSError):  # what was not written yet
                pipe.close()

    def _expire(self) -> None:
        with self._lock:  # never while it waits for its next pages
            if self._working:
                self._usable = False
                self._process.kill()

    def _death(self) -> WorkerDied:
        self.close()
        return WorkerDied(f"worker process {self.pid} ended with status {self._process.returncode}")
