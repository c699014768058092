"""The tables and the plot of ``soak.py``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from reporting import Report
from soak_figures import COUNTS, FLAT_PERCENT, LOG, MEMORY, MUST, Cell
from soak_growth import Crawl
from soak_pages import WEIGHTS

_SHOWN = re.compile("boilernet/|spider_exceptions/C|retry/(count|max)|downloader/exception_type")
PLOTTED = 150
"""Points of a curve, at most."""


def introduction(options: argparse.Namespace) -> str:
    """Return what is to be known before the figures."""
    return (
        f"{options.responses:,} responses that reach the spider per crawl, from a server on "
        f"loopback in another process, {options.concurrent} requests at a time; which page is of "
        f"which kind, and what its callback does, is drawn with the seed {options.seed}. The "
        "labeler is the default model, but that it raises at some pages, hangs at others and ends "
        "its process at others. In the mode `process` a worker gets SIGKILL, or one time in ten "
        f"SIGSTOP, every {options.kill_every:g} responses in the mean. `without` is the same crawl "
        "with `BOILERNET_ENABLED = False`: what grows there is not the plugin's. Before and after: "
        "the crawl, beside a first one of one page in the same process."
    )


def write_report(report: Report, crawls: dict[str, Crawl]) -> None:
    """Add all tables, a column per crawl."""

    def table(title: str, rows: list[tuple[str, Cell]]) -> None:
        report.text(title)
        cells = [[name, *(cell(crawl) for crawl in crawls.values())] for name, cell in rows]
        report.table(["", *crawls], cells)

    table("What must hold:", MUST)
    table("What came and what went out:", COUNTS)
    flat = f"Flat means {FLAT_PERCENT:g} % at most from the third to the fourth quarter."
    table(f"Memory and what takes room, over quarters of the crawl. {flat}", MEMORY)
    table("Signals to workers, the log, and stats:", LOG)
    report.text(
        "Per kind of page: requests, items that callbacks and errbacks yielded, items that came "
        "out, and of these with a main text, which may be empty:"
    )
    kinds = [[kind, *(_of_kind(crawl, kind) for crawl in crawls.values())] for kind in WEIGHTS]
    report.table(["", *crawls], kinds)
    report.text("What reached an errback, by its class, and stats:")
    report.table(["", *crawls], [*_failures(crawls), *_stats(crawls)])
    for name, crawl in crawls.items():
        if crawl["log_own"]:
            report.text(f"All that the plugin logged in the crawl `{name}`:")
            report.lines += ["```", *(_shown_line(line) for line in crawl["log_own"]), "```", ""]


def _of_kind(crawl: Crawl, kind: str) -> str:
    counts = (crawl["counts"].get(f"{what}/{kind}", 0) for what in ("sent", "in", "out", "labeled"))
    return ", ".join(f"{number:,}" for number in counts)


def _failures(crawls: dict[str, Crawl]) -> list[list[str]]:
    names = {k for c in crawls.values() for k in c["counts"] if k.startswith("failure/")}
    return [
        [name.partition("/")[2], *(f"{c['counts'].get(name, 0):,}" for c in crawls.values())]
        for name in sorted(names)
    ]


def _stats(crawls: dict[str, Crawl]) -> list[list[str]]:
    names = {name for c in crawls.values() for name in c["stats"] if _SHOWN.match(name)}
    return [
        [f"`{name}`", *(_number(c["stats"].get(name)) for c in crawls.values())]
        for name in sorted(names)
    ]


def _number(value: float | str | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def _shown_line(line: str) -> str:
    """A line of the log without what differs from run to run, and not too long."""
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", line.splitlines()[0])[:200]


def plot(crawls: dict[str, Crawl], file: Path) -> None:
    """Write the plot of memory over responses."""
    from drawing import panels  # needs matplotlib

    lines: dict[str, Any] = {}
    for name, crawl in crawls.items():
        samples = crawl["samples"][1 :: len(crawl["samples"]) // PLOTTED + 1]
        x = [s["responses"] / 1000 for s in samples]
        lines[name] = {"crawl's process": (x, [s["main_kb"] / 1000 for s in samples])}
        if any(s["workers_kb"] for s in samples):
            lines[name]["workers together"] = (x, [s["workers_kb"] / 1000 for s in samples])
    panels(file, lines, ("responses, thousands", "resident memory, MB"))
