"""A page's blocks as columns, from which arrays of numbers are computed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.page import Ancestors, Page

__all__ = ["Columns", "Paths", "number_pairs"]

_KIND_CLASSES = 3
"""Innermost elements whose class words make a kind."""
_ALL = 1 << 30
"""More steps than a path has."""


def _number_pairs(
    pairs: tuple[tuple[Ancestors, Ancestors], ...], tag_steps: int, class_steps: int
) -> NDArray[np.int64]:
    """Return the number of each pair of tags and class words by their innermost steps, in the order
    of the first such pairs: (pairs,).
    """
    numbers: dict[tuple[Ancestors, Ancestors], int] = {}
    of_pairs = [
        numbers.setdefault(
            (tags[max(len(tags) - tag_steps, 0) :], words[max(len(words) - class_steps, 0) :]),
            len(numbers),
        )
        for tags, words in pairs
    ]
    return np.array(of_pairs, dtype=np.int64)


try:
    from scrapy_boilernet.extractor.features.compiled import number_pairs
except ImportError:  # not compiled
    number_pairs = _number_pairs


@dataclass(frozen=True)
class Paths:
    """One path per block; equal paths are kept once."""

    values: tuple[Ancestors, ...]
    """The different paths, in the order of their first blocks."""
    places: NDArray[np.int64]
    """Per block the index of its path in ``values``: (blocks,)."""


@dataclass(frozen=True)
class Columns:
    """The blocks of a page, one column per field, each (blocks,) except ``nodes``."""

    texts: tuple[str, ...]
    tags: Paths
    class_words: Paths
    kinds: NDArray[np.int64]
    """The number of each block's kind: the blocks with the same tags and near class words, such as
    the cards of a listing."""
    nodes: NDArray[np.int64]
    """The numbers of the elements around the blocks, outermost first, block after block."""
    depths: NDArray[np.int64]
    """How many of ``nodes`` each block has."""
    chars: NDArray[np.int64]
    """Characters of each text."""
    link_chars: NDArray[np.int64]
    hidden: NDArray[np.bool_]
    noscript: NDArray[np.bool_]

    @classmethod
    def of(cls, page: Page) -> Self:
        """Return the columns of the page's blocks."""
        pairs, places = page.paths.pairs, page.path_places
        tags, words = number_pairs(pairs, _ALL, 0), number_pairs(pairs, 0, _ALL)
        (nodes, depths), (links, hidden, noscript) = page.nodes, page.marks
        return cls(
            texts=page.texts,
            tags=Paths(_first_of(tags, map(itemgetter(0), pairs)), tags[places]),
            class_words=Paths(_first_of(words, map(itemgetter(1), pairs)), words[places]),
            kinds=number_pairs(pairs, _ALL, _KIND_CLASSES)[places],
            nodes=nodes,
            depths=depths,
            chars=page.chars,
            link_chars=np.ascontiguousarray(links),
            hidden=hidden.astype(np.bool_),
            noscript=noscript.astype(np.bool_),
        )


def _first_of(numbers: NDArray[np.int64], paths: Iterable[Ancestors]) -> tuple[Ancestors, ...]:
    """Return a path of each number, by rising numbers, which begin in this order."""
    return tuple(dict(zip(numbers.tolist(), paths, strict=True)).values())
