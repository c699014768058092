"""The hashed featuriser: a page to arrays; the same code in training and in serving.

Nothing here knows a language. Per block: numbers (:mod:`scrapy_boilernet.feature_numbers`) and
three bags of hashed ids: ancestor tags, class words of near ancestors, and the text's own tokens.
Per page: one bag of what its head and its URL say (:mod:`scrapy_boilernet.url_words`).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.feature_numbers import NUMBERS, block_numbers, clipped_tokens
from scrapy_boilernet.page import Page
from scrapy_boilernet.url_words import url_words

__all__ = [
    "BAG_ROWS", "FEATURIZER_VERSION", "NUMBERS", "PAGE_ROWS", "Bag", "Features", "featurize",
]  # fmt: skip

FEATURIZER_VERSION = 2
"""Raise it whenever the same page would give other arrays; models name the version they need."""

BAG_ROWS = {"tags": 1024, "classes": 8192, "words": 16384}
"""Rows of the hash tables; the same names are the model's embedding bags."""
PAGE_ROWS = 2048
"""Rows of the hash table of page words."""
_TAG_ANCESTORS, _CLASS_ANCESTORS = 12, 8


@dataclass(frozen=True)
class Bag:
    """Hashed ids of all blocks, one after another: block i has ``ids[offsets[i]:offsets[i+1]]``.

    ``ids``: int64, in [0, rows); ``offsets``: int64, one more than there are blocks.
    """

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]


@dataclass(frozen=True)
class Features:
    """What the network reads of a page of n blocks."""

    numbers: NDArray[np.float32]
    """Shape (n, NUMBERS)."""
    bags: dict[str, Bag]
    """By the names of :data:`BAG_ROWS`."""
    head: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Hashed ids of the words of the page's head, in [0, PAGE_ROWS); the same for all blocks."""
    url: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """The same of its URL."""

    @property
    def page(self) -> NDArray[np.int64]:
        """Both together: what is known of the page as a whole."""
        return np.concatenate([self.head, self.url])


def featurize(page: Page) -> Features:
    """Return the page's arrays; the same page always gives the same arrays, on any machine."""
    block_tokens = [clipped_tokens(block.text) for block in page.blocks]
    numbers = block_numbers(page, block_tokens)
    return Features(
        numbers=numbers,
        bags={
            "tags": _bag((b.tags[-_TAG_ANCESTORS:] for b in page.blocks), _tag_keys, "tags"),
            "classes": _bag(
                (b.class_words[-_CLASS_ANCESTORS:] for b in page.blocks), _class_keys, "classes"
            ),
            "words": _bag((tuple(found) for found in block_tokens), _word_keys, "words"),
        },
        head=_page_ids(page.head.words),
        url=_page_ids(url_words(page.url)),
    )


def _tag_keys(tags: tuple[str, ...]) -> list[str]:
    """Ancestor tags with their distance from the text: 0, 1, 2, 3-4, 5 and more."""
    return [f"t{_distance(distance)}{tag}" for distance, tag in enumerate(reversed(tags))]


def _distance(steps: int) -> int:
    return steps if steps < 3 else 3 if steps < 5 else 4


def _class_keys(class_words: tuple[str, ...]) -> list[str]:
    return [
        f"c{0 if distance == 0 else 1 if distance < 3 else 2}{word}"
        for distance, words in enumerate(reversed(class_words))
        if words
        for word in words.split(" ")
    ]


def _word_keys(found: tuple[str, ...]) -> list[str]:
    """Tokens; runs of single CJK characters as pairs, since one character says little."""
    keys = []
    before = ""
    for token in found:
        single = len(token) == 1 and token > "\u0e00"
        keys.append(before + token if single and before else token)
        before = token if single else ""
    return keys


def _bag(
    evidence: Iterable[tuple[str, ...]], keys: Callable[[tuple[str, ...]], list[str]], name: str
) -> Bag:
    """Blocks of one template share their evidence, so its ids are made once."""
    rows = BAG_ROWS[name]
    known: dict[tuple[str, ...], list[int]] = {}
    flat: list[int] = []
    offsets = [0]
    for found in evidence:
        ids = known.get(found)
        if ids is None:
            ids = [_hashed(key, rows) for key in keys(found)]
            known[found] = ids
        flat += ids
        offsets.append(len(flat))
    return Bag(np.asarray(flat, dtype=np.int64), np.asarray(offsets, dtype=np.int64))


def _page_ids(words: tuple[str, ...]) -> NDArray[np.int64]:
    return np.array([_hashed(word, PAGE_ROWS) for word in words], dtype=np.int64)


def _hashed(key: str, rows: int) -> int:
    """CRC-32 modulo ``rows``: the same on every machine, unlike ``hash``."""
    return zlib.crc32(key.encode("utf-8", "surrogatepass")) % rows
