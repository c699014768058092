"""Whether memory grew along a crawl of ``soak.py``."""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np

Crawl = dict[str, Any]
"""What a crawl has counted and seen."""


def quarters(crawl: Crawl) -> list[list[dict[str, Any]]]:
    """Return the samples by quarters of the responses, but for the first, before the crawl."""
    samples = crawl["samples"][1:]
    last = samples[-1]["responses"] if samples else 0
    parts: list[list[dict[str, Any]]] = [[], [], [], []]
    for sample in samples:
        parts[min(3, 4 * sample["responses"] // max(1, last))].append(sample)
    return parts


def growth_percent(crawl: Crawl, which: str = "main_kb") -> float:
    """Return by how much the last quarter's median memory is above the third's, in percent.

    NaN where a quarter has no sample.
    """
    third, last = quarters(crawl)[2:]
    if not third or not last:
        return float("nan")
    return (median(s[which] for s in last) / median(s[which] for s in third) - 1) * 100


def slope(crawl: Crawl, which: str = "main_kb") -> tuple[float, float]:
    """Return the slope of memory over the second half, in MB per 10,000 responses, and the
    standard error of the fitted line; NaN where there are fewer than three samples.
    """
    half = [sample for part in quarters(crawl)[2:] for sample in part]
    x = np.array([s["responses"] / 10_000 for s in half])
    if len(set(x)) < 3:
        return float("nan"), float("nan")
    y = np.array([s[which] / 1000 for s in half])
    centred = x - x.mean()
    inclination = float((centred @ y) / (centred @ centred))
    rest = y - y.mean() - inclination * centred
    error = float(np.sqrt((rest @ rest) / (len(x) - 2) / (centred @ centred)))
    return inclination, error
