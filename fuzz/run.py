r"""Fuzzes for some minutes, starting the fuzzer again whenever it ends, and writes the report.

    python -m fuzz.run --minutes 30 --out docs/results/robustness/fuzzing.md

Findings and the corpus are in the folder ``--work``; a run continues from the corpus of the run
before. Exits with 1 if there is a finding.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.common.measuring import environment, module_command
from benchmarks.common.reporting import Report

DICTIONARY = Path(__file__).with_name("html.dict")
TARGETS = {"pages": "fuzz.target", "readers": "fuzz.reader_target"}
"""The modules of the targets."""
ABOUT = {
    "pages": (
        "all steps from bytes to labels, text and a worker's pipe, with five labelers in both "
        "units. About half of the inputs were labeled twice and compared; some were explained in "
        "text and HTML."
    ),
    "readers": (
        "the readers of stored crawls: WARC, ARC, WACZ, tar, zip, JSON, CSV, Parquet, SQLite, CDX, "
        "packed files, HTTP caches and deferred crawls. Each input was read again from the item in "
        "its middle on."
    ),
}
MAX_STARTS = 60
"""Starts of the fuzzer after which a run stops: fix the inputs that end it first."""
PARTS = (1024, 4096, 32_768)
"""The largest input, in bytes, of each third of the time: small inputs run fast, large ones nest
deep."""
_PULSE = re.compile(r"#(\d+)\s+\w+\s+cov: (\d+) ft: \d+ corp: (\d+)/")
_PEAK = re.compile(r"stat::peak_rss_mb:\s+(\d+)")
_SLOWEST = re.compile(r"stat::slowest_unit_time_sec:\s+(\d+)")


@dataclass
class Figures:
    """The figures of all runs of the fuzzer together."""

    executions: int = 0
    edges: int = 0
    inputs: int = 0
    """The number of inputs in the corpus."""
    peak_mb: int = 0
    slowest_seconds: int = 0
    """Whole seconds of the slowest input, instrumented, on a machine that may do other work."""
    starts: int = 0
    seconds: float = 0.0
    findings: dict[str, int] = field(default_factory=dict)
    """Bytes of the shortest input of each finding, by its name."""
    lines: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Per module: (lines that the corpus runs, all lines)."""


def main() -> int:
    """Fuzz and write the report; return 1 if there is a finding, else 0."""
    options = arguments()
    report = Report("Fuzzing")
    figures = fuzzed(options)
    if not figures.executions:
        log = options.work / f"log-{figures.starts}.txt"
        sys.exit(
            f"nothing was fuzzed: the fuzzer ended before its first input, as {log} says; it needs "
            "pip install atheris"
        )
    figures.lines = lines_of(options, report)
    write(report, figures, options)
    return int(bool(figures.findings))


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument(
        "--target", choices=TARGETS, default="pages", help="what is fuzzed (default: pages)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE.md", help="default: standard output")
    parser.add_argument("--work", type=Path, default=Path(".fuzz"), metavar="FOLDER")
    parser.add_argument("--memory-mb", type=int, default=1024, help="memory limit of the fuzzer")
    parser.add_argument("--timeout", type=int, default=25, help="time limit in seconds per input")
    return parser.parse_args()


def fuzzed(options: argparse.Namespace) -> Figures:
    """Fuzz until the time is over; start the fuzzer again whenever it ends."""
    corpus, seeds, findings = (options.work / name for name in ("corpus", "seeds", "findings"))
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    command = module_command("fuzz.seeds", str(seeds), TARGETS[options.target])
    subprocess.run(command, check=True, env=environment())
    figures, begin, part_s = Figures(), time.monotonic(), options.minutes * 60 / len(PARTS)
    for number, max_bytes in enumerate(PARTS, 1):
        while (left := number * part_s - (time.monotonic() - begin)) > 1:
            if figures.starts == MAX_STARTS:
                break
            figures.starts += 1
            log = options.work / f"log-{figures.starts}.txt"
            settings = (f"-max_len={max_bytes}", f"-max_total_time={left:.0f}")
            start([corpus, seeds, *settings], findings, options, log)
            add(figures, log.read_text(encoding="utf-8", errors="replace"))
    figures.seconds = time.monotonic() - begin
    files = [file for file in findings.iterdir() if file.suffix != ".txt"]
    figures.findings = {file.name: file.stat().st_size for file in sorted(files)}
    return figures


