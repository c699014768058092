"""Gold text to Victor's five labels: header, paragraph, list, continuation, other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.segments import (
    CONTINUATION,
    HEADER,
    LIST,
    OTHER,
    PARAGRAPH,
    markup_labels,
    without_orphans,
)
from scrapy_boilernet.evaluation.align import common_runs
from scrapy_boilernet.page import Page
from scrapy_boilernet.tokens import tokens
from scrapy_boilernet.training.gold_blocks import GoldBlocks

_LABEL_OF = {"h": HEADER, "p": PARAGRAPH, "l": LIST}


def gold_labels(gold: GoldBlocks) -> tuple[str, ...]:
    """Return a label per block: by the tagged gold where the set has it, else by the markup.

    Which blocks are content, not other, is the same either way: :attr:`GoldBlocks.labels`.
    """
    if gold.source.tagged_gold is None:
        return markup_labels(gold.page, gold.labels)
    return tagged_labels(gold.page, gold.labels, gold.source.tagged_gold)


def tagged_labels(
    page: Page, kept: NDArray[np.bool_], rows: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """Return a label per block from segments of tagged gold: (``"h"``, ``"p"`` or ``"l"``, text).

    The first kept block of a segment has the segment's label, those after it continue it. A block
    is of the segment that most of its words are aligned with; without any, it goes on with the
    block before.
    """
    labels, begun = [], -1
    for keep, row in zip(kept, _rows(page, rows), strict=True):
        if not keep:
            labels.append(OTHER)
        elif row <= begun:
            labels.append(CONTINUATION)
        else:
            labels.append(_LABEL_OF[rows[row][0]])
            begun = row
    return without_orphans(labels)


def _rows(page: Page, rows: Sequence[tuple[str, str]]) -> list[int]:
    """Per block the place of the segment that most of its tokens are aligned with; -1 for none."""
    ours = [tokens(block.text) for block in page.blocks]
    theirs = [tokens(text) for _, text in rows]
    block_of = [place for place, piece in enumerate(ours) for _ in piece]
    row_of = [place for place, piece in enumerate(theirs) for _ in piece]
    votes: list[Counter[int]] = [Counter() for _ in ours]
    flat = [[token for piece in pieces for token in piece] for pieces in (ours, theirs)]
    for begin, other, length in common_runs(flat[0], flat[1]):
        for step in range(length):
            votes[block_of[begin + step]][row_of[other + step]] += 1
    return [min(vote, key=lambda row: (-vote[row], row)) if vote else -1 for vote in votes]
