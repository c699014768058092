r"""How the time per block grows with a page's number of blocks, on pages that the script makes.

    python -m benchmarks.speed.growth --out-markdown docs/results/speed/growth.md \
        --json docs/results/speed/growth.json --plot docs/results/speed/growth.svg

Each subject runs in a separate process, on one core; a size that takes longer than ``--limit`` is
ended and reported as such, and larger ones of that shape are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks.common.measuring import one_core
from benchmarks.common.reporting import Report, add_outputs
from benchmarks.common.subjects import (
    BASELINE,
    ENGINES,
    OURS,
    PEER_NAMES,
    baseline,
    peer_subjects,
    usable,
)
from benchmarks.common.words import WORDS
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.labeling import formatted, label_page
from scrapy_boilernet.extractor.options import FORMATS, Format, parts_read_for
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.workers.progress import progress

SIZES = (100, 1_000, 10_000, 100_000)
_OUR_LIMITS = 15
"""Our stages and engines may take so many times the peers' limit."""
BLOCKIFY, FEATURIZE, NETWORK = "blockify", "featurize", "network, "
ALL_FORMATS = " with all formats"
STAGES = (BLOCKIFY, FEATURIZE, NETWORK)
_NO_LIMIT = 10_000_000
"""``max_blocks``, so that nothing is cut off."""
_RUNS, _ENOUGH_SECONDS = 5, 1.0
"""Runs of a size; fewer if together they take so many seconds."""
_DEPTH = 100
"""Depth of the deep chains, less than that at which libxml2 cuts a page off."""
_ROW_CELLS, _TABLE_ROWS = 4, 5

Curve = list[dict[str, Any]]
"""Per size ``blocks``; ``seconds``, a list of runs, or None after a failure; ``failure`` or ""."""
Preparation = Callable[[bytes], Callable[[], Any]]
"""Takes a page and returns the function to time."""


def main() -> None:
    """Measure and write the report."""
    one_core()
    options = arguments()
    report = Report("Growth with the page")
    engines = usable(report, options.engines)
    ours = [BLOCKIFY, FEATURIZE, *(NETWORK + e for e in engines), *(OURS + e for e in engines)]
    ours += [f"{OURS}{e}{ALL_FORMATS}" for e in engines if options.formats]
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
    parser.add_argument("--formats", action="store_true", help="also with all formats")
    parser.add_argument("--peers", nargs="*", default=PEER_NAMES, choices=PEER_NAMES)
    add_outputs(parser)
    return parser.parse_args()


def measure(
    pairs: Sequence[tuple[str, str]], options: argparse.Namespace, blocks: dict[Any, int]
) -> Iterator[tuple[str, str, Curve]]:
    """Yield (subject, shape, curve); a subject keeps its process until it fails."""
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
    from benchmarks.common.drawing import panels  # needs matplotlib

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


class Worker:
    """A process that has loaded one subject and times it on one page after another."""

    def __init__(self, name: str, start_limit_s: float) -> None:
        context = get_context("spawn")  # a process without what this one has loaded
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, name), daemon=True)
        self._process.start()
        theirs.close()
        self.failure = ""
        """``"over"`` the limit or ``"died"``: the process is gone; "" while it lives."""
        self._answer(start_limit_s)

    def seconds(self, shape: str, blocks: int, limit_s: float) -> list[float] | None:
        """Return the CPU seconds of each run; None if there is a :attr:`failure`."""
        if self.failure:
            return None
        self._pipe.send((shape, blocks))
        runs: list[float] | None = self._answer(limit_s)
        return runs

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()

    def _answer(self, limit_s: float) -> Any:
        self.failure = "over"
        try:
            if self._pipe.poll(limit_s):
                answer = self._pipe.recv()
                self.failure = ""
                return answer
        except (EOFError, OSError):  # out of memory, or a crash in a library
            self.failure = "died"
        self.close()
        return None


def count_blocks(shape: str, blocks: int) -> int:
    """Return how many blocks the page actually has."""
    return len(blockify(page_of(shape, blocks), max_blocks=_NO_LIMIT, max_bytes=_NO_LIMIT).blocks)


def _serve(pipe: Connection, name: str) -> None:
    prepare = _preparation(name)
    prepare(page_of("paragraphs", 20))()
    pipe.send("ready")
    while True:
        shape, blocks = pipe.recv()
        timed = prepare(page_of(shape, blocks))
        runs: list[float] = []
        while len(runs) < _RUNS and (not runs or sum(runs) < _ENOUGH_SECONDS):
            begin = process_time()
            timed()
            runs.append(process_time() - begin)
        pipe.send(runs)


