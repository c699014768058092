"""How likely several blocks are together, beside what decides on single ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from operator import mul

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.page import Page

BETWEEN, BESIDE = 3.0, 1.2
"""By how much the mean log-odds of a structure's blocks may be below the middle between those of
the threshold and of the most likely block below it. The first holds between two kept texts, for a
question and for a part of a recipe; the second behind one, before one if it is a heading or code,
or beside one if some of it is kept. Chosen by folds of the training sets."""


def middle_odds(probabilities: NDArray[np.float32], threshold: float) -> float | None:
    """Return the middle between the log-odds of the threshold and of the most likely block below
    it; None if there is none below.
    """
    below = probabilities[probabilities < threshold]
    return (_log_odds(threshold) + _log_odds(float(below.max()))) / 2 if len(below) else None


def are_likely(
    page: Page, places: Sequence[int], probabilities: NDArray[np.float32], least: float
) -> bool:
    """Return whether the mean log-odds of the blocks at these places, weighted by their characters,
    are above ``least``.
    """
    texts = page.texts
    chars = [len(texts[i]) for i in places]
    odds = map(_log_odds, probabilities[[*places]].tolist())
    return bool(sum(map(mul, chars, odds)) > least * sum(chars))


def _log_odds(probability: float) -> float:
    """Return the finite logit of a probability."""
    inside = min(max(probability, 1e-7), 1 - 1e-7)
    return log(inside / (1 - inside))
