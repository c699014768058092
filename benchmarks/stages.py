"""Where the time of ``extract`` goes: its stages, each as a multiple of lxml's parse.

The functions that make up ``extract`` are timed where they are called, so that what is profiled is
what runs; time inside a stage that another stage takes is counted for that other one alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from time import process_time
from typing import Any
from unittest.mock import patch

from reporting import Report
from subjects import OURS, baseline

from scrapy_boilernet import extract
from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.labelers.registry import load_labeler
from scrapy_boilernet.progress import progress

FUNCTIONS = {
    "decode": ("scrapy_boilernet.html.blockify", "to_utf8"),
    "parse": ("scrapy_boilernet.html.blockify", "parse"),
    "walk": ("scrapy_boilernet.html.walk", "Walk.blocks"),
    "head": ("scrapy_boilernet.html.blockify", "read_head"),
    "digest": ("scrapy_boilernet.html.blockify", "digest"),
}
"""Per stage the module and the name in it by which ``blockify`` calls it."""
METHODS = {
    "featurize": ("_featurize",),
    "network": ("_score_many", "_score"),
    "decision": ("threshold_for", "confidence"),
}
"""Per stage the labeler's methods, of which an engine may lack some."""
DIRECT = ("text", "block rows")
REST = "the rest"
_ROUNDS = 3
_MAX_PAGES = 100


class Stopwatch:
    """CPU seconds per stage."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._inner: list[float] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the block's time, without that of the stages in it, for the stage."""
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
        """Return the function, timed; a generator is run to its end."""

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
    some = pages[:: -(-len(pages) // _MAX_PAGES)]
    ratios = {engine: _ratios(report, engine, some) for engine in engines}
    report.figures["stages"] = ratios
    report.text(
        "The stages of the same work, and the block rows that items carry, summed over "
        f"{len(some)} of the pages and over the same sum of the parse, which took turns with it "
        f"({_ROUNDS} rounds):"
    )
    stages = [*FUNCTIONS, *METHODS, *DIRECT, REST]
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
        for page in progress([*pages] * _ROUNDS, _ROUNDS * len(pages), f"stages, {engine}"):
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


def _patch(report: Report, watch: Stopwatch, labeler: Any, patches: ExitStack) -> None:
    """Time every stage that is still called by its name; the others end up in the rest."""
    places: list[tuple[str, Any, str]] = []
    for stage, (module, dotted) in FUNCTIONS.items():
        owner: Any = import_module(module)
        *classes, name = dotted.split(".")
        for each in classes:
            owner = getattr(owner, each, None)
        places.append((stage, owner, name))
    places += [(stage, labeler, name) for stage, names in METHODS.items() for name in names]
    found = [place for place in places if getattr(place[1], place[2], None)]
    for stage, owner, name in found:
        timed = watch.timed(stage, getattr(owner, name))
        patches.enter_context(patch.object(owner, name, timed))
    for stage in [*FUNCTIONS, *METHODS]:
        if stage not in {place[0] for place in found}:
            report.lacks(f"the stage {stage}, which is no longer called by its name: in {REST}")