def _preparation(name: str) -> Preparation:
    if name == BLOCKIFY:
        return lambda html: lambda: blockify(html, max_blocks=_NO_LIMIT, max_bytes=_NO_LIMIT)
    if name == FEATURIZE or name.startswith(NETWORK):
        return _inside(name)
    if name.startswith(OURS):
        engine = name.removeprefix(OURS)
        formats = FORMATS if engine.endswith(ALL_FORMATS) else ()
        return _whole(engine.removesuffix(ALL_FORMATS), formats)
    return _other(name)


def _inside(name: str) -> Preparation:
    """Return the default model's featurizer or network, with the same input as in a crawl."""
    labeler: Any = load_labeler("default", name.removeprefix(NETWORK) if "," in name else "numpy")

    def prepare(html: bytes) -> Callable[[], Any]:
        page = blockify(html, max_blocks=_NO_LIMIT, max_bytes=_NO_LIMIT)
        if name == FEATURIZE:
            return lambda: labeler._featurize(page)
        features = labeler._featurize(page)
        return lambda: labeler._score(features)

    return prepare


def _whole(engine: str, formats: Sequence[Format]) -> Preparation:
    labeler = load_labeler("default", engine)
    markup, stated, thread = parts_read_for(formats)

    def run(html: bytes) -> str:
        page = blockify(
            html, units=labeler.units, max_blocks=_NO_LIMIT, max_bytes=_NO_LIMIT,
            markup=markup, stated=stated, thread=thread,
        )  # fmt: skip
        return formatted(label_page(page, labeler), formats).text

    return lambda html: lambda: run(html)


def _other(name: str) -> Preparation:
    subject = baseline() if name == BASELINE else peer_subjects(Report(""), [name])[0]
    return lambda html: lambda: subject.run(GoldPage("", "", html, None))


def page_of(shape: str, blocks: int) -> bytes:
    """Return the page of a shape of :data:`SHAPES` with about ``blocks`` text blocks."""
    body = "".join(SHAPES[shape](blocks))
    head = '<head><meta charset="utf-8"><title>Water and stone</title></head>'
    return f"<!DOCTYPE html><html>{head}<body>{body}</body></html>".encode()


def _sentence(number: int, words: int) -> str:
    """Return words that differ from block to block, so that no cache helps."""
    start = number * 7
    return " ".join(WORDS[(start + i * (number % 9 + 1)) % len(WORDS)] for i in range(words))


def _paragraphs(blocks: int) -> Iterator[str]:
    """Yield sections of twenty paragraphs."""
    for i in range(blocks):
        if i % 20 == 0:
            yield f'{"</section>" if i else ""}<section class="part n{i % 7}">'
        yield f'<p class="text">{_sentence(i, 25)}, {i}.</p>\n'
    yield "</section>"


def _nested(blocks: int) -> Iterator[str]:
    """Yield tables in list items in table cells, three deep, over and over."""
    leaves = (f"{_sentence(i, 6)} {i}" for i in range(blocks))
    while first := next(leaves, None):
        yield f'<ul class="list"><li><p>{first}</p><table class="grid">'
        for _ in range(_TABLE_ROWS):
            yield "<tr>"
            for text in islice(leaves, _ROW_CELLS):
                yield f"<td>{text}<ol>"
                yield from (f"<li>{each}</li>" for each in islice(leaves, 2))
                yield "</ol></td>"
            yield "</tr>"
        yield "</table></li></ul>"


def _links(blocks: int) -> Iterator[str]:
    """Yield menus of thirty links."""
    for i in range(blocks):
        if i % 30 == 0:
            yield f'{"</ul></nav>" if i else ""}<nav class="menu m{i % 5}"><ul>'
        yield f'<li class="item"><a href="/page/{i}">{_sentence(i, 3)}</a></li>'
    yield "</ul></nav>"


def _children(blocks: int) -> Iterator[str]:
    """Yield one element with every block as its child."""
    yield '<div class="feed">'
    yield from (f"<div>{_sentence(i, 8)} {i}</div>" for i in range(blocks))
    yield "</div>"


def _deep(blocks: int) -> Iterator[str]:
    """Yield chains of elements a hundred deep, with text at each depth."""
    for begin in range(0, blocks, _DEPTH):
        depth = min(_DEPTH, blocks - begin)
        yield from (f'<div class="d{i % 9}">{_sentence(begin + i, 5)}' for i in range(depth))
        yield "</div>" * depth


SHAPES: dict[str, Callable[[int], Iterator[str]]] = {
    "paragraphs": _paragraphs,
    "nested lists and tables": _nested,
    "link lists": _links,
    "one element's children": _children,
    "deep nesting": _deep,
}


if __name__ == "__main__":
    main()
