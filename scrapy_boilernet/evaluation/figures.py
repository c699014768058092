"""Figures of one system over the pages of one set, each with its bootstrap interval.

Every figure is made of sums over pages, so that a resample of pages is one product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.page_metrics import COUNTS
from scrapy_boilernet.evaluation.statistics import interval_of, resamples

Array = NDArray[np.float64]
POOLED = ("block", "leaf", "snippet")
"""Kinds whose counts are summed over pages before a score is made of them."""


class Sums:
    """Per metric its sum over pages and the number of pages that have it, in each resample."""

    def __init__(self, rows: Sequence[Mapping[str, float]], weights: Array) -> None:
        names = list(dict.fromkeys(name for row in rows for name in row))
        values = np.array([[row.get(name, np.nan) for name in names] for row in rows])
        has = ~np.isnan(values)
        totals = weights @ np.where(has, values, 0.0)
        pages = weights @ has
        self.total: dict[str, Array] = {n: totals[:, i] for i, n in enumerate(names)}
        self._pages: dict[str, Array] = {n: pages[:, i] for i, n in enumerate(names)}

    def mean(self, name: str) -> Array:
        """Return the metric's mean over the pages that have it, shape (resamples,)."""
        return ratio(self.total[name], self._pages[name])


def ratio(above: Array, below: Array) -> Array:
    """Return ``above / below``, 0 where ``below`` is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def figures(rows: Sequence[Mapping[str, float]]) -> dict[str, dict[str, Any]]:
    """Return per figure its ``value`` and 95 % ``interval``, pages resampled.

    ``rows``: the metrics of each page. Means over the pages that have a metric; ``empty`` is the
    number of pages with gold on which nothing was found; ``block_*``, ``leaf_*`` and
    ``snippet_*`` are scores of pooled counts; ``shingle_f1`` is the harmonic mean of two means.
    """
    here = Sums(rows, np.ones((1, len(rows))))
    drawn = Sums(rows, resamples(len(rows)))
    return {
        name: {"value": float(figure(here)[0]), "interval": interval_of(figure(drawn))}
        for name, figure in _figures_of(here.total).items()
    }


def _figures_of(metrics: Mapping[str, Any]) -> dict[str, Callable[[Sums], Array]]:
    pooled = [kind for kind in POOLED if f"{kind}_hits" in metrics]
    parts = {f"{kind}_{part}" for kind in POOLED for part in COUNTS}
    found: dict[str, Callable[[Sums], Array]] = {}
    for name in metrics:
        if name == "empty":
            found[name] = lambda sums: sums.total["empty"]
        elif name not in parts:
            found[name] = _mean(name)
    if {"shingle_precision", "shingle_recall"} <= set(metrics):
        found["shingle_f1"] = _harmonic("shingle_precision", "shingle_recall")
    for kind in pooled:
        found |= pooled_figures(kind)
    return found


def _mean(name: str) -> Callable[[Sums], Array]:
    return lambda sums: sums.mean(name)


def _harmonic(first: str, second: str) -> Callable[[Sums], Array]:
    def figure(sums: Sums) -> Array:
        a, b = sums.mean(first), sums.mean(second)
        return ratio(2 * a * b, a + b)

    return figure


def pooled_figures(kind: str) -> dict[str, Callable[[Sums], Array]]:
    """Return precision, recall and F1, of both classes for labels, and accuracy, by their names."""
    hits, extra, missed, right = (f"{kind}_{part}" for part in COUNTS)
    accuracy = {f"{kind}_accuracy": _share((hits, right), (hits, extra, missed, right))}
    if kind == "snippet":
        return {**_score(kind, hits, extra, missed), **accuracy}
    return {
        **_score(f"{kind}_content", hits, extra, missed),
        **_score(f"{kind}_boilerplate", right, missed, extra),
        **accuracy,
    }


def _score(name: str, hits: str, extra: str, missed: str) -> dict[str, Callable[[Sums], Array]]:
    return {
        f"{name}_precision": _share((hits,), (hits, extra)),
        f"{name}_recall": _share((hits,), (hits, missed)),
        f"{name}_f1": _share((hits, hits), (hits, hits, extra, missed)),
    }


def _share(above: Sequence[str], below: Sequence[str]) -> Callable[[Sums], Array]:
    def figure(sums: Sums) -> Array:
        return ratio(
            np.sum([sums.total[name] for name in above], axis=0),
            np.sum([sums.total[name] for name in below], axis=0),
        )

    return figure
