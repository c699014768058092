"""A progress bar on standard error, for work that takes longer than a look."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")
_COLUMNS, _ROWS = 72, 20
"""Stated, since a terminal in a container may say that it has none."""


def progress(
    items: Iterable[T], total: int, label: str, stream: TextIO | None = None
) -> Iterator[T]:
    """Yield ``items`` while a bar shows how many of ``total`` are done and the time left.

    On a terminal the bar moves in place, a tenth of a second apart at least; elsewhere a line
    comes out per tenth of the work, so that log files stay short.
    """
    from tqdm import tqdm  # importing it takes longer than a page

    out = stream or sys.stderr
    if out.isatty():
        yield from tqdm(items, label, total, file=out, miniters=1, ncols=_COLUMNS, nrows=_ROWS)
        return
    start = time.monotonic()
    tenth = 0
    for done, item in enumerate(items, 1):
        yield item
        if total >= 10 and done * 10 // total > tenth:
            tenth = done * 10 // total
            seconds = time.monotonic() - start
            line = tqdm.format_meter(done, total, seconds, _COLUMNS, label, ascii=" #")
            out.write(f"{line}\n")
            out.flush()


def say(line: str, prefix: str = "") -> None:
    """Write a line of progress to standard error."""
    sys.stderr.write(f"{prefix}{line}\n")
    sys.stderr.flush()
