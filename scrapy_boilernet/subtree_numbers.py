"""Numbers of the subtrees that a block stands in, and of its kind of path."""

from __future__ import annotations

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.columns import Columns

_TREE_ANCESTORS = 5
_SUBTREE = 4
_DENSE = 4
"""Up to this many elements per path step it is quicker to leave gaps than to sort."""
TREE_NUMBERS = _SUBTREE * _TREE_ANCESTORS + 3

Column = NDArray[np.float64]


def tree_numbers(columns: Columns, words: Column, link_words: Column) -> NDArray[np.float64]:
    """Shape (n, TREE_NUMBERS): the subtrees that the block stands in, and its kind of path.

    ``words``: words per block; ``link_words``: those in links. Both of shape (n,).
    """
    kind = columns.tags.places
    kind_words, kind_links = np.bincount(kind, words), np.bincount(kind, link_words)
    page_words = max(words.sum(), 1.0)
    of_kinds = (
        kind_words / page_words,
        kind_links / np.maximum(kind_words, 1.0),
        np.log1p(kind_words / np.maximum(np.bincount(kind), 1)) / 4,
    )
    of_kind = np.stack(of_kinds, axis=1)[kind]
    return np.concatenate(
        [_subtree_numbers(columns, words, link_words, page_words), of_kind], axis=1
    )


def _subtree_numbers(
    columns: Columns, words: Column, link_words: Column, page_words: float
) -> NDArray[np.float64]:
    """Word share, link share, words per block and blocks of the 5 nearest distinct subtrees.

    Ancestors that add no block to the one below are passed over: a wrapper changes nothing. Where
    there are fewer, the last is repeated.
    """
    n = len(columns.nodes)
    depths = np.fromiter(map(len, columns.nodes), dtype=np.int64, count=n)
    # Every block with each of its ancestors, outermost first.
    owner = np.repeat(np.arange(n), depths)
    subtree = _numbered(np.array(list(chain.from_iterable(columns.nodes)), dtype=np.int64))
    number = np.bincount(subtree).astype(np.float64)
    subtree_words = np.bincount(subtree, words[owner])
    of_subtrees = (
        subtree_words / page_words,
        np.bincount(subtree, link_words[owner]) / np.maximum(subtree_words, 1.0),
        np.log1p(subtree_words / np.maximum(number, 1)) / 4,
        np.log1p(number) / 6,
    )
    of_subtree = np.stack(of_subtrees, axis=1)
    # Outwards: an ancestor is another subtree if it has more blocks than the one below it.
    owner, subtree = owner[::-1], subtree[::-1]
    grows = np.ones(len(owner), dtype=np.bool_)
    grows[1:] = (number[subtree[1:]] != number[subtree[:-1]]) | (owner[1:] != owner[:-1])
    owner, subtree = owner[grows], subtree[grows]
    subtrees = np.bincount(owner, minlength=n)
    first = np.cumsum(subtrees[::-1])[::-1] - subtrees  # owners fall
    rows = np.zeros((n, _TREE_ANCESTORS, _SUBTREE))
    has = subtrees > 0
    steps = np.minimum(np.arange(_TREE_ANCESTORS), subtrees[has, None] - 1)
    rows[has] = of_subtree[subtree[first[has, None] + steps]]
    return rows.reshape(n, _TREE_ANCESTORS * _SUBTREE)


def _numbered(nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The nodes by numbers that are not much more than they are, in the same order."""
    if not len(nodes) or nodes.max() < _DENSE * len(nodes):
        return nodes
    return np.unique(nodes, return_inverse=True)[1].reshape(-1)
