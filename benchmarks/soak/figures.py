"""The report of ``soak.py``: the promises, the counts, and the growth of memory."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.common.reporting import Report
from benchmarks.soak.plan import SOUND, WEIGHTS

Crawl = dict[str, Any]
"""A crawl's counts and samples."""
Cell = Callable[[Crawl], str]
FLAT_PERCENT = 2.0
"""Memory is flat if the last quarter's median is at most so much above the third's."""
INJECTED = {"SoakError", "MemoryError", "WorkerDied", "timeout", "refused_field"}
"""Errors in the plugin's stats that the soak causes; any other is the plugin's own."""
_LEVELS = ("INFO", "WARNING", "ERROR", "CRITICAL")
_SHOWN = re.compile("boilernet/|spider_exceptions/C|retry/(count|max)|downloader/exception_type")
PLOTTED = 150
"""Points of a curve, at most."""


def _count(name: str) -> Cell:
    return lambda crawl: f"{crawl['counts'].get(name, 0):,}"


def _stat(name: str) -> Cell:
    return lambda crawl: f"{crawl['stats'].get(name, 0):,}"


def _must(broken: int, detail: str = "") -> str:
    return f"**NO**: {broken:,}{detail}" if broken else f"yes{detail}"


def _items(crawl: Crawl) -> str:
    came, went = (crawl["counts"].get(name, 0) for name in ("items_in", "items_out"))
    return _must(came - went, f" ({came:,} in, {went:,} out)")


def _again(crawl: Crawl) -> str:
    counts = crawl["counts"]
    compared = counts.get("compared", 0)
    return _must(counts.get("came_otherwise", 0), f" ({compared:,} compared)") if compared else ""


def _left(name: str) -> Cell:
    def cell(crawl: Crawl) -> str:
        before, after = crawl["before"][name], crawl["after"][name]
        return _must(max(0, after - before), f" ({before} before, {after} after)")

    return cell


def _flat(crawl: Crawl) -> str:
    percent = growth_percent(crawl)
    return ("yes" if percent <= FLAT_PERCENT else "**NO**") + f" ({percent:+.2f} %)"


def _labels(crawl: Crawl) -> bool:
    """Whether the plugin was on, also if it labeled nothing."""
    return any(name.startswith("boilernet/") for name in crawl["stats"])


def _broken(crawl: Crawl) -> str:
    return _count("promise_broken")(crawl) if _labels(crawl) else ""


def unexpected_errors(crawl: Crawl) -> dict[str, int]:
    """Return the plugin's errors that the soak did not cause itself, by their stats."""
    begin = "boilernet/errors/"
    errors = {k.removeprefix(begin): v for k, v in crawl["stats"].items() if k.startswith(begin)}
    return {name: number for name, number in errors.items() if name not in INJECTED}


def _no_others(crawl: Crawl) -> str:
    if not _labels(crawl):
        return ""
    others = unexpected_errors(crawl)
    shown = ", ".join(f"{name} {number:,}" for name, number in sorted(others.items()))
    return _must(sum(others.values()), f" ({shown})" if shown else "")


def _quarter(number: int) -> Cell:
    def cell(crawl: Crawl) -> str:
        part = quarters(crawl)[number]
        return f"{median(s['main_kb'] for s in part) / 1000:.1f}" if part else ""

    return cell


def _slope(crawl: Crawl) -> str:
    inclination, error = slope(crawl)
    return f"{inclination:+.2f} ± {error:.2f}"


def _most(which: str, divisor: int = 1) -> Cell:
    return lambda crawl: f"{max(s[which] for s in crawl['samples']) / divisor:.0f}"


def _workers(crawl: Crawl) -> str:
    each = [kb / 1000 for s in crawl["samples"] for kb in s["workers"].values()]
    return f"{median(each):.0f}, {max(each):.0f}" if each else ""


