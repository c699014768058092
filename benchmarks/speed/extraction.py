r"""CPU time of the whole ``extract`` and of its stages, as a multiple of lxml's parse of the bytes.

    python -m benchmarks.speed.extraction wcxb-dev googletrends2017 --pages wcxb-dev=300 \
        --rounds 3 --out-markdown docs/results/speed/extraction.md

All systems run in one process on one core and take turns page by page, in another order at each
page; no result is kept from one turn to the next. The functions that make up ``extract`` are timed
where they are called, so that what is profiled is what runs; time inside a stage that another
stage takes is counted only for that other stage.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.measuring import one_core, rotated, spread
from benchmarks.common.peer_options import FORMATS as FORMATS_PEER
from benchmarks.common.reporting import Report, add_outputs
from benchmarks.common.subjects import (
    ENGINES,
    OURS,
    PEER_NAMES,
    Subject,
    baseline,
    draw_pages,
    our_formats,
    our_subjects,
    page_counts,
    peer_subjects,
)
from benchmarks.speed.counting import INSTRUCTIONS, count_allocations, count_instructions
from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html import blockify as reading
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.options import FORMATS
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.workers.progress import progress

PAGES = {"wcxb-dev": 300, "googletrends2017": 100}
OTHER_PAGES = 100
"""Of a set that is not in ``PAGES``."""
WARM_UP = GoldPage("", "", b"<html><body><h1>Warm</h1><p>Not one of the pages.</p></body>", None)
FUNCTIONS = {
    "decode": ("scrapy_boilernet.extractor.html.blockify", "to_utf8"),
    "parse": ("scrapy_boilernet.extractor.html.blockify", "parse"),
    "head": ("scrapy_boilernet.extractor.html.blockify", "read_head"),
    "digest": ("scrapy_boilernet.extractor.html.blockify", "digest"),
}
"""Per stage the module and the name in it by which ``blockify`` calls it."""
WALK = "walk"
METHODS = {
    "featurize": ("_featurize",),
    "network": ("_score_many", "_score"),
    "decision": ("threshold_for", "confidence"),
}
"""Per stage the labeler's methods, of which an engine may lack some."""
DIRECT = ("text", "block rows")
REST = "the rest"
_STAGE_ROUNDS = 3
_MAX_STAGE_PAGES = 100

Times = NDArray[np.float64]
"""CPU seconds, shape (rounds, subjects, pages)."""


def main() -> None:
    """Measure and write the report."""
    one_core()
    options = arguments()
    report = Report("Extraction speed")
    counts = page_counts(options.pages, PAGES)
    sets = draw_pages(report, options.sets, counts, OTHER_PAGES, options.cache)
    pages = [page for drawn in sets.values() for page in drawn]
    ours = our_subjects(report, options.engines)
    plain = [baseline(), *ours, *peer_subjects(report, options.peers)]
    subjects = [*plain]
    if options.formats and ours:
        subjects.append(our_formats(ours[0].name.removeprefix(OURS), options.formats))
    seconds, empty = take_turns(subjects, pages, options.rounds)
    rows = figures(subjects, seconds, empty, [page.dataset for page in pages])
    report.figures = {"pages": {name: len(drawn) for name, drawn in sets.items()}, "systems": rows}
    write_table(report, rows, options.rounds)
    profile_stages(report, [subject.name for subject in ours], pages)
    few = pages[:: max(1, len(pages) // options.counted_pages)][: options.counted_pages]
    if "allocations" in options.count:
        count_allocations(report, subjects, few)
    if INSTRUCTIONS in options.count:
        count_instructions(report, plain, few)
    report.write(options, partial(_plot, rows))


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="folder or .tar.xz")
    parser.add_argument("--pages", nargs="+", default=[], metavar="SET=N", help="pages of a set")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engines", nargs="*", default=ENGINES, choices=ENGINES)
    parser.add_argument(
        "--peers", nargs="*", default=PEER_NAMES, choices=[*PEER_NAMES, FORMATS_PEER],
    )  # fmt: skip
    parser.add_argument(
        "--formats", nargs="*", default=[], choices=FORMATS,
        help="the first engine also with all of these",
    )  # fmt: skip
    parser.add_argument(
        "--count", nargs="*", default=["allocations"], choices=["allocations", INSTRUCTIONS],
        help="counted on a few pages, without noise; instructions take minutes per system",
    )  # fmt: skip
    parser.add_argument("--counted-pages", type=int, default=5)
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser)
    return parser.parse_args()


