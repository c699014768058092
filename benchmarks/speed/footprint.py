r"""Memory and start: resident memory per engine, the first page, and what an import takes.

    python -m benchmarks.speed.footprint SET --pages 50 --rounds 15 \
        --out-markdown docs/results/speed/footprint.md

Each figure comes from a fresh process; the imports take turns.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.common.measuring import environment, module_command, rotated, spread
from benchmarks.common.reporting import Report, add_outputs
from benchmarks.common.subjects import ENGINES, draw_pages, usable
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.workers.progress import progress

WORKER = "benchmarks.speed.worker"
SHELLS = "downloadermiddlewares, spidermiddlewares, pipelines, addon"
IMPORTS = {
    "scrapy": "import scrapy",
    "scrapy and what every crawl loads": "import scrapy, scrapy.crawler",
    "scrapy_boilernet": "import scrapy_boilernet",
    "scrapy, then scrapy_boilernet and its shells": (
        f"import scrapy, scrapy_boilernet; from scrapy_boilernet import {SHELLS}"
    ),
    "what every crawl loads, then the same": (
        f"import scrapy, scrapy.crawler, scrapy_boilernet; from scrapy_boilernet import {SHELLS}"
    ),
}
"""Per row the code that a fresh interpreter runs."""
_TIMED = (
    "import time; wall, cpu = time.perf_counter(), time.process_time(); {}; "
    "print(time.perf_counter() - wall, time.process_time() - cpu)"
)


def main() -> None:
    """Measure and write the report."""
    options = arguments()
    report = Report("Memory and start")
    sets = draw_pages(report, options.sets, {}, options.pages, options.cache)
    pages = [page for drawn in sets.values() for page in drawn][: options.pages]
    engines = usable(report, options.engines)
    runs = engine_runs(engines, pages, options.engine_rounds)
    write_engines(report, runs, len(pages))
    write_imports(report, import_seconds(options.rounds))
    report.figures["engines"] = runs
    report.write(options, partial(_plot, runs))


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="folder or .tar.xz")
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=15, help="of each import")
    parser.add_argument("--engine-rounds", type=int, default=3, help="processes per engine")
    parser.add_argument("--engines", nargs="*", default=ENGINES, choices=ENGINES)
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser)
    return parser.parse_args()


def engine_runs(
    engines: Sequence[str], pages: Sequence[GoldPage], rounds: int
) -> dict[str, list[dict[str, Any]]]:
    """Return per engine the figures of each fresh process that extracted the pages."""
    runs: dict[str, list[dict[str, Any]]] = {engine: [] for engine in engines}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "html").mkdir()
        for i, page in enumerate(pages):
            (Path(folder) / "html" / f"{i:04}.html").write_bytes(page.html)
        turns = [engines[i] for turn in range(rounds) for i in rotated(len(engines), turn)]
        for engine in progress(turns, len(turns), "engines"):
            command = module_command(WORKER, "memory", folder, engine)
            runs[engine].append(json.loads(_printed(command)))
    return runs


def import_seconds(rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Return (wall, CPU) seconds of each import, in turns, after a round to warm the disk up."""
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in IMPORTS}
    names = list(IMPORTS)
    turns = [(turn, names[i]) for turn in range(rounds + 1) for i in rotated(len(names), turn)]
    for turn, name in progress(turns, len(turns), "imports"):
        command = [sys.executable, "-c", _TIMED.format(IMPORTS[name])]
        wall, cpu = map(float, _printed(command).split())
        if turn:
            seconds[name].append((wall, cpu))
    return seconds


def _printed(command: list[str]) -> str:
    """Return what the command prints."""
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, env=environment()
    ).stdout


def write_engines(report: Report, runs: dict[str, list[dict[str, Any]]], pages: int) -> None:
    """Add the table of memory and latency per engine."""
    report.text(
        f"A fresh process per engine and round extracts {pages} pages with the default model. "
        "Resident memory: of the interpreter alone, after the import, with the model, after the "
        "pages, and its peak. First page: from the call of `extract` to the text, with the loading "
        "of engine and model in it; then the median of the other pages. By the clock; medians, in "
        "brackets the least and the greatest:"
    )
    columns = {
        "interpreter (MB)": ("bare_kb", 1000, 0),
        "package imported (MB)": ("imported_kb", 1000, 0),
        "after the first page (MB)": ("first_kb", 1000, 0),
        "after all pages (MB)": ("end_kb", 1000, 0),
        "peak (MB)": ("peak_kb", 1000, 0),
        "first page (ms)": ("first_seconds", 1 / 1000, 0),
        "other pages (ms)": ("median_seconds", 1 / 1000, 1),
    }
    rows = [
        [engine, *(spread([r[key] / unit for r in own], n) for key, unit, n in columns.values())]
        for engine, own in runs.items()
    ]
    report.table(["engine", *columns], rows)


def write_imports(report: Report, seconds: dict[str, list[tuple[float, float]]]) -> None:
    """Add the table of imports; ratios round by round, to the first row."""
    report.figures["imports_seconds"] = seconds
    base = seconds["scrapy"]
    rows = []
    for name, own in seconds.items():
        ratios = [mine[1] / alone[1] for mine, alone in zip(own, base, strict=True)]
        walls, cpus = ([pair[i] * 1000 for pair in own] for i in (0, 1))
        rows.append([name, f"{median(walls):.0f}", spread(cpus, 0), spread(ratios)])
    report.text(
        f"Imports without a model, each in a fresh process, {len(base)} rounds in turns; what the "
        "interpreter itself takes to start is not in it:"
    )
    report.table(["import", "ms", "CPU ms", "CPU, ratio to scrapy alone"], rows)


def _plot(runs: dict[str, list[dict[str, Any]]], file: Path) -> None:
    from benchmarks.common.drawing import bars  # needs matplotlib

    peaks = {engine: [run["peak_kb"] / 1000 for run in own] for engine, own in runs.items()}
    values = {engine: median(own) for engine, own in peaks.items()}
    bars(file, values, {n: (min(own), max(own)) for n, own in peaks.items()}, "peak memory, MB")


if __name__ == "__main__":
    main()
