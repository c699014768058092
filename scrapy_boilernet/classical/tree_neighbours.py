"""What comes before and after a leaf in the page."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.tree_leaves import Column, Leaves
from scrapy_boilernet.classical.tree_structure import prose_words

_STEPS = (-1, 1, -2, 2, -3, 3)
_WINDOWS = (3, 8)
_FAR_LEAVES = 50.0
_LONG_WORDS = 25.0


def neighbour_features(leaves: Leaves) -> Mapping[str, Column]:
    """Return what comes before and after the leaves; (leaves,) per name."""
    return {
        **leaves.named("headings"),
        **_next_features(leaves),
        **_window_features(leaves),
        **_distance_features(leaves),
    }


def _next_features(leaves: Leaves) -> Mapping[str, Column]:
    """Of the leaves up to three places away: words, link density, whether they are of a branch."""
    told = leaves.named("text")
    density, stops = told["link density"], told["ends as a sentence"]
    parents = leaves.tree.parents[leaves.tree.branches :].astype(np.float64)
    kinds = leaves.columns.tags.places.astype(np.float64)
    columns: dict[str, Column] = {}
    for step in _STEPS:
        which = f"{abs(step)} {'before' if step < 0 else 'after'}"
        columns[f"words, {which}"] = _shifted(leaves.words, step, 0.0)
        columns[f"link density, {which}"] = _shifted(density, step, -1.0)
        columns[f"in the same branch, {which}"] = _shifted(parents, step, -1.0) == parents
        if abs(step) == 1:
            columns[f"under the same tags, {which}"] = _shifted(kinds, step, -1.0) == kinds
            columns[f"ends as a sentence, {which}"] = _shifted(stops, step, -1.0)
    return columns


def _shifted(column: Column, step: int, missing: float) -> Column:
    """The column of the leaf ``step`` places on; ``missing`` off the page."""
    shifted = np.full(len(column), missing)
    if abs(step) < len(column):
        if step > 0:
            shifted[:-step] = column[step:]
        else:
            shifted[-step:] = column[:step]
    return shifted


def _window_features(leaves: Leaves) -> Mapping[str, Column]:
    """Words per leaf and link density of some leaves on both sides, without its own."""
    columns: dict[str, Column] = {}
    for size in _WINDOWS:
        for side, name in ((-1, "before"), (1, "after")):
            words = _window_sums(leaves.words, size, side)
            links = _window_sums(leaves.link_words, size, side)
            prose = _window_sums(prose_words(leaves), size, side)
            columns[f"words of {size} leaves {name}"] = words
            columns[f"link density of {size} leaves {name}"] = links / np.maximum(words, 1)
            columns[f"prose of {size} leaves {name}"] = prose / np.maximum(words, 1)
    return columns


def _window_sums(column: Column, size: int, side: int) -> Column:
    n = len(column)
    sums = np.concatenate([[0.0], np.cumsum(column)])
    places = np.arange(n)
    first = places + 1 if side > 0 else np.maximum(places - size, 0)
    last = np.minimum(places + 1 + size, n) if side > 0 else places
    return np.asarray(sums[last] - sums[np.minimum(first, n)])


def _distance_features(leaves: Leaves) -> Mapping[str, Column]:
    """Leaves to the largest text and to the next long texts, prose on both sides."""
    prose = prose_words(leaves)
    n, total = len(prose), max(float(prose.sum()), 1.0)
    places = np.arange(n)
    largest = int(prose.argmax()) if n else 0
    long = prose >= _LONG_WORDS
    before = np.cumsum(prose) - prose
    return {
        "distance to the largest text": np.clip(places - largest, -_FAR_LEAVES, _FAR_LEAVES).astype(
            np.float64
        ),
        "words against the largest text": leaves.words / max(float(prose.max(initial=0.0)), 1.0),
        "leaves since a long text": _since(long),
        "leaves to a long text": _since(long[::-1])[::-1],
        "page's prose before": before / total,
        "page's prose after": (total - before - prose) / total,
    }


def _since(marked: NDArray[np.bool_]) -> Column:
    """Leaves since the last one marked before each, at most 50."""
    places = np.arange(len(marked))
    last = np.maximum.accumulate(np.where(marked, places, -_FAR_LEAVES)) if len(marked) else places
    before = np.concatenate([[-_FAR_LEAVES], last[:-1]]) if len(marked) else last
    return np.minimum(places - before, _FAR_LEAVES)
