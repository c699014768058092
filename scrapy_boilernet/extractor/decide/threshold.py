"""Finds a page's threshold from its probabilities, and the confidence of its labels.

If every probability is true, the expected F-beta of a page is a function of the kept blocks. The
best set to keep is a prefix of the blocks by falling probability: Ye et al., *Optimizing F-measure:
A Tale of Two Approaches*, ICML 2012; Lipton, Elkan and Naryanaswamy, *Optimal Thresholding of
Classifiers to Maximize F1 Measure*, ECML PKDD 2014.

Blocks of a page are right or wrong together, such as all of its comments. So a decision may take
the probabilities as correlated: a Gaussian copula with one factor that all blocks of the page share
(Li, *On Default Correlation: A Copula Function Approach*, Journal of Fixed Income 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, pi, sqrt
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.options import Favor, Units
from scrapy_boilernet.extractor.page import Page

Decision = Literal["fixed", "expected-f", "correlated-f"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
"""How a model decides: by one threshold for all pages, or by a threshold per page, with blocks that
are right or wrong independently, or together."""

_BETAS: dict[Favor, float] = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""How many times recall counts as much as precision; the customary F0.5, F1 and F2."""
_ODDS: dict[Favor, float] = {"precision": 3.0, "balanced": 1.0, "recall": 1 / 3}
"""Factors of a fixed threshold's odds: a step of log(3) on the logit scale, 0.5 to 0.75 or 0.25."""

_CORRELATION = 0.6
"""Of the normal variables behind two blocks of a page, for ``"correlated-f"``. The gain is in
``docs/results/quality/decisions.md``, which ``benchmarks/quality/decisions.py`` writes."""
_FACTORS = (-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0)
"""Values of the factor that all blocks of a page share, weighed by the normal density."""
_FACTOR_WEIGHTS = tuple(exp(-(factor**2) / 2) / sqrt(2 * pi) for factor in _FACTORS)
NORMAL_STEPS = 16
_NORMAL = tuple(step / NORMAL_STEPS for step in range(-8 * NORMAL_STEPS, 8 * NORMAL_STEPS + 1))
_NORMAL_CDF = tuple(erfc(-x / sqrt(2)) / 2 for x in _NORMAL)
"""The normal distribution function at ``_NORMAL``; in between it is interpolated."""
_moves, _factor_weights = sqrt(_CORRELATION) * np.array(_FACTORS), np.array(_FACTOR_WEIGHTS)
_DIVISOR = sqrt(1 - _CORRELATION)
_normal, _normal_cdf = np.array(_NORMAL), np.array(_NORMAL_CDF)
_normal_slopes = np.append(np.diff(_normal_cdf) / np.diff(_normal), 0.0)


def choose_threshold(
    probabilities: NDArray[np.float32],
    words: NDArray[np.float64],
    floor: float,
    favor: Favor,
    decision: Decision = "expected-f",
) -> float:
    """Return the threshold of the best expected F-beta, in [0, 1]: the least probability kept.

    ``words``: the weight of each block, above 0. Blocks below ``floor`` are never kept. If no block
    reaches it, as on a page without content, the floor itself comes back. Blocks of equal
    probability stay together. Of equally good sets the smallest is kept. ``decision``: one of the
    two by expected F-beta.

    >>> choose_threshold(np.float32([0.75, 0.5, 0.125]), np.ones(3), 0.1, "balanced")
    0.5
    """
    p = probabilities.astype(np.float64)
    order = p.argsort(kind="stable")[::-1]
    falling = p[order]
    if not len(falling) or falling[0] < floor:
        return floor
    is_first = np.ones(len(falling), dtype=np.bool_)
    is_first[1:] = falling[1:] != falling[:-1]
    firsts = is_first.nonzero()[0]
    levels = falling[firsts]
    weights = np.add.reduceat(words[order], firsts)
    weight = _BETAS[favor] ** 2
    if decision == "correlated-f":
        behind = np.interp(levels, _normal_cdf, _normal)
        tables = (_moves, _factor_weights, _normal, _normal_cdf, _normal_slopes)
        return float(levels[best_prefix(levels, weights, behind, *tables, floor, weight, _DIVISOR)])
    hits, size, allowed = (weights * levels).cumsum(), weights.cumsum(), levels >= floor
    expected = (1 + weight) * hits[allowed] / (weight * hits[-1] + size[allowed])
    return float(levels[int(np.argmax(expected))])


