r"""Hostile pages: what each takes of time and memory and what is kept of its text, with peers.

    python benchmarks/bombs.py --out-markdown docs/results/robustness/bombs.md \
        --json docs/results/robustness/bombs.json

A fresh process for each page and system, on one core and one thread, ended after ``--limit`` CPU
seconds and not given more than ``--memory-gb``. Linux only. The pages are made by
:mod:`bomb_pages` and have no chance in them.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from bomb_pages import BOMBS, ORDINARY
from bomb_parts import Bomb
from bomb_report import Row, over, write_tables
from bomb_worker import LEAVES, SYSTEMS
from measuring import one_core
from reporting import Report, add_outputs

from scrapy_boilernet.progress import progress, say

WORKER = Path(__file__).with_name("bomb_worker.py")
_WALL_LIMITS = 4
"""How many times the limit of CPU seconds a process may take by the clock."""
_START_SECONDS = 120
"""For the imports and the warm-up, by the clock."""


def main() -> None:
    """Measure and write the report."""
    one_core()
    options = arguments()
    report = Report("Hostile pages")
    systems = installed(report, options.systems)
    chosen = {n: b for n, b in BOMBS.items() if any(part in n for part in options.bombs)}
    total = len(chosen) * len(systems)
    rows = list(progress(measure(chosen, list(systems), options), total, "bombs"))
    report.figures = {"limit_s": options.limit, "memory_gb": options.memory_gb}
    report.figures |= {"systems": systems, "rows": [row.figures() for row in rows]}
    write_tables(report, rows, systems, options)
    report.write(options, None)


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bombs", nargs="+", default=[""], metavar="WORDS", help="in their names")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=list(SYSTEMS))
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds per page")
    parser.add_argument("--memory-gb", type=float, default=8, help="of address space per process")
    parser.add_argument("--small", action="store_true", help="the sizes of the tests")
    add_outputs(parser, plot=False)
    return parser.parse_args()


def installed(report: Report, names: Sequence[str]) -> dict[str, str]:
    """Return the version of each of the systems that is installed."""
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(SYSTEMS[name][0])
        except metadata.PackageNotFoundError:
            report.lacks(f"{name}, which is not installed: pip install '.[voters]'")
    return found


def measure(
    bombs: dict[str, Bomb], systems: Sequence[str], options: argparse.Namespace
) -> Iterator[Row]:
    """Yield a row for each page and system."""
    with tempfile.TemporaryDirectory() as folder:
        page, warm_up = Path(folder) / "page", Path(folder) / "warm-up"
        warm_up.write_bytes(BOMBS[ORDINARY].page())
        for name, bomb in bombs.items():
            html = bomb.page(bomb.small if options.small else None)
            page.write_bytes(html)
            for system in systems:
                shown = bomb.leaves if system == LEAVES and bomb.leaves is not None else bomb.shown
                found = run(system, page, warm_up, shown, options)
                yield Row(name, system, len(html), shown, found)


def run(
    system: str, page: Path, warm_up: Path, words: Sequence[str], options: argparse.Namespace
) -> dict[str, Any]:
    """Return what the process prints of itself, or how it ended, as ``error``."""
    limits = [str(int(options.memory_gb * 2**30)), str(options.limit)]
    command = [sys.executable, str(WORKER), system, str(page), str(warm_up), *limits, *words]
    seconds = options.limit * _WALL_LIMITS + _START_SECONDS
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return {"error": over(options), "kept": []}
    if done.returncode == 0:
        printed: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return printed
    if done.returncode == -signal.SIGXCPU:
        return {"error": over(options), "kept": []}
    if done.returncode < 0:
        return {"error": signal.Signals(-done.returncode).name, "kept": []}
    say(done.stderr.decode(errors="replace"), f"{system}, outside of its call: ")
    return {"error": f"exit {done.returncode}", "kept": []}


if __name__ == "__main__":
    main()
