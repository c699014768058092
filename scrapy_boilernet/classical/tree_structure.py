"""Where a leaf stands in the block tree: kinds of ancestors, siblings, the main branch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.block_tree import BlockTree
from scrapy_boilernet.classical.tree_leaves import Column, Leaves
from scrapy_boilernet.classical.tree_names import CLASS_KINDS, TAG_KINDS, class_bits, tag_bits

FAR = 20.0
"""Levels up to what is not above a leaf at all."""
_MIN_PROSE_WORDS = 10.0
_GRANDCHILD = 0.5
"""What a branch gets of the text that its children hold: Readability's rule."""


def structural_features(leaves: Leaves) -> Mapping[str, Column]:
    """Return where the leaves stand in the tree; (leaves,) per name."""
    groups: tuple[Callable[[Leaves], Mapping[str, Column]], ...] = (
        lambda leaves: leaves.named("place"),
        lambda leaves: leaves.named("tree"),
        lambda leaves: leaves.named("kin"),
        _kind_levels,
        _sibling_features,
        _main_features,
    )
    return {name: column for group in groups for name, column in group(leaves).items()}


def prose_words(leaves: Leaves) -> Column:
    """Return the words of the leaves that read as prose, 0 of others: (leaves,)."""
    is_prose = (leaves.words >= _MIN_PROSE_WORDS) & (leaves.link_words < leaves.words / 3)
    return np.where(is_prose, leaves.words, 0.0)


def _kind_levels(leaves: Leaves) -> Mapping[str, Column]:
    """How many nodes up the next element of each kind is; 0: the leaf itself."""
    tree = leaves.tree
    found = {
        "levels to {}": (TAG_KINDS, map(tag_bits, tree.tags)),
        "levels to class {}": (
            CLASS_KINDS,
            (class_bits(" ".join(filter(None, words))) for words in tree.class_words),
        ),
    }
    columns: dict[str, Column] = {}
    for label, (kinds, bits) in found.items():
        levels = _levels_up(tree, bits, len(kinds))[tree.branches :]
        columns |= {label.format(kind): levels[:, i] for i, kind in enumerate(kinds)}
    columns["depth in branches"] = tree.depths[tree.branches :].astype(np.float64)
    return columns


def _levels_up(tree: BlockTree, bits: Iterable[int], kinds: int) -> NDArray[np.float64]:
    """Per node and kind how many nodes up the next one of it is, at most FAR: (nodes, kinds)."""
    of_node = np.fromiter(bits, dtype=np.int64, count=len(tree.parents))
    has = (of_node[:, None] >> np.arange(kinds)) & 1 > 0
    levels = np.full(has.shape, FAR)
    for nodes in tree.levels():
        above = levels[tree.parents[nodes]] + 1 if tree.depths[nodes[0]] else FAR
        levels[nodes] = np.where(has[nodes], 0.0, np.minimum(above, FAR))
    return levels


def _sibling_features(leaves: Leaves) -> Mapping[str, Column]:
    """What the other children of a leaf's branch are like."""
    tree, n = leaves.tree, len(leaves.words)
    parents = tree.parents[tree.branches :]
    each = np.stack([np.ones(n), leaves.words, leaves.link_words, prose_words(leaves)], axis=1)
    mine = np.zeros((len(tree.parents), 4))
    np.add.at(mine, parents, each)
    count, words, links, prose = (mine[parents] - each).T
    children = np.bincount(tree.parents[1:], minlength=len(tree.parents))
    return {
        "leaves beside it": count,
        "branches beside it": children[parents] - count - 1.0,
        "words per leaf beside it": words / np.maximum(count, 1),
        "link density beside it": links / np.maximum(words, 1),
        "prose beside it": prose / np.maximum(words, 1),
    }


def _main_features(leaves: Leaves) -> Mapping[str, Column]:
    """How far the leaf is from the branches with most prose."""
    tree = leaves.tree
    prose = prose_words(leaves)
    parents = tree.parents[tree.branches :]
    in_subtree = tree.subtree_sums(prose)
    total = max(float(prose.sum()), 1.0)
    scores = np.bincount(parents, prose, minlength=len(tree.parents))
    scores = scores + _GRANDCHILD * np.bincount(
        np.maximum(tree.parents, 0), scores, minlength=len(tree.parents)
    )
    columns: dict[str, Column] = {}
    ends = {"main branch": int(scores.argmax()), "largest text": _largest(tree, prose)}
    for name, end in ends.items():
        up, joint = _way_to(tree, end)
        up, joint = up[tree.branches :], joint[tree.branches :]
        columns[f"levels to a branch around the {name}"] = up
        columns[f"levels from there to the {name}"] = tree.depths[end] - tree.depths[joint] + 0.0
        columns[f"page's prose in the branch that it shares with the {name}"] = (
            in_subtree[joint] / total
        )
    columns["page's prose in the main branch"] = np.full(
        len(prose), in_subtree[ends["main branch"]] / total
    )
    return columns


def _largest(tree: BlockTree, prose: Column) -> int:
    """The leaf with most prose; the root if there is none."""
    return tree.branches + int(prose.argmax()) if prose.any() else 0


def _way_to(tree: BlockTree, end: int) -> tuple[Column, NDArray[np.int64]]:
    """Per node how many nodes up the first one above ``end`` is, and which one."""
    on_way = np.zeros(len(tree.parents), dtype=np.bool_)
    node = end
    while node >= 0:
        on_way[node] = True
        node = int(tree.parents[node])
    up, joint = np.zeros(len(tree.parents)), np.arange(len(tree.parents))
    for nodes in tree.levels()[1:]:
        off = nodes[~on_way[nodes]]
        up[off] = up[tree.parents[off]] + 1
        joint[off] = joint[tree.parents[off]]
    return up, joint