def _best_prefix(
    levels: NDArray[np.float64],
    weights: NDArray[np.float64],
    behind: NDArray[np.float64],
    moves: NDArray[np.float64],
    shares: NDArray[np.float64],
    normal: NDArray[np.float64],
    normal_cdf: NDArray[np.float64],
    slopes: NDArray[np.float64],
    least: float,
    beta_2: float,
    divisor: float,
) -> int:
    """Return the last index of the prefix of ``levels`` of the best expected F-beta, of those from
    ``least`` on, if all blocks of the page share a factor.

    ``levels``: falling probabilities, ``weights``: of the blocks that have them; ``behind``: the
    normal variables behind them. ``moves``: by how much each value of the factor moves these,
    before they are divided by ``divisor``; ``shares``: the weights of these values. The others: the
    normal distribution function and its slopes.
    """
    values = np.minimum(np.maximum((behind[:, None] + moves) / divisor, normal[0]), normal[-1])
    places = np.floor(values * NORMAL_STEPS).astype(np.intp) + len(normal) // 2
    chances = slopes[places] * (values - normal[places]) + normal_cdf[places]
    hits = (weights[:, None] * chances).cumsum(axis=0)
    size, allowed = weights.cumsum()[:, None], levels >= least
    by_factor = (1 + beta_2) * hits[allowed] / (beta_2 * hits[-1] + size[allowed]) * shares
    return int(np.argmax(by_factor.cumsum(axis=1)[:, -1]))


try:
    from scrapy_boilernet.extractor.features.compiled import best_prefix
except ImportError:  # not compiled
    best_prefix = _best_prefix


def moved_threshold(threshold: float, favor: Favor) -> float:
    """Return a fixed threshold moved by log(3) on the logit scale, in [0, 1]; 0 and 1 stay.

    >>> moved_threshold(0.5, "precision"), moved_threshold(0.5, "recall")
    (0.75, 0.25)
    """
    if favor == "balanced":
        return threshold
    for_content = threshold * _ODDS[favor]
    return for_content / (for_content + (1 - threshold))  # the brackets make it exact at 1


def log_odds(probabilities: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return the finite logits of probabilities in [0, 1], same shape."""
    p = np.minimum(np.maximum(np.asarray(probabilities, dtype=np.float64), 1e-7), 1 - 1e-7)
    return np.asarray(np.log(p / (1 - p)), dtype=np.float64)


def expected_f1(
    probabilities: NDArray[np.float32], words: NDArray[np.float64], threshold: float
) -> float:
    """Return the expected word-F1, in [0, 1], of keeping blocks from ``threshold`` on.

    ``words``: words per block. 0.0 if no content is expected or kept.
    """
    return expected_f1_of(probabilities, words, probabilities.astype(np.float64) >= threshold)


def expected_f1_of(
    probabilities: NDArray[np.float32], words: NDArray[np.float64], kept: NDArray[np.bool_]
) -> float:
    """Return the expected word-F1, in [0, 1], of keeping the blocks that ``kept`` marks.

    It is 2TP / (2TP + FP + FN), if each probability is true; 0.0 if no content is expected or kept.
    """
    p = probabilities.astype(np.float64)
    expected = words * p
    hits = float((expected * kept).sum())
    extra = float((words * (1 - p) * kept).sum())
    missed = float((expected * ~kept).sum())
    total = 2 * hits + extra + missed
    return 2 * hits / total if total else 0.0


class Decider:
    """The decision and the confidence of a labeler, as its model's spec sets them."""

    reason_unit = ""
    """The unit of the weights of its reasons, in words; "" if it gives no reasons."""

    def __init__(
        self,
        name: str,
        units: Units,
        threshold: float,
        decision: Decision = "fixed",
        confidence: Sequence[tuple[float, float]] = ((0.0, 0.0), (1.0, 1.0)),
        judges_comments: bool = False,
    ) -> None:
        """Take these fields of a :class:`~scrapy_boilernet.extractor.labelers.spec.ModelSpec`."""
        self.name = name
        self.units: Units = units
        self._threshold = threshold
        self._decision = decision
        self._confidence = np.array([(0.0, 0.0), *confidence], dtype=np.float64).T.copy()
        self.judges_comments = judges_comments

    def threshold_for(
        self, page: Page, probabilities: NDArray[np.float32], favor: Favor = "balanced"
    ) -> float:
        """Return the probability from which the page's blocks are content, in [0, 1].

        It is the model's one threshold for all pages, or a threshold of the page's own, which is at
        least the model's floor.
        """
        if self._decision == "fixed":
            return moved_threshold(self._threshold, favor)
        return choose_threshold(probabilities, page.words, self._threshold, favor, self._decision)

    def confidence(
        self, page: Page, probabilities: NDArray[np.float32], kept: NDArray[np.bool_]
    ) -> float:
        """Return the calibrated expected word-F1 of keeping the blocks that ``kept`` marks, in
        [0, 1]; 0.0 if it marks none.
        """
        if not kept.any():
            return 0.0
        raw = expected_f1_of(probabilities, page.words, kept)
        return min(max(float(np.interp(raw, *self._confidence)), 0.0), 1.0)
