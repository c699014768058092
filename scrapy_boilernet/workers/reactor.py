"""Brings results back to the reactor's thread: on asyncio, other reactors, and without one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from typing import Any, TypeVar, cast

from scrapy_boilernet.workers.jobs import PageError

T = TypeVar("T")


async def result_of(future: Future[T]) -> T:
    """Return the future's result, or raise its exception, in the awaiting thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # a reactor that does not run on asyncio
        return cast("T", await _deferred(future))
    return await asyncio.wrap_future(future)


def settle(future: Future[T], outcome: T | Exception) -> None:
    """Set the future's outcome, unless it has one or was cancelled. Safe to call from any thread.

    ``StopIteration`` and ``CancelledError`` become ``PageError``, since awaiting the first would
    never end, and the second would look like a cancellation.
    """
    if isinstance(outcome, (StopIteration, CancelledError)):
        outcome = PageError(type(outcome).__name__, repr(outcome))
    with suppress(InvalidStateError):
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


class ExpiryTimer:
    """Calls ``expire`` in the reactor's thread when ``left()``, in seconds, is 0 or less."""

    def __init__(self, left: Callable[[], float], expire: Callable[[], None]) -> None:
        self._left = left
        self._expire = expire
        self._cancel = _call_later(left(), self._check)

    def stop(self) -> None:
        """Stop the timer."""
        self._cancel()

    def _check(self) -> None:
        seconds = self._left()
        if seconds > 0:
            self._cancel = _call_later(seconds, self._check)
        else:
            self._expire()


def _call_later(seconds: float, function: Callable[[], None]) -> Callable[[], None]:
    """Let the reactor or loop call the function later; return a function that cancels the call."""
    try:
        return asyncio.get_running_loop().call_later(seconds, function).cancel
    except RuntimeError:
        from twisted.internet import reactor
    call = cast("Any", reactor).callLater(seconds, function)
    return lambda: call.cancel() if call.active() else None


def _deferred(future: Future[Any]) -> Any:
    """Return a Deferred that fires in the reactor's thread with the future's outcome."""
    from twisted.internet import (
        reactor,  # installed by now; importing it earlier would choose one
    )
    from twisted.internet.defer import Deferred

    def cancel(_: object) -> None:
        future.cancel()

    deferred: Deferred[Any] = Deferred(cancel)

    def fire(done: Future[Any]) -> None:
        if deferred.called:  # the awaiter has cancelled it
            return
        if done.cancelled():
            deferred.cancel()
        elif error := done.exception():
            deferred.errback(error)
        else:
            deferred.callback(done.result())

    future.add_done_callback(lambda done: cast("Any", reactor).callFromThread(fire, done))
    return deferred
