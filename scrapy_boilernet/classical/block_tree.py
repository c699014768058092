"""The block tree of a page: the elements that hold its blocks, and which of them are one leaf.

After the DOM simplification of Skim Technologies' extractor, which learns on such a tree what
Dragnet (Peters and Lecocq, *Content Extraction Using Diverse Feature Sets*, WWW 2013) learns on a
list of blocks. Blocks that a reader takes for one are one leaf, and an element with a single child
is one node with it. Linear in the page, iterative, total.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.features.table import Path
from scrapy_boilernet.html.walk import INLINE_TAGS
from scrapy_boilernet.page import Block, Page

_DROP_CAP_CHARS = 2
_LINK_HEAVY = 0.5
_MAX_LEAF_CHARS = 4000
"""A leaf takes no more blocks beyond: numbers of a text do not look further."""


def leaf_numbers(blocks: Sequence[Block]) -> NDArray[np.int64]:
    """Return per block the number of its leaf, from 0, rising by 0 or 1: (blocks,)."""
    numbers = np.zeros(len(blocks), dtype=np.int64)
    leaf, chars = 0, len(blocks[0].text) if blocks else 0
    for i, (before, block) in enumerate(pairwise(blocks), 1):
        if chars < _MAX_LEAF_CHARS and _is_one(before, block):
            chars += len(block.text)
        else:
            leaf, chars = leaf + 1, len(block.text)
        numbers[i] = leaf
    return numbers


def _is_one(before: Block, block: Block) -> bool:
    """Whether two blocks that follow each other are one to a reader."""
    if before.hidden != block.hidden or before.noscript != block.noscript:
        return False
    if _home(before) == _home(block):  # but inline elements and breaks, nothing is between them
        return _is_link_heavy(before) == _is_link_heavy(block) or _is_scrap(block)
    return (_is_drop_cap(before, block) or _is_scrap(block)) and _are_near(before, block)


def _is_drop_cap(before: Block, block: Block) -> bool:
    """Whether ``before`` is the large first letter of the sentence that ``block`` goes on with."""
    short = len(before.text) <= _DROP_CAP_CHARS and before.text.isalpha()
    return short and block.text[:1].islower()


def _is_scrap(block: Block) -> bool:
    """Whether the block has no letter or digit, such as the bar between two links."""
    return not any(map(str.isalnum, block.text))


def _are_near(before: Block, block: Block) -> bool:
    """Whether the blocks' elements are siblings, or one is in the other's parent."""
    shorter = min(len(before.nodes), len(block.nodes))
    longer = max(len(before.nodes), len(block.nodes))
    return longer - shorter <= 1 and before.nodes[: shorter - 1] == block.nodes[: shorter - 1]


def _is_link_heavy(block: Block) -> bool:
    return block.link_chars > _LINK_HEAVY * len(block.text)


def _home(block: Block) -> tuple[int, int]:
    """The innermost element around the block that is not inline, and its depth."""
    depth = len(block.tags)
    while depth > 0 and block.tags[depth - 1] in INLINE_TAGS:
        depth -= 1
    return (block.nodes[depth - 1] if depth else 0), depth


def one_block(blocks: Sequence[Block]) -> Block:
    """Return the blocks of a leaf, one at least, as one in the innermost element around them."""
    first = blocks[0]
    if len(blocks) == 1:
        return first
    joint = "" if _is_drop_cap(first, blocks[1]) else " "
    texts = [block.text for block in blocks]
    text = joint.join(texts[:2]) + "".join(f" {text}" for text in texts[2:])
    same = min(len(block.nodes) for block in blocks)
    while same and len({block.nodes[same - 1] for block in blocks}) > 1:
        same -= 1
    links = sum(block.link_chars for block in blocks)
    return first._replace(
        text=text,
        tags=first.tags[:same],
        class_words=first.class_words[:same],
        nodes=first.nodes[:same],
        link_chars=links,
    )


_Named = tuple[str, str]
"""An element's tag and its class words."""


