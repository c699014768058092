r"""Crawl real pages from a server on loopback, without the plugin and with it, in turns.

    python -m benchmarks.speed.crawl SET... --pages 500 --responses 5000 --rounds 3 \
        --out-markdown docs/results/speed/crawl.md
    python -m benchmarks.speed.crawl SET... --modes without thread --half
    python -m benchmarks.speed.crawl SET... --memory --responses 50000 --modes thread

It measures pages per second; the reactor's lag, which is the time between when a call was due in
the reactor and when it ran, every 10 ms; resident memory; items; and the seconds from the process's
start to its first request.
``--half``: then the same at half of the requests per second of the crawl with the plugin.
``--memory``: one crawl per mode, and its memory as it goes on.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import scrapy_boilernet
from benchmarks.common.measuring import environment, module_command, rotated, spread
from benchmarks.common.page_server import Server, serving
from benchmarks.common.reporting import Report, add_outputs
from benchmarks.common.subjects import draw_pages, usable
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.settings.config import Config, ConfigError
from scrapy_boilernet.workers.progress import progress

WITHOUT, TRAFILATURA = "without", "trafilatura in the callback"
MODES = ("thread", "process", "inline")
CONCURRENT_REQUESTS = 16
SPIDER = "benchmarks.speed.crawl_spider"

Crawls = dict[str, list[dict[str, Any]]]
"""Per variant the results of its crawls."""

FIGURES: tuple[tuple[str, Callable[[dict[str, Any]], float], int], ...] = (
    ("pages per second", lambda r: r["responses"] / r["seconds"], 1),
    ("CPU ms per page, main process", lambda r: r["cpu_seconds"] / r["responses"] * 1000, 1),
    ("seconds to the first request", lambda r: r["start_seconds"], 2),
    ("reactor lag, median (ms)", lambda r: r["lag_p50_ms"], 1),
    ("reactor lag, 95th percentile (ms)", lambda r: r["lag_p95_ms"], 1),
    ("reactor lag, largest (ms)", lambda r: r["lag_max_ms"], 1),
    ("resident memory, peak (MB)", lambda r: r["peak_kb"] / 1000, 0),
    ("resident memory, end (MB)", lambda r: r["end_kb"] / 1000, 0),
    ("workers' memory, peak (MB)", lambda r: r["workers_peak_kb"] / 1000, 0),
    ("workers' memory, end (MB)", lambda r: r["workers_end_kb"] / 1000, 0),
    ("server busy (%)", lambda r: r["server_cpu_seconds"] / r["seconds"] * 100, 0),
)
"""Per row its title, the function that returns a crawl's figure, and its decimals."""
COUNTS = {
    "responses": "responses",
    "items that callbacks yielded": "items_in",
    "items that came out": "items_out",
    "with main text": "with_text",
    "with an empty main text": "empty_text",
    "without the field": "no_field",
}
_REPORTED = (10_000, 50_000)


def main() -> None:
    """Run all rounds and write the report."""
    options = arguments()
    report = Report("Memory over a crawl" if options.memory else "A crawl over real pages")
    pages = drawn(report, options)
    compileall.compile_dir(Path(scrapy_boilernet.__file__).parent, quiet=1)  # as pip does
    variants = settings_of(report, options)
    if options.half and (WITHOUT not in variants or not any(variants.values()) or options.memory):
        raise SystemExit(
            "--half compares with the crawl without: name it and a mode in --modes, and leave out "
            "--memory"
        )
    crawls: Crawls = {name: [] for name in variants}
    names = list(variants)
    rounds = 1 if options.memory else options.rounds
    turns = [(r, i) for r, k in product(range(rounds), [len(names)]) for i in rotated(k, r)]
    with serving(pages) as server:
        for _, i in progress(turns, len(turns), "crawls"):
            crawls[names[i]].append(crawl(server, options, names[i], variants[names[i]]))
        slow, rate = at_half(server, options, variants, crawls) if options.half else ({}, 0.0)
    report.figures = {"distinct_pages": len(pages), "crawls": crawls, "at_half": slow}
    report.text(introduction(options, pages))
    if options.memory:
        write_memory(report, crawls)
        report.write(options, partial(plot_memory, crawls))
    else:
        write_table(report, crawls)
        if slow:
            write_lags(report, slow, rate)
        report.write(options, partial(plot_speed, crawls))


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="folder or .tar.xz")
    parser.add_argument("--pages", type=int, default=500, help="distinct pages, over all sets")
    parser.add_argument("--responses", type=int, help="default: 1000, with --memory 50000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engine", nargs="+", default=["auto"], metavar="ENGINE")
    parser.add_argument(
        "--modes", nargs="+", default=[WITHOUT, *MODES, TRAFILATURA],
        choices=[WITHOUT, *MODES, TRAFILATURA],
    )  # fmt: skip
    parser.add_argument("--select", action="store_true",
                        help="the callback selects the page's title, so it parses")  # fmt: skip
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", dest="more",
                        help="settings of the crawls with the plugin")  # fmt: skip
    parser.add_argument("--half", action="store_true", help="also at half of the saturated rate")
    parser.add_argument("--memory", action="store_true", help="resident memory along one crawl")
    parser.add_argument("--sample-every", type=int, default=1000, metavar="RESPONSES")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser)
    options = parser.parse_args()
    options.responses = options.responses or (50_000 if options.memory else 1000)
    return options


