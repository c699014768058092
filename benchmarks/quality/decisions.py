"""How a page's threshold is chosen, and who judges comments, on pages that a model has not seen.

    python -m benchmarks.quality.decisions FOLDS SET... --out-markdown FILE

FOLDS is what ``scrapy boilernet crossvalidate`` writes. Each decision is measured with the
calibration that is best with it, as ``train --calibrate-on`` chooses one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.reporting import Report
from benchmarks.common.unseen_pages import Logits, options_of_folds, unseen_pages
from scrapy_boilernet.extractor.decide.comments import find_comments
from scrapy_boilernet.extractor.decide.kinds import drops_comments
from scrapy_boilernet.extractor.decide.threshold import Decision, choose_threshold
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.training.calibration import calibrate, word_f1_of
from scrapy_boilernet.lab.training.gold import GoldBlocks

Scores = NDArray[np.float64]
Comments = Literal["rule", "model", "both", "rule, threads unknown", "both, threads unknown"]
VARIANTS: dict[str, tuple[Decision, Comments]] = {
    "independent, comments by rule": ("expected-f", "rule"),
    "independent, comments by model": ("expected-f", "model"),
    "correlated, comments by rule": ("correlated-f", "rule"),
    "correlated, comments by model": ("correlated-f", "model"),
    "correlated, comments by both": ("correlated-f", "both"),
    "the same, threads unknown: by rule": ("correlated-f", "rule, threads unknown"),
    "by both": ("correlated-f", "both, threads unknown"),
}
"""Per variant the decision, and what decides about comments: a rule, which drops them outside of
pages that say that they are threads; the model; or the rule, if the model does not take them for
the page's text. The last two are of pages that do not say what they are."""
_GAIN = ("independent, comments by rule", "correlated, comments by both")


def main() -> None:
    """Measure and write."""
    options = options_of_folds(__doc__)
    report = Report("Decisions")
    pages, logits = unseen_pages(options)
    scores = scores_of_variants(pages, logits)
    datasets = np.array([page.source.dataset for page in pages])
    rows = [row_of(name, datasets == name, scores, report) for name in sorted({*datasets.tolist()})]
    means = {name: np.mean([row[2][name] for row in rows]) for name in VARIANTS}
    report.figures["mean over sets"] = {name: float(mean) for name, mean in means.items()}
    report.text(
        "Word-F1 from the token alignment, if blocks of a page are right or wrong independently "
        "or together, and what decides about comments: a rule, which drops them outside of "
        "pages that say that they are threads, the model, or the rule where the model does not "
        "take them for the page's text. In the last two columns, no page says that it is a thread. "
        "The gain is that of `correlated, comments by both` over the first column: 95 % bootstrap "
        "interval over pages, paired."
    )
    report.table(
        ["data set", "pages", *VARIANTS, "gain"],
        [
            [name, f"{count:,}", *(f"{of_variant[v]:.4f}" for v in VARIANTS), gain]
            for name, count, of_variant, gain in rows
        ]
        + [["**mean over sets**", f"{len(pages):,}", *(f"{means[v]:.4f}" for v in VARIANTS), ""]],
    )
    report.write(options, None)


def scores_of_variants(pages: Sequence[GoldBlocks], logits: Logits) -> dict[str, Scores]:
    """Return the word-F1 per page of each variant."""
    decisions = {decision for decision, _ in VARIANTS.values()}
    chosen = {decision: calibrate(pages, logits, decision)[0] for decision in decisions}
    scores = {}
    for name, (decision, by) in VARIANTS.items():
        calibration = chosen[decision]
        of_pages = []
        for page, of_page in zip(pages, logits, strict=True):
            p = calibration.probabilities(of_page)
            kept = p >= choose_threshold(
                p, page.page.words, calibration.floor, "balanced", decision
            )
            comments = find_comments(page.page, kept.tolist())
            learned = p.astype(np.float32) if by.startswith("both") else None
            said = _saying_nothing(page.page) if by.endswith("unknown") else page.page
            if by != "model" and drops_comments(said, comments, learned):
                kept[[*comments]] = False
            of_pages.append(word_f1_of(page, kept))
        scores[name] = np.array(of_pages)
    return scores


def _saying_nothing(page: Page) -> Page:
    """Return the page without what its head and its URL say of its type."""
    return replace(page, url=None, head=replace(page.head, words=()))


def row_of(
    name: str, of_set: NDArray[np.bool_], scores: dict[str, Scores], report: Report
) -> tuple[str, int, dict[str, float], str]:
    """Return (set, pages, word-F1 by variant, the gain), and add them to the report's figures."""
    means = {variant: float(f1[of_set].mean()) for variant, f1 in scores.items()}
    first, last = _GAIN
    gains = scores[last][of_set] - scores[first][of_set]
    low, high = bootstrap_interval(gains.tolist())
    report.figures[name] = {
        "pages": int(of_set.sum()),
        "word_f1": means,
        "gain": [float(gains.mean()), low, high],
    }
    return name, int(of_set.sum()), means, f"{gains.mean():+.4f} [{low:+.4f}, {high:+.4f}]"


if __name__ == "__main__":
    main()
