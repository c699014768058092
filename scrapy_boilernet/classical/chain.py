"""Linear chains: the probability of each label at each place, and the likeliest labels of all.

A path of labels weighs the sum of its places' scores and of a weight per pair of neighbours; its
probability goes with the exponential of that (Lafferty, McCallum and Pereira, *Conditional Random
Fields*, ICML 2001). Forward-backward and Viterbi are as in Rabiner's tutorial on hidden Markov
models (Proceedings of the IEEE 77, 1989), on logarithms, so that nothing underflows.

``scores`` are float64 of shape (places, labels), ``transitions`` (labels, labels) from the label
of a place to that of the next. A score of -inf rules a label out; each place needs a finite one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def log_marginals(scores: Array, transitions: Array) -> Array:
    """Return the logarithm of each label's probability: (places, labels), -inf if ruled out."""
    scores = _levelled(scores)
    ways = np.stack([transitions, transitions.T])  # of the paths to a place, and of those from it
    both = np.stack([scores, scores[::-1]], axis=1)
    reached = np.zeros_like(both)
    for i in range(1, len(both)):
        before = reached[i - 1] + both[i - 1]
        np.logaddexp.reduce(before[:, :, np.newaxis] + ways, axis=1, out=reached[i])
    masses = reached[:, 0] + scores + reached[::-1, 1]
    return np.asarray(masses - log_sum(masses)[:, np.newaxis])


def marginals(scores: Array, transitions: Array) -> Array:
    """Return the probability of each label: (places, labels), in [0, 1], rows that sum to 1."""
    return np.asarray(np.exp(log_marginals(scores, transitions)))


def best_path(scores: Array, transitions: Array) -> NDArray[np.int64]:
    """Return the labels of the likeliest path, as columns of ``scores``: (places,)."""
    path = np.zeros(len(scores), dtype=np.int64)
    if not len(scores):
        return path
    scores, into = _levelled(scores), np.ascontiguousarray(transitions.T)
    come_from = np.zeros(scores.shape, dtype=np.int64)
    reached = scores[0]
    for i in range(1, len(scores)):
        ways = into + reached
        come_from[i] = ways.argmax(axis=1)
        reached = ways.max(axis=1) + scores[i]
    path[-1] = reached.argmax()
    for i in range(len(scores) - 1, 0, -1):
        path[i - 1] = come_from[i, path[i]]
    return path


def log_sum(values: Array) -> Array:
    """Return the logarithm of the sum of the exponentials of each row: (rows,)."""
    return np.asarray(np.logaddexp.reduce(values, axis=1), dtype=np.float64)


def _levelled(scores: NDArray[Any]) -> Array:
    """The scores less the highest of their place, which changes no probability and keeps sums of
    many places small, hence exact.
    """
    return np.asarray(scores - scores.max(axis=1, keepdims=True), dtype=np.float64)
