"""Platt's sigmoid: what a machine's decision values mean as log-odds.

Platt, *Probabilistic Outputs for Support Vector Machines* (1999), as corrected by Lin, Lin and Weng
(2007).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression


def platt(values: NDArray[np.float64], labels: NDArray[np.bool_]) -> tuple[float, float]:
    """Return slope and offset of the log-odds that decision values mean: Platt's sigmoid.

    A logistic regression on Platt's targets, (n + 1) / (n + 2) and 1 / (n + 2), which keep the
    slope finite where the values part the classes.
    """
    kept, dropped = int(labels.sum()), int((~labels).sum())
    target = np.where(labels, (kept + 1) / (kept + 2), 1 / (dropped + 2))
    regression = LogisticRegression(C=1e9, solver="newton-cholesky")
    regression.fit(
        np.concatenate([values, values])[:, np.newaxis],
        np.repeat([True, False], len(values)),
        sample_weight=np.concatenate([target, 1 - target]),
    )
    return float(regression.coef_[0, 0]), float(regression.intercept_[0])
