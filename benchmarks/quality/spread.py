"""A few labels spread over their page by a Gaussian random field, beside trained models.

    python -m benchmarks.quality.spread by-hand --out-markdown FILE

The experiment of Bose and Mukherjee: of ten pages a fifth of the elements is labeled, and the field
labels the others; here also on all pages of the sets, and with other shares.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Labeler
from scrapy_boilernet.extractor.labelers.model_folder import model_folder, read_json
from scrapy_boilernet.extractor.labelers.registry import WITHOUT_MODEL, load_labeler
from scrapy_boilernet.lab.annotations.placing import Placed
from scrapy_boilernet.lab.annotations.sidecar import Sidecar, SidecarBlock
from scrapy_boilernet.lab.annotations.testbed import Score, labeler_score, spread_score
from scrapy_boilernet.lab.evaluation.align import soft_labels
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.workers.progress import progress

_KINDS = frozenset({"main"})
_SHARES = 0.05, 0.1, 0.2, 0.4
_PAPER = 0.70
"""Accuracy that the paper reports, on pages and labels of its own."""
_FIGURES = "precision", "recall", "f1", "accuracy"
_ABOUT = """\
Labels are those of the sets' gold: a block is content if the gold has more than half of its words.
Figures are over a page's blocks, and then means over the pages, in brackets with the 95 % bootstrap
interval. The field is given the share of the labels of each class, one at least, drawn with seed
{seed}, nothing else of the page's labels and no rules; it is measured on the other blocks. The
models see no label and are measured on all blocks. Pages of one class are left out. The paper has
{paper:.2f} of accuracy on ten pages of its own, with a fifth of the elements labeled."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--pages", type=int, default=10, help="of the small draw (default: 10)")
    parser.add_argument("--model", action="append", help="repeatable (default: default)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    labelers = [load_labeler(name) for name in options.model or ["default"]]
    pages = [
        page
        for folder in options.sets
        for page in read_pages(open_dataset(folder, options.cache))
        if page.gold is not None
    ]
    random.Random(options.seed).shuffle(pages)
    rows = []
    for page in progress(pages, len(pages), "pages"):
        placed = judged_by_gold(page)
        marks = placed.marks(_KINDS)
        if any(marks) and not all(marks):
            rows.append(_scores(placed, labelers, options.seed))
    report = Report("A few labels, spread over their page")
    report.text(_ABOUT.format(seed=options.seed, paper=_PAPER))
    for name in options.model or ["default"]:
        if known := _trained_on(name, [folder.name.partition(".")[0] for folder in options.sets]):
            report.text(f"The model {name} was trained on pages of {known}; the field was not.")
    for few in (rows[: options.pages], rows):
        report.text(f"## {len(few)} pages")
        report.table(["system", *_FIGURES], [_row(scores) for scores in zip(*few, strict=True)])
        report.figures[str(len(few))] = [[score.accuracy for score in scores] for scores in few]
    report.write(options, None)


def _trained_on(model: str, sets: Sequence[str]) -> str:
    """Return the sets that the model learned from, according to its ``model.json``."""
    if model in WITHOUT_MODEL:
        return ""
    learned = (read_json(model_folder(model)).get("training") or {}).get("datasets", {})
    return ", ".join(name for name in sets if name in learned)


def judged_by_gold(page: GoldPage) -> Placed:
    """Return the page with a label from the gold for each block, as if a person had labeled it."""
    read = blockify(page.html, page.url, encoding=page.encoding)
    shares, _ = soft_labels(read, page.gold or "")
    blocks = tuple(
        SidecarBlock(block.xpath, block.text, "main" if share > 0.5 else "boilerplate", "human", "")
        for block, share in zip(read.blocks, shares.tolist(), strict=True)
    )
    sidecar = Sidecar(
        where=page.id, url=page.url or page.id, title="", annotator="gold", saved="",
        finished=True, nothing=False, model="", shown=len(blocks), blocks=blocks, body=page.html,
        problem="", charset="", from_dom=False,
    )  # fmt: skip
    return Placed(sidecar, read, blocks, lost=(), share=1.0)


def _scores(placed: Placed, labelers: Sequence[Labeler], seed: int) -> list[Score]:
    spread = [spread_score(placed, _KINDS, share, seed) for share in _SHARES]
    models = [labeler_score(placed, labeler, _KINDS) for labeler in labelers]
    return [*(score for score in spread if score), *models]


def _row(scores: Sequence[Score]) -> list[str]:
    cells = [scores[0].system]
    for name in _FIGURES:
        values = [float(getattr(score, name)) for score in scores]
        low, high = bootstrap_interval(values)
        cells.append(f"{sum(values) / len(values):.3f} [{low:.3f}, {high:.3f}]")
    return cells


if __name__ == "__main__":
    main()