@dataclass(frozen=True)
class BlockTree:
    """Nodes are branches, which have two children or more, and below them the leaves.

    Parents come before their children: the root is 0, then the other branches, then the leaves in
    document order.
    """

    leaves: Page
    """The page with one block per leaf, in document order."""
    leaf_of: NDArray[np.int64]
    """Per block of the page its leaf, rising by 0 or 1: (blocks,)."""
    parents: NDArray[np.int64]
    """Per node its parent; -1 of the root: (nodes,)."""
    depths: NDArray[np.int64]
    """Per node how many nodes are above it: (nodes,)."""
    tags: tuple[Path, ...]
    """Per node the tags of the elements that it stands for, the outermost first; () of the root,
    and of a leaf whose element has other children."""
    class_words: tuple[Path, ...]
    """Per node the class words of these elements, as of :class:`~scrapy_boilernet.page.Block`."""

    @classmethod
    def of(cls, page: Page) -> BlockTree:
        """Return the tree of a page in units of blocks; of an empty one it is the root alone."""
        leaf_of = leaf_numbers(page.blocks)
        starts = np.flatnonzero(np.diff(leaf_of, prepend=-1)).tolist()
        ends = [*starts[1:], len(page.blocks)] if starts else []
        blocks = tuple(
            one_block(page.blocks[start:end]) for start, end in zip(starts, ends, strict=True)
        )
        return cls(replace(page, blocks=blocks), leaf_of, *_nodes(blocks))

    @property
    def branches(self) -> int:
        """How many nodes are no leaves; the leaves' numbers begin here."""
        return len(self.parents) - len(self.leaves.blocks)

    def subtree_sums(self, of_leaves: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return per node the sum over the leaves of its subtree, from (leaves, ...) to
        (nodes, ...).
        """
        sums = np.zeros((len(self.parents), *of_leaves.shape[1:]))
        sums[self.branches :] = of_leaves
        for nodes in reversed(self.levels()[1:]):
            np.add.at(sums, self.parents[nodes], sums[nodes])
        return sums

    def levels(self) -> list[NDArray[np.int64]]:
        """Return the nodes of each depth, the root's first."""
        order = np.argsort(self.depths, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.depths[order])) + 1)


def _nodes(
    leaves: Sequence[Block],
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[Path, ...], tuple[Path, ...]]:
    """Parents, depths, tags and class words of the nodes, the branches before the leaves."""
    above, names, children, homes = _elements(leaves)
    hangs = [0] * len(above)
    chains: list[tuple[_Named, ...]] = [()] * len(above)
    parents, told = [-1], [chains[0]]
    for e in range(1, len(above)):
        chain = (*chains[above[e]], names[e])
        if children[e] > 1:
            hangs[e] = len(parents)
            parents.append(hangs[above[e]])
            told.append(chain)
        else:
            hangs[e], chains[e] = hangs[above[e]], chain
    parents += [hangs[home] for home in homes]
    told += [chains[home] for home in homes]
    depths = [0]
    for parent in parents[1:]:
        depths.append(depths[parent] + 1)
    tags = tuple(tuple(tag for tag, _ in chain) for chain in told)
    words = tuple(tuple(word for _, word in chain) for chain in told)
    return np.array(parents, np.int64), np.array(depths, np.int64), tags, words


def _elements(
    leaves: Sequence[Block],
) -> tuple[list[int], list[_Named], list[int], list[int]]:
    """Of each element its parent, its tag and class words and its children; of each leaf its
    element. Element 0 is above all.
    """
    above, names, children = [-1], [("", "")], [0]
    homes: list[int] = []
    numbers: dict[int, int] = {}
    for leaf in leaves:
        known = len(leaf.nodes)
        while known and leaf.nodes[known - 1] not in numbers:
            known -= 1
        element = numbers[leaf.nodes[known - 1]] if known else 0
        for i in range(known, len(leaf.nodes)):
            children[element] += 1
            above.append(element)
            names.append((leaf.tags[i], leaf.class_words[i]))
            children.append(0)
            element = numbers[leaf.nodes[i]] = len(above) - 1
        children[element] += 1
        homes.append(element)
    return above, names, children, homes
