"""A progress bar on standard error, for work that takes longer than a look."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")
_WIDTH = 30


def progress(
    items: Iterable[T], total: int, label: str, stream: TextIO | None = None
) -> Iterator[T]:
    """Yield ``items`` while a bar shows how many of ``total`` are done and the time left.

    On a terminal the bar moves in place, a tenth of a second apart at least; elsewhere a line
    comes out per tenth of the work, so that log files stay short.
    """
    out = stream or sys.stderr
    live = out.isatty()
    start = shown = time.monotonic()
    tenth = 0
    for done, item in enumerate(items, 1):
        yield item
        now = time.monotonic()
        if live and (now - shown > 0.1 or done == total):
            shown = now
            out.write("\r" + _bar(label, done, total, now - start))
        elif not live and total >= 10 and done * 10 // total > tenth:
            tenth = done * 10 // total
            out.write(_bar(label, done, total, now - start) + "\n")
        out.flush()
    if live:
        out.write("\n")


def say(line: str, prefix: str = "") -> None:
    """Write a line of progress to standard error."""
    sys.stderr.write(f"{prefix}{line}\n")
    sys.stderr.flush()


def _bar(label: str, done: int, total: int, seconds: float) -> str:
    share = min(done / total, 1.0) if total else 1.0
    filled = round(share * _WIDTH)
    left = seconds / done * max(total - done, 0)
    return (
        f"{label} [{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{total} "
        f"{seconds:.0f} s, {left:.0f} s left"
    )
