"""Pages of labeled sets, and the logits of cross-validated models that have not seen them."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.reporting import add_outputs
from scrapy_boilernet.extractor.labelers.boilernet.scoring import ModelLabeler
from scrapy_boilernet.lab.evaluation.floors import read_folds
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages
from scrapy_boilernet.lab.training.calibration import Calibration
from scrapy_boilernet.lab.training.gold import GoldBlocks, gold_blocks
from scrapy_boilernet.workers.progress import progress

Logits = list[NDArray[np.float32]]


def options_of_folds(description: str | None) -> argparse.Namespace:
    """Return the options of a benchmark on pages that cross-validated models have not seen."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("folds", type=Path, help="a folder of cross-validated models")
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--pages", type=int, help="so many of each set only")
    add_outputs(parser, plot=False)
    return parser.parse_args()


def unseen_pages(options: argparse.Namespace) -> tuple[list[GoldBlocks], Logits]:
    """Return (pages with soft labels, logits of models that did not see them)."""
    folds = read_folds(options.folds)
    sources = evaluation_pages(options.sets, options.cache, "all", options.pages, folds.model_of)
    pages, logits = [], []
    for source in progress(sources.pages, len(sources.pages), "label"):
        page = gold_blocks(source, "block") if source.gold is not None else None
        if page is None:
            continue
        labeler = folds.labeler_for(source)
        assert isinstance(labeler, ModelLabeler), f"{options.folds} holds other labelers"
        calibration = Calibration(**labeler.spec.training["calibration"])
        pages.append(page)
        logits.append(calibration.raw_logits(labeler.probabilities([page.page])[0]))
    return pages, logits
