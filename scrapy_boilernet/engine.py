"""Where the work runs: in one worker thread, so that the reactor never waits, or inline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar, cast

T = TypeVar("T")


class Engine(Protocol):
    """Runs one page's work and awaits its result."""

    async def run(self, work: Callable[[], T]) -> T:
        """Return what ``work()`` returns; raises what it raises."""
        ...

    def close(self) -> None:
        """Let go of the worker; queued work is cancelled."""
        ...


class InlineEngine:
    """Runs the work where it is awaited. Blocks the reactor: for debugging and for tests."""

    async def run(self, work: Callable[[], T]) -> T:
        """Return what ``work()`` returns; raises what it raises."""
        return work()

    def close(self) -> None:
        """Do nothing."""


class ThreadEngine:
    """One worker thread of our own; Scrapy's and asyncio's shared pools are left alone.

    One, because the feature code holds the GIL: a second thread would wait for the first, and the
    reactor for both. Works on the asyncio and select reactors and
    without one.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="boilernet")

    async def run(self, work: Callable[[], T]) -> T:
        """Return what ``work()`` returns; raises what it raises."""
        future = self._executor.submit(work)
        try:
            asyncio.get_running_loop()
        except RuntimeError:  # a reactor that does not run on asyncio
            return cast("T", await _deferred(future))
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Cancel queued work and let the thread end after the page at hand."""
        self._executor.shutdown(wait=False, cancel_futures=True)


def engine_of(mode: str) -> Engine:
    """Return the engine of ``BOILERNET_MODE``."""
    return InlineEngine() if mode == "inline" else ThreadEngine()


def _deferred(future: Future[Any]) -> Any:
    """The future as a Deferred that fires in the reactor's thread."""
    from twisted.internet import (
        reactor,  # installed by now; importing it earlier would choose one
    )
    from twisted.internet.defer import Deferred

    deferred: Deferred[Any] = Deferred()

    def fire(done: Future[Any]) -> None:
        if done.cancelled():
            deferred.cancel()
        elif error := done.exception():
            deferred.errback(error)
        else:
            deferred.callback(done.result())

    future.add_done_callback(lambda done: reactor.callFromThread(fire, done))
    return deferred
