"""Intervals by the bootstrap over pages, and how far a stated confidence is from the truth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

DRAWS = 2000
Array = NDArray[np.float64]


@lru_cache(maxsize=8)
def resamples(pages: int, seed: int = 0, draws: int = DRAWS) -> Array:
    """Return how often each page is drawn in each resample, shape (draws, pages).

    A row sums to ``pages``. Systems that are compared must share the array: then their difference
    is paired by page.
    """
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(pages, np.full(pages, 1 / pages), size=draws)
    return counts.astype(np.float64)


def interval_of(draws: ArrayLike) -> tuple[float, float]:
    """Return the 2.5 % and 97.5 % quantiles of a figure's resamples."""
    low, high = np.quantile(np.asarray(draws), [0.025, 0.975])
    return float(low), float(high)


def bootstrap_interval(
    values: Sequence[float], draws: int = DRAWS, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of the mean of per-page ``values``.

    Give differences between two systems on the same pages for a paired interval.
    """
    sample = np.asarray(values, dtype=np.float64)
    if not len(sample):
        return (0.0, 0.0)
    return interval_of(resamples(len(sample), seed, draws) @ sample / len(sample))


def calibration_error(
    confidences: Sequence[float], truths: Sequence[float], bins: int = 15
) -> float:
    """Return the expected calibration error of page confidence against true page F1.

    Pages sorted by confidence, cut into ``bins`` of equal size; the mean absolute gap between
    a bin's mean confidence and its mean F1.
    """
    order = np.argsort(confidences, kind="stable")
    x, y = np.asarray(confidences)[order], np.asarray(truths)[order]
    parts = [part for part in np.array_split(np.arange(len(x)), bins) if len(part)]
    gaps = [abs(x[part].mean() - y[part].mean()) * len(part) for part in parts]
    return float(sum(gaps) / len(x)) if len(x) else 0.0
