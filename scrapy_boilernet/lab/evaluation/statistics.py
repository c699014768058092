"""Bootstrap intervals over pages, and how well a system's confidence matches its word-F1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scrapy_boilernet.lab.evaluation.evaluate import PageRow

DRAWS = 2000
SURE = 0.9
"""A page with at least this confidence counts as sure."""
Array = NDArray[np.float64]


@lru_cache(maxsize=8)
def resamples(pages: int, seed: int = 0, draws: int = DRAWS) -> Array:
    """Return how often each page is drawn in each resample, shape (draws, pages).

    A row sums to ``pages``. Use one array for all systems that are compared, so that their
    difference is paired by page.
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

    For a paired interval, give the differences between two systems on the same pages.
    """
    sample = np.asarray(values, dtype=np.float64)
    if not len(sample):
        return (0.0, 0.0)
    return interval_of(resamples(len(sample), seed, draws) @ sample / len(sample))


def calibration_error(
    confidences: Sequence[float], truths: Sequence[float], bins: int = 15
) -> float:
    """Return the expected calibration error of page confidence against true page F1.

    Pages are sorted by confidence and cut into ``bins`` of equal size. The error is the mean
    absolute gap between a bin's mean confidence and its mean F1, in [0, 1].
    """
    order = np.argsort(confidences, kind="stable")
    x, y = np.asarray(confidences)[order], np.asarray(truths)[order]
    parts = [part for part in np.array_split(np.arange(len(x)), bins) if len(part)]
    gaps = [abs(x[part].mean() - y[part].mean()) * len(part) for part in parts]
    return float(sum(gaps) / len(x)) if len(x) else 0.0


def calibration(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, float]:
    """Return the expected calibration error of each system that states a confidence."""
    return {
        name: calibration_error(*_columns(stated))
        for name in names
        if (stated := _stated(rows, name))
    }


def sure_pages(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, Any]:
    """Return ``share`` of sure pages, their mean ``f1`` and its ``interval`` per system.

    Systems without confidence are left out; ``f1`` and ``interval`` are None if no page is sure.
    """
    by_system = {}
    for name in names:
        if stated := _stated(rows, name):
            sure = [
                f1 for confidence, f1 in zip(*_columns(stated), strict=True) if confidence >= SURE
            ]
            by_system[name] = {
                "share": len(sure) / len(stated),
                "f1": float(np.mean(sure)) if sure else None,
                "interval": bootstrap_interval(sure) if sure else None,
            }
    return by_system


def _stated(rows: Sequence[PageRow], name: str) -> list[PageRow]:
    return [row for row in rows if row.system == name and row.confidence is not None]


def _columns(rows: Sequence[PageRow]) -> tuple[list[float], list[float]]:
    """Return (confidences, word-F1s)."""
    return [row.confidence or 0.0 for row in rows], [row.f1 or 0.0 for row in rows]
