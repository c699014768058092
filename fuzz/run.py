r"""Fuzzes for some minutes, whatever ends the fuzzer meanwhile, and writes the report.

    python fuzz/run.py --minutes 30 --out docs/results/robustness/fuzzing.md

Findings and the corpus are in the folder ``--work``; a run goes on from the corpus of the one
before. Exits with 1 if anything was found.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from fuzz_report import Figures, write
from measuring import ONE_THREAD
from reporting import Report

HERE = Path(__file__).parent
MOST_STARTS = 60
"""What ends the fuzzer this often is to be mended before it makes sense to go on."""
PARTS = (1024, 4096, 32_768)
"""Longest inputs, in bytes, each for a third of the time: short ones are quick, long ones deep."""
_PULSE = re.compile(r"#(\d+)\s+\w+\s+cov: (\d+) ft: (\d+) corp: (\d+)/")
_PEAK = re.compile(r"stat::peak_rss_mb:\s+(\d+)")
_SLOWEST = re.compile(r"stat::slowest_unit_time_sec:\s+(\d+)")


def main() -> int:
    """Fuzz and write the report."""
    options = arguments()
    report = Report("Fuzzing")
    figures = fuzzed(options)
    figures.lines = lines_of(options.work, report)
    write(report, figures, options)
    return int(bool(figures.findings))


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--out", type=Path, metavar="FILE.md", help="else standard output")
    parser.add_argument("--work", type=Path, default=Path(".fuzz"), metavar="FOLDER")
    parser.add_argument("--memory-mb", type=int, default=1024, help="what a page may not exceed")
    parser.add_argument("--timeout", type=int, default=25, help="seconds that end an input")
    return parser.parse_args()


def fuzzed(options: argparse.Namespace) -> Figures:
    """Fuzz until the time is over, starting again after whatever ended the fuzzer."""
    corpus, seeds, found = (options.work / name for name in ("corpus", "seeds", "findings"))
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, HERE / "seeds.py", seeds], check=True)
    figures, begin, part_s = Figures(), time.monotonic(), options.minutes * 60 / len(PARTS)
    for number, most_bytes in enumerate(PARTS, 1):
        while (left := number * part_s - (time.monotonic() - begin)) > 1:
            if figures.starts == MOST_STARTS:
                break
            figures.starts += 1
            log = options.work / f"log-{figures.starts}.txt"
            settings = (f"-max_len={most_bytes}", f"-max_total_time={left:.0f}")
            start([corpus, seeds, *settings], found, options, log)
            add(figures, log.read_text(encoding="utf-8", errors="replace"))
    figures.seconds = time.monotonic() - begin
    files = [file for file in found.iterdir() if file.suffix != ".txt"]
    figures.findings = {file.name: file.stat().st_size for file in sorted(files)}
    return figures


def start(given: list[Path | str], found: Path, options: argparse.Namespace, log: Path) -> None:
    """Run the fuzzer to its end."""
    command = [
        sys.executable, HERE / "fuzz_extract.py", *given, f"-dict={HERE / 'html.dict'}",
        f"-rss_limit_mb={options.memory_mb}", f"-timeout={options.timeout}", "-len_control=20",
        f"-artifact_prefix={found}/", "-print_final_stats=1",
    ]  # fmt: skip
    environment = {**os.environ, **ONE_THREAD, "BOILERNET_FUZZ_FINDINGS": str(found)}
    with log.open("wb") as file:
        subprocess.run([*map(str, command)], check=False, stdout=file, stderr=file, env=environment)


def add(figures: Figures, log: str) -> None:
    """Add what one run of the fuzzer told; coverage is that of the last run, which had it all."""
    pulses = _PULSE.findall(log)
    if pulses:
        executions, figures.edges, figures.features, figures.inputs = map(int, pulses[-1])
        figures.executions += executions
    peaks, slowest = ([int(each) for each in rule.findall(log)] for rule in (_PEAK, _SLOWEST))
    figures.peak_mb = max(figures.peak_mb, *peaks, 0)
    figures.slowest_seconds = max(figures.slowest_seconds, *slowest, 0)


def lines_of(work: Path, report: Report) -> dict[str, tuple[int, int]]:
    """Return per module of the package the lines that the corpus runs, and all."""
    out = work / "lines.json"
    command = [
        sys.executable,
        HERE / "replay.py",
        work / "corpus",
        work / "seeds",
        "--coverage",
        out,
    ]
    out.unlink(missing_ok=True)
    subprocess.run([*map(str, command)], stdout=subprocess.DEVNULL, check=False)
    if not out.is_file():
        report.lacks("coverage, so there is no table of lines: pip install coverage")
        return {}
    found: dict[str, tuple[int, int]] = json.loads(out.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    raise SystemExit(main())
