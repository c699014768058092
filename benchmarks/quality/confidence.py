"""What the confidence of a page tells: how far it is off, and whether it finds the pages that went
wrong.

    python -m benchmarks.quality.confidence by-hand docs --model FOLDS --out-markdown FILE

Pages without content are made of the articles of the sets: all content is taken out, and one of the
messages of ``stubs.toml`` stands in its place.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.reporting import Report, add_outputs
from benchmarks.quality.beside import FORMS
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.metrics import word_score
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages
from scrapy_boilernet.lab.evaluation.statistics import (
    bootstrap_interval,
    calibration_error,
    interval_of,
    resamples,
)
from scrapy_boilernet.lab.evaluation.systems import System, labeler_systems
from scrapy_boilernet.lab.training.boxes import consent_dialog, read_forms
from scrapy_boilernet.lab.training.further import take_out
from scrapy_boilernet.lab.training.gold import gold_blocks
from scrapy_boilernet.lab.training.page_tree import PageTree, insert_first, open_page, written
from scrapy_boilernet.workers.progress import progress

WRONG_F1, SURE = 0.6, 0.5
STUBS = Path(__file__).with_name("stubs.toml")
CONSENT_ALONE = "consent alone"
Stubs = Mapping[str, Mapping[str, Sequence[str]]]
_EXPLAINED = f"""\
`ECE`: expected calibration error against word-F1, in 15 bins of equal size. `area`: area under the
ROC curve of the confidence for pages with a word-F1 below {WRONG_F1}, with its bootstrap interval
over pages. Pages without content have no text that is theirs; the share of them with a confidence
below {SURE} has its interval, too. `empty gold`: pages of the sets with an empty gold."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", action="append", help="as for evaluate; repeatable")
    parser.add_argument("--part", choices=["test", "all"], default="all")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--pages", type=int, help="so many of each set only")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Confidence")
    report.text(_EXPLAINED)
    rows, stub_rows = [], []
    for system in labeler_systems(options.model or ["default"]):
        only = system.folds.model_of if system.folds else None
        chosen = evaluation_pages(options.sets, options.cache, options.part, options.pages, only)
        pages = [page for page in chosen.pages if page.gold is not None]
        rows += quality_rows(system, pages, report)
        stub_rows += stub_rows_of(system, pages, report)
    header = ["model", "set", "pages", "mean confidence", "mean word-F1", "ECE", "wrong", "area"]
    report.table(header, rows)
    report.table(["model", "pages without content", "pages", "below .5"], stub_rows)
    report.write(options, None)


def quality_rows(system: System, pages: Sequence[GoldPage], report: Report) -> list[list[str]]:
    """Return a row per set, and one of all sets."""
    measured = []
    with_text = [page for page in pages if (page.gold or "").strip()]
    for page in progress(with_text, len(with_text), system.name):
        extraction = system.extract(page)
        f1 = word_score(extraction.text, page.gold or "").f1
        measured.append((page.dataset, extraction.confidence or 0.0, f1))
    names = [*dict.fromkeys(name for name, _, _ in measured), "all"]
    return [quality_row(system.name, name, measured, report) for name in names]


def quality_row(
    model: str, name: str, measured: Sequence[tuple[str, float, float]], report: Report
) -> list[str]:
    """Return the row of a set; add its figures to the report."""
    own = np.array([(c, f1) for dataset, c, f1 in measured if name in (dataset, "all")])
    confidence, f1 = own[:, 0], own[:, 1]
    error, wrong = calibration_error(confidence.tolist(), f1.tolist()), f1 < WRONG_F1
    area = area_under_roc(-confidence, wrong)
    low, high = area_interval(-confidence, wrong)
    report.figures.setdefault(model, {})[name] = {
        "pages": len(own), "ece": error, "wrong": int(wrong.sum()), "area": area,
        "low": low, "high": high,
    }  # fmt: skip
    shown = [f"{confidence.mean():.3f}", f"{f1.mean():.3f}", f"{error:.3f}", str(wrong.sum())]
    return [model, name, f"{len(own):,}", *shown, f"{area:.3f} [{low:.3f}, {high:.3f}]"]


def area_under_roc(
    scores: NDArray[np.float64],
    positive: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
) -> float:
    """Return the chance that a positive page has a higher score than a negative one; ties count
    half. 0.5 if there is only one class. ``weights``: how often each page counts.

    >>> area_under_roc(np.array([0.9, 0.2, 0.5]), np.array([True, False, False]))
    1.0
    """
    each = np.ones(len(scores)) if weights is None else weights
    _, groups = np.unique(scores, return_inverse=True)
    right = np.bincount(groups, each * positive)
    other = np.bincount(groups, each * ~positive)
    total = right.sum() * other.sum()
    if not total:
        return 0.5
    return float((right * (other.cumsum() - other / 2)).sum() / total)


def area_interval(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the area, over pages."""
    return interval_of([area_under_roc(scores, positive, draw) for draw in resamples(len(scores))])


def stub_rows_of(system: System, pages: Sequence[GoldPage], report: Report) -> list[list[str]]:
    """Return a row per kind of pages without content."""
    empty = [page for page in pages if not (page.gold or "").strip()]
    kinds: dict[str, list[float]] = {"empty gold": [confidence_of(system, p) for p in empty]}
    for kind, page in stub_pages([page for page in pages if page not in empty]):
        kinds.setdefault(kind, []).append(confidence_of(system, page))
    rows = []
    for kind, confidences in kinds.items():
        below = [confidence < SURE for confidence in confidences]
        share, (low, high) = float(np.mean(below or [0.0])), bootstrap_interval(below)
        figures = {"pages": len(below), "below": share, "low": low, "high": high}
        report.figures.setdefault(system.name, {})[kind] = figures
        rows.append([system.name, kind, str(len(below)), f"{share:.3f} [{low:.3f}, {high:.3f}]"])
    return rows


def confidence_of(system: System, page: GoldPage) -> float:
    """Return the confidence of a page."""
    return system.extract(page).confidence or 0.0


def stub_pages(pages: Sequence[GoldPage]) -> Iterator[tuple[str, GoldPage]]:
    """Yield (kind, page) of pages whose content was taken out; each page is of one kind."""
    stubs: Stubs = tomllib.loads(STUBS.read_text(encoding="utf-8"))
    kinds = [*next(iter(stubs.values())), CONSENT_ALONE]
    for source in progress(pages, len(pages), "pages without content"):
        gold = gold_blocks(source, "block")
        tree = open_page(source, gold) if gold and gold.labels.any() else None
        if tree is not None:
            kind = kinds[crc32(source.id.encode()) % len(kinds)]
            if page := stub_page(tree, kind, stubs):
                yield kind, page


def stub_page(tree: PageTree, kind: str, stubs: Stubs) -> GoldPage | None:
    """Return the page with a message in the place of its content; None if content is left."""
    language = (tree.gold.source.language or "en")[:2]
    rng = np.random.default_rng(crc32(tree.gold.source.id.encode()))
    lines = () if kind == CONSENT_ALONE else (stubs.get(language) or stubs["en"])[kind]
    if not take_out(tree, lines):
        return None
    if kind == CONSENT_ALONE:
        insert_first(tree.body, consent_dialog(read_forms(FORMS), language, rng))
    return written(tree)


if __name__ == "__main__":
    main()
