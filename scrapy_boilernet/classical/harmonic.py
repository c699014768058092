"""The harmonic solution on a graph: a label that is everywhere the mean of its neighbours' labels.

Zhu, Ghahramani and Lafferty, *Semi-Supervised Learning Using Gaussian Fields and Harmonic
Functions*, ICML 2003: f_u = (D_uu - W_uu)^-1 W_ul f_l. Numbers only; nothing here knows a page.
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
"""A square ``scipy.sparse.csr_array`` of float64, symmetric and not below 0; SciPy has no types."""
Values = NDArray[np.float64]
Marks = NDArray[np.bool_]
Places = NDArray[np.int64]

_MAX_DIRECT = 2000
"""Unknowns up to which the equations are solved by elimination; more go by conjugate gradients."""
_TOLERANCE = 1e-8
_MAX_STEPS = 2000
_ROWS_AT_ONCE = 64
_NEAR_STEPS = 4


def spread(
    weights: Sparse, labels: Values, known: Marks, prior: float, share: float | None = None
) -> Values:
    """Return the label of every node, float64 of shape (nodes,).

    ``labels``: in [0, 1], read where ``known``, and kept there. Elsewhere within the labels' range;
    in parts of the graph without any label ``prior``. With ``share`` the new labels go through
    :func:`class_mass`.
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

    Zhu's class mass normalization: a label f is compared as q f / sum(f) with (1 - q) (1 - f) /
    sum(1 - f); in [0, 1]. Unchanged where either class has no mass.
    """
    ones, zeros = labels[free].sum(), (1 - labels[free]).sum()
    if not ones or not zeros or not 0 < share < 1:
        return labels
    content, boilerplate = share * labels / ones, (1 - share) * (1 - labels) / zeros
    return np.where(free, content / (content + boilerplate), labels)


def strongest_sources(weights: Sparse, known: Marks, most: int) -> tuple[Places, Values]:
    """Return per node the labeled nodes that most of its label comes from, and their shares.

    Both (nodes, ``most``), the greatest first. A share is in [0, 1], and a node's add up to 1 at
    most; 0 where there are fewer sources. A labeled node has itself alone. With very many unknown
    labels only what comes over a few edges is seen: then shares are less than they are.
    """
    nodes = len(known)
    sources, shares = np.zeros((nodes, most), dtype=np.int64), np.zeros((nodes, most))
    given = np.flatnonzero(known)
    sources[given, 0], shares[given, 0] = given, 1.0
    free = np.flatnonzero(~known & _reached(weights, known))
    if len(free):
        told = (_told_exactly if len(free) <= _MAX_DIRECT else _told_nearby)(weights, free, given)
        for node, row in zip(free.tolist(), told, strict=True):
            best = np.argsort(-row, kind="stable")[:most]
            sources[node, : len(best)], shares[node, : len(best)] = given[best], row[best]
    return sources, shares


def _told_exactly(weights: Sparse, free: Places, given: Places) -> Iterator[Values]:
    """Yield per free node the share of its label that each labeled node gives: (given,)."""
    solver = splu(_system(weights, free).tocsc())
    # A row of (D - W)^-1 W_ul is a column of W_lu (D - W)^-1: both are symmetric.
    to_given = weights[free][:, given]
    for start in range(0, len(free), _ROWS_AT_ONCE):
        unit = np.zeros((len(free), min(_ROWS_AT_ONCE, len(free) - start)))
        unit[start + np.arange(unit.shape[1]), np.arange(unit.shape[1])] = 1.0
        yield from np.clip((to_given.T @ solver.solve(unit)).T, 0.0, 1.0)


def _told_nearby(weights: Sparse, free: Places, given: Places) -> Iterator[Values]:
    """The same, of what comes over :data:`_NEAR_STEPS` edges at most."""
    mine = weights[free]
    moves = sparse.diags_array(1 / mine.sum(axis=1)) @ mine
    between, told = moves[:, free].tocsr(), moves[:, given].tocsr()
    at_once = told
    for _ in range(_NEAR_STEPS - 1):
        told = between @ told + at_once
    for start in range(0, len(free), _ROWS_AT_ONCE):
        yield from np.clip(told[start : start + _ROWS_AT_ONCE].toarray(), 0.0, 1.0)


def _reached(weights: Sparse, known: Marks) -> Marks:
    """Which nodes are in a part of the graph that has a label."""
    count, part = csgraph.connected_components(weights, directed=False)
    has = np.zeros(count, dtype=np.bool_)
    has[part[known]] = True
    return np.asarray(has[part], dtype=np.bool_)


def _system(weights: Sparse, free: Places) -> Sparse:
    """D_uu - W_uu."""
    mine = weights[free]
    degrees = np.asarray(mine.sum(axis=1)).ravel()
    return sparse.csr_array(sparse.diags_array(degrees) - mine[:, free])


def _solved(system: Sparse, right: Values, start: float) -> Values:
    if len(right) <= _MAX_DIRECT:
        return np.asarray(splu(system.tocsc()).solve(right))
    scale = sparse.diags_array(1 / system.diagonal())
    first = np.full(len(right), start)
    solved, _ = cg(system, right, x0=first, rtol=_TOLERANCE, maxiter=_MAX_STEPS, M=scale)
    return np.asarray(solved)