def take_turns(
    subjects: Sequence[Subject], pages: Sequence[GoldPage], rounds: int
) -> tuple[Times, NDArray[np.bool_]]:
    """Return the CPU seconds, and per subject and page whether it found no text."""
    seconds = np.zeros((rounds, len(subjects), len(pages)))
    empty = np.zeros((len(subjects), len(pages)), dtype=bool)
    for subject in subjects:
        subject.run(WARM_UP)  # loads what is loaded at the first page
    gc.collect()
    gc.freeze()  # else every collection goes through what the other systems have loaded
    turns = list(product(range(rounds), range(len(pages))))
    for turn, number in progress(turns, len(turns), "pages"):
        if number == 0:
            forget()
        for i in rotated(len(subjects), turn + number):
            begin = process_time()
            text = subjects[i].run(pages[number])
            seconds[turn, i, number] = process_time() - begin
            empty[i, number] = not text.strip()
    return seconds, empty


def forget() -> None:
    """Empty trafilatura's caches, since every page comes again."""
    if "trafilatura" in sys.modules:
        from trafilatura.meta import reset_caches

        reset_caches()


def figures(
    subjects: Sequence[Subject], seconds: Times, empty: NDArray[np.bool_], sets: Sequence[str]
) -> list[dict[str, Any]]:
    """Return a row per subject; ratios are multiples of the first subject's time."""
    typical = np.median(seconds, axis=0)  # (subjects, pages)
    totals = seconds.sum(axis=2)  # (rounds, subjects)
    in_set = {name: np.array([each == name for each in sets]) for name in dict.fromkeys(sets)}
    rows = []
    for i, subject in enumerate(subjects):
        by_page = typical[i] / typical[0]
        rows.append(
            {
                "name": subject.name,
                "version": subject.version,
                "ratio": typical[i].sum() / typical[0].sum(),
                "round_ratios": (totals[:, i] / totals[:, 0]).tolist(),
                "page_ratio_median": float(np.median(by_page)),
                "page_ratio_p95": float(np.quantile(by_page, 0.95)),
                "set_ratios": {
                    name: typical[i, of].sum() / typical[0, of].sum() for name, of in in_set.items()
                },
                "seconds_per_page": typical[i].mean(),
                "empty_pages": int(empty[i].sum()),
            }
        )
    return rows


def write_table(report: Report, rows: Sequence[dict[str, Any]], rounds: int) -> None:
    """Add the table and its explanation."""
    pages = ", ".join(f"{number} of {name}" for name, number in report.figures["pages"].items())
    report.text(
        f"CPU time from a page's bytes to its main text, one page at a time on one core, as a "
        f"multiple of `lxml.html.document_fromstring` on the same bytes; {pages}; {rounds} rounds. "
        "Ours: text, labels and confidence, the default model. The others: comments off. Each is "
        "given the bytes and the URL and finds out the encoding itself. × parse: a page's median "
        "over the rounds, summed over the pages, over the same sum of the parse. Rounds: the same "
        "ratio of each round, its median, least and greatest. First: that of the first round, "
        "before any page came again."
    )
    sets = list(rows[0]["set_ratios"])
    header = ["system", "version", "× parse", "rounds", "first", "page, median", "page, 95 %"]
    report.table(
        [*header, *sets, "ms per page here", "pages without text"],
        [
            [
                row["name"], row["version"], f"**{row['ratio']:.1f}**",
                spread(row["round_ratios"], 1), f"{row['round_ratios'][0]:.1f}",
                f"{row['page_ratio_median']:.1f}", f"{row['page_ratio_p95']:.1f}",
                *(f"{row['set_ratios'][name]:.1f}" for name in sets),
                f"{row['seconds_per_page'] * 1000:.2f}", str(row["empty_pages"]),
            ]
            for row in rows
        ],
    )  # fmt: skip


