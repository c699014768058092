"""Labels that ``scrapy boilernet adapt`` spreads from twenty labeled blocks of a site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.labeled import to_text
from scrapy_boilernet.extractor.labelers.grf.block_graph import GraphOptions, block_graph
from scrapy_boilernet.lab.training.adapt import THRESHOLD, spread_labels
from scrapy_boilernet.lab.training.examples import LearningPage
from scrapy_boilernet.lab.training.gold import GoldBlocks

LABELED_PAGES, LABELED_BLOCKS = 3, 20


def spread_over(pages: Sequence[LearningPage]) -> list[LearningPage]:
    """Return the pages with the labels that ``adapt`` spreads from twenty blocks of three pages.

    Pages of which it makes nothing content are left out.
    """
    site = [GoldBlocks(p.source, p.page, p.targets, p.tokens, p.gold_tokens) for p in pages]
    given = drawn_blocks(site, np.random.default_rng(0))
    blocks = [page.page for page in pages]
    scores = spread_labels(blocks, given, True, block_graph(blocks, GraphOptions()))
    return [labeled(page, p >= THRESHOLD) for page, p in zip(pages, scores, strict=True)
            if (p >= THRESHOLD).any()]  # fmt: skip


def drawn_blocks(
    site: Sequence[GoldBlocks], rng: np.random.Generator
) -> dict[tuple[int, int], bool]:
    """Draw blocks of three pages, half of them content where there are so many."""
    given: dict[tuple[int, int], bool] = {}
    numbers = rng.permutation(len(site))[:LABELED_PAGES].tolist()
    for turn, number in enumerate(numbers):
        left = LABELED_BLOCKS - len(given)
        wanted = left // (len(numbers) - turn)
        gold = site[number].labels
        content, others = (rng.permutation(np.flatnonzero(gold == kind)) for kind in (True, False))
        both = [*content[: wanted // 2].tolist()]
        both += others[: wanted - len(both)].tolist()
        given |= {(number, i): bool(gold[i]) for i in both}
    return given


def labeled(page: LearningPage, kept: NDArray[np.bool_]) -> LearningPage:
    """Return the page with other labels."""
    blocks = [block for block, mark in zip(page.page.blocks, kept.tolist(), strict=True) if mark]
    return replace(
        page,
        source=replace(page.source, gold=to_text(blocks)),
        example=replace(page.example, targets=kept.astype(np.float32)),
        gold_tokens=int(page.tokens[kept].sum()),
    )