def _objects(crawl: Crawl) -> str:
    seen = [f"{s['objects']:,}" for s in crawl["samples"] if s["objects"]]
    return ", ".join(dict.fromkeys((seen[0], seen[len(seen) // 2], seen[-1]))) if seen else ""


def _own_lines(crawl: Crawl) -> str:
    own = {k: v for k, v in crawl["log"].items() if k.startswith("scrapy_boilernet")}
    levels = {level: sum(v for k, v in own.items() if k.endswith(level)) for level in _LEVELS}
    return ", ".join(f"{number} {level}" for level, number in levels.items() if number) or "0"


def _others_lines(crawl: Crawl) -> str:
    own = sum(v for k, v in crawl["log"].items() if k.startswith("scrapy_boilernet"))
    return f"{sum(crawl['log'].values()) - own:,}"


def _stat_names(crawl: Crawl) -> str:
    return f"{crawl['samples'][len(crawl['samples']) // 2]['stats']}, {len(crawl['stats'])}"


MUST: list[tuple[str, Cell]] = [
    ("items out = items in", _items),
    ("no item dropped, no pipeline failed", lambda c: _must(c["counts"].get("items_lost", 0))),
    ("every request reached a callback or errback", lambda c: _must(c["unanswered"])),
    ("no item has another page's text", lambda c: _must(c["counts"].get("another_page", 0))),
    ("a page that came again has the same text", _again),
    ("no errors except those injected", _no_others),
    ("memory is flat", _flat),
    ("no thread left over", _left("threads")),
    ("no process left over", lambda c: _must(c["left_processes"])),
    ("no open file left over", _left("files")),
    ("no asyncio task left over", _left("tasks")),
    ("no request left over", _left("requests")),
    ("no response left over", _left("held")),
    ("no labeled page left over", _left("labeled_pages")),
    ("no tie left over", lambda c: _must(c["samples"][-1]["ties"])),
]
"""The plugin's promises: per row its name, and the function that says whether a crawl kept it."""
COUNTS: list[tuple[str, Cell]] = [
    ("responses that reached the spider", _count("responses")),
    ("responses of the server, retries and redirects included", _stat("downloader/response_count")),
    ("seconds", lambda c: f"{c['seconds']:,.0f}"),
    ("responses per second", lambda c: f"{c['counts'].get('responses', 0) / c['seconds']:.1f}"),
    ("calls of callbacks", _count("callbacks")),
    ("of these raised after their items", _stat("spider_exceptions/CallbackError")),
    ("calls of errbacks", _count("errbacks")),
    ("items in", _count("items_in")),
    ("items out", _count("items_out")),
    (f"items of sound pages ({', '.join(SOUND)}) that must carry text", _count("promised")),
    ("of these without text", _broken),
]
MEMORY: list[tuple[str, Cell]] = [
    *((f"crawl's process, quarter {i + 1}, median (MB)", _quarter(i)) for i in range(4)),
    ("fourth against third quarter", lambda c: f"{growth_percent(c):+.2f} %"),
    ("slope over the second half (MB per 10,000 responses)", _slope),
    ("crawl's process, most (MB)", _most("main_kb", 1000)),
    ("a worker, median and most (MB)", _workers),
    ("objects that the garbage collector knows: first, middle, last look", _objects),
    ("threads, most", _most("threads")),
    ("child processes, most", _most("processes")),
    ("open files, most", _most("files")),
    ("asyncio tasks, most", _most("tasks")),
    ("requests, most", _most("requests")),
    ("responses, most", _most("held")),
    ("ties, most", _most("ties")),
]
LOG: list[tuple[str, Cell]] = [
    ("workers killed", lambda c: str(c["signals"].get("killed", 0))),
    ("workers stopped", lambda c: str(c["signals"].get("stopped", 0))),
    ("workers replaced", _stat("boilernet/workers/restarted")),
    ("lines of the plugin in the log", _own_lines),
    ("lines of all others", _others_lines),
    ("names of stats at half-time and at the end", _stat_names),
]


def quarters(crawl: Crawl) -> list[list[dict[str, Any]]]:
    """Return the samples by quarters of the responses, without the first, from before the crawl."""
    samples = crawl["samples"][1:]
    last = samples[-1]["responses"] if samples else 0
    parts: list[list[dict[str, Any]]] = [[], [], [], []]
    for sample in samples:
        parts[min(3, 4 * sample["responses"] // max(1, last))].append(sample)
    return parts


def growth_percent(crawl: Crawl) -> float:
    """Return by how much the last quarter's median memory is above the third's, in percent.

    NaN where a quarter has no sample.
    """
    third, last = quarters(crawl)[2:]
    if not third or not last:
        return float("nan")
    return (median(s["main_kb"] for s in last) / median(s["main_kb"] for s in third) - 1) * 100


def slope(crawl: Crawl) -> tuple[float, float]:
    """Return the slope of memory over the second half, in MB per 10,000 responses, and the
    standard error of the fitted line; NaN where there are fewer than three samples.
    """
    half = [sample for part in quarters(crawl)[2:] for sample in part]
    x = np.array([s["responses"] / 10_000 for s in half])
    if len(set(x)) < 3:
        return float("nan"), float("nan")
    y = np.array([s["main_kb"] / 1000 for s in half])
    centred = x - x.mean()
    inclination = float((centred @ y) / (centred @ centred))
    rest = y - y.mean() - inclination * centred
    error = float(np.sqrt((rest @ rest) / (len(x) - 2) / (centred @ centred)))
    return inclination, error


def introduction(options: argparse.Namespace) -> str:
    """Return the report's introduction."""
    return (
        f"{options.responses:,} responses that reach the spider per crawl, from a server on "
        f"loopback in another process, {options.concurrent} requests at a time; which page is of "
        f"which kind, and what its callback does, is drawn with the seed {options.seed}. The "
        "labeler is the default model, except that it raises on some pages, hangs on others and "
        "ends its process on others. In the mode `process` a worker gets SIGKILL, or one time in "
        f"ten SIGSTOP, every {options.kill_every:g} responses in the mean. `without` is the same "
        "crawl with `BOILERNET_ENABLED = False`: what grows there is not the plugin's. Before and "
        "after: counts before and after the crawl, which follows one of a single page in the same "
        "process."
    )


def write_report(report: Report, crawls: dict[str, Crawl]) -> None:
    """Add all tables, a column per crawl."""

    def table(title: str, rows: list[tuple[str, Cell]]) -> None:
        report.text(title)
        cells = [[name, *(cell(crawl) for crawl in crawls.values())] for name, cell in rows]
        report.table(["", *crawls], cells)

    table("What must hold:", MUST)
    table("What came in and what went out:", COUNTS)
    flat = f"Flat means {FLAT_PERCENT:g} % at most from the third to the fourth quarter."
    table(f"Memory and other resources, over quarters of the crawl. {flat}", MEMORY)
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
    """Return a shortened line of the log, without what differs from run to run."""
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", line.splitlines()[0])[:200]


def plot(crawls: dict[str, Crawl], file: Path) -> None:
    """Write the plot of memory over responses."""
    from benchmarks.common.drawing import panels  # needs matplotlib

    lines: dict[str, Any] = {}
    for name, crawl in crawls.items():
        samples = crawl["samples"][1 :: len(crawl["samples"]) // PLOTTED + 1]
        x = [s["responses"] / 1000 for s in samples]
        lines[name] = {"crawl's process": (x, [s["main_kb"] / 1000 for s in samples])}
        if any(s["workers_kb"] for s in samples):
            lines[name]["workers together"] = (x, [s["workers_kb"] / 1000 for s in samples])
    panels(file, lines, ("responses, thousands", "resident memory, MB"))
