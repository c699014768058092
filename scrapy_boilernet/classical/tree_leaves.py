"""The leaves of a block tree as columns of numbers, with names that a person can read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.block_tree import BlockTree
from scrapy_boilernet.columns import Columns
from scrapy_boilernet.feature_numbers import GROUPS, block_numbers, clipped_tokens

Column = NDArray[np.float64]

_NUMBERS: Mapping[str, Mapping[str, float]] = {
    "text": {
        "words": -4,
        "characters": -6,
        "link density": 1,
        "punctuation per word": 4,
        "sentence ends per word": 4,
        "ends as a sentence": 1,
        "share of digits": 1,
        "capitalized words": 1,
        "characters per word": 0.1,
        "text is repeated": 1,
        "hidden": 1,
        "in noscript": 1,
        "begins in lower case": 1,
        "has a date or time": 1,
        "has a layout symbol": 1,
        "has an address": 1,
        "words shared with the title": 1,
    },
    "claims": {
        "words in the description": 1,
        "text in the JSON-LD body": 1,
        "page has a JSON-LD body": 1,
    },
    "place": {
        "place in the page": 1,
        "leaves from the start": 1 / 50,
        "leaves to the end": 1 / 50,
        "words of the page before": 1,
        "depth in elements": 1 / 20,
        "link density of the page": 1,
        "prose of the page": 1,
        "words of the page": -8,
    },
    "tree": {
        **{
            f"{what}, subtree {level}": scale
            for level in range(1, 6)
            for what, scale in {
                "share of the page's words": 1.0,
                "link density": 1.0,
                "words per leaf": -4.0,
                "leaves": -6.0,
            }.items()
        },
        "page's words under the same tags": 1,
        "link density under the same tags": 1,
        "words per leaf under the same tags": -4,
    },
    "kin": {
        "page's words in its kind": 1,
        "link density of its kind": 1,
        "leaves of its kind": -6,
        "page's leaves in its kind": 1,
        "words per leaf of its kind": -4,
    },
    "headings": {
        "leaves since a heading": 1 / 20,
        "level of the heading above": 1 / 6,
        "after the first h1": 1,
        "distance to the first h1": 1 / 50,
    },
}
"""Per group of :data:`scrapy_boilernet.feature_numbers.GROUPS` the names of its columns, and what
undoes their scale: a factor, or of a logarithm its divisor, negated. A kind is leaves of the same
tags and classes; subtree 1 is the innermost with more than the leaf."""


class Leaves:
    """What all groups of features read of a page's leaves."""

    def __init__(self, tree: BlockTree) -> None:
        self.tree = tree
        self.columns = Columns.of(tree.leaves)
        tokens = list(map(clipped_tokens, self.columns.texts))
        self._numbers = block_numbers(tree.leaves, self.columns, tokens).astype(np.float64)
        self.joined: Column = np.bincount(tree.leaf_of, minlength=len(tokens)).astype(np.float64)
        """Blocks per leaf: (leaves,), as the next two."""
        of_text = self.named("text")
        self.words = of_text["words"]
        self.link_words = self.words * of_text["link density"]

    def named(self, group: str) -> dict[str, Column]:
        """Return the numbers of a group of the hashed featuriser by name, each (leaves,)."""
        part = self._numbers[:, GROUPS[group]]
        return {
            name: column / scale if scale > 0 else np.round(np.expm1(-scale * column), 3)
            for (name, scale), column in zip(_NUMBERS[group].items(), part.T, strict=True)
        }

    def of_text(self) -> dict[str, Column]:
        """Return what is known of each text: "text" and "claims"."""
        return self.named("text") | self.named("claims")
