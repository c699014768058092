r"""How the time per block grows with the blocks of a page, on pages that the script makes.

    python benchmarks/growth.py --out-markdown docs/results/speed/growth.md \
        --json docs/results/speed/growth.json --plot docs/results/speed/growth.svg

Each subject runs in a process of its own, on one core; a size that takes longer than ``--limit`` is
ended and told as such, and larger ones of that shape are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from growth_pages import SHAPES
from growth_worker import BLOCKIFY, FEATURIZE, NETWORK, STAGES, Worker, count_blocks
from measuring import one_core
from reporting import Report, add_outputs
from subjects import BASELINE, ENGINES, OURS, PEER_NAMES, peer_subjects, usable

from scrapy_boilernet.progress import progress

SIZES = (100, 1_000, 10_000, 100_000)
_OUR_LIMITS = 15
"""How many times the peers' limit our own stages and engines may take."""

Curve = list[dict[str, Any]]
"""Per size ``blocks``, ``seconds``, a list of runs, or None and a ``failure``, "" else."""


def main() -> None:
    """Measure and write the report."""
    one_core()
    options = arguments()
    report = Report("Growth with the page")
    engines = usable(report, options.engines)
    ours = [BLOCKIFY, FEATURIZE, *(NETWORK + e for e in engines), *(OURS + e for e in engines)]
    peers = [subject.name for subject in peer_subjects(report, options.peers)]
    names = [BASELINE, *(ours if engines else [BLOCKIFY]), *peers]
    blocks = {(s, n): count_blocks(s, n) for s in options.shapes for n in options.sizes}
    pairs = [(name, shape) for name in names for shape in options.shapes]
    curves: dict[str, dict[str, Curve]] = {shape: {} for shape in options.shapes}
    measured = measure(pairs, options, blocks)
    for name, shape, curve in progress(measured, len(pairs), "curves"):
        curves[shape][name] = curve
    report.figures = {"limit_s": options.limit, "curves": curves}
    write_tables(report, curves, options)
    report.write(options, partial(_plot, curves))


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="blocks of a page")
    parser.add_argument("--shapes", nargs="+", default=list(SHAPES), choices=list(SHAPES))
    parser.add_argument("--limit", type=float, default=5.0, help="seconds a peer may take per size")
    parser.add_argument("--engines", nargs="*", default=ENGINES, choices=ENGINES)
    parser.add_argument("--peers", nargs="*", default=PEER_NAMES, choices=PEER_NAMES)
    add_outputs(parser)
    return parser.parse_args()


def measure(
    pairs: Sequence[tuple[str, str]], options: argparse.Namespace, blocks: dict[Any, int]
) -> Iterator[tuple[str, str, Curve]]:
    """Yield (subject, shape, curve); a subject keeps its process until that is over a limit."""
    worker, running = None, ""
    for name, shape in pairs:
        limit_s = options.limit * (1 if name in PEER_NAMES else _OUR_LIMITS)
        curve: Curve = []
        for size in options.sizes:
            if worker is None or running != name:
                if worker:
                    worker.close()
                worker, running = Worker(name, start_limit_s=60 + limit_s), name
            seconds = worker.seconds(shape, size, limit_s)
            point = {"blocks": blocks[shape, size], "seconds": seconds, "failure": worker.failure}
            curve.append(point)
            if worker.failure:
                worker = None
                break
        yield name, shape, curve
    if worker:
        worker.close()


def write_tables(
    report: Report, curves: dict[str, dict[str, Curve]], options: argparse.Namespace
) -> None:
    """Add a table per shape: microseconds per block, and what they grow by."""
    report.text(
        "CPU microseconds per block on pages that the script makes, the median of up to five runs "
        "(one, where one takes a second). Growth: the time per block of the largest page over that "
        "of the second; 1 is linear, and more means that a page twice as long takes more than "
        f"twice. Over: a system took more than {options.limit:g} s, by the clock, for the runs of "
        f"that size (ours: {_OUR_LIMITS} times as long); died: its process did. Larger ones were "
        "left out. `blockify` and `featurize` are the same for all "
        "engines, `network` is an engine alone, `scrapy-boilernet` the whole way to the text."
    )
    for shape, by_name in curves.items():
        report.text(f"## {shape[0].upper()}{shape[1:]}")
        counts = [point["blocks"] for point in next(iter(by_name.values()))]
        header = ["", *(f"{count:,} blocks" for count in counts), "growth"]
        report.table(header, [_row(name, curve, len(counts)) for name, curve in by_name.items()])


def _row(name: str, curve: Curve, sizes: int) -> list[str]:
    times = per_block(curve)
    cells = [f"{time:.1f}" for time in times]
    if curve[-1]["failure"]:
        cells.append(curve[-1]["failure"])
    cells += [""] * (sizes - len(cells))
    growth = f"{times[-1] / times[1]:.2f}" if len(times) > 2 else ""
    return [name, *cells, growth if len(times) == sizes else growth and f"{growth}, cut short"]


def per_block(curve: Curve) -> list[float]:
    """Return the median microseconds per block of each size that was measured."""
    return [median(p["seconds"]) / p["blocks"] * 1e6 for p in curve if p["seconds"]]


def _plot(curves: dict[str, dict[str, Curve]], file: Path) -> None:
    from drawing import panels  # needs matplotlib

    lines = {}
    for shape, by_name in curves.items():
        for kind, wanted in (("our stages", True), ("whole extraction", False)):
            chosen = {
                name: ([p["blocks"] for p in curve if p["seconds"]], per_block(curve))
                for name, curve in by_name.items()
                if name == BASELINE or name.startswith(STAGES) is wanted
            }
            lines[f"{shape}: {kind}"] = chosen
    panels(file, lines, ("blocks of the page", "CPU microseconds per block"), logarithmic=True)


if __name__ == "__main__":
    main()
