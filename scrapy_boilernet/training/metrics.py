"""Quality of labels and of text, exactly as the field's papers and benchmarks define it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.tokens import tokens


@dataclass(frozen=True)
class Score:
    """Precision, recall and F1, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def word_score(text: str, gold: str) -> Score:
    """Return the bag-of-words score of one page: multiset overlap of lower-case tokens.

    WCXB's metric, with CJK and Thai by character. Empty gold: 1 if ``text`` is empty too, else 0.

    >>> word_score("a b b", "a b c").f1.__round__(3)
    0.667
    """
    found, wanted = Counter(tokens(text)), Counter(tokens(gold))
    if not wanted or not found:
        same = float(not wanted and not found)
        return Score(same, same, same)
    hits = (found & wanted).total()
    return _score(hits, found.total() - hits, wanted.total() - hits)


def label_scores(labels: NDArray[np.bool_], gold: NDArray[np.bool_]) -> tuple[Score, Score]:
    """Return the (content, boilerplate) scores of pooled labels, the paper's metric."""
    both = int((labels & gold).sum())
    neither = int((~labels & ~gold).sum())
    extra = int((labels & ~gold).sum())
    missed = int((~labels & gold).sum())
    return _score(both, extra, missed), _score(neither, missed, extra)


def _score(hits: float, extra: float, missed: float) -> Score:
    precision = hits / (hits + extra) if hits + extra else 0.0
    recall = hits / (hits + missed) if hits + missed else 0.0
    f1 = 2 * hits / (2 * hits + extra + missed) if hits + extra + missed else 0.0
    return Score(precision, recall, f1)


def bootstrap_interval(
    values: Sequence[float], draws: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of the mean of per-page ``values``.

    Give differences between two systems on the same pages for a paired interval.
    """
    sample = np.asarray(values, dtype=np.float64)
    if not len(sample):
        return (0.0, 0.0)
    picks = np.random.default_rng(seed).integers(0, len(sample), size=(draws, len(sample)))
    low, high = np.quantile(sample[picks].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


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
