"""How the benchmarks measure: on one core, in turns, by medians; and on which machine."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from statistics import median

from scrapy_boilernet import __version__
from scrapy_boilernet.evaluation.provenance import shown_arguments, versions

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
"""The environment of every process that is measured."""
_MORE_VERSIONS = ("onnxruntime", "lxml", "scrapy", "chardetng-py")


def one_core() -> None:
    """Start this program again on one thread and one core, unless it is there already.

    The libraries read their number of threads when they are loaded, which is before ``main``.
    """
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **ONE_THREAD})
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def rotated(number: int, turn: int) -> list[int]:
    """Return 0 to ``number - 1`` beginning with another one at each turn.

    >>> rotated(3, 4)
    [1, 2, 0]
    """
    return [(turn + i) % number for i in range(number)]


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Return the median of the rounds with their least and greatest, for a table.

    >>> spread([3.0, 1.0, 2.0], 1)
    '2.0 (1.0 to 3.0)'
    """
    middle = f"{median(values):.{digits}f}"
    if len(values) == 1:
        return middle
    return f"{middle} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def all_versions() -> dict[str, str]:
    """Return the versions of what is installed and what a time depends on."""
    found = {"scrapy-boilernet": __version__, **versions()}
    for distribution in _MORE_VERSIONS:
        try:
            found[distribution] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, str | int | float]:
    """Return the processor's model, the cores that there are, memory in GB and the load."""
    return {
        "processor": _field("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": os.cpu_count() or 1,
        "memory_gb": round(int((_field("/proc/meminfo", "MemTotal") or "0").split()[0]) / 2**20, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "load_1_min": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else -1.0,
    }


def shown_command() -> str:
    """Return the command that runs now; paths are cut to their last part."""
    program = f"benchmarks/{Path(sys.argv[0]).name}"
    return shlex.join(["python", program, *shown_arguments(sys.argv[1:])])


def resident_kb(pid: int | str = "self") -> tuple[int, int]:
    """Return a process's resident memory now and at its peak, in kB; (0, 0) if it is gone."""
    status = f"/proc/{pid}/status"
    now, peak = (_field(status, name) or "0" for name in ("VmRSS", "VmHWM"))
    return int(now.split()[0]), int(peak.split()[0])


def descendants(pid: int | str = "self") -> list[int]:
    """Return the ids of a process's children, of theirs, and so on; Linux only."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in task.read_text().split()]
        except OSError:  # it has ended meanwhile
            continue
        for child in children:
            found += [child, *descendants(child)]
    return found


def _field(path: str, name: str) -> str | None:
    """The value of the first line ``name: value`` of a file below /proc, if there is one."""
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    values = (line.partition(":")[2].strip() for line in lines if line.startswith(name))
    return next(values, None)
