"""The harmonic solution on a graph: a label that is everywhere the mean of its neighbours' labels.

Zhu, Ghahramani and Lafferty, *Semi-Supervised Learning Using Gaussian Fields and Harmonic
Functions*, ICML 2003: f_u = (D_uu - W_uu)^-1 W_ul f_l. The functions take arrays, not pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import cg, splu

Sparse = Any
"""A square, symmetric ``scipy.sparse.csr_array`` of float64 from 0 up; SciPy has no types."""
Values = NDArray[np.float64]
Marks = NDArray[np.bool_]
Places = NDArray[np.int64]

_MAX_DIRECT = 2000
"""Up to so many unknowns the equations are solved by elimination, beyond by conjugate gradients."""
_TOLERANCE = 1e-8
_MAX_STEPS = 2000
_ROWS_AT_ONCE = 64
_NEAR_STEPS = 4
"""The number of edges over which the sources of many unknown labels are traced."""


def spread(
    weights: Sparse, labels: Values, known: Marks, prior: float, share: float | None = None
) -> Values:
    """Return the label of every node, float64 of shape (nodes,).

    ``labels`` are in [0, 1]. They are read where ``known``, and stay as they are. The other nodes
    get labels within the range of the known ones, or ``prior`` in parts of the graph without a
    known label. If ``share`` is given, the new labels go through :func:`class_mass`.
    """
    solution = np.full(len(labels), prior, dtype=np.float64)
    solution[known] = labels[known]
    free = np.flatnonzero(~known & _reached(weights, known))
    if len(free):
        given = labels[known]
        right = weights[free] @ np.where(known, labels, 0.0)
        solved = _solved(_system(weights, free), right, float(given.mean()))
        solution[free] = np.clip(solved, given.min(), given.max())  # rounding may leave the range
    return solution if share is None else class_mass(solution, ~known, share)


def class_mass(labels: Values, free: Marks, share: float) -> Values:
    """Return the labels, those of ``free`` nodes weighed so that 1 has ``share`` of their mass.

    This is Zhu's class mass normalization: for a label f and the share q, q f / sum(f) is compared
    with (1 - q) (1 - f) / sum(1 - f). Labels stay in [0, 1]. If either class has no mass, they are
    returned unchanged.
    """
    ones, zeros = labels[free].sum(), (1 - labels[free]).sum()
    if not ones or not zeros or not 0 < share < 1:
        return labels
    content, boilerplate = share * labels / ones, (1 - share) * (1 - labels) / zeros
    return np.where(free, content / (content + boilerplate), labels)


def strongest_sources(weights: Sparse, known: Marks, most: int) -> tuple[Places, Values]:
    """Return for each node the labeled nodes that contribute most to its label, and their shares.

    Both arrays have shape (nodes, ``most``), the greatest share first. Shares are in [0, 1]; those
    of a node add up to 1 at most, and are 0 where there are fewer sources. A labeled node is its
    own only source. If more than 2,000 labels are unknown, only contributions over at most 4 edges
    count, so the shares are too small.
    """
    nodes = len(known)
    sources, shares = np.zeros((nodes, most), dtype=np.int64), np.zeros((nodes, most))
    given = np.flatnonzero(known)
    sources[given, 0], shares[given, 0] = given, 1.0
    free = np.flatnonzero(~known & _reached(weights, known))
    if len(free):
        shares_of = _exact_shares if len(free) <= _MAX_DIRECT else _nearby_shares
        for node, row in zip(free.tolist(), shares_of(weights, free, given), strict=True):
            best = np.argsort(-row, kind="stable")[:most]
            sources[node, : len(best)], shares[node, : len(best)] = given[best], row[best]
    return sources, shares


def _exact_shares(weights: Sparse, free: Places, given: Places) -> Iterator[Values]:
    """Yield for each free node the share of its label that each labeled node gives: (given,)."""
    solver = splu(_system(weights, free).tocsc())
    # A row of (D - W)^-1 W_ul is a column of W_lu (D - W)^-1: both are symmetric.
    to_given = weights[free][:, given]
    for start in range(0, len(free), _ROWS_AT_ONCE):
        unit = np.zeros((len(free), min(_ROWS_AT_ONCE, len(free) - start)))
        unit[start + np.arange(unit.shape[1]), np.arange(unit.shape[1])] = 1.0
        yield from np.clip((to_given.T @ solver.solve(unit)).T, 0.0, 1.0)


def _nearby_shares(weights: Sparse, free: Places, given: Places) -> Iterator[Values]:
    """Yield the same, but only of contributions over at most :data:`_NEAR_STEPS` edges."""
    of_free = weights[free]
    moves = sparse.diags_array(1 / of_free.sum(axis=1)) @ of_free
    between, shares = moves[:, free].tocsr(), moves[:, given].tocsr()
    direct = shares
    for _ in range(_NEAR_STEPS - 1):
        shares = between @ shares + direct
    for start in range(0, len(free), _ROWS_AT_ONCE):
        yield from np.clip(shares[start : start + _ROWS_AT_ONCE].toarray(), 0.0, 1.0)


def _reached(weights: Sparse, known: Marks) -> Marks:
    """Whether each node is in a part of the graph that has a label."""
    count, part = csgraph.connected_components(weights, directed=False)
    has_label = np.zeros(count, dtype=np.bool_)
    has_label[part[known]] = True
    return np.asarray(has_label[part], dtype=np.bool_)


def _system(weights: Sparse, free: Places) -> Sparse:
    """D_uu - W_uu."""
    of_free = weights[free]
    degrees = np.asarray(of_free.sum(axis=1)).ravel()
    return sparse.csr_array(sparse.diags_array(degrees) - of_free[:, free])


def _solved(system: Sparse, right: Values, start: float) -> Values:
    if len(right) <= _MAX_DIRECT:
        return np.asarray(splu(system.tocsc()).solve(right))
    scale = sparse.diags_array(1 / system.diagonal())
    first = np.full(len(right), start)
    solved, _ = cg(system, right, x0=first, rtol=_TOLERANCE, maxiter=_MAX_STEPS, M=scale)
    return np.asarray(solved)
