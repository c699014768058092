"""A page's blocks as columns, from which arrays of numbers are computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.page import Ancestors, Page

_KIND_CLASSES = 3
"""Innermost elements whose class words make a kind."""


def _number_paths(paths: Sequence[Ancestors]) -> tuple[tuple[Ancestors, ...], NDArray[np.int64]]:
    """Return the different paths in the order of their first places, and each path's number."""
    # Most equal paths are one object, and identities are quicker to compare.
    ids = list(map(id, paths))
    numbers: dict[Ancestors, int] = {}
    number_of = {
        key: numbers.setdefault(path, len(numbers))
        for key, path in dict(zip(ids, paths, strict=True)).items()
    }
    places = np.fromiter(map(number_of.__getitem__, ids), dtype=np.int64, count=len(ids))
    return tuple(numbers), places


try:
    from scrapy_boilernet.extractor.features.compiled import number_paths
except ImportError:  # not compiled
    number_paths = _number_paths


@dataclass(frozen=True)
class Paths:
    """One path per block; equal paths are kept once."""

    values: tuple[Ancestors, ...]
    """The different paths, in the order of their first blocks."""
    places: NDArray[np.int64]
    """Per block the index of its path in ``values``: (blocks,)."""

    @classmethod
    def of(cls, paths: Sequence[Ancestors]) -> Self:
        """Return the paths of blocks, given in the order of the blocks."""
        return cls(*number_paths(paths))

    def inner(self, steps: int) -> Self:
        """Return the innermost ``steps`` of each path."""
        numbers: dict[Ancestors, int] = {}
        shorter = [numbers.setdefault(path[-steps:], len(numbers)) for path in self.values]
        return type(self)(tuple(numbers), np.array(shorter, dtype=np.int64)[self.places])


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
        texts, pairs = page.texts, page.paths.pairs
        places = page.path_places
        tags = Paths.of([tags for tags, _ in pairs])
        class_words = Paths.of([class_words for _, class_words in pairs])
        near = class_words.inner(_KIND_CLASSES).places.tolist()
        kinds: dict[tuple[int, int], int] = {}
        of_pairs = [
            kinds.setdefault(kind, len(kinds))
            for kind in zip(tags.places.tolist(), near, strict=True)
        ]
        (nodes, depths), (links, hidden, noscript) = page.nodes, page.marks
        return cls(
            texts=texts,
            tags=replace(tags, places=tags.places[places]),
            class_words=replace(class_words, places=class_words.places[places]),
            kinds=np.array(of_pairs, dtype=np.int64)[places],
            nodes=nodes,
            depths=depths,
            chars=np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)),
            link_chars=links,
            hidden=hidden.astype(np.bool_),
            noscript=noscript.astype(np.bool_),
        )
