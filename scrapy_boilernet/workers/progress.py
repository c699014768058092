"""Shows the progress of long work on standard error, and the last line of a command."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Literal, Self, TextIO, TypeVar, get_args

T = TypeVar("T")
ProgressForm = Literal["none", "bar", "json"]
PROGRESS_FORMS: tuple[ProgressForm, ...] = get_args(ProgressForm)
JSON_SECONDS = 10.0
_COLUMNS, _ROWS = 72, 20
"""Fixed, since a terminal in a container may report a size of 0."""


def progress(
    items: Iterable[T], total: int, label: str, stream: TextIO | None = None
) -> Iterator[T]:
    """Yield ``items`` while a bar shows how many of ``total`` are done and the time left.

    On a terminal, the bar is updated in place, at most every tenth of a second. Elsewhere, a line
    is written per tenth of the work, so that log files stay short.
    """
    from tqdm import tqdm  # imported here because that takes longer than to label a page

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


class Meter:
    """A bar of the bytes that are done, which also shows pages, pages per second and the time left.

    On a terminal, it is updated in place. Elsewhere, a line is written per tenth of the work. With
    the form ``json``, a line of JSON is written every :data:`JSON_SECONDS` instead.
    """

    def __init__(
        self,
        total_bytes: int,
        label: str,
        stream: TextIO | None = None,
        *,
        form: ProgressForm = "bar",
    ) -> None:
        from tqdm import tqdm

        self._form = form
        self._next_line = 0.0
        self._out = stream or sys.stderr
        self._total = total_bytes
        self._tenth = 0
        self._first_pages = -1
        """Pages that an earlier run has done; -1 before the first call of :meth:`show`."""
        self._first_bytes = 0
        self._start = time.monotonic()
        with_total = "{desc}: {percentage:3.0f}%|{bar}{postfix} [{elapsed}<{remaining}]"
        layout = with_total if total_bytes else "{desc}{postfix} [{elapsed}]"
        self._bar = tqdm(
            desc=label, total=total_bytes or None, file=self._out, ncols=_COLUMNS + 20,
            nrows=_ROWS, bar_format=layout,
            disable=form != "bar" or not self._out.isatty(),
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def show(self, done_bytes: int, pages: int, failures: int) -> None:
        """Show how many bytes of the input and how many pages are done, and how many failed."""
        if self._first_pages < 0:  # the work of an earlier run does not count for the speed
            self._first_pages = pages
            self._bar.initial = self._bar.n = done_bytes
            self._first_bytes = done_bytes
        if self._form == "json":
            self._write_json(done_bytes, pages, failures)
        elif self._form == "none":
            return
        elif not self._bar.disable:
            self._bar.set_postfix_str(self._text(pages, failures), refresh=False)
            self._bar.update(max(0, done_bytes - self._bar.n))
        elif self._total and done_bytes * 10 // self._total > self._tenth:
            self._tenth = done_bytes * 10 // self._total
            self._out.write(f"{self._tenth * 10}% {self._text(pages, failures)}\n")
            self._out.flush()

    def _write_json(self, done_bytes: int, pages: int, failures: int) -> None:
        seconds = time.monotonic() - self._start
        if seconds < self._next_line:
            return
        self._next_line = seconds + JSON_SECONDS
        done = done_bytes - self._first_bytes
        left = (self._total - done_bytes) * seconds / done if done > 0 and self._total else None
        facts = {
            "seconds": round(seconds, 1), "pages": pages, "failed": failures,
            "pages_per_second": round((pages - self._first_pages) / max(seconds, 1e-3), 1),
            "bytes": done_bytes, "total_bytes": self._total or None,
            "seconds_left": None if left is None else round(max(0.0, left)),
        }  # fmt: skip
        self._out.write(f"{json.dumps(facts)}\n")
        self._out.flush()

    def _text(self, pages: int, failures: int) -> str:
        seconds = max(time.monotonic() - self._start, 1e-3)
        speed = (pages - self._first_pages) / seconds
        failed = f", {failures:,} failed" if failures else ""
        return f"{counted(pages, 'page')}, {speed:,.0f}/s{failed}"


def say(line: str, prefix: str = "") -> None:
    """Write a line of progress to standard error."""
    sys.stderr.write(f"{prefix}{line}\n")
    sys.stderr.flush()


def written(out: Path, what: str, then: str) -> str:
    """Return the last line of a command: the output, its quality, and the next step.

    >>> written(Path("mine"), word_f1([0.8, 0.9], "validation page"), use_it(Path("/m/mine")))
    "wrote mine: word-F1 .850 on 2 validation pages; use it with BOILERNET_MODEL = '/m/mine'"
    """
    return f"wrote {out}: {what}; {then}"


def word_f1(scores: Collection[float], page: str) -> str:
    """Return the mean word-F1 of the pages as text; ``page``: the name of a page, singular."""
    if not scores:
        return "not measured, since no page was kept to validate"
    return f"word-F1 {short(sum(scores) / len(scores))} on {counted(len(scores), page)}"


def use_it(model: Path) -> str:
    """Return the setting that uses the model from any folder, as text for :func:`written`."""
    return f"use it with BOILERNET_MODEL = {str(model.absolute())!r}"


def counted(number: int, thing: str) -> str:
    """Return the number with its noun: ``"1 page"``, ``"1,200 pages"``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def short(score: float) -> str:
    """Return a score in [0, 1] with three digits and no zero before the point: ``".873"``."""
    return f"{score:.3f}".removeprefix("0")
