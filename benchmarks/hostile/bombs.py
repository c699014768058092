"""The tables of ``bombs.py``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bomb_parts import BEGIN, END, MIDDLE
from bomb_worker import BLOCKS, LEAVES, OURS
from reporting import Report

SECONDS_PER_MB, TIMES_BYTES = 0.5, 30
"""The bars: CPU seconds per 10^6 bytes, and bytes of memory per byte of the page."""
LEAST_BYTES = 1_000_000
"""What a smaller page counts as: a fixed cost is no harm that the page does."""


@dataclass(frozen=True)
class Row:
    """What a system did with a page."""

    bomb: str
    system: str
    page_bytes: int
    shown: tuple[str, ...]
    """The marker words that a browser shows."""
    found: dict[str, Any]
    """What the worker says: ``kept``, and ``error``, or what it took."""

    @property
    def error(self) -> str:
        """How it failed: :func:`over`, or a signal's or exception's name; "" if it did not."""
        return str(self.found.get("error", ""))

    @property
    def over(self) -> bool:
        """Whether it took more than the limit of CPU seconds."""
        return self.error.startswith(">")

    @property
    def counted_bytes(self) -> int:
        """The page's bytes, or the least."""
        return max(self.page_bytes, LEAST_BYTES)

    @property
    def slow(self) -> bool:
        """Whether it is over the bar of time."""
        return self.over or self.seconds_per_mb > SECONDS_PER_MB

    @property
    def large(self) -> bool:
        """Whether it is over the bar of memory."""
        return self.error == "MemoryError" or self.times_bytes > TIMES_BYTES

    @property
    def seconds_per_mb(self) -> float:
        """CPU seconds per 10^6 bytes of the page, or of the least page; 0 if not known."""
        return float(self.found.get("cpu_seconds", 0)) / self.counted_bytes * 1e6

    @property
    def times_bytes(self) -> float:
        """Bytes of memory per byte of the page, or of the least page; 0 if not known."""
        return float(self.found.get("memory_bytes", 0)) / self.counted_bytes

    @property
    def whole(self) -> bool:
        """Whether all the marker words are kept that a browser shows."""
        return set(self.shown) <= set(self.found["kept"])

    @property
    def cut(self) -> bool:
        """Whether words are missing and the system says that it has cut the page."""
        return bool(self.found.get("cut")) and not self.whole

    def figures(self) -> dict[str, Any]:
        """Return what the report's JSON has of it."""
        own = {"bomb": self.bomb, "system": self.system, "page_bytes": self.page_bytes}
        return own | {"shown": self.shown} | self.found


def over(options: argparse.Namespace) -> str:
    """Return what is told of a process that took more than the limit of CPU seconds."""
    return f"> {options.limit} s"


def write_tables(
    report: Report,
    rows: Sequence[Row],
    systems: Mapping[str, str],
    options: argparse.Namespace,
) -> None:
    """Add what was measured, a table of counts, and one each of text, time and memory."""
    report.text(_told(systems, options))
    by_system = {name: [row for row in rows if row.system == name] for name in systems}
    report.table(
        ["", "pages", "all words kept", "cut", "ended or raised",
         f"over {SECONDS_PER_MB:g} s per MB", f"over {TIMES_BYTES} × the bytes",
         "slowest, s per MB", "largest, × the bytes"],
        [_counts(name, own) for name, own in by_system.items()],
    )  # fmt: skip
    by_bomb: dict[str, list[Row]] = {}
    for row in rows:
        by_bomb.setdefault(row.bomb, []).append(row)
    tables: tuple[tuple[str, str, Callable[[Row], str]], ...] = (
        ("Text", _TEXT_TOLD, _kept),
        ("Time", f"CPU seconds; bold is over {SECONDS_PER_MB:g} s per MB:", _time),
        ("Memory", f"10^6 bytes; bold is over {TIMES_BYTES} × the page's bytes:", _memory),
    )
    for title, told, cell in tables:
        report.text(f"## {title}")
        report.text(told)
        cells = [[_plain(bomb), _size(own[0]), *map(cell, own)] for bomb, own in by_bomb.items()]
        report.table(["page", "MB", *systems], cells)


_TEXT_TOLD = (
    "Marker words kept, of those that a browser without scripts shows; bold where one is missing. "
    "Cut: the page has more blocks than `BOILERNET_MAX_BLOCKS`, or more tags than are read with "
    "that limit, and what follows is left out, which the page says of itself. For the extractors, "
    "a word may also be missing because its sentence was taken for boilerplate:"
)


def _told(systems: Mapping[str, str], options: argparse.Namespace) -> str:
    peers = [f"{name} {version}" for name, version in systems.items() if name not in _OWN]
    return (
        "Each page is an ordinary article with the bomb in its middle, and three marker words in "
        f"sentences of their own: {BEGIN} before the bomb, {MIDDLE} in its innermost place or its "
        f"middle, {END} behind it. A fresh process for each page and system, one thread, after the "
        "imports and one ordinary page. Time is the CPU time of the call; memory is the peak of "
        "the resident memory above what it was before the call. A page below 1 MB is held against "
        "the bars as if it had 1 MB, the figures are as measured. "
        f"More than {options.limit} CPU seconds (`{over(options)}`) or {options.memory_gb:g} "
        "GiB of address space end a process. "
        f"`{OURS}` is `extract` with its defaults, to text, labels and confidence; `{BLOCKS}` and "
        f"`{LEAVES}` are the blockifier in its two units, without a limit of blocks. The others "
        f"({', '.join(peers) or 'none here'}) are given the bytes, with comments off, and for the "
        "main text; HTML that one gives is searched as it is."
        + (" The pages are of the sizes that the tests use." if options.small else "")
    )


_OWN = (OURS, BLOCKS, LEAVES)


def _counts(name: str, rows: Sequence[Row]) -> list[str]:
    counted = (
        len(rows),
        sum(row.whole for row in rows),
        sum(row.cut for row in rows),
        sum(bool(row.error) for row in rows),
        sum(row.slow for row in rows),
        sum(row.large for row in rows),
    )
    slowest = max((row.seconds_per_mb for row in rows), default=0)
    any_over = any(row.over for row in rows)
    largest = max((row.times_bytes for row in rows), default=0)
    return [name, *map(str, counted), "over" if any_over else f"{slowest:.2f}", f"{largest:.0f}"]


def _plain(name: str) -> str:
    """The name as Markdown shows it, where it is markup."""
    return name.replace("&", "&amp;").replace("<", "&lt;")


def _size(row: Row) -> str:
    return f"{row.page_bytes / 1e6:.2f}"


def _kept(row: Row) -> str:
    if row.error:
        return f"**{row.error}**"
    if not row.shown:
        return "none"
    kept = f"{len(row.found['kept'])} of {len(row.shown)}"
    if row.whole:
        return kept
    return f"{kept}, cut" if row.cut else f"**{kept}**"


def _time(row: Row) -> str:
    if "cpu_seconds" not in row.found:
        return f"**{row.error}**"
    return _bold(f"{row.found['cpu_seconds']:.2f}", row.slow)


def _memory(row: Row) -> str:
    if "memory_bytes" not in row.found:
        return f"**{row.error}**"
    taken = row.found["memory_bytes"]
    return _bold(f"{taken / 1e6:.1f} ({taken / row.page_bytes:.0f} ×)", row.large)


def _bold(text: str, bold: bool) -> str:
    return f"**{text}**" if bold else text
