"""Asides between the texts of an article, such as a box of related articles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.page import Page

_ASIDES = frozenset(("aside", "nav"))


def beyond_asides(
    page: Page, blocks: NDArray[np.intp], kept: NDArray[np.bool_]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return where one comes to from the last, and from the first, place of a run of blocks in
    asides of which nothing is kept: to the place before it, and behind it.

    ``blocks``: the shown ones, among which the places are; ``kept``: of each block.
    """
    if _ASIDES.isdisjoint(page.names[0]):
        return {}, {}
    in_aside = np.array([not _ASIDES.isdisjoint(tags) for tags, _ in page.paths.pairs])
    inside = np.zeros(len(blocks) + 2, dtype=np.bool_)
    inside[1:-1] = in_aside[page.path_places[blocks]] & ~kept[blocks]
    edges = (inside[1:] != inside[:-1]).nonzero()[0].tolist()
    runs = [*zip(edges[::2], edges[1::2], strict=True)]
    return {end - 1: first - 1 for first, end in runs}, dict(runs)