def drawn(report: Report, options: argparse.Namespace) -> list[GoldPage]:
    """Return the pages, as evenly from the sets as they allow, drawn with a fixed seed."""
    share = -(-options.pages // len(options.sets))
    sets = draw_pages(report, options.sets, {}, share, options.cache)
    return [page for pages in sets.values() for page in pages][: options.pages]


def settings_of(report: Report, options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return the settings per variant that can run here; {} without the plugin.

    The cache of blockified pages is off, since pages come again here more often than in a crawl.
    """
    more = dict(entry.split("=", 1) for entry in options.more)
    engines = usable(report, options.engine)
    variants: dict[str, dict[str, Any]] = {}
    for mode in options.modes:
        if mode == TRAFILATURA and not find_spec("trafilatura"):
            report.lacks("trafilatura, which is not installed: pip install '.[peers]'")
        elif mode in (WITHOUT, TRAFILATURA):
            variants[mode] = {}
        else:
            for engine in engines:
                own = {"BOILERNET_MODE": mode, "BOILERNET_ENGINE": engine}
                settings = {"BOILERNET_ENABLED": True, "BOILERNET_CACHE_BLOCKS": 0, **own, **more}
                try:
                    Config.from_settings(settings)
                    variants[f"{mode}, {engine}"] = settings
                except ConfigError as error:
                    report.lacks(f"the mode {mode} ({error})")
    return variants


def crawl(
    server: Server,
    options: argparse.Namespace,
    name: str,
    settings: dict[str, Any],
    package: Path | None = None,
    pace: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Run one crawl in a process of its own and return what it counted and measured.

    ``package``: a folder with another version of the package, to crawl with. ``pace``: settings of
    Scrapy that slow the crawl down.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        addons = {"ADDONS": {"scrapy_boilernet.Addon": 500}} if settings else {}
        job = {
            "port": server.port,
            "responses": options.responses,
            "concurrent": CONCURRENT_REQUESTS,
            "sample_every": options.sample_every,
            "trafilatura": name == TRAFILATURA,
            "select": options.select,
            "settings": {**settings, **addons, **(pace or {})},
            "out": str(out),
        }
        before, job["launched"] = server.cpu_seconds(), time.monotonic()
        command = module_command(SPIDER, json.dumps(job))
        done = subprocess.run(command, check=False, env=environment(*filter(None, [package])))
        if not out.is_file():
            raise SystemExit(
                f"the crawl {name!r} ended with status {done.returncode} and no result; its log is "
                "above"
            )
        result: dict[str, Any] = json.loads(out.read_text())
    result["server_cpu_seconds"] = server.cpu_seconds() - before
    return result


def at_half(
    server: Server, options: argparse.Namespace, variants: dict[str, Any], crawls: Crawls
) -> tuple[Crawls, float]:
    """Return crawls of the same variants, and their requests per second: half of those of the first
    variant with the plugin.
    """
    first = next(name for name, settings in variants.items() if settings)
    rate = median(row["responses"] / row["seconds"] for row in crawls[first]) / 2
    pace = {"DOWNLOAD_DELAY": 1 / rate, "RANDOMIZE_DOWNLOAD_DELAY": False}
    names = [name for name in variants if name != TRAFILATURA]
    slow: Crawls = {name: [] for name in names}
    turns = [(r, i) for r in range(options.rounds) for i in rotated(len(names), r)]
    for _, i in progress(turns, len(turns), "crawls at half the rate"):
        name = names[i]
        slow[name].append(crawl(server, options, name, variants[name], pace=pace))
    return slow, rate


def write_lags(report: Report, slow: Crawls, rate: float) -> None:
    """Add the reactor's lag at half of the saturated rate."""
    report.text(
        f"At {rate:.1f} requests per second, half of what the crawl with the plugin can do:"
    )
    rows = [
        [title, *(spread([figure(row) for row in rows], digits) for rows in slow.values())]
        for title, figure, digits in FIGURES
        if "lag" in title
    ]
    alone = [row["lag_p95_ms"] for row in slow[WITHOUT]]
    ratios = [
        spread([row["lag_p95_ms"] / own for row, own in zip(rows, alone, strict=True)])
        for rows in slow.values()
    ]
    report.table(["", *slow], [*rows, ["95th percentile, ratio to the crawl without", *ratios]])


def introduction(options: argparse.Namespace, pages: list[GoldPage]) -> str:
    """Return the report's introduction."""
    sets = ", ".join(sorted({page.dataset for page in pages}))
    rounds = "one crawl each" if options.memory else f"{options.rounds} crawls each, in turns"
    cores = os.cpu_count() or 1
    few = (
        f" This machine has {cores} cores for the crawl, its workers and the server together: "
        "a mode that uses another core gains less here than with more cores."
        if cores <= 2
        else ""
    )
    selects = " The callback selects the page's title by CSS." if options.select else ""
    return (
        f"{options.responses:,} responses over {len(pages)} distinct pages of {sets}, served on "
        f"loopback by another process, {CONCURRENT_REQUESTS} at a time; {rounds}, in a process of "
        f"its own. The plugin's modules are compiled to bytecode before, as pip compiles what it "
        f"installs. Its cache of blockified pages is off.{selects}{few}"
    )


def write_table(report: Report, crawls: Crawls) -> None:
    """Add the figures of every variant, medians of its crawls, and the counts of its last."""
    names = list(crawls)
    rows = [
        [title, *(spread([figure(row) for row in crawls[name]], digits) for name in names)]
        for title, figure, digits in FIGURES
    ]
    if WITHOUT in names:
        rows.insert(1, ["ratio to the crawl without", *_ratios(crawls)])
    report.text("Median of the crawls, in brackets the least and the greatest:")
    report.table(["", *names], rows)
    report.text("Counts of the last crawl of each:")
    last = {name: rows[-1] for name, rows in crawls.items()}
    counts = [[title, *(f"{last[name][key]:,}" for name in names)] for title, key in COUNTS.items()]
    stats = sorted({stat for row in last.values() for stat in row["stats"]})
    for stat in stats:
        values = [last[name]["stats"].get(stat, "") for name in names]
        counts.append(
            [f"`{stat}`", *(str(round(v, 2) if isinstance(v, float) else v) for v in values)]
        )
    report.table(["", *names], counts)


def _ratios(crawls: Crawls) -> list[str]:
    """Return the ratio of pages per second to the crawl without the plugin, round by round."""
    speeds = {
        name: [row["responses"] / row["seconds"] for row in rows] for name, rows in crawls.items()
    }
    alone = speeds[WITHOUT]
    return [spread([s / a for s, a in zip(own, alone, strict=True)]) for own in speeds.values()]


def write_memory(report: Report, crawls: Crawls) -> None:
    """Add the resident memory of each variant after 10,000 and 50,000 responses and at the end."""
    rows = []
    for name, results in crawls.items():
        for responses, main_kb, workers_kb in _chosen(results[0]["memory_kb"]):
            numbers = (main_kb / 1000, workers_kb / 1000)
            rows.append([name, f"{responses:,}", *(f"{number:.0f}" for number in numbers)])
    report.table(["", "responses", "main process (MB)", "workers (MB)"], rows)
    growth = {name: _growth_kb(results[0]["memory_kb"]) for name, results in crawls.items()}
    report.text(
        "Growth over the second half of the crawl, kB per 1,000 responses: "
        + ", ".join(f"{name} {value:.0f}" for name, value in growth.items())
        + "."
    )


def _chosen(samples: list[list[int]]) -> list[list[int]]:
    """Return the first sample, those that are reported, and the last."""
    wanted = {samples[0][0], *_REPORTED, samples[-1][0]} if samples else set()
    return [sample for sample in samples if sample[0] in wanted]


def _growth_kb(samples: list[list[int]]) -> float:
    """Return the growth of all processes together in kB per 1,000 responses, from two quarters.

    The quarters are the third and the last, each by its medians. NaN for fewer than four samples.
    """
    quarter = len(samples) // 4
    if not quarter:
        return float("nan")
    third, last = samples[2 * quarter : 3 * quarter], samples[-quarter:]
    (x0, y0), (x1, y1) = (
        (median(s[0] for s in part), median(s[1] + s[2] for s in part)) for part in (third, last)
    )
    return (y1 - y0) / (x1 - x0) * 1000


def plot_memory(crawls: Crawls, file: Path) -> None:
    """Write the plot of resident memory over responses."""
    from benchmarks.common.drawing import panels  # needs matplotlib

    lines = {}
    for name, results in crawls.items():
        samples = results[0]["memory_kb"]
        x = [sample[0] / 1000 for sample in samples]
        lines[name] = {"main process": (x, [sample[1] / 1000 for sample in samples])}
        if any(sample[2] for sample in samples):
            lines[name]["workers"] = (x, [sample[2] / 1000 for sample in samples])
    panels(file, lines, ("responses, thousands", "resident memory, MB"))


def plot_speed(crawls: Crawls, file: Path) -> None:
    """Write the plot of pages per second, with the range of the rounds."""
    from benchmarks.common.drawing import bars  # needs matplotlib

    speeds = {name: [r["responses"] / r["seconds"] for r in rows] for name, rows in crawls.items()}
    values = {name: median(own) for name, own in speeds.items()}
    bars(file, values, {n: (min(s), max(s)) for n, s in speeds.items()}, "pages per second")


if __name__ == "__main__":
    main()
