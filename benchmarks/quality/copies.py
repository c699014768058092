"""What it gains to leave out the parts that stand twice on a page, by the step ``copy``.

    python -m benchmarks.quality.copies wcxb-dev by-hand --model folds

With ``--model FOLDS``, what ``scrapy boilernet crossvalidate`` writes, no model has seen the pages
that it labels. Pages on which the step drops nothing have the same text with it and without.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from benchmarks.quality.structures import pages_for
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.options import CONTENT
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.metrics import word_score
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.evaluation.systems import System, labeler_systems
from scrapy_boilernet.workers.progress import progress

STEP = "copy"
_EXPLAINED = """\
`with copies`: pages of which the step `copy` drops a block, and the characters that it drops. Then
the mean word-F1 of these pages without the step and with it, and the mean difference over all pages
of the set, with its 95 % bootstrap interval. The rule was written on pages of these sets."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", action="append", help="as for evaluate; repeatable")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.set_defaults(part="all", pages=None)
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Parts that stand twice")
    report.text(_EXPLAINED)
    rows = []
    for system in labeler_systems(options.model or ["default"]):
        by_set: dict[str, list[GoldPage]] = defaultdict(list)
        for page in pages_for(system, options):
            by_set[page.dataset].append(page)
        rows += [_row(system, name, pages, report) for name, pages in by_set.items()]
    header = ["model", "set", "pages", "with copies", "characters", "without", "with", "difference"]
    report.table(header, rows)
    report.write(options, None)


def without_the_step(labeled: LabeledPage) -> LabeledPage:
    """Return the page with the blocks that the step drops as content."""
    pairs = zip(labeled.labels, labeled.steps, strict=True)
    return replace(
        labeled, labels=tuple([CONTENT if step == STEP else label for label, step in pairs])
    )


def _row(system: System, name: str, pages: Sequence[GoldPage], report: Report) -> list[str]:
    """Return the row of a set; add its figures to the report."""
    scores, gains, chars = [], [], 0
    for page in progress(pages, len(pages), name):
        labeled, gain = system.extract(page).labeled, 0.0
        if labeled is not None and STEP in labeled.steps:
            texts = without_the_step(labeled).text, labeled.text
            before, now = (word_score(text, page.gold or "").f1 for text in texts)
            scores.append((before, now))
            gain = now - before
            chars += len(texts[0]) - len(texts[1])
        gains.append(gain)
    low, high = bootstrap_interval(gains)
    means = np.mean(scores, axis=0) if scores else np.zeros(2)
    report.figures.setdefault(system.name, {})[name] = float(np.mean(gains))
    counts = [f"{len(pages):,}", f"{len(scores):,}", f"{chars:,}"]
    shown = [f"{mean:.3f}" for mean in means] if scores else ["", ""]
    difference = f"{np.mean(gains):+.4f} [{low:+.4f}, {high:+.4f}]"
    return [system.name, name, *counts, *shown, difference]


if __name__ == "__main__":
    main()
