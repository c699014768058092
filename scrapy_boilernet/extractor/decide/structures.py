"""Lists, quotes, tables and headings that stand between kept texts are kept, too.

A model decides block by block. So it loses a table in the middle of an article, the terms of a
reference page, or every second item of a list. But what stands between two kept texts of the same
element is content as a rule, and so is what follows one or what is half kept. Such a structure
needs less probability, the mean of its blocks. ``docs/results/quality/structures.md`` has how many
are kept as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.tables import Rows, complete_tables, data_tables
from scrapy_boilernet.extractor.decide.threshold import log_odds
from scrapy_boilernet.extractor.page import Ancestors, Page, nodes_of

_STRUCTURES = frozenset(("ul", "ol", "dl", "blockquote"))
_HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6"))
"""Without ``h1``, the headline, about which ``decide/headline`` and an option decide."""
_TAGS = _STRUCTURES | _HEADINGS | {"table"}
_BETWEEN, _BESIDE = 1.5, 0.5
"""By how much the mean log-odds of a structure's blocks may be below those of the threshold. The
first holds between two kept texts; the second behind one, before one if it is a heading, or beside
one if some of it is kept. Chosen by folds of the training sets."""


def complete_structures(
    page: Page, kept: NDArray[np.bool_], probabilities: NDArray[np.float32], threshold: float
) -> NDArray[np.bool_]:
    """Return ``kept`` with the structures that stand beside kept texts, each as a whole, and with
    the data tables that are kept for the most part.

    ``probabilities``: per block, those by which ``threshold`` decided. Hidden blocks are not added,
    and a text beside counts only if it is in the element around the structure.
    """
    if _TAGS.isdisjoint(page.names[0]):
        return kept
    tables = data_tables(page) if "table" in page.names[0] else {}
    kept = complete_tables(page, tables, kept)
    shown = ~np.array(page.hidden, dtype=np.bool_)
    odds = log_odds(probabilities) - float(log_odds(np.array([threshold]))[0])
    near = shown & ~kept & (odds > -_BETWEEN)
    if not near.any() or not (tables or _has_structure(page, near)):
        return kept
    steps = _steps(page)
    nodes, depths = nodes_of(page.blocks)
    ends = depths.cumsum()
    order = np.flatnonzero(shown)
    completed = kept.copy()

    def is_beside(place: int, around: int) -> bool:
        """Return whether a shown block is kept and in the element ``around``."""
        if not 0 <= place < len(order) or not kept[order[place]]:
            return False
        end = ends[order[place]]
        return bool((nodes[end - depths[order[place]] : end] == around).any())

    for blocks, around, is_heading in _structures(page, tables, near, steps, nodes, ends - depths):
        own = blocks[shown[blocks]]
        if kept[own].all():
            continue
        first, last = np.searchsorted(order, own[[0, -1]]).tolist()
        before, after = is_beside(first - 1, around), is_beside(last + 1, around)
        partly = bool(kept[own].any())
        beside = after if is_heading else before or (partly and after)
        least = _BETWEEN if before and after else _BESIDE
        if beside or (before and after):
            chars = np.array([len(page.texts[i]) for i in own.tolist()])
            completed[own] |= bool(odds[own] @ chars > -least * chars.sum())
    return completed


def _structures(
    page: Page,
    tables: Mapping[int, Rows],
    near: NDArray[np.bool_],
    steps: NDArray[np.int64],
    nodes: NDArray[np.int64],
    starts: NDArray[np.int64],
) -> Iterator[tuple[NDArray[np.int64], int, bool]]:
    """Yield (blocks, number of the element around, whether it is a heading) of the structures that
    have a block in ``near``. A block belongs to the innermost structure, a heading to none.
    """
    pairs, places = page.paths
    owners = np.where(
        steps > 0, nodes[np.minimum(starts + np.maximum(steps, 0), len(nodes) - 1)], 0
    )
    for owner in sorted({*owners[near].tolist()}) if len(nodes) else ():
        if owner:
            blocks = np.flatnonzero(owners == owner)
            first = int(blocks[0])
            step = int(steps[first])
            is_heading = pairs[places[first]][0][step] in _HEADINGS
            yield blocks, int(nodes[starts[first] + step - 1]), is_heading
    for table, rows in tables.items():
        blocks = np.array(sorted(chain.from_iterable(rows)), dtype=np.int64)
        if near[blocks].any():
            own = page.blocks_at((int(blocks[0]),))[0].nodes
            yield blocks, own[max(0, own.index(table) - 1)], False


def _has_structure(page: Page, near: NDArray[np.bool_]) -> bool:
    """Return whether one of the blocks in ``near`` is in a structure or a heading."""
    pairs = page.paths.pairs
    return any(_step(pairs[place][0]) for place in {*page.path_places[near].tolist()})


def _steps(page: Page) -> NDArray[np.int64]:
    """Return :func:`_step` of each block."""
    of_pair = np.array([_step(tags) for tags, _ in page.paths.pairs], dtype=np.int64)
    return of_pair[page.path_places]


@lru_cache(maxsize=1 << 12)  # every page of a site has the same paths
def _step(tags: Ancestors) -> int:
    """Return the step of the innermost structure, or of a heading in none; 0: neither."""
    if not _STRUCTURES.isdisjoint(tags):
        return max(step for step, tag in enumerate(tags) if tag in _STRUCTURES)
    if _HEADINGS.isdisjoint(tags):
        return 0
    return min(step for step, tag in enumerate(tags) if tag in _HEADINGS)
