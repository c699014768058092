"""The hashed featuriser: a page to arrays; the same code in training and in serving.

Nothing here knows a language. Per block: numbers (:mod:`scrapy_boilernet.feature_numbers`) and
three bags of hashed ids: ancestor tags, class words of near ancestors, and the text's own tokens.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.feature_numbers import NUMBERS, block_numbers, clipped_tokens
from scrapy_boilernet.page import Block, Page

__all__ = ["BAG_ROWS", "FEATURIZER_VERSION", "NUMBERS", "Bag", "Features", "featurize"]

FEATURIZER_VERSION = 1
"""Raise it whenever the same page would give other arrays; models name the version they need."""

BAG_ROWS = {"tags": 1024, "classes": 8192, "words": 16384}
"""Rows of the hash tables; the same names are the model's embedding bags."""
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


def featurize(page: Page) -> Features:
    """Return the page's arrays; the same page always gives the same arrays, on any machine."""
    block_tokens = [clipped_tokens(block.text) for block in page.blocks]
    numbers = block_numbers(page, block_tokens)
    return Features(
        numbers=numbers,
        bags={
            "tags": _bag((_tag_keys(b) for b in page.blocks), BAG_ROWS["tags"]),
            "classes": _bag((_class_keys(b) for b in page.blocks), BAG_ROWS["classes"]),
            "words": _bag(_word_keys(block_tokens), BAG_ROWS["words"]),
        },
    )


def _tag_keys(block: Block) -> list[str]:
    """Ancestor tags with their distance from the text: 0, 1, 2, 3-4, 5 and more."""
    near = block.tags[: -_TAG_ANCESTORS - 1 : -1]
    return [f"t{_distance(distance)}{tag}" for distance, tag in enumerate(near)]


def _distance(steps: int) -> int:
    return steps if steps < 3 else 3 if steps < 5 else 4


def _class_keys(block: Block) -> list[str]:
    near = block.class_words[: -_CLASS_ANCESTORS - 1 : -1]
    return [
        f"c{0 if distance == 0 else 1 if distance < 3 else 2}{word}"
        for distance, words in enumerate(near)
        if words
        for word in words.split(" ")
    ]


def _word_keys(block_tokens: Iterable[Sequence[str]]) -> Iterable[list[str]]:
    """Tokens; runs of single CJK characters as pairs, since one character says little."""
    for found in block_tokens:
        keys = []
        before = ""
        for token in found:
            single = len(token) == 1 and token > "\u0e00"
            keys.append(before + token if single and before else token)
            before = token if single else ""
        yield keys


def _bag(keys: Iterable[Sequence[str]], rows: int) -> Bag:
    """CRC-32 of each key modulo ``rows``: the same on every machine, unlike ``hash``."""
    crc32 = zlib.crc32
    flat: list[int] = []
    offsets = [0]
    known: dict[str, int] = {}
    for block_keys in keys:
        for key in block_keys:
            value = known.get(key)
            if value is None:
                value = known[key] = crc32(key.encode("utf-8", "surrogatepass")) % rows
            flat.append(value)
        offsets.append(len(flat))
    return Bag(np.asarray(flat, dtype=np.int64), np.asarray(offsets, dtype=np.int64))
