"""Temperature, bias, floor and confidence from pages that were not trained on.

A network's probabilities are overconfident (Guo et al. 2017). So its logits are divided by a
temperature and shifted by a bias, and both are folded into its last layer. With calibrated
probabilities, each page's threshold can be the one of the best expected F1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.threshold import (
    Decider,
    Decision,
    choose_threshold,
    expected_f1,
    expected_f1_of,
)
from scrapy_boilernet.extractor.labelers.model_folder import Tensors
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import CONTENT
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.training.gold import Measured

TEMPERATURES = (0.8, 1.0, 1.25, 1.5, 2.0, 2.5)
BIASES = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25)
FLOORS = (0.04, 0.08, 0.12, 0.2)
CALIBRATION_POINTS = 12
PLOT_BINS = 12
Logits = Sequence[NDArray[np.float32]]
Points = tuple[tuple[float, float], ...]
"""A curve from expected word-F1 to confidence: ascending points (expected, true)."""


@dataclass(frozen=True)
class Calibration:
    """How logits become probabilities, p = sigmoid(logit / temperature + bias), and decisions."""

    temperature: float
    bias: float
    floor: float
    """Blocks with a lower probability are never kept."""
    decision: Decision = "expected-f"
    """How the threshold of a page is chosen; one of the two by expected F1."""

    def probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the calibrated probabilities of one page's logits, shape (blocks,)."""
        scaled = np.clip(logits / self.temperature + self.bias, -30, 30)
        return np.asarray(1 / (1 + np.exp(-scaled)), dtype=np.float32)

    def raw_logits(self, probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the logits of these probabilities: the inverse of :meth:`probabilities`."""
        p = np.clip(probabilities.astype(np.float64), 1e-7, 1 - 1e-7)
        raw = (np.log(p / (1 - p)) - self.bias) * self.temperature
        return np.asarray(raw, dtype=np.float32)


class _Known(Decider):
    """A labeler of one page, whose probabilities are known. It notes what it is asked."""

    def __init__(
        self,
        page: Page,
        probabilities: NDArray[np.float32],
        calibration: Calibration,
        judges_comments: bool,
        points: Points,
    ) -> None:
        decision = (calibration.floor, calibration.decision, points, judges_comments)
        super().__init__("known", page.units, *decision)
        self._page, self._probabilities = page, probabilities
        self.expected = self.confident = 0.0
        """The last word-F1 that was expected, and the confidence of it."""

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return the page's probabilities, or those of its visible blocks for a page of these."""
        known = self._probabilities
        return [known if page is self._page else known[self._page.shown] for page in pages]

    def confidence(
        self, page: Page, probabilities: NDArray[np.float32], kept: NDArray[np.bool_]
    ) -> float:
        """Return the confidence, as :class:`Decider` does."""
        self.expected = expected_f1_of(probabilities, page.words, kept)
        self.confident = super().confidence(page, probabilities, kept)
        return self.confident


def calibrate(
    pages: Sequence[Measured], logits: Logits, decision: Decision = "expected-f"
) -> tuple[Calibration, dict[str, float]]:
    """Return (calibration for this decision, mean word-F1 per data set).

    The calibration has the best mean word-F1. Data sets are weighted by the square root of their
    number of pages, so that neither the largest set nor one of six pages decides alone.
    """
    datasets = np.array([page.source.dataset for page in pages])
    names, sizes = np.unique(datasets, return_counts=True)

    def worth(candidate: Calibration) -> float:
        f1 = decided_f1(pages, logits, candidate)
        means = [float(f1[datasets == name].mean()) for name in names]
        return float(np.average(means, weights=np.sqrt(sizes)))

    chosen = max(
        (Calibration(*values, decision) for values in product(TEMPERATURES, BIASES, FLOORS)),
        key=worth,
    )
    return chosen, scores_of(pages, logits, chosen)


def confidence_points(
    pages: Sequence[Measured], logits: Logits, calibration: Calibration, judges_comments: bool
) -> Points:
    """Return the curve from the expected word-F1 of a page's text to its confidence.

    ``judges_comments``: as in the model's spec.
    """
    return rising_points(*text_scores(pages, logits, calibration, judges_comments))


def text_scores(
    pages: Sequence[Measured], logits: Logits, calibration: Calibration, judges_comments: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (expected, true) word-F1 of the texts of pages, each of shape (texts,).

    A text is what remains after all steps of the labeling. Pages without a text have no confidence,
    and the rule for pages without content sets its own, so both are left out. A step that asks for
    the confidence gets that of the decisions alone.
    """
    decided = decided_f1(pages, logits, calibration)
    points = rising_points(expected_scores(pages, logits, calibration), decided)
    expected, true = [], []
    for page, page_logits in zip(pages, logits, strict=True):
        p = calibration.probabilities(page_logits)
        labeler = _Known(page.page, p, calibration, judges_comments, points)
        labeled = label_page(page.page, labeler)
        kept = np.array([label == CONTENT for label in labeled.labels], dtype=np.bool_)
        if kept.any() and labeled.confidence == labeler.confident:
            expected.append(labeler.expected)
            true.append(word_f1_of(page, kept))
    return np.array(expected), np.array(true)


def rising_points(expected: NDArray[np.float64], true: NDArray[np.float64]) -> Points:
    """Return the curve through bins of as many pages each, pooled to be ascending (isotonic).

    ``expected``, ``true``: the word-F1 per page. Without pages, it is confident of what it expects.
    """
    if not len(expected):
        return ((0.0, 0.0), (1.0, 1.0))
    order = np.argsort(expected, kind="stable")
    bins = [
        [expected[part].mean(), true[part].mean(), len(part)]
        for part in np.array_split(order, CALIBRATION_POINTS)
        if len(part)
    ]
    i = 0
    while i + 1 < len(bins):
        if bins[i + 1][1] < bins[i][1]:
            a, b = bins[i], bins.pop(i + 1)
            total = a[2] + b[2]
            bins[i] = [(a[k] * a[2] + b[k] * b[2]) / total for k in (0, 1)] + [total]
            i = max(i - 1, 0)
        else:
            i += 1
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y, _ in bins)


def scores_of(
    pages: Sequence[Measured], logits: Logits, calibration: Calibration
) -> dict[str, float]:
    """Return the mean word-F1 per data set under the calibration's decisions."""
    f1 = decided_f1(pages, logits, calibration)
    datasets = np.array([page.source.dataset for page in pages])
    return {str(name): float(f1[datasets == name].mean()) for name in np.unique(datasets)}


def decided_f1(
    pages: Sequence[Measured], logits: Logits, calibration: Calibration
) -> NDArray[np.float64]:
    """Return the word-F1 per page under the calibration's decisions, shape (pages,)."""
    probabilities, thresholds = _decisions(pages, logits, calibration)
    scores = [
        word_f1_of(page, p >= threshold)
        for page, p, threshold in zip(pages, probabilities, thresholds, strict=True)
    ]
    return np.array(scores)


def expected_scores(
    pages: Sequence[Measured], logits: Logits, calibration: Calibration
) -> NDArray[np.float64]:
    """Return the word-F1 per page that the calibrated probabilities predict, shape (pages,)."""
    probabilities, thresholds = _decisions(pages, logits, calibration)
    scores = [
        expected_f1(p, page.page.words, threshold)
        for page, p, threshold in zip(pages, probabilities, thresholds, strict=True)
    ]
    return np.array(scores)


def calibrated(tensors: Tensors, calibration: Calibration) -> Tensors:
    """Return the network's tensors with the calibration folded into its last layer."""
    weight = tensors["out.weight"] / calibration.temperature
    bias = tensors["out.bias"] / calibration.temperature + calibration.bias
    return {**tensors, "out.weight": weight, "out.bias": bias}


def recalibrated(folded: Mapping[str, Any], wanted: Calibration) -> Calibration:
    """Return the calibration that turns logits calibrated by ``folded`` into those of ``wanted``.

    ``folded``: the fields of the calibration that is folded into the network already.
    """
    temperature = wanted.temperature / folded["temperature"]
    bias = wanted.bias - folded["bias"] / temperature
    return Calibration(temperature, bias, wanted.floor, wanted.decision)


def write_calibration_plot(
    file: Path, confidences: NDArray[np.float64], truths: NDArray[np.float64]
) -> None:
    """Write an SVG of word-F1 by confidence, in bins of as many pages each, with a histogram."""
    order = np.argsort(confidences, kind="stable")
    bins = [part for part in np.array_split(order, PLOT_BINS) if len(part)]
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "boilernet", "font.size": 10}):
        figure = Figure(figsize=(5, 5), layout="constrained")
        upper, lower = figure.subplots(2, 1, height_ratios=[4, 1], sharex=True)
        upper.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        upper.plot(
            [confidences[part].mean() for part in bins],
            [truths[part].mean() for part in bins],
            marker="o", color="#0072b2",
        )  # fmt: skip
        upper.set(ylabel="mean word-F1", ylim=(0, 1), xlim=(0, 1))
        upper.set_title(f"{len(truths):,} pages that were not trained on", fontsize=10)
        lower.hist(confidences, bins=40, range=(0, 1), color="#0072b2")
        lower.set(xlabel="confidence", ylabel="pages")
        figure.savefig(file, format="svg", metadata={"Date": None})


def _decisions(
    pages: Sequence[Measured], logits: Logits, calibration: Calibration
) -> tuple[list[NDArray[np.float32]], list[float]]:
    probabilities = [calibration.probabilities(page_logits) for page_logits in logits]
    thresholds = [
        choose_threshold(p, page.page.words, calibration.floor, "balanced", calibration.decision)
        for page, p in zip(pages, probabilities, strict=True)
    ]
    return probabilities, thresholds


def word_f1_of(page: Measured, kept: NDArray[np.bool_]) -> float:
    """Return the word-F1 of the kept blocks; soft labels give each block's correct tokens."""
    kept_tokens = float(page.tokens[kept].sum())
    correct_tokens = float((page.tokens * page.targets)[kept].sum())
    kept_and_gold = kept_tokens + page.gold_tokens
    return 2 * correct_tokens / kept_and_gold if kept_and_gold else 1.0
