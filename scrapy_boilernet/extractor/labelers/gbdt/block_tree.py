"""The block tree of a page: the elements around its blocks, simplified.

After the DOM simplification of Skim Technologies' extractor, which learns on such a tree what
Dragnet (Peters and Lecocq, *Content Extraction Using Diverse Feature Sets*, WWW 2013) learns on a
list of blocks. Blocks that look like one to a reader are joined to one leaf. An element with a
single child is merged with it into one node. The tree is built iteratively, in time linear in the
page, and for any page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.html.walk import INLINE_TAGS
from scrapy_boilernet.extractor.page import Ancestors, Block, Page

_DROP_CAP_CHARS = 2
_LINK_HEAVY = 0.5
_MAX_LEAF_CHARS = 4000
"""A leaf with so many characters gets no further block; no feature reads more of a text."""


def leaf_numbers(blocks: Sequence[Block]) -> NDArray[np.int64]:
    """Return the leaf of each block, numbered from 0 in document order: (blocks,)."""
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
    """Whether two adjacent blocks look like one to a reader."""
    if before.hidden != block.hidden or before.noscript != block.noscript:
        return False
    if _home(before) == _home(block):  # only inline elements and breaks are between them
        return _is_link_heavy(before) == _is_link_heavy(block) or _is_scrap(block)
    return (_is_drop_cap(before, block) or _is_scrap(block)) and _are_near(before, block)


def _is_drop_cap(before: Block, block: Block) -> bool:
    """Whether ``before`` is the large first letter of the sentence that ``block`` continues."""
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
    """Return the blocks of a leaf, at least one, as one block in their innermost common element."""
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
    """A tree of branches, which have two children or more, and leaves.

    Nodes are numbered with parents before their children: the root is 0, then come the other
    branches, then the leaves in document order.
    """

    leaves: Page
    """The page with one block per leaf, in document order."""
    leaf_of: NDArray[np.int64]
    """The leaf of each block of the page, in ascending order: (blocks,)."""
    parents: NDArray[np.int64]
    """The parent of each node, -1 for the root: (nodes,)."""
    depths: NDArray[np.int64]
    """The number of nodes above each node: (nodes,)."""
    tags: tuple[Ancestors, ...]
    """Per node the tags of its elements, the outermost first; () for the root, and for a leaf whose
    element has other children."""
    class_words: tuple[Ancestors, ...]
    """Per node the class words of its elements: :class:`~scrapy_boilernet.extractor.page.Block`."""

    @classmethod
    def of(cls, page: Page) -> BlockTree:
        """Return the tree of a page in units of blocks; only a root for an empty page."""
        leaf_of = leaf_numbers(page.blocks)
        starts = np.flatnonzero(np.diff(leaf_of, prepend=-1)).tolist()
        ends = [*starts[1:], len(page.blocks)] if starts else []
        blocks = tuple(
            one_block(page.blocks[start:end]) for start, end in zip(starts, ends, strict=True)
        )
        return cls(replace(page, blocks=blocks), leaf_of, *_nodes(blocks))

    @property
    def branches(self) -> int:
        """The number of branches, the root included; it is also the number of the first leaf."""
        return len(self.parents) - len(self.leaves.blocks)

    def subtree_sums(self, of_leaves: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum over the leaves below each node: (leaves, ...) becomes (nodes, ...)."""
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
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[Ancestors, ...], tuple[Ancestors, ...]]:
    """Parents, depths, tags and class words of the nodes, the branches before the leaves."""
    above, names, children, homes = _elements(leaves)
    node_of = [0] * len(above)  # per element the nearest branch at or above it
    chains: list[tuple[_Named, ...]] = [()] * len(above)  # and the elements from it on
    parents, merged = [-1], [chains[0]]
    for e in range(1, len(above)):
        chain = (*chains[above[e]], names[e])
        if children[e] > 1:
            node_of[e] = len(parents)
            parents.append(node_of[above[e]])
            merged.append(chain)
        else:
            node_of[e], chains[e] = node_of[above[e]], chain
    parents += [node_of[home] for home in homes]
    merged += [chains[home] for home in homes]
    depths = [0]
    for parent in parents[1:]:
        depths.append(depths[parent] + 1)
    tags = tuple(tuple(tag for tag, _ in chain) for chain in merged)
    words = tuple(tuple(word for _, word in chain) for chain in merged)
    return np.array(parents, np.int64), np.array(depths, np.int64), tags, words


def _elements(
    leaves: Sequence[Block],
) -> tuple[list[int], list[_Named], list[int], list[int]]:
    """Per element its parent, its tag and class words, and its number of children.

    Also the element of each leaf. Element 0 is above all others.
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
