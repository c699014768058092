"""What a crawl changes of Python's interpreter while it starts and runs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakSet

SWITCH_SECONDS = 0.00005
"""How long a thread may hold the interpreter's lock that another waits for; a hundredth of Python's
own time, since the reactor waits for it at every read and write.
``docs/results/speed/crawl-half.md`` has the reactor's lag with it."""


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause the garbage collection. Loaded modules stay in memory, and searching them is slow."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Interpreter:
    """Lets the reactor wait less for the worker's thread and for the garbage collection.

    The crawls of a process share it: what the first changes, the last takes back.
    """

    def __init__(self) -> None:
        self._crawls: WeakSet[object] = WeakSet()
        self._switch_seconds = 0.0

    def begin(self, crawl: object) -> None:
        """Note that the crawl runs; threads take turns more often, and no collection visits the
        objects that there are now.

        These are modules, settings, the model and Scrapy's components, which stay until the end of
        the crawl. A collection that visits them stops the reactor.
        """
        if not self._crawls:
            self._switch_seconds = sys.getswitchinterval()
            sys.setswitchinterval(min(self._switch_seconds, SWITCH_SECONDS))
        self._crawls.add(crawl)
        gc.freeze()

    def end(self, crawl: object) -> None:
        """Note that the crawl, if it has begun, has ended."""
        if crawl in self._crawls:
            self._crawls.discard(crawl)
            if not self._crawls:
                sys.setswitchinterval(self._switch_seconds)
                gc.unfreeze()


interpreter = Interpreter()
