"""More numbers per block: what metadata says of it, blocks of its kind, the heading above it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.columns import Columns
from scrapy_boilernet.head import Head
from scrapy_boilernet.tokens import tokens

CLAIM_NUMBERS, KIN_NUMBERS, HEADING_NUMBERS = 3, 5, 4
CONTEXT_NUMBERS = CLAIM_NUMBERS + KIN_NUMBERS + HEADING_NUMBERS

_KIN_CLASSES = 3
_HEADING_TAGS = {f"h{level}": level for level in range(1, 7)}
_HEADING_ANCESTORS = 3
_FAR_BLOCKS, _H1_BLOCKS = 20, 50

Column = NDArray[np.float64]


def context_numbers(
    head: Head,
    columns: Columns,
    block_tokens: Sequence[Sequence[str]],
    counts: Column,
    link_words: Column,
) -> NDArray[np.float64]:
    """Return (blocks, CONTEXT_NUMBERS): claims, kin and headings, in this order.

    ``block_tokens``: per block its clipped tokens; ``counts``: words per block; ``link_words``:
    those in links.
    """
    groups = (
        _claim_numbers(head, block_tokens),
        _kin_numbers(columns, counts, link_words),
        _heading_numbers(columns),
    )
    return np.concatenate(groups, axis=1)


def _claim_numbers(head: Head, block_tokens: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Share of a block's tokens in the page's description; of its trigrams in the JSON-LD body;
    whether there is such a body.
    """
    rows = np.zeros((len(block_tokens), CLAIM_NUMBERS))
    described = set(tokens(head.description))
    body = trigrams(tokens(head.article_body))
    rows[:, 2] = bool(body)
    if not described and not body:
        return rows
    for i, found in enumerate(block_tokens):
        if len(found) >= 3:
            rows[i, 0] = sum(map(described.__contains__, found)) / len(found)
            if body:
                mine = zip(found, found[1:], found[2:], strict=False)
                rows[i, 1] = sum(map(body.__contains__, mine)) / (len(found) - 2)
    return rows


def trigrams(found: Sequence[str]) -> set[tuple[str, str, str]]:
    """Return the runs of three tokens."""
    return {(a, b, c) for (a, b), (_, c) in pairwise(pairwise(found))}


def _kin_numbers(columns: Columns, words: Column, link_words: Column) -> NDArray[np.float64]:
    """Of the blocks with the same tags and near class words: word share, link share, number,
    share of the page's blocks, words per block. Cards of a listing are each other's kin.
    """
    n = len(columns.texts)
    near = columns.class_words.inner(_KIN_CLASSES)
    pairs = columns.tags.places * len(near.values) + near.places
    kin: NDArray[np.int64] = np.unique(pairs, return_inverse=True)[1].reshape(-1)
    kin_words, number = np.bincount(kin, words), np.maximum(np.bincount(kin), 1)
    numbers = (
        kin_words / max(words.sum(), 1.0),
        np.bincount(kin, link_words) / np.maximum(kin_words, 1.0),
        np.log1p(number) / 6,
        number / max(n, 1),
        np.log1p(kin_words / number) / 4,
    )
    of_kin: NDArray[np.float64] = np.stack(numbers, axis=1)
    return of_kin[kin]


def _heading_numbers(columns: Columns) -> NDArray[np.float64]:
    """Blocks since the last heading and its level; before or after the first h1, and how far."""
    n = len(columns.texts)
    rows = np.zeros((n, HEADING_NUMBERS))
    places = np.arange(n)
    near = [tags[-_HEADING_ANCESTORS:] for tags in columns.tags.values]
    levels = np.array([_heading_level(tags) for tags in near], dtype=np.int64)
    level = levels[columns.tags.places]
    # The last heading up to each block; without one, as if it stood too far to matter.
    last = np.maximum.accumulate(np.where(level > 0, places, -1)) if n else places
    since = np.where(last >= 0, places - last, _FAR_BLOCKS)
    rows[:, 0] = np.minimum(since, _FAR_BLOCKS) / _FAR_BLOCKS
    rows[:, 1] = np.where(last >= 0, level[last], 0) / 6 if n else 0
    in_h1 = np.array(["h1" in tags for tags in near], dtype=np.bool_)[columns.tags.places]
    if in_h1.any():
        first = int(in_h1.argmax())
        rows[:, 2] = np.where(places < first, -1, 1)
        rows[:, 3] = np.clip((places - first) / _H1_BLOCKS, -1.0, 1.0)
    return rows


def _heading_level(near: tuple[str, ...]) -> int:
    return next((_HEADING_TAGS[tag] for tag in reversed(near) if tag in _HEADING_TAGS), 0)
