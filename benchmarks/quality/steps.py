"""What each step of the decision gains, such as structures, notes, replies and copies.

    python -m benchmarks.quality.steps wcxb-dev by-hand --model folds

With ``--model FOLDS``, what ``scrapy boilernet crossvalidate`` writes, no model has seen the pages
that it labels. Pages on which a step decides on no block have the same text with it and without.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.options import BOILERPLATE, CONTENT, Label, Step
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.metrics import word_score
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.evaluation.systems import System, labeler_systems
from scrapy_boilernet.workers.progress import progress

STEPS: tuple[Step, ...] = (
    "structure", "reply", "note", "comments", "read also", "sign-up", "ad label", "apart", "copy",
    "no text", "teaser",
)  # fmt: skip
_EXPLAINED = """\
`changed`: pages on which the step decides on a block. Then the mean word-F1 of these pages with the
step undone and done, how many of them gain and lose .01 or more by it, and the mean difference over
all pages of the set, with its 95 % bootstrap interval. The rules were written on pages of these
sets, by models that had not seen them. Headlines and titles of parts are in few gold texts, so that
`structure` may lose what readers want. A page whose gold text is empty has 1 if its text is empty,
and else 0."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", action="append", help="as for evaluate; repeatable")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.set_defaults(part="all", pages=None)
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("What each step gains")
    report.text(_EXPLAINED)
    header = ["set", "pages", "changed", "undone", "done", "gain", "lose", "difference"]
    for system in labeler_systems(options.model or ["default"]):
        by_set: dict[str, list[GoldPage]] = defaultdict(list)
        only = system.folds.model_of if system.folds else None
        chosen = evaluation_pages(options.sets, options.cache, options.part, options.pages, only)
        for page in chosen.pages:
            if page.gold is not None:
                by_set[page.dataset].append(page)
        measured = {name: _scores(system, name, pages) for name, pages in by_set.items()}
        for step in STEPS:
            report.text(f"## {system.name}: {step}")
            rows = [
                _row(name, len(by_set[name]), scores[step]) for name, scores in measured.items()
            ]
            report.table(header, rows)
        report.figures[system.name] = {
            name: {step: [after - before for before, after in found] for step, found in own.items()}
            for name, own in measured.items()
        }
    report.write(options, None)


def undone(labeled: LabeledPage, step: Step) -> LabeledPage:
    """Return the page with the other label for the blocks that the step decided."""
    other: dict[Label, Label] = {CONTENT: BOILERPLATE, BOILERPLATE: CONTENT}
    pairs = zip(labeled.labels, labeled.steps, strict=True)
    labels = [other[label] if own == step else label for label, own in pairs]
    return replace(labeled, labels=tuple(labels))


_Scores = dict[Step, list[tuple[float, float]]]
"""Per step the word-F1 of the pages on which it decides, with the step undone and done."""


def _scores(system: System, name: str, pages: Sequence[GoldPage]) -> _Scores:
    scores: _Scores = {step: [] for step in STEPS}
    for page in progress(pages, len(pages), name):
        labeled = system.extract(page).labeled
        if labeled is None:
            continue
        for step in STEPS:
            if step in labeled.steps:
                texts = undone(labeled, step).text, labeled.text
                before, now = (word_score(text, page.gold or "").f1 for text in texts)
                scores[step].append((before, now))
    return scores


def _row(name: str, pages: int, scores: Sequence[tuple[float, float]]) -> list[str]:
    """Return the row of a set."""
    gains = np.array([now - before for before, now in scores])
    low, high = bootstrap_interval([*gains, *[0.0] * (pages - len(scores))])
    means = np.mean(scores, axis=0) if scores else ()
    moved = [f"{int((gains >= 0.01).sum()):,}", f"{int((gains <= -0.01).sum()):,}"]
    difference = f"{gains.sum() / pages:+.4f} [{low:+.4f}, {high:+.4f}]"
    shown = [f"{mean:.3f}" for mean in means] or ["", ""]
    return [name, f"{pages:,}", f"{len(scores):,}", *shown, *moved, difference]


if __name__ == "__main__":
    main()
