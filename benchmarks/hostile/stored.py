"""Read inputs of stored crawls that are made to be expensive, and measure what they cost.

    python -m benchmarks.hostile.stored --out-markdown docs/results/robustness/stored.md

Ends with status 1 if reading raised, took more than a second per megabyte that it unpacked, or took
more memory than ten times the limit of a page.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.common.measuring import environment, module_command
from benchmarks.common.reporting import Report, add_outputs
from benchmarks.hostile.stored_inputs import INPUTS, write
from scrapy_boilernet.extractor.options import MAX_BYTES
from scrapy_boilernet.workers.progress import progress

ABOUT = f"""Each input is read by the readers of `scrapy boilernet bulk`, in a process of its
own, with the default limit of {MAX_BYTES:,} bytes per page. Bodies are unpacked, and not labeled.
Memory: how much the process grew. Pages beside the bad part of an input are read."""
HEADER = ("input", "MB", "MB unpacked", "pages", "failures", "seconds", "MB of memory")
MAX_SECONDS, SECONDS_PER_MB = 1.0, 1.0
MAX_MEMORY_MB = 10 * MAX_BYTES // 1_000_000


def measured(path: Path) -> dict[str, float]:
    """Return the figures of :mod:`benchmarks.hostile.stored_worker` for an input."""
    command = module_command("benchmarks.hostile.stored_worker", str(path))
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        sys.exit(f"{path.name}: {done.stderr}")
    return dict(json.loads(done.stdout))


def main() -> None:
    """Measure all inputs, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the inputs' sizes")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Stored crawls made to be expensive")
    rows, good = [], True
    for name in progress(INPUTS, len(INPUTS), "inputs"):
        with tempfile.TemporaryDirectory() as folder:
            disk, unpacked = write(name, Path(folder), options.share)
            one = measured(Path(folder))
        limit = MAX_SECONDS + SECONDS_PER_MB * unpacked / 1e6
        good &= one["seconds"] < limit and one["memory_mb"] < MAX_MEMORY_MB
        rows.append(
            (
                name, f"{disk / 1e6:.2f}", f"{unpacked / 1e6:,.0f}", f"{one['pages']:,}",
                f"{one['failures']:,}", f"{one['seconds']:.2f}", f"{one['memory_mb']:.0f}",
            )
        )  # fmt: skip
        report.figures[name] = one
    report.text(ABOUT)
    report.table(HEADER, rows)
    report.write(options, None)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
