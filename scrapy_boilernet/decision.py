"""From a page's probabilities to its threshold: the one of the best expected F-beta.

If every probability is true, the expected F-beta of a page is a function of what is kept, and the
best set to keep is a prefix of the blocks sorted by probability: Ye et al., *Optimizing F-measure:
A Tale of Two Approaches*, ICML 2012; Lipton, Elkan and Naryanaswamy, *Optimal Thresholding of
Classifiers to Maximize F1 Measure*, ECML PKDD 2014. Numbers only; nothing here knows a page.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.choices import Favor

_BETAS: dict[Favor, float] = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""How many times recall counts as much as precision; the customary F0.5, F1 and F2."""
_ODDS: dict[Favor, float] = {"precision": 3.0, "balanced": 1.0, "recall": 1 / 3}
"""Factors of a fixed threshold's odds: a step of log(3) on the logit scale, 0.5 to 0.75 or 0.25."""


def choose_threshold(
    probabilities: NDArray[np.float32], words: NDArray[np.float64], floor: float, favor: Favor
) -> float:
    """Return the threshold of the best expected F-beta, in [0, 1]: the least probability kept.

    ``words``: what each block weighs, above 0. Blocks below ``floor`` are never kept: where none
    reaches it, such as on a page without content, the floor itself comes back, which is above
    every probability. Blocks of equal probability stay together; of equally good sets the
    smallest is kept.

    >>> choose_threshold(np.float32([0.75, 0.5, 0.125]), np.ones(3), 0.1, "balanced")
    0.5
    """
    p = probabilities.astype(np.float64)
    if not (p >= floor).any():
        return floor
    levels, owners = np.unique(p, return_inverse=True)
    hits = np.bincount(owners, words * p)[::-1].cumsum()
    size = np.bincount(owners, words)[::-1].cumsum()
    weight = _BETAS[favor] ** 2
    expected = (1 + weight) * hits / (weight * hits[-1] + size)
    allowed = int((levels >= floor).sum())
    best = int(np.argmax(expected[:allowed]))
    return float(levels[::-1][best])


def moved_threshold(threshold: float, favor: Favor) -> float:
    """Return a fixed threshold moved by log(3) on the logit scale, in [0, 1]; 0 and 1 stay.

    >>> moved_threshold(0.5, "precision"), moved_threshold(0.5, "recall")
    (0.75, 0.25)
    """
    if favor == "balanced":
        return threshold
    for_content = threshold * _ODDS[favor]
    return for_content / (for_content + (1 - threshold))  # bracketed: exact at 1
