"""Threshold and confidence from validation pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.labelers.scoring import block_words, expected_f1
from scrapy_boilernet.training.examples import LearningPage

THRESHOLDS = tuple(round(t, 2) for t in np.arange(0.1, 0.61, 0.02))
CALIBRATION_POINTS = 8


def calibrate(
    pages: Sequence[LearningPage], probabilities: Sequence[NDArray[np.float32]]
) -> tuple[float, tuple[tuple[float, float], ...], dict[str, Any]]:
    """Return (threshold, confidence points, scores), each from the validation pages.

    The threshold is the one with the best mean word-F1, data sets weighted by the square root of
    their pages: a large set must not outvote the others, nor six pages decide.
    """
    datasets = np.array([page.source.dataset for page in pages])
    names, sizes = np.unique(datasets, return_counts=True)
    by_threshold = {}
    for threshold in THRESHOLDS:
        f1 = token_f1(pages, probabilities, threshold)
        by_threshold[threshold] = {str(name): float(f1[datasets == name].mean()) for name in names}
    threshold = max(
        THRESHOLDS,
        key=lambda t: float(np.average(list(by_threshold[t].values()), weights=np.sqrt(sizes))),
    )
    truth = token_f1(pages, probabilities, threshold)
    expected = np.array(
        [
            expected_f1(p, block_words(page.page), threshold)
            for page, p in zip(pages, probabilities, strict=True)
        ]
    )
    return threshold, _rising_points(expected, truth), by_threshold[threshold]


def _rising_points(
    expected: NDArray[np.float64], truth: NDArray[np.float64]
) -> tuple[tuple[float, float], ...]:
    """Mean truth over equal-sized bins of expectation, pooled until it rises (isotonic)."""
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


def token_f1(
    pages: Sequence[LearningPage], probabilities: Sequence[NDArray[np.float32]], threshold: float
) -> NDArray[np.float64]:
    """Return the word-F1 per page; the soft labels say how many of a block's tokens are right."""
    scores = []
    for page, p in zip(pages, probabilities, strict=True):
        kept = p >= threshold
        found = float(page.tokens[kept].sum())
        right = float((page.tokens * page.example.targets)[kept].sum())
        total = found + page.gold_tokens
        scores.append(2 * right / total if total else 1.0)
    return np.array(scores)
