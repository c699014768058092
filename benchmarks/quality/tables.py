"""How many of the data tables in the gold are kept, on pages of a set.

    python -m benchmarks.quality.tables wcxb-dev --model FOLDS --out-markdown FILE

FOLDS is what ``scrapy boilernet crossvalidate`` writes, so that no model has seen the pages that it
labels. Figures on pages that trained a model say nothing about other pages.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.decide.tables import data_tables
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.align import soft_labels
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages
from scrapy_boilernet.lab.evaluation.statistics import interval_of, resamples
from scrapy_boilernet.lab.evaluation.systems import System, labeler_systems
from scrapy_boilernet.workers.progress import progress

Marks = NDArray[np.bool_]
BY_BLOCK, SHIPPED = "block by block", "with whole tables and rows"
OUTCOMES = ("in full", "in part", "lost")
_EXPLAINED = """\
`decide/tables.py` says what a data table is. The gold keeps a table if more than half of its words
are aligned with the gold text. It is kept in full if every block that the gold has is content, lost
if none is. Word-F1 inside a table compares the words of its content blocks with those that the gold
has; it is the mean over tables, with the 95 % bootstrap interval over pages. `block by block`: the
same probabilities and thresholds without `decide/tables.py`."""


@dataclass(frozen=True)
class Table:
    """A data table of a page, as one decision keeps it."""

    page: int
    """The number of its page."""
    in_gold: bool
    outcome: str
    """One of :data:`OUTCOMES`; of all its blocks if the gold leaves the table out."""
    f1: float
    """Word-F1 inside the table; 0.0 if the gold has nothing of it."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument(
        "--model", action="append", help="as for evaluate, also a folder of folds; repeatable"
    )
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--pages", type=int, help="so many of each set only")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Data tables")
    report.text(_EXPLAINED)
    rows, pages_measured = [], 0
    for system in labeler_systems(options.model or ["default"]):
        counted, pages_measured = counted_tables(system, options)
        rows += [row_of(system.name, name, tables, report) for name, tables in counted.items()]
    if not any(tables for tables in counted.values()):
        sys.exit(f"no data table on {pages_measured} pages; name sets that have some")
    report.text(f"{pages_measured} pages.")
    left_out = [f"left out by the gold: {outcome}" for outcome in ("kept", "in part", "not kept")]
    report.table(["model", "decision", "tables", *OUTCOMES, "word-F1 inside", *left_out], rows)
    report.write(options, None)


def counted_tables(
    system: System, options: argparse.Namespace
) -> tuple[dict[str, list[Table]], int]:
    """Return the data tables by each decision, and how many pages were measured."""
    only = system.folds.model_of if system.folds else None
    chosen = evaluation_pages(options.sets, options.cache, "all", options.pages, only).pages
    pages = [page for page in chosen if page.gold is not None]
    tables: dict[str, list[Table]] = {BY_BLOCK: [], SHIPPED: []}
    for number, source in enumerate(progress(pages, len(pages), "tables")):
        labeled = system.extract(source).labeled
        assert labeled, f"{system.name} labels no blocks"
        for name, kept in ((BY_BLOCK, kept_by_block(labeled)), (SHIPPED, kept_blocks(labeled))):
            tables[name] += tables_of(labeled.page, source.gold or "", kept, number)
    return tables, len(pages)


def kept_blocks(labeled: LabeledPage) -> Marks:
    """Mark the blocks that are content."""
    return np.array(labeled.kept, dtype=np.bool_)


def kept_by_block(labeled: LabeledPage) -> Marks:
    """Mark the blocks that are content by their own probability."""
    kept = kept_blocks(labeled)
    if labeled.source == "model":
        kept &= np.array(labeled.probabilities) >= labeled.threshold
    return kept


def tables_of(page: Page, gold: str, kept: Marks, number: int = 0) -> list[Table]:
    """Return the data tables of a page; ``kept``: per block whether it is content."""
    tables = data_tables(page)
    if not tables:
        return []
    share, words = (values.astype(np.float64) for values in soft_labels(page, gold))
    found = []
    for rows in tables.values():
        blocks = np.array([i for i in chain.from_iterable(rows) if words[i]], dtype=np.int64)
        if not len(blocks):
            continue
        of_gold = share[blocks] * words[blocks]
        in_gold = bool(of_gold.sum() > words[blocks].sum() / 2)
        counted = blocks[share[blocks] > 0.5] if in_gold else blocks
        both = float((of_gold * kept[blocks]).sum())
        either = float((words[blocks] * kept[blocks]).sum() + of_gold.sum())
        f1 = 2 * both / either if either else 0.0
        found.append(Table(number, in_gold, outcome_of(kept[counted]), f1))
    return found


def outcome_of(kept: Marks) -> str:
    """Return whether all blocks are kept, some, or none."""
    return OUTCOMES[0] if kept.all() else OUTCOMES[1] if kept.any() else OUTCOMES[2]


def row_of(model: str, decision: str, tables: Sequence[Table], report: Report) -> list[str]:
    """Return the row of a model and a decision; add their figures to the report."""
    in_gold = [table for table in tables if table.in_gold]
    f1, (low, high) = mean_f1(in_gold)
    counts = [sum(table.outcome == outcome for table in in_gold) for outcome in OUTCOMES]
    left_out = [table for table in tables if not table.in_gold]
    wrong = [sum(table.outcome == outcome for table in left_out) for outcome in OUTCOMES]
    report.figures[f"{model}, {decision}"] = {
        "tables": len(in_gold), **dict(zip(OUTCOMES, counts, strict=True)),
        "f1": f1, "low": low, "high": high, "left out": dict(zip(OUTCOMES, wrong, strict=True)),
    }  # fmt: skip
    shown_f1 = f"{f1:.3f} [{low:.3f}, {high:.3f}]"
    return [model, decision, str(len(in_gold)), *map(str, counts), shown_f1, *map(str, wrong)]


def mean_f1(tables: Sequence[Table]) -> tuple[float, tuple[float, float]]:
    """Return the mean word-F1 over tables, and its interval over pages; zeros for no table."""
    if not tables:
        return 0.0, (0.0, 0.0)
    pages = np.unique([table.page for table in tables], return_inverse=True)[1]
    sums = np.bincount(pages, [table.f1 for table in tables])
    sizes = np.bincount(pages)
    draws = resamples(len(sizes))
    return float(sums.sum() / sizes.sum()), interval_of((draws @ sums) / (draws @ sizes))


if __name__ == "__main__":
    main()
