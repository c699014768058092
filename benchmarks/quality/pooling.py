"""The gain from drawing blocks to their template's mean, on pages that a model has not seen.

    python -m benchmarks.quality.pooling FOLDS SET... --out-markdown FILE

FOLDS is what ``scrapy boilernet crossvalidate`` writes. Each share is measured with the calibration
that is best with it, as ``train --calibrate-on`` chooses one.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.decide.pooling import pooled_logits
from scrapy_boilernet.extractor.labelers.boilernet.scoring import ModelLabeler
from scrapy_boilernet.lab.evaluation.floors import read_folds
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.training.calibration import Calibration, calibrate, decided_f1
from scrapy_boilernet.lab.training.gold import GoldBlocks, gold_blocks
from scrapy_boilernet.workers.progress import progress

SHARES = (0.0, 0.4, 0.6, 0.8, 0.9)
Logits = list[NDArray[np.float32]]


def main() -> None:
    """Measure and write."""
    options = options_of_folds(__doc__)
    report = Report("Blocks of one template judged together")
    pages, logits = unseen_pages(options, share=0.0)
    scores = {share: scores_with(share, pages, logits) for share in SHARES}
    datasets = np.array([page.source.dataset for page in pages])
    rows = [
        row_of(name, datasets == name, scores, report) for name in dict.fromkeys(datasets.tolist())
    ]
    means = {share: np.mean([row[2][share] for row in rows]) for share in SHARES}
    report.figures["mean over sets"] = {str(share): float(mean) for share, mean in means.items()}
    report.text(
        "Word-F1 from the token alignment, and what a share of 0.8 gains over none: 95 % bootstrap "
        "interval over pages, paired."
    )
    report.table(
        ["data set", "pages", *(f"share {share}" for share in SHARES), "gain of 0.8"],
        [
            [name, str(count), *(f"{of_share[s]:.4f}" for s in SHARES), gain]
            for name, count, of_share, gain in rows
        ]
        + [["**mean over sets**", str(len(pages)), *(f"{means[s]:.4f}" for s in SHARES), ""]],
    )
    report.write(options, None)


def options_of_folds(description: str | None) -> argparse.Namespace:
    """Return the options of a benchmark on pages that cross-validated models have not seen."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("folds", type=Path, help="a folder of cross-validated models")
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--pages", type=int, help="so many of each set only")
    add_outputs(parser, plot=False)
    return parser.parse_args()


def unseen_pages(
    options: argparse.Namespace, share: float | None = None
) -> tuple[list[GoldBlocks], Logits]:
    """Return (pages with soft labels, logits of models that did not see them).

    ``share``: that of pooling; None: as the models say.
    """
    folds = read_folds(options.folds)
    sources = evaluation_pages(options.sets, options.cache, "all", options.pages, folds.model_of)
    pages, logits = [], []
    for source in progress(sources.pages, len(sources.pages), "label"):
        page = gold_blocks(source, "block") if source.gold is not None else None
        if page is None:
            continue
        labeler = folds.labeler_for(source)
        assert isinstance(labeler, ModelLabeler), f"{options.folds} holds other labelers"
        if share is not None:
            labeler.spec = replace(labeler.spec, template_share=share)
        calibration = Calibration(**labeler.spec.training["calibration"])
        pages.append(page)
        logits.append(calibration.raw_logits(labeler.probabilities([page.page])[0]))
    return pages, logits


def scores_with(
    share: float, pages: Sequence[GoldBlocks], logits: Sequence[NDArray[np.float32]]
) -> NDArray[np.float64]:
    """Return the word-F1 per page with this share and the calibration that is best with it."""
    drawn = [
        pooled_logits(page.page, of_page, share).astype(np.float32)
        for page, of_page in zip(pages, logits, strict=True)
    ]
    return decided_f1(pages, drawn, calibrate(pages, drawn)[0])


def row_of(
    name: str,
    of_set: NDArray[np.bool_],
    scores: dict[float, NDArray[np.float64]],
    report: Report,
) -> tuple[str, int, dict[float, float], str]:
    """Return (set, pages, word-F1 by share, the gain), and add them to the report's figures."""
    means = {share: float(f1[of_set].mean()) for share, f1 in scores.items()}
    gains = scores[0.8][of_set] - scores[0.0][of_set]
    low, high = bootstrap_interval(gains.tolist())
    report.figures[name] = {
        "pages": int(of_set.sum()),
        "word_f1": {str(share): mean for share, mean in means.items()},
        "gain": [float(gains.mean()), low, high],
    }
    return name, int(of_set.sum()), means, f"{gains.mean():+.4f} [{low:+.4f}, {high:+.4f}]"


if __name__ == "__main__":
    main()