def _plot(rows: Sequence[dict[str, Any]], file: Path) -> None:
    from benchmarks.common.drawing import bars  # needs matplotlib

    values = {row["name"]: row["ratio"] for row in rows}
    ranges = {row["name"]: (min(row["round_ratios"]), max(row["round_ratios"])) for row in rows}
    bars(file, values, ranges, "CPU time per page, × the lxml parse", logarithmic=True)


class Stopwatch:
    """CPU seconds per stage."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._inner: list[float] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time of the ``with`` block for the stage, without the stages inside it."""
        self._inner.append(0.0)
        begin = process_time()
        try:
            yield
        finally:
            spent = process_time() - begin
            self.seconds[name] += spent - self._inner.pop()
            if self._inner:
                self._inner[-1] += spent

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time counted; a generator is run to its end."""

        def run(*arguments: Any, **named: Any) -> Any:
            with self.stage(name):
                result = function(*arguments, **named)
                return list(result) if isinstance(result, Iterator) else result

        return run


def profile_stages(report: Report, names: Sequence[str], pages: Sequence[GoldPage]) -> None:
    """Add a table of the stages per engine; ``names`` are those of our subjects."""
    engines = [name.removeprefix(OURS) for name in names]
    if not engines:
        return
    some = pages[:: -(-len(pages) // _MAX_STAGE_PAGES)]
    ratios = {engine: _ratios(report, engine, some) for engine in engines}
    report.figures["stages"] = ratios
    report.text(
        "The stages of the same work, and the block rows that items carry, summed over "
        f"{len(some)} of the pages and over the same sum of the parse, which took turns with it "
        f"({_STAGE_ROUNDS} rounds):"
    )
    stages = [*FUNCTIONS, WALK, *METHODS, *DIRECT, REST]
    rows = [
        [stage, *(f"{ratios[engine].get(stage, float('nan')):.2f}" for engine in engines)]
        for stage in [*stages, "all"]
    ]
    report.table(["stage", *engines], rows)


def _ratios(report: Report, engine: str, pages: Sequence[GoldPage]) -> dict[str, float]:
    watch = Stopwatch()
    parse = baseline()
    whole = 0.0
    with ExitStack() as patches:
        _patch(report, watch, load_labeler("default", engine), patches)
        for page in progress(
            [*pages] * _STAGE_ROUNDS, _STAGE_ROUNDS * len(pages), f"stages, {engine}"
        ):
            begin = process_time()
            result = extract(page.html, page.url, engine=engine)
            with watch.stage("text"):
                _ = result.text
            with watch.stage("block rows"):
                result.block_labels()
            middle = process_time()
            parse.run(page)
            whole += middle - begin
            watch.seconds["lxml"] += process_time() - middle
    unit = watch.seconds.pop("lxml")
    rest = whole - watch.seconds.total()
    return {name: s / unit for name, s in [*watch.seconds.items(), (REST, rest), ("all", whole)]}


def _timed_walk(watch: Stopwatch) -> type:
    """Return the class of ``blockify``'s walk, compiled or not, with its time counted."""
    walk: Any = reading.CompiledWalk

    class TimedWalk(walk):  # type: ignore[misc]
        def blocks(self, *arguments: Any, **named: Any) -> Any:
            with watch.stage(WALK):
                return super().blocks(*arguments, **named)

        def seen(self) -> Any:
            with watch.stage(WALK):
                return super().seen()

    return TimedWalk


def _patch(report: Report, watch: Stopwatch, labeler: Any, patches: ExitStack) -> None:
    """Time every stage whose function is found by its name; the rest has the others' time."""
    places: list[tuple[str, Any, str]] = [
        (stage, import_module(module), name) for stage, (module, name) in FUNCTIONS.items()
    ]
    places += [(stage, labeler, name) for stage, names in METHODS.items() for name in names]
    timed_places = [place for place in places if getattr(place[1], place[2], None)]
    for stage, owner, name in timed_places:
        timed = watch.timed(stage, getattr(owner, name))
        patches.enter_context(patch.object(owner, name, timed))
    patches.enter_context(patch.object(reading, "CompiledWalk", _timed_walk(watch)))
    for stage in [*FUNCTIONS, *METHODS]:
        if stage not in {place[0] for place in timed_places}:
            report.lacks(f"the stage {stage}, whose function was not found; its time is in {REST}")


if __name__ == "__main__":
    main()
