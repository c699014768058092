"""Asides between the texts of an article, such as a box of related articles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.page import Page

_ASIDES = frozenset(("aside", "nav"))


def beyond_asides(
    page: Page, blocks: NDArray[np.intp], kept: Sequence[bool]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return where one comes to from the last, and from the first, place of a run of blocks in
    asides of which nothing is kept: to the place before it, and behind it.
    """
    back: dict[int, int] = {}
    forth: dict[int, int] = {}
    if _ASIDES.isdisjoint(page.names[0]):
        return back, forth
    pairs, places = page.paths
    aside = [not _ASIDES.isdisjoint(tags) for tags, _ in pairs]
    inside = (aside[places[i]] and not keep for i, keep in zip(blocks.tolist(), kept, strict=True))
    for is_inside, run in groupby(enumerate(inside), itemgetter(1)):
        if is_inside:
            own = [place for place, _ in run]
            back[own[-1]], forth[own[0]] = own[0] - 1, own[-1] + 1
    return back, forth
