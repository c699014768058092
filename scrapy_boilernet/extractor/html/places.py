"""Finds the block of an element."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from scrapy_boilernet.extractor.page import Block, nodes_of

_FEW_BLOCKS = 100
"""Pages with fewer blocks have their ids read, too, which takes time."""


class BlockPlaces:
    """Finds the block of an element by the element's number."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.few = len(blocks) < _FEW_BLOCKS
        """Whether the page has fewer than :data:`_FEW_BLOCKS` blocks."""
        self._nodes, depths = nodes_of(blocks)
        self._ends = depths.cumsum()
        self._starts = np.maximum.accumulate(self._nodes[self._ends - 1]).tolist()

    def block_of(self, number: int) -> int:
        """Return the index of the block that the element holds or is in, else of the block before.

        Before the first block, and on a page without blocks, it is 0.
        """
        first = bisect_left(self._starts, number)
        if first < len(self._starts) and self._is_in(number, first):
            return first
        after = bisect_right(self._starts, number)
        if after and self._is_in(number, after - 1):
            return after - 1
        if after < len(self._starts) and self._is_in(number, after):
            return after
        return max(after - 1, 0)

    def _is_in(self, number: int, block: int) -> bool:
        begin = self._ends[block - 1] if block else 0
        return number in self._nodes[begin : self._ends[block]].tolist()