def start(words: list[Path | str], findings: Path, options: argparse.Namespace, log: Path) -> None:
    """Run the fuzzer until it ends; write its output to ``log``."""
    command = module_command(
        "fuzz.fuzz_extract", *map(str, words), f"-dict={DICTIONARY}",
        f"-rss_limit_mb={options.memory_mb}", f"-timeout={options.timeout}", "-len_control=20",
        f"-artifact_prefix={findings}/", "-print_final_stats=1",
    )  # fmt: skip
    with log.open("wb") as file:
        subprocess.run(
            command, check=False, stdout=file, stderr=file,
            env={
                **environment(), "BOILERNET_FUZZ_FINDINGS": str(findings),
                "BOILERNET_FUZZ_TARGET": TARGETS[options.target],
            },
        )  # fmt: skip


def add(figures: Figures, log: str) -> None:
    """Add the figures in the output of one run of the fuzzer.

    The coverage of the last run counts, since it has the corpus of all runs.
    """
    pulses = _PULSE.findall(log)
    if pulses:
        executions, figures.edges, figures.inputs = map(int, pulses[-1])
        figures.executions += executions
    peaks, slowest = ([int(each) for each in rule.findall(log)] for rule in (_PEAK, _SLOWEST))
    figures.peak_mb = max(figures.peak_mb, *peaks, 0)
    figures.slowest_seconds = max(figures.slowest_seconds, *slowest, 0)


def lines_of(options: argparse.Namespace, report: Report) -> dict[str, tuple[int, int]]:
    """Return per module of the package: (lines that the corpus runs, all lines)."""
    out = options.work / "lines.json"
    inputs = [str(options.work / name) for name in ("corpus", "seeds")]
    target = ("--target", TARGETS[options.target])
    command = module_command("fuzz.replay", *inputs, *target, "--coverage", str(out))
    out.unlink(missing_ok=True)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False, env=environment())
    if not out.is_file():
        report.lacks("coverage, so there is no table of lines: pip install coverage")
        return {}
    lines: dict[str, tuple[int, int]] = json.loads(out.read_text(encoding="utf-8"))
    return lines


def write(report: Report, figures: Figures, options: argparse.Namespace) -> None:
    """Write the report to the file that the options name, or to standard output."""
    number = len(figures.findings)
    report.text(
        f"{figures.executions:,} executions in {figures.seconds / 60:.1f} minutes "
        f"({figures.executions / max(figures.seconds, 1):.0f} per second) of "
        f"{ABOUT[options.target]} Findings: {number or 'none'}."
    )
    report.table(
        ["", ""],
        [
            ["executions", f"{figures.executions:,}"],
            ["branches of the package reached, as atheris counts them", f"{figures.edges:,}"],
            ["inputs in the corpus", f"{figures.inputs:,}"],
            ["peak memory of the fuzzer", f"{figures.peak_mb} MB of {options.memory_mb} allowed"],
            ["slowest input, instrumented", f"{figures.slowest_seconds} s"],
            ["starts of the fuzzer", f"{figures.starts}"],
        ],
    )
    if number:
        rows = [[f"`{name}`", f"{size:,}"] for name, size in figures.findings.items()]
        report.table(["finding", "bytes of the shortest input"], rows)
    if figures.lines:
        _add_lines(report, figures)
    text = report.markdown()
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _add_lines(report: Report, figures: Figures) -> None:
    report.text(
        "Lines of the loaded modules that the corpus runs. lxml, NumPy, LightGBM and "
        "ONNX Runtime are not instrumented: libFuzzer sees their results, but not their branches."
    )
    by_folder: dict[str, list[tuple[int, int]]] = {}
    for module, counts in sorted(figures.lines.items()):
        by_folder.setdefault(module[: module.rfind("/") + 1], []).append(counts)
    rows = []
    for folder, modules in sorted(by_folder.items()):
        run, lines = (sum(column) for column in zip(*modules, strict=True))
        rows.append([f"`scrapy_boilernet/{folder}`", f"{len(modules)}", f"{run / lines:.1%}"])
    report.table(["", "modules", "lines run"], rows)


if __name__ == "__main__":
    raise SystemExit(main())
