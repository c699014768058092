"""What the soak's crawl looks at in its own process, and the killing of its workers. Linux only."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import psutil
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.trackref import live_refs

from benchmarks.common.measuring import descendants, resident_kb
from scrapy_boilernet.labeled import LabeledPage

COUNTED = ("threads", "processes", "files", "tasks", "requests", "held", "labeled_pages")
"""What must be no more after the crawl than before."""
HANG_SHARE = 0.1
"""Of the signals to workers: they are stopped, not killed, and ``BOILERNET_TIMEOUT`` ends them."""
MOST_DELAY_SECONDS = 0.2
"""Between a response and the signal that it brings about."""


def look(objects: bool = False) -> dict[str, Any]:
    """Return memory, threads, processes, open files and live objects of Scrapy as they are now.

    ``objects``: count those, too, that the garbage collector knows, which takes a while.
    """
    workers = {str(pid): resident_kb(pid) for pid in descendants()}
    known = gc.get_objects() if objects else []
    return {
        "main_kb": resident_kb(),
        "workers_kb": sum(workers.values()),
        "workers": workers,
        "threads": psutil.Process().num_threads(),
        "processes": len(workers),
        "files": len(open_files()),
        "tasks": len(asyncio.all_tasks()),
        "requests": sum(len(refs) for kind, refs in live_refs.items() if issubclass(kind, Request)),
        "held": sum(len(refs) for kind, refs in live_refs.items() if issubclass(kind, Response)),
        "objects": len(known) if objects else None,
        "labeled_pages": sum(isinstance(each, LabeledPage) for each in known) if objects else None,
    }


def open_files() -> list[str]:
    """Return of what kind each open file is, sorted; psutil does not know pipes from sockets."""
    kinds = []
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one of the folder itself is closed by now
            kinds.append(link.readlink().name.partition(":")[0])
    return sorted(kinds)


async def left_over(before: dict[str, Any], seconds: float = 5.0) -> dict[str, Any]:
    """Return what is there now; waits up to ``seconds`` until it is no more than before."""
    until = time.monotonic() + seconds
    while True:
        gc.collect()
        now = look(objects=True)
        if all(now[name] <= before.get(name, now[name]) for name in COUNTED):
            break
        if time.monotonic() > until:
            break
        await asyncio.sleep(0.05)
    names = sorted(thread.name for thread in threading.enumerate())
    return {**now, "thread_names": names, "file_names": open_files()}


class Sampler:
    """Samples every few seconds, and the objects that the garbage collector knows now and then."""

    def __init__(self, seconds: float, objects_every: int, more: Callable[[], dict[str, Any]]):
        self.samples: list[dict[str, Any]] = []
        """What :func:`look` saw, and what ``more`` said."""
        self._seconds = seconds
        self._every = objects_every
        self._next = objects_every
        self._more = more

    async def run(self) -> None:
        """Sample until cancelled."""
        while True:
            await asyncio.sleep(self._seconds)
            self.sample()

    def sample(self) -> None:
        """Take one sample."""
        more = self._more()
        due = more["responses"] >= self._next
        if due:
            gc.collect()
            self._next += self._every
        self.samples.append({**more, **look(objects=due)})


class Killer:
    """Sends SIGKILL, or SIGSTOP, to a worker after random numbers of responses."""

    def __init__(self, random: Random, every: float, pids: Callable[[], Sequence[int]]) -> None:
        self.counts: Counter[str] = Counter()
        self._random = random
        self._every = every
        self._pids = pids
        self._left = self._draw()

    def _draw(self) -> float:
        return self._random.expovariate(1 / self._every) if self._every else float("inf")

    def tick(self) -> None:
        """A response has come; ``every`` of them lie between two signals in the mean."""
        self._left -= 1
        if self._left <= 0:
            self._left = self._draw()
            loop = asyncio.get_running_loop()  # not always at the same point of the work
            loop.call_later(self._random.uniform(0, MOST_DELAY_SECONDS), self._kill)

    def _kill(self) -> None:
        alive = set(descendants())  # a worker that was just reaped: its number may be another's
        pids = [pid for pid in self._pids() if pid in alive]
        if pids:
            stop = self._random.random() < HANG_SHARE
            os.kill(self._random.choice(pids), signal.SIGSTOP if stop else signal.SIGKILL)
            self.counts["stopped" if stop else "killed"] += 1


class LogCount(logging.Handler):
    """Counts all records by logger and level, and keeps the first of the plugin's own."""

    KEPT = 60

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.counts: Counter[str] = Counter()
        self.own: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.counts[f"{record.name} {record.levelname}"] += 1
        if record.name.startswith("scrapy_boilernet") and len(self.own) < self.KEPT:
            error = record.exc_info[1] if record.exc_info else None
            text = record.getMessage() + (f" ({type(error).__name__})" if error else "")
            self.own.append(f"{record.levelname}: {text}")
