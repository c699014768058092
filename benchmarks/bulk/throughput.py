"""Measure stored crawls: pages per second, beside other extractors in the same pipeline.

    python -m benchmarks.bulk.throughput --cache CACHE SETS... --out-markdown docs/results/bulk.md

WARC files in ``--cache`` hold each page of the sets twice. A run reads one of these files and
writes its records. The subjects take turns on each file, in another order at each.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from benchmarks.bulk.archive import record, write_archives
from benchmarks.common.measuring import commit_of, environment, module_command, rotated, spread
from benchmarks.common.peer_options import FORMATS
from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.lab.evaluation.statistics import interval_of, resamples
from scrapy_boilernet.workers.progress import progress

ABOUT = """The WARC files hold each page of the sets twice, with a gzip member per response. Each
run reads one file and writes JSON lines, with the command's own code and worker processes; the
subjects differ only in what a worker does with a page. *Per core*: pages per second of processor
time of all processes, including the one that reads and writes. In brackets are 95 % bootstrap
intervals over the files; the subjects take turns on each file."""
READING = """The process that reads and writes: it reads and unpacks the WARC file, sends pages to
the workers, takes their records and writes them. Milliseconds of processor time per page."""
START = """From the start of `scrapy boilernet bulk` on a WARC file of one page to its end:
Python, Scrapy, the worker, the model, the page, the files."""
MEMORY = """One run over the same files again and again: megabytes of resident memory of the process
that reads and writes, and of the larger of two workers."""
PAGE = b"<h1>Tide pools</h1>" + b"<p>The tide pools warm up when the moon stands low.</p>" * 9
BEFORE = """Two checkouts in turns over each file, with one worker: pages per second by the clock,
and milliseconds of processor time per page of the process that reads and writes, and of the
worker. Each has its own default model."""
PARTS = ("speed", "workers", "reading", "start", "memory", "before")
OUTPUTS = ("a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.parquet")


class Subject(NamedTuple):
    """A labeler or extractor with its number of workers."""

    name: str
    labeler: str
    workers: int


SUBJECTS = (
    Subject("scrapy-boilernet", "ours", 2),
    Subject("scrapy-boilernet, one worker", "ours", 1),
    Subject("scrapy-boilernet with Markdown and metadata", "formats", 2),
    Subject("trafilatura", "trafilatura", 2),
    Subject(FORMATS, FORMATS, 2),
    Subject("resiliparse", "resiliparse", 2),
)
Figures = dict[str, Any]


def one_run(
    subject: Subject, files: Sequence[Path], output: str = "a.jsonl", checkout: Path | None = None
) -> Figures:
    """Return the figures of a run in a process of its own; ``checkout``: another one to run."""
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / output)
        command = module_command(
            "benchmarks.bulk.one_run", str(subject.workers), subject.labeler, out,
            *map(str, files),
        )  # fmt: skip
        variables = environment(*([checkout] if checkout else []))
        done = subprocess.run(command, env=variables, check=True, capture_output=True)
        figures: Figures = json.loads(done.stdout.splitlines()[-1])
        return figures


Speed = Callable[[Sequence[Figures], Any], float]


def per_core(runs: Sequence[Figures], drawn: Any = 1.0) -> float:
    """Return the pages per second of processor time; ``drawn``: the weight of each run."""
    cpu = np.array([run["main_cpu_seconds"] + run["worker_cpu_seconds"] for run in runs])
    return float(np.sum(np.array([run["pages"] for run in runs]) * drawn) / np.sum(cpu * drawn))


def per_second(runs: Sequence[Figures], drawn: Any = 1.0) -> float:
    """Return the pages per second by the clock; ``drawn``: the weight of each run."""
    seconds = np.array([run["seconds"] for run in runs])
    return float(np.sum(np.array([run["pages"] for run in runs]) * drawn) / np.sum(seconds * drawn))


def ratio(of: Sequence[Figures], by: Sequence[Figures], speed: Speed) -> str:
    """Return the ratio of two speeds with its interval over the files."""
    low, high = interval_of([speed(of, drawn) / speed(by, drawn) for drawn in resamples(len(of))])
    return f"{speed(of, 1.0) / speed(by, 1.0):.2f} [{low:.2f}, {high:.2f}]"


def measure_speed(report: Report, files: Sequence[Path]) -> None:
    """Run all subjects over each file, and add the tables of their speeds."""
    runs: dict[str, list[Figures]] = {subject.name: [] for subject in SUBJECTS}
    for turn, file in enumerate(progress(files, len(files), "speed")):
        for number in rotated(len(SUBJECTS), turn):
            subject = SUBJECTS[number]
            runs[subject.name].append(one_run(subject, [file]))
    base = runs["trafilatura"]
    report.text(ABOUT)
    report.table(
        ("labeler", "workers", "pages", "failed", "pages/s", "per core", "by trafilatura's",
         "by trafilatura's with both"),
        [
            (
                subject.name, str(subject.workers),
                f"{sum(run['pages'] for run in runs[subject.name]):,}",
                f"{sum(sum(run['failures'].values()) for run in runs[subject.name]):,}",
                f"{per_second(runs[subject.name]):,.0f}", f"{per_core(runs[subject.name]):,.1f}",
                ratio(runs[subject.name], base, per_core),
                ratio(runs[subject.name], runs[FORMATS], per_core),
            )
            for subject in SUBJECTS
        ],
    )  # fmt: skip
    report.figures["runs"] = runs


def measure_workers(report: Report, files: Sequence[Path]) -> None:
    """Add how much more two workers do than one, in turns over each file."""
    runs: tuple[list[Figures], list[Figures]] = ([], [])
    for turn, file in enumerate(progress(files, len(files), "workers")):
        for number in rotated(2, turn):
            runs[number].append(one_run(SUBJECTS[number], [file]))
    report.text("## Workers")
    report.table(
        ("workers", "pages/s", "by one worker's"),
        [
            ("1", f"{per_second(runs[1]):,.0f}", "1.00"),
            ("2", f"{per_second(runs[0]):,.0f}", ratio(runs[0], runs[1], per_second)),
        ],
    )
    report.figures["workers"] = runs


def measure_before(report: Report, files: Sequence[Path], checkout: Path) -> None:
    """Add the speed of this checkout beside another one, in turns over each file."""
    runs: tuple[list[Figures], list[Figures]] = ([], [])
    trees = (None, checkout.resolve())
    for turn, file in enumerate(progress(files, len(files), "before")):
        for number in rotated(2, turn):
            runs[number].append(one_run(SUBJECTS[1], [file], checkout=trees[number]))
    names = ("this checkout", commit_of(checkout))
    report.text("## Beside an earlier version")
    report.text(BEFORE)
    report.table(
        ("checkout", "pages", "pages/s", "by the earlier", "reads and writes, ms", "worker, ms"),
        [
            (
                name, f"{sum(run['pages'] for run in own):,}", f"{per_second(own):,.1f}",
                "1.00" if own is runs[1] else ratio(own, runs[1], per_second),
                *(f"{_ms(own, part):.2f}" for part in ("main_cpu_seconds", "worker_cpu_seconds")),
            )
            for name, own in zip(names, runs, strict=True)
        ],
    )  # fmt: skip
    report.figures["before"] = runs


def _ms(runs: Sequence[Figures], part: str) -> float:
    return 1_000 * sum(run[part] for run in runs) / sum(run["pages"] for run in runs)


def measure_reading(report: Report, file: Path, rounds: int) -> None:
    """Add the cost of reading and writing, by the kind of output."""
    costs: dict[str, list[float]] = {output: [] for output in OUTPUTS}
    sizes: dict[str, float] = {}
    for turn in range(rounds):
        for number in rotated(len(OUTPUTS), turn):
            run = one_run(SUBJECTS[0], [file], OUTPUTS[number])
            costs[OUTPUTS[number]].append(1000 * run["main_cpu_seconds"] / run["pages"])
            sizes[OUTPUTS[number]] = run["out_bytes"] / run["pages"]
    report.text("## Reading and writing")
    report.text(READING)
    report.table(
        ("output", "ms per page", "bytes per page"),
        [
            (output.removeprefix("a"), spread(ms), f"{sizes[output]:,.0f}")
            for output, ms in costs.items()
        ],
    )
    report.figures["reading_ms"] = costs


def measure_start(report: Report, rounds: int) -> None:
    """Add how long a run of one page takes."""
    seconds = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            one = Path(folder) / "one.warc"
            one.write_bytes(record("https://example.com/", PAGE))
            command = module_command(
                "scrapy", "boilernet", "bulk", "--workers", "1", "-o",
                str(Path(folder) / "a.jsonl"), str(one),
            )  # fmt: skip
            begin = perf_counter()
            subprocess.run(command, env=environment(), cwd=folder, check=True, capture_output=True)
            seconds.append(perf_counter() - begin)
    report.text("## Start")
    report.text(START)
    report.table(("seconds",), [(spread(seconds),)])
    report.figures["start_seconds"] = seconds


def measure_memory(report: Report, files: Sequence[Path], pages: int) -> None:
    """Add the memory of a run over so many pages."""
    per_file = one_run(SUBJECTS[0], files[:1])["pages"]
    rounds = -(-pages // (per_file * len(files)))
    memory = one_run(SUBJECTS[0], [*files] * rounds)["memory"]
    shown = [row for row in memory if row[0] % 10_000 == 0]
    growth = ", ".join(
        f"{name} {_growth([row[column] for row in memory]):+.1%}"
        for column, name in ((1, "reads and writes"), (2, "worker"))
    )
    report.text("## Memory")
    report.text(MEMORY)
    report.table(
        ("pages", "reads and writes, MB", "worker, MB"),
        [(f"{done:,}", f"{main:.0f}", f"{worker:.0f}") for done, main, worker in shown],
    )
    report.text(f"From the third to the fourth quarter, by the medians: {growth}.")
    report.figures["memory"] = memory


def _growth(megabytes: Sequence[float]) -> float:
    """Return the growth of the median from the third to the fourth quarter."""
    quarter = len(megabytes) // 4
    third, fourth = megabytes[2 * quarter : 3 * quarter], megabytes[3 * quarter :]
    return median(fourth) / median(third) - 1


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--cache", type=Path, required=True, help="folder of the WARC files")
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5, help="of start, reading and writing")
    parser.add_argument("--memory-pages", type=int, default=100_000)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument(
        "--before",
        type=Path,
        metavar="CHECKOUT",
        help="of another commit; if this is installed in place: after ln -s ../models "
        "CHECKOUT/scrapy_boilernet/models",
    )
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Stored crawls")
    files = write_archives(options.sets, options.cache, options.files)
    if "speed" in options.parts:
        measure_speed(report, files)
    if "workers" in options.parts:
        measure_workers(report, files)
    if "reading" in options.parts:
        measure_reading(report, files[0], options.rounds)
    if "start" in options.parts:
        measure_start(report, options.rounds)
    if options.before and "before" in options.parts:
        measure_before(report, files, options.before)
    if "memory" in options.parts:
        measure_memory(report, files, options.memory_pages)
    report.write(options, None)


if __name__ == "__main__":
    main()
