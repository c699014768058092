"""How the benchmarks measure: on one core, in turns, by medians, in separate processes.

This module imports nothing of the package, so that a measured process may import it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import process_time

import psutil

ROOT = Path(__file__).resolve().parents[2]
"""The root of the repository."""
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
"""The environment of every process that is measured."""


def one_core() -> None:
    """Start this program again on one thread and one core, unless it is there already.

    The libraries read their number of threads when they are loaded, which is before ``main``.
    """
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **ONE_THREAD})
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of the benchmarks in :func:`environment`."""
    return [sys.executable, "-P", "-m", module, *arguments]


def environment(*before: Path) -> dict[str, str]:
    """Return the environment of a process that is measured: one thread, and the search path.

    The path has the folders ``before``, the repository root, and what ``PYTHONPATH`` names.
    """
    folders = [*map(str, before), str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join(filter(None, folders))}


def crawl_with_this_checkout() -> None:
    """Put the repository root on the path of all processes that this program starts.

    The crawls of the tests leave out the working directory and would take an installed package.
    """
    os.environ["PYTHONPATH"] = environment()["PYTHONPATH"]


def commit_of(tree: Path) -> str:
    """Return the checkout's commit, and whether there are changes since."""
    commit, changes = (
        subprocess.run(
            ["git", "-C", str(tree), *command], check=True, capture_output=True, text=True
        ).stdout.strip()
        for command in (["log", "-1", "--format=%h"], ["status", "--porcelain", "-uno"])
    )
    return f"commit {commit}" + (" with changes" if changes else "")


def rotated(number: int, turn: int) -> list[int]:
    """Return 0 to ``number - 1`` beginning with a different one at each turn.

    >>> rotated(3, 4)
    [1, 2, 0]
    """
    return [(turn + i) % number for i in range(number)]


def seconds_of(work: Callable[[], object]) -> float:
    """Return the CPU time of the work."""
    begin = process_time()
    work()
    return process_time() - begin


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Return the median with the least and the greatest value, for a table.

    >>> spread([3.0, 1.0, 2.0], 1)
    '2.0 (1.0 to 3.0)'
    """
    middle = f"{median(values):.{digits}f}"
    if len(values) == 1:
        return middle
    return f"{middle} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def resident_kb(pid: int | None = None) -> int:
    """Return the resident memory of a process, by default of this one, in kB; 0 if it is gone."""
    with suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss) // 1024
    return 0


def peak_kb(pid: int | None = None) -> int:
    """Return the peak of a process's resident memory in kB; 0 if it is gone. Linux only.

    psutil reports no peak on Linux, so it is read from /proc.
    """
    try:
        lines = Path(f"/proc/{pid or 'self'}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def descendants() -> list[int]:
    """Return the ids of this process's children, of their children, and so on."""
    return [child.pid for child in psutil.Process().children(recursive=True)]
