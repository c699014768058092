"""The features of ``gbdt``: numbers per leaf of a page's block tree, for training and labeling.

There are three groups, after Skim Technologies' extractor: the leaf's text (``"shallow"``), its
place and surroundings in the tree (``"structural"``), and the leaves before and after it
(``"neighbours"``). No feature depends on the words of a language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.numbers import NUMBERS_VERSION, Column
from scrapy_boilernet.extractor.labelers.gbdt.block_tree import BlockTree
from scrapy_boilernet.extractor.labelers.gbdt.tree_leaves import (
    Leaves,
    prose_words,
    structural_features,
)
from scrapy_boilernet.extractor.page import Page

_STEPS = (-1, 1, -2, 2, -3, 3)
_WINDOWS = (3, 8)
_FAR_LEAVES = 50.0
_LONG_WORDS = 25.0


def neighbour_features(leaves: Leaves) -> Mapping[str, Column]:
    """Return the features of the leaves before and after each leaf: (leaves,) per name."""
    return {
        **leaves.named("headings"),
        **_next_features(leaves),
        **_window_features(leaves),
        **_distance_features(leaves),
    }


def _next_features(leaves: Leaves) -> Mapping[str, Column]:
    """Words, link density and branch of the leaves up to three places away."""
    text = leaves.named("text")
    density, ends = text["link density"], text["ends as a sentence"]
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
            columns[f"ends as a sentence, {which}"] = _shifted(ends, step, -1.0)
    return columns


def _shifted(column: Column, step: int, missing: float) -> Column:
    """The values of the leaf ``step`` places on; ``missing`` where there is none."""
    shifted = np.full(len(column), missing)
    if abs(step) < len(column):
        if step > 0:
            shifted[:-step] = column[step:]
        else:
            shifted[-step:] = column[:step]
    return shifted


def _window_features(leaves: Leaves) -> Mapping[str, Column]:
    """Words, link density and prose of some leaves on either side, without the leaf itself."""
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
    """Leaves up to the largest text and the nearest long texts, and prose on both sides."""
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
    """Per leaf the number of leaves since the last marked one before it, at most 50."""
    places = np.arange(len(marked))
    last = np.maximum.accumulate(np.where(marked, places, -_FAR_LEAVES)) if len(marked) else places
    before = np.concatenate([[-_FAR_LEAVES], last[:-1]]) if len(marked) else last
    return np.minimum(places - before, _FAR_LEAVES)


TREE_FEATURIZER = {"kind": "block-tree", "version": 1, "numbers": NUMBERS_VERSION}
"""What a model says that reads these features. Raise the version whenever the same page would give
other features, unless the block numbers changed: these have their own."""


@dataclass(frozen=True)
class TreeFeatures:
    """The numbers of a page's leaves."""

    names: tuple[str, ...]
    """The readable, unique name of each column, the same for every page."""
    values: NDArray[np.float32]
    """Counts, shares in [0, 1], or distances, finite: (leaves, columns)."""
    leaf_of: NDArray[np.int64]
    """The leaf of each block of the page: (blocks,)."""


def tree_features(page: Page, groups: Sequence[str] = ()) -> TreeFeatures:
    """Return the numbers of the groups, all of :data:`GROUPS` by default, in that order."""
    leaves = Leaves(BlockTree.of(page))
    columns: dict[str, Column] = {}
    for group, features in GROUPS.items():
        if group in groups or not groups:
            columns |= features(leaves)
    values = np.stack([column.astype(np.float32) for column in columns.values()], axis=1)
    return TreeFeatures(tuple(columns), values, leaves.tree.leaf_of)


@lru_cache(maxsize=8)
def feature_names(groups: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names of :func:`tree_features`' columns."""
    return tree_features(Page(None, "", (), ""), groups).names


def shallow_features(leaves: Leaves) -> Mapping[str, Column]:
    """Return the features of each leaf's own text: (leaves,) per name."""
    text = leaves.named("text") | leaves.named("claims")
    return text | {
        "words outside links": leaves.words - leaves.link_words,
        "punctuation marks": text["punctuation per word"] * leaves.words,
        "sentence ends": text["sentence ends per word"] * leaves.words,
        "blocks joined": leaves.joined,
    }


GROUPS: Mapping[str, Callable[[Leaves], Mapping[str, Column]]] = {
    "shallow": shallow_features,
    "structural": structural_features,
    "neighbours": neighbour_features,
}
"""The function that computes each group of features."""
