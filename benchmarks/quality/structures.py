"""How many of the structures inside the gold are kept whole: tables, lists, quotes and more.

    python -m benchmarks.quality.structures by-hand docs --model default --peer trafilatura

With ``--model FOLDS``, what ``scrapy boilernet crossvalidate`` writes, no model has seen the pages
that it labels.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import HEADING_TAGS, Page
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages
from scrapy_boilernet.lab.evaluation.statistics import interval_of, resamples
from scrapy_boilernet.lab.evaluation.systems import System, labeler_systems, peer_system
from scrapy_boilernet.workers.progress import progress

KINDS: Mapping[str, frozenset[str]] = {
    "tables": frozenset({"table"}),
    "lists": frozenset({"ul", "ol"}),
    "quotes": frozenset({"blockquote"}),
    "definition lists": frozenset({"dl"}),
    "headings": HEADING_TAGS,
    "code": frozenset({"pre"}),
}
SHINGLE = 3
IN_GOLD, KEPT, LOST = 0.7, 0.9, 0.1
MAX_BLOCKS = 3_000
"""Pages with more blocks are left out."""
Shingles = frozenset[tuple[str, ...]]
_EXPLAINED = f"""\
An element counts if {IN_GOLD} of its runs of {SHINGLE} words stand in the gold. It is kept whole if
{KEPT} of them stand in the text, and lost if at most {LOST} do. Elements that hold another one of
their kind do not count, so a table for layout counts only if it holds no other. Text that the page
hides does not count. The shares have 95 % bootstrap intervals over pages."""


@dataclass(frozen=True)
class Structure:
    """An element of a page that stands in the gold."""

    page: int
    kind: str
    share: float
    """The share of its shingles that stand in the text."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", action="append", help="as for evaluate; repeatable")
    parser.add_argument("--peer", action="append", default=[], help="as for evaluate; repeatable")
    parser.add_argument("--part", choices=["test", "all"], default="all")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--pages", type=int, help="so many of each set only")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Structures inside the gold")
    report.text(_EXPLAINED)
    rows = []
    systems = [*labeler_systems(options.model or ["default"]), *map(peer_system, options.peer)]
    for system in systems:
        pages = pages_for(system, options)
        found = measured(system, pages)
        rows += [row_of(system.name, len(pages), kind, found, report) for kind in KINDS]
    header = ["system", "pages", "kind", "elements", "on pages", "kept whole", "in part", "lost"]
    report.table(header, rows)
    report.write(options, None)


def pages_for(system: System, options: argparse.Namespace) -> list[GoldPage]:
    """Return the pages with gold that the system may label."""
    only = system.folds.model_of if system.folds else None
    chosen = evaluation_pages(options.sets, options.cache, options.part, options.pages, only)
    return [page for page in chosen.pages if page.gold]


def measured(system: System, pages: Sequence[GoldPage]) -> list[Structure]:
    """Return the structures of all pages."""
    found = []
    for number, source in enumerate(progress(pages, len(pages), system.name)):
        page = blockify(source.html, source.url, source.encoding)
        if len(page.blocks) > MAX_BLOCKS:
            continue
        own = structures_of(page, source.gold or "")
        if own:
            text = shingles(system.extract(source).text)
            found += [Structure(number, kind, share_in(runs, text)) for kind, runs in own]
    return found


def structures_of(page: Page, gold: str) -> list[tuple[str, Shingles]]:
    """Return (kind, shingles) of the page's structures that stand in the gold."""
    in_gold = shingles(gold)
    found = []
    for kind, tags in KINDS.items():
        texts: dict[int, list[str]] = defaultdict(list)
        outer: set[int] = set()
        for block in page.blocks:
            own = [node for tag, node in zip(block.tags, block.nodes, strict=True) if tag in tags]
            if own and not block.hidden:
                texts[own[-1]].append(block.text)
            outer.update(own[:-1])
        runs = (shingles("\n".join(text)) for node, text in texts.items() if node not in outer)
        found += [(kind, each) for each in runs if each and share_in(each, in_gold) >= IN_GOLD]
    return found


def shingles(text: str) -> Shingles:
    """Return the runs of words of a text; of a shorter text, of each length that it has."""
    words = tokens(text)
    runs = [tuple(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1)]
    return frozenset(runs or ([tuple(words)] if words else []))


def share_in(runs: Shingles, text: Shingles) -> float:
    """Return the share of the runs that a text has; a run that is shorter may stand in a longer."""
    if len(runs) == 1 and len(next(iter(runs))) < SHINGLE:
        words = set(next(iter(runs)))
        return float(any(words <= set(run) for run in text))
    return sum(run in text for run in runs) / len(runs)


def row_of(
    system: str, pages: int, kind: str, found: Sequence[Structure], report: Report
) -> list[str]:
    """Return the row of a system and a kind; add its figures to the report."""
    own = [structure for structure in found if structure.kind == kind]
    whole, lost = share_of(own, KEPT, 2.0), share_of(own, -1.0, LOST)
    on_pages = Counter(structure.page for structure in own)
    report.figures.setdefault(system, {})[kind] = {
        "elements": len(own), "pages": len(on_pages), "kept": whole, "lost": lost,
    }  # fmt: skip
    part = 1 - whole[0] - lost[0] if own else 0.0
    shown = [f"{value:.3f} [{low:.3f}, {high:.3f}]" for value, low, high in (whole, lost)]
    counts = [f"{pages:,}", kind, f"{len(own):,}", f"{len(on_pages):,}"]
    return [system, *counts, shown[0], f"{part:.3f}", shown[1]]


def share_of(found: Sequence[Structure], least: float, most: float) -> tuple[float, float, float]:
    """Return the share of the structures between two shares, and its interval over pages."""
    if not found:
        return 0.0, 0.0, 0.0
    pages = np.unique([structure.page for structure in found], return_inverse=True)[1]
    right = [least <= structure.share <= most for structure in found]
    sums, sizes = np.bincount(pages, right), np.bincount(pages)
    draws = resamples(len(sizes))
    return float(np.mean(right)), *interval_of((draws @ sums) / (draws @ sizes))


if __name__ == "__main__":
    main()
