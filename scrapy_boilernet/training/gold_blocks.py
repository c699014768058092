"""Pages with gold text as blocks with soft labels: what the classical labelers learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.evaluation.align import soft_labels
from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.page import Page, Units
from scrapy_boilernet.progress import progress
from scrapy_boilernet.tokens import tokens

MIN_GOLD_RECALL = 0.5
"""Pages that show less of their gold text than this are not learned from: the gold is not there."""


class Measured(Protocol):
    """A page whose blocks' right labels are known: :class:`GoldBlocks` and its like."""

    @property
    def source(self) -> GoldPage:
        """Where the page is from."""
        ...

    @property
    def page(self) -> Page:
        """Its blocks."""
        ...

    @property
    def targets(self) -> NDArray[np.float32]:
        """Per block the share of its tokens that the gold keeps, in [0, 1]: (blocks,)."""
        ...

    @property
    def tokens(self) -> NDArray[np.float32]:
        """Tokens per block: (blocks,)."""
        ...

    @property
    def gold_tokens(self) -> int:
        """Tokens of the gold text."""
        ...


@dataclass(frozen=True)
class GoldBlocks:
    """A page with the share of each block that its gold text keeps."""

    source: GoldPage
    """Without its bytes, which are not needed any more."""
    page: Page
    targets: NDArray[np.float32]
    """Per block the share of its tokens that the gold keeps, in [0, 1]: (blocks,)."""
    tokens: NDArray[np.float32]
    """Tokens per block: (blocks,)."""
    gold_tokens: int

    @property
    def labels(self) -> NDArray[np.bool_]:
        """Per block whether it is content: more than half of it is kept. Shape (blocks,)."""
        return self.targets > 0.5


def gold_blocks(source: GoldPage, units: Units) -> GoldBlocks | None:
    """Return the page with soft labels, or None if it has no block or not its gold text."""
    page = blockify(source.html, url=source.url, encoding=source.encoding, units=units)
    shares, counts = soft_labels(page, source.gold or "")
    gold_tokens = len(tokens(source.gold or ""))
    found = float((shares * counts).sum())
    if not page.blocks or (gold_tokens and found < MIN_GOLD_RECALL * gold_tokens):
        return None
    return GoldBlocks(replace(source, html=b""), page, shares, counts, gold_tokens)


def all_gold_blocks(
    pages: Sequence[GoldPage], units: Units, label: str = "align"
) -> list[GoldBlocks | None]:
    """Return :func:`gold_blocks` of each page."""
    return [gold_blocks(page, units) for page in progress(pages, len(pages), label)]


def need_both_classes(pages: Sequence[Measured]) -> None:
    """Raise ``DatasetError`` if all blocks of the pages are of one class; names the sets."""
    kept = sum(int((page.targets > 0.5).sum()) for page in pages)
    blocks = sum(len(page.targets) for page in pages)
    if 0 < kept < blocks:
        return
    sets = ", ".join(sorted({page.source.dataset for page in pages})) or "no set"
    one = "content" if kept else "boilerplate"
    raise DatasetError(
        f"all {blocks} blocks of the training pages of {sets} are {one}, so there is nothing to "
        "tell apart; add pages of which gold/<id>.txt keeps a part"
    )
