"""Numbers of the subtrees that a block stands in, and of its kind of path."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.page import Block, Page

_TREE_ANCESTORS = 5
TREE_NUMBERS = 4 * _TREE_ANCESTORS + 3


def tree_numbers(
    page: Page, counts: Sequence[float], link_words: Sequence[float]
) -> NDArray[np.float64]:
    """Shape (n, TREE_NUMBERS): the subtrees that the block stands in, and its kind of path."""
    rows = np.zeros((len(page.blocks), TREE_NUMBERS))
    totals: dict[int, list[float]] = {}
    kinds: dict[tuple[str, ...], list[float]] = {}
    for block, words, links in zip(page.blocks, counts, link_words, strict=True):
        for sums in (*(totals.setdefault(node, [0, 0, 0]) for node in block.nodes),
                     kinds.setdefault(block.tags, [0, 0, 0])):  # fmt: skip
            sums[0] += words
            sums[1] += links
            sums[2] += 1
    page_words = max(sum(counts), 1.0)
    subtrees: dict[int, list[float]] = {}
    for i, block in enumerate(page.blocks):
        node = block.nodes[-1] if block.nodes else 0
        if node not in subtrees:
            subtrees[node] = _subtree_numbers(block, totals, page_words)
        words, links, number = kinds[block.tags]
        rows[i, :20] = subtrees[node]
        rows[i, 20:] = (words / page_words, links / max(words, 1), math.log1p(words / number) / 4)
    return rows


def _subtree_numbers(
    block: Block, totals: dict[int, list[float]], page_words: float
) -> list[float]:
    """Word share, link share, words per block and blocks of the 5 nearest distinct subtrees.

    Ancestors that add no block to the one below are passed over: a wrapper changes nothing.
    """
    numbers: list[float] = []
    before = 0.0
    for node in reversed(block.nodes):
        words, links, number = totals[node]
        if number == before:
            continue
        before = number
        numbers += (
            words / page_words,
            links / max(words, 1.0),
            math.log1p(words / number) / 4,
            math.log1p(number) / 6,
        )
        if len(numbers) == 4 * _TREE_ANCESTORS:
            return numbers
    last = numbers[-4:] or [0.0] * 4
    return numbers + last * (_TREE_ANCESTORS - len(numbers) // 4)
