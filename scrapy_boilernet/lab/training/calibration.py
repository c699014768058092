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
    Decision,
    choose_threshold,
    expected_f1,
)
from scrapy_boilernet.extractor.labelers.model_folder import Tensors
from scrapy_boilernet.lab.training.gold import Measured

TEMPERATURES = (0.8, 1.0, 1.25, 1.5, 2.0, 2.5)
BIASES = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25)
FLOORS = (0.04, 0.08, 0.12, 0.2)
CALIBRATION_POINTS = 12
PLOT_BINS = 12
Logits = Sequence[NDArray[np.float32]]


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


def calibrate(
    pages: Sequence[Measured], logits: Logits, decision: Decision = "expected-f"
) -> tuple[Calibration, tuple[tuple[float, float], ...], dict[str, float]]:
    """Return (calibration for this decision, confidence points, mean word-F1 per data set).

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
    return chosen, confidence_points(pages, logits, chosen), scores_of(pages, logits, chosen)


def confidence_points(
    pages: Sequence[Measured], logits: Logits, calibration: Calibration
) -> tuple[tuple[float, float], ...]:
    """Return the curve from expected word-F1 to confidence: ascending points (expected, true)."""
    expected = expected_scores(pages, logits, calibration)
    return _rising_points(expected, decided_f1(pages, logits, calibration))


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


def _rising_points(
    expected: NDArray[np.float64], truth: NDArray[np.float64]
) -> tuple[tuple[float, float], ...]:
    """Return (expected, true) per bin of as many pages each, pooled to be ascending (isotonic)."""
    order = np.argsort(expected, kind="stable")
    bins = [
        [expected[part].mean(), truth[part].mean(), len(part)]
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
