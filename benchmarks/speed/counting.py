"""The cost of a page in counts, which no other program on the machine disturbs.

Allocations: Python's own, by tracemalloc. Instructions: by perf's counters where the processor
shows them, else by valgrind's cachegrind, as the difference between two passes and one, so that
start and imports fall out. Before, a program that is not counted writes Python's bytecode, and
hashes have a fixed seed. What a first pass leaves is frozen: a collection of all garbage would go
through it, which falls into one pass or another by chance and counts some 2 % of it.

    python -m benchmarks.speed.counting FOLDER SUBJECT PASSES

runs one subject over a folder's pages; the counter counts that whole program.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.common.measuring import environment, module_command
from benchmarks.common.reporting import Report
from benchmarks.common.subjects import (
    OURS,
    PEER_NAMES,
    Subject,
    baseline,
    our_subject,
    peer_subjects,
)
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, read_pages
from scrapy_boilernet.workers.progress import progress

INSTRUCTIONS = "instructions"
PROGRAM = "benchmarks.speed.counting"
_LIMIT_SECONDS = 900
_PASSES = 2


def count_allocations(
    report: Report, subjects: Sequence[Subject], pages: Sequence[GoldPage]
) -> None:
    """Add a table of Python's memory per page at its peak, mean over the pages."""
    peaks = {}
    for subject in progress(subjects, len(subjects), "allocations"):
        peaks[subject.name] = [_peak_bytes(subject, page) for page in pages]
    report.figures["peak_bytes"] = peaks
    report.text(
        f"Python's own memory while a page is worked on, at its peak, mean over {len(pages)} pages "
        "(tracemalloc; what lxml and the engines allocate in C is not in it):"
    )
    report.table(
        ["system", "kB"], [[name, f"{np.mean(v) / 1000:.0f}"] for name, v in peaks.items()]
    )


def _peak_bytes(subject: Subject, page: GoldPage) -> int:
    subject.run(page)  # loads and caches what the first page needs
    gc.collect()
    tracemalloc.start()
    try:
        subject.run(page)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def count_instructions(
    report: Report, subjects: Sequence[Subject], pages: Sequence[GoldPage]
) -> None:
    """Add a table of instructions per page, as a multiple of the first subject's."""
    counter, found = instructions([subject.name for subject in subjects], pages)
    if not counter:
        report.lacks("a counter of instructions: perf shows none here, valgrind is not there")
        return
    counts = {name: count for name, count in found.items() if count is not None}
    for name in found.keys() - counts.keys():
        report.lacks(f"instructions of {name}: {counter} did not come through")
    report.figures[INSTRUCTIONS] = counts
    unit = counts.get(subjects[0].name, float("nan"))
    report.text(f"Instructions per page over {len(pages)} pages ({counter}):")
    report.table(
        ["system", "millions", "× parse"],
        [[name, f"{n / 1e6:.1f}", f"{n / unit:.1f}"] for name, n in counts.items()],
    )


def instructions(
    names: Sequence[str], pages: Sequence[GoldPage], program: str = PROGRAM
) -> tuple[str, dict[str, float | None]]:
    """Return the counter's name, "" if there is none here, and the instructions per page of each
    subject; None for one that fails.

    They are counted as the difference between ``_PASSES`` passes over the pages and one.
    ``program``: the module that runs a subject over a folder's pages.
    """
    with tempfile.TemporaryDirectory() as folder:
        counter = next((c for c in (_Perf(folder), _Cachegrind(folder)) if c.works()), None)
        if counter is None:
            return "", {}
        _write(Path(folder), pages)
        counts: dict[str, float | None] = {}
        for name in progress(names, len(names), counter.name):
            _run_uncounted(program, folder, name)
            once, more = (counter.count(program, name, passes) for passes in (1, _PASSES))
            failed = once is None or more is None
            counts[name] = None if failed else (more - once) / (_PASSES - 1) / len(pages)
        return counter.name, counts


def _run_uncounted(program: str, folder: str, subject: str) -> None:
    """Write the bytecode of what the subject imports; if it fails, the counter says so."""
    command = module_command(program, folder, subject, "1")
    subprocess.run(command, capture_output=True, cwd=folder, env=_fixed_environment(), check=False)


def _fixed_environment() -> dict[str, str]:
    return {**environment(), "LC_ALL": "C", "PYTHONHASHSEED": "0"}


class _Counter(ABC):
    """Counts the instructions of this module run as a program."""

    name = ""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    @abstractmethod
    def prefix(self) -> list[str]:
        """Return the command that goes before Python's; it prints the count to standard error."""

    @abstractmethod
    def count_in(self, printed: str) -> int | None:
        """Return the count in the printed text; None if there is none."""

    def works(self) -> bool:
        """Whether the counter is installed and counts here."""
        nothing = [sys.executable, "-c", "pass"]
        return bool(shutil.which(self.name)) and self._run(nothing) is not None

    def count(self, program: str, subject: str, passes: int) -> int | None:
        return self._run(module_command(program, self.folder, subject, str(passes)))

    def _run(self, command: list[str]) -> int | None:
        try:
            done = subprocess.run(
                [*self.prefix(), *command], capture_output=True, text=True, cwd=self.folder,
                env=_fixed_environment(), timeout=_LIMIT_SECONDS, check=True,
            )  # fmt: skip
        except (subprocess.SubprocessError, OSError):
            return None
        return self.count_in(done.stderr)


class _Perf(_Counter):
    name = "perf"

    def prefix(self) -> list[str]:
        return ["perf", "stat", "-x,", "-e", "instructions:u"]

    def count_in(self, printed: str) -> int | None:
        match = re.search(r"^(\d+),[^,]*,instructions", printed, re.MULTILINE)
        return int(match[1]) if match else None


class _Cachegrind(_Counter):
    name = "valgrind"

    def prefix(self) -> list[str]:
        out = f"--cachegrind-out-file={os.devnull}"
        return ["valgrind", "--tool=cachegrind", "--cache-sim=no", out]

    def count_in(self, printed: str) -> int | None:
        match = re.search(r"I +refs: +([\d,]+)", printed)
        return int(match[1].replace(",", "")) if match else None


def _write(folder: Path, pages: Sequence[GoldPage]) -> None:
    (folder / "html").mkdir()
    for i, page in enumerate(pages):
        (folder / "html" / f"{i}.html").write_bytes(page.html)


def main() -> None:
    """Run a subject over the pages of a folder as often as asked, and print nothing."""
    folder, name, passes = sys.argv[1:]
    if name.startswith(OURS):
        subject = our_subject(name)
    elif name in PEER_NAMES:
        (subject,) = peer_subjects(Report(""), [name])
    else:
        subject = baseline()
    pages = [*read_pages(Path(folder))]
    for page in pages:
        subject.run(page)  # loads and caches what the first pass needs
    gc.collect()
    gc.freeze()
    for page in pages * int(passes):
        subject.run(page)


if __name__ == "__main__":
    main()
