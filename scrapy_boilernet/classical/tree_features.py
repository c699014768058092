"""Page → numbers per leaf of its block tree: ONE featuriser for training and serving.

Three groups, after Skim Technologies' extractor: what a leaf's text is like (``"shallow"``), where
it stands in the tree and what is around it there (``"structural"``), and what comes before and
after it (``"neighbours"``). None of them reads a word of a language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.block_tree import BlockTree
from scrapy_boilernet.classical.tree_leaves import Column, Leaves
from scrapy_boilernet.classical.tree_neighbours import neighbour_features
from scrapy_boilernet.classical.tree_structure import structural_features
from scrapy_boilernet.page import Page

TREE_FEATURIZER_VERSION = 1


@dataclass(frozen=True)
class TreeFeatures:
    """The numbers of a page's leaves."""

    names: tuple[str, ...]
    """Per column what a person calls it; all different, the same for every page."""
    values: NDArray[np.float32]
    """(leaves, columns), finite; counts, shares in [0, 1], or distances."""
    leaf_of: NDArray[np.int64]
    """Per block of the page its leaf: (blocks,)."""


def tree_features(page: Page, groups: Sequence[str] = ()) -> TreeFeatures:
    """Return the numbers of the groups, all of :data:`GROUPS` by default, in that order.

    Raises ``ValueError`` for a group that there is not.
    """
    unknown = [group for group in groups if group not in GROUPS]
    if unknown:
        raise ValueError(f"feature group {unknown[0]!r}: must be one of {', '.join(GROUPS)}")
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
    """Return what a leaf's text is like, whatever is around it; (leaves,) per name."""
    told = leaves.of_text()
    return told | {
        "words outside links": leaves.words - leaves.link_words,
        "punctuation marks": told["punctuation per word"] * leaves.words,
        "sentence ends": told["sentence ends per word"] * leaves.words,
        "blocks joined": leaves.joined,
    }


GROUPS: Mapping[str, Callable[[Leaves], Mapping[str, Column]]] = {
    "shallow": shallow_features,
    "structural": structural_features,
    "neighbours": neighbour_features,
}
"""Per group of features what reads it."""
