"""The hashed featurizer, which turns a page into arrays, for training and for serving.

Nothing in it depends on a language. A block has numbers
(:mod:`scrapy_boilernet.extractor.features.numbers`) and three bags of hashed ids: ancestor tags,
class words of near ancestors, and tokens of the text. A page has one bag of the words of its head
and its URL (:mod:`scrapy_boilernet.extractor.features.words`).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.block_numbers import block_numbers
from scrapy_boilernet.extractor.features.numbers import NUMBERS, NUMBERS_VERSION
from scrapy_boilernet.extractor.features.table import Columns, Paths
from scrapy_boilernet.extractor.features.texts import clipped_tokens
from scrapy_boilernet.extractor.features.words import SINGLES_ABOVE, is_single, url_words
from scrapy_boilernet.extractor.page import Ancestors, Page

__all__ = [
    "BAG_ROWS", "FEATURIZER", "FEATURIZER_VERSION", "NUMBERS", "PAGE_ROWS", "Bag", "Features",
    "featurize",
]  # fmt: skip

FEATURIZER_VERSION = 2
"""Raise it whenever the same page would give other bags or page words."""
FEATURIZER = {"kind": "hashed", "version": FEATURIZER_VERSION, "numbers": NUMBERS_VERSION}
"""What a model says that reads these arrays."""

BAG_ROWS = {"tags": 1024, "classes": 8192, "words": 16384}
"""Rows of the hash tables; the same names are the model's embedding bags."""
PAGE_ROWS = 2048
"""Rows of the hash table of page words."""


@dataclass(frozen=True)
class Bag:
    """Hashed ids of all blocks, block after block: block i has ``ids[offsets[i]:offsets[i+1]]``.

    ``ids``: int64, in [0, rows); ``offsets``: int64, one more than there are blocks.
    """

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]
    shared: tuple[Bag, NDArray[np.int64]] | None = None
    """The same in less space, if blocks share their ids: a bag of the different lists of ids, and
    per block the index of its list."""


class SharedBag(Bag):
    """A bag that makes ``ids`` and ``offsets`` from ``shared`` if they are read, which not every
    engine does.
    """

    _once: Bag
    _places: NDArray[np.int64]

    def __init__(self, once: Bag, places: NDArray[np.int64]) -> None:
        vars(self).update(shared=(once, places), _once=once, _places=places)  # it is frozen

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """One more than there are blocks."""
        once, places = self._once, self._places
        offsets = np.zeros(len(places) + 1, dtype=np.int64)
        np.cumsum(np.diff(once.offsets)[places], out=offsets[1:])
        return offsets

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """In [0, rows)."""
        once, places = self._once, self._places
        lengths = np.diff(self.offsets)
        shifts = np.repeat(once.offsets[places] - self.offsets[:-1], lengths)
        ids: NDArray[np.int64] = once.ids[np.arange(self.offsets[-1]) + shifts]
        return ids


