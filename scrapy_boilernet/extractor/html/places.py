"""Finds the block of an element."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import islice

import numpy as np

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.page import Block, nodes_of

_FEW_BLOCKS = 100
"""Pages with fewer blocks have their ids read, too, which takes time."""
_MAX_ALIKE, _MAX_ABOVE = 16, 64
"""Blocks that can hold an element, and elements around it, that are looked at."""


class BlockPlaces:
    """Finds the block of an element by the element's number."""

    def __init__(self, blocks: Sequence[Block], elements: Elements | CompiledElements) -> None:
        self.few = len(blocks) < _FEW_BLOCKS
        """Whether the page has fewer than :data:`_FEW_BLOCKS` blocks."""
        self._elements = elements
        self._nodes, depths = nodes_of(blocks)
        ends = depths.cumsum()
        self._ends = [0, *ends.tolist()]
        self._starts = np.maximum.accumulate(self._nodes[ends - 1]).tolist()

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
        return self._around(number, after - 1) if after else 0

    def _around(self, number: int, last: int) -> int:
        """Return the block with the innermost element that holds the element of this number.

        It is ``last`` or one before it, as the text behind a quote or a list is in an element that
        began before that of the quote. The last one is taken if none holds the element.
        """
        first = max(bisect_left(self._starts, self._starts[last]), last - _MAX_ALIKE)
        if first == last:
            return last
        above = {*islice(self._elements[number - 1].iterancestors(), _MAX_ABOVE)}
        innermost = {i: int(self._nodes[self._ends[i + 1] - 1]) for i in range(first, last + 1)}
        holding = [i for i, node in innermost.items() if self._elements[node - 1] in above]
        return max(holding, key=lambda i: (innermost[i], i), default=last)

    def _is_in(self, number: int, block: int) -> bool:
        return number in self._nodes[self._ends[block] : self._ends[block + 1]].tolist()
