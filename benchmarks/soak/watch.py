"""Samples of the soak's crawl, taken in its process, and the killing of its workers. Linux only."""

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
from scrapy_boilernet.extractor.labeled import LabeledPage

COUNTED = ("threads", "processes", "files", "tasks", "requests", "held", "labeled_pages")
"""Counts that must not be higher after the crawl than before."""
HANG_SHARE = 0.1
"""Share of the signals that stop a worker instead; ``BOILERNET_TIMEOUT`` then ends it."""
MOST_DELAY_SECONDS = 0.2
"""The longest time between a response and the signal that it causes."""


def look(objects: bool = False) -> dict[str, Any]:
    """Return the current memory, threads, processes, open files and live objects of Scrapy.

    ``objects``: also count the objects that the garbage collector knows, which takes a while.
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
    """Return the kind of each open file, sorted; psutil does not tell pipes from sockets."""
    kinds = []
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the file of the listing itself is closed by now
            kinds.append(link.readlink().name.partition(":")[0])
    return sorted(kinds)


async def left_over(before: dict[str, Any], seconds: float = 5.0) -> dict[str, Any]:
    """Return the counts now; wait up to ``seconds`` until none is higher than before."""
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
        """The results of :func:`look` and of ``more``."""
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
        """Count a response; in the mean, each ``every`` of them cause a signal."""
        self._left -= 1
        if self._left <= 0:
            self._left = self._draw()
            loop = asyncio.get_running_loop()  # not always at the same point of the work
            loop.call_later(self._random.uniform(0, MOST_DELAY_SECONDS), self._kill)

    def _kill(self) -> None:
        alive = set(descendants())  # the id of a reaped worker may belong to another process
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