@dataclass(frozen=True)
class Features:
    """The arrays that the network reads of a page of n blocks."""

    numbers: NDArray[np.float32]
    """Shape (n, NUMBERS)."""
    bags: dict[str, Bag]
    """By the names of :data:`BAG_ROWS`."""
    head: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Hashed ids of the words of the page's head, in [0, PAGE_ROWS); the same for all blocks."""
    url: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Hashed ids of the words of its URL, likewise."""

    @property
    def page(self) -> NDArray[np.int64]:
        """``head`` and ``url`` together: the words of the page as a whole."""
        return np.concatenate([self.head, self.url])


def featurize(page: Page, bags: Collection[str] = tuple(BAG_ROWS)) -> Features:
    """Return the page's arrays; the same page always gives the same arrays, on any machine.

    ``bags``: the names of the wanted bags, since a model need not read all of them.
    """
    columns = Columns.of(page)
    makers: dict[str, Callable[[], Bag]] = {
        "tags": lambda: _path_bag("tags", columns.tags, _TAG_BEGINS, by_words=False),
        "classes": lambda: _path_bag("classes", columns.class_words, _CLASS_BEGINS, by_words=True),
        "words": lambda: _word_bag(list(map(clipped_tokens, columns.texts))),
    }
    return Features(
        numbers=block_numbers(page, columns),
        bags={name: make() for name, make in makers.items() if name in bags},
        head=_page_ids(page.head.words),
        url=_page_ids(url_words(page.url)),
    )


_TAG_DISTANCES = (0, 1, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4)
_CLASS_DISTANCES = (0, 1, 1, 2, 2, 2, 2, 2)
"""Per ancestor, innermost first, its distance to the text as its key has it."""


_TAG_BEGINS = tuple(zlib.crc32(b"t%d" % distance) for distance in _TAG_DISTANCES)
_CLASS_BEGINS = tuple(zlib.crc32(b"c%d" % distance) for distance in _CLASS_DISTANCES)
"""Per step of a path, innermost first, the checksum of the beginning of its key."""


def _path_bag(name: str, paths: Paths, begins: tuple[int, ...], by_words: bool) -> Bag:
    """Return the ids of each path's steps; they are made once for all blocks of a template."""
    return SharedBag(Bag(*path_ids(paths.values, begins, BAG_ROWS[name], by_words)), paths.places)


def _path_ids(
    paths: Sequence[Ancestors], begins: tuple[int, ...], rows: int, by_words: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ids of the steps of each path, innermost first, and where the ids of each path
    begin: (ids,) and (paths + 1,). ``by_words``: each word of a step has an id. Steps for which
    ``begins`` has no checksum are not read.
    """
    known: dict[tuple[int, str], list[int]] = {}
    ids: list[int] = []
    offsets = [0]
    for path in paths:
        for step in zip(begins, reversed(path)):  # noqa: B905
            own = known.get(step)
            if own is None:
                data = step[1].encode("utf-8", "surrogatepass")
                words = data.split() if by_words else (data,)
                own = known[step] = [zlib.crc32(word, step[0]) % rows for word in words]
            ids += own
        offsets.append(len(ids))
    return np.array(ids, dtype=np.int64), np.array(offsets, dtype=np.int64)


try:
    from scrapy_boilernet.extractor.features.compiled import path_ids
except ImportError:  # not compiled
    path_ids = _path_ids  # type: ignore[assignment]


def _word_bag(block_tokens: Sequence[list[str]]) -> Bag:
    ids = _WordIds()
    return _bag([list(map(ids.__getitem__, _word_keys(words))) for words in block_tokens])


class _WordIds(dict[str, int]):
    """The ids of one page's words, each hashed once."""

    def __missing__(self, key: str) -> int:
        word_id = self[key] = _hashed(key, BAG_ROWS["words"])
        return word_id


def _word_keys(block_tokens: list[str]) -> list[str]:
    """Return the tokens; runs of single CJK characters become pairs, which mean more than one."""
    if not block_tokens or max(block_tokens) < SINGLES_ABOVE:
        return block_tokens
    keys = []
    before = ""
    for token in block_tokens:
        single = is_single(token)
        keys.append(before + token if single and before else token)
        before = token if single else ""
    return keys


def _bag(ids: Sequence[list[int]]) -> Bag:
    """Return the bag of the ids of all blocks."""
    offsets = np.zeros(len(ids) + 1, dtype=np.int64)
    np.cumsum([len(block_ids) for block_ids in ids], out=offsets[1:])
    return Bag(np.array(list(chain.from_iterable(ids)), dtype=np.int64), offsets)


def _page_ids(words: tuple[str, ...]) -> NDArray[np.int64]:
    return np.array([_hashed(word, PAGE_ROWS) for word in words], dtype=np.int64)


@lru_cache(maxsize=1 << 14)  # many pages have the same words
def _hashed(key: str, rows: int) -> int:
    """Return the CRC-32 modulo ``rows``, which is the same on every machine, unlike ``hash``."""
    return zlib.crc32(key.encode("utf-8", "surrogatepass")) % rows
