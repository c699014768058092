"""Which blocks of a page a reader takes for one: drop caps, lines of one element, scraps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.page import Block
from scrapy_boilernet.walk import INLINE_TAGS

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
