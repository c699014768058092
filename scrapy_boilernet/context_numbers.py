"""More numbers per block: what metadata says of it, blocks of its kind, the heading above it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.page import Block, Page
from scrapy_boilernet.tokens import tokens

CLAIM_NUMBERS, KIN_NUMBERS, HEADING_NUMBERS = 3, 5, 4
CONTEXT_NUMBERS = CLAIM_NUMBERS + KIN_NUMBERS + HEADING_NUMBERS

_KIN_CLASSES = 3
_HEADING_TAGS = {f"h{level}": level for level in range(1, 7)}
_HEADING_ANCESTORS = 3
_FAR_BLOCKS, _H1_BLOCKS = 20, 50


def context_numbers(
    page: Page,
    block_tokens: Sequence[Sequence[str]],
    counts: Sequence[float],
    link_words: Sequence[float],
) -> NDArray[np.float64]:
    """Return (blocks, CONTEXT_NUMBERS): claims, kin and headings, in this order.

    ``block_tokens``: per block its clipped tokens; ``counts``: words per block; ``link_words``:
    those in links.
    """
    columns = (
        _claim_numbers(page, block_tokens),
        _kin_numbers(page, counts, link_words),
        _heading_numbers(page),
    )
    return np.concatenate(columns, axis=1)


def _claim_numbers(page: Page, block_tokens: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Share of a block's tokens in the page's description; of its trigrams in the JSON-LD body;
    whether there is such a body.
    """
    rows = np.zeros((len(page.blocks), CLAIM_NUMBERS))
    described = set(tokens(page.head.description))
    body = trigrams(tokens(page.head.article_body))
    rows[:, 2] = bool(body)
    if not described and not body:
        return rows
    for i, found in enumerate(block_tokens):
        if len(found) >= 3:
            rows[i, 0] = sum(token in described for token in found) / len(found)
            if body:
                mine = list(zip(found, found[1:], found[2:], strict=False))
                rows[i, 1] = sum(trigram in body for trigram in mine) / len(mine)
    return rows


def trigrams(found: Sequence[str]) -> set[tuple[str, str, str]]:
    """Return the runs of three tokens."""
    return {(a, b, c) for (a, b), (_, c) in pairwise(pairwise(found))}


def _kin_numbers(
    page: Page, counts: Sequence[float], link_words: Sequence[float]
) -> NDArray[np.float64]:
    """Of the blocks with the same tags and near class words: word share, link share, number,
    share of the page's blocks, words per block. Cards of a listing are each other's kin.
    """
    kin: dict[tuple[tuple[str, ...], tuple[str, ...]], list[float]] = {}
    keys = [(block.tags, block.class_words[-_KIN_CLASSES:]) for block in page.blocks]
    for key, words, links in zip(keys, counts, link_words, strict=True):
        sums = kin.setdefault(key, [0, 0, 0])
        sums[0] += words
        sums[1] += links
        sums[2] += 1
    page_words = max(sum(counts), 1.0)
    numbers = {
        key: (
            words / page_words,
            links / max(words, 1.0),
            math.log1p(number) / 6,
            number / len(keys),
            math.log1p(words / number) / 4,
        )
        for key, (words, links, number) in kin.items()
    }
    return np.array([numbers[key] for key in keys]).reshape(len(keys), KIN_NUMBERS)


def _heading_numbers(page: Page) -> NDArray[np.float64]:
    """Blocks since the last heading and its level; before or after the first h1, and how far."""
    rows = np.zeros((len(page.blocks), HEADING_NUMBERS))
    since, level = _FAR_BLOCKS, 0
    first = next((i for i, b in enumerate(page.blocks) if "h1" in b.tags[-3:]), None)
    for i, block in enumerate(page.blocks):
        own = _heading_level(block)
        since, level = (0, own) if own else (since + 1, level)
        rows[i, 0] = min(since, _FAR_BLOCKS) / _FAR_BLOCKS
        rows[i, 1] = level / 6
        if first is not None:
            rows[i, 2] = -1 if i < first else 1
            rows[i, 3] = max(-1.0, min(1.0, (i - first) / _H1_BLOCKS))
    return rows


def _heading_level(block: Block) -> int:
    near = reversed(block.tags[-_HEADING_ANCESTORS:])
    return next((_HEADING_TAGS[tag] for tag in near if tag in _HEADING_TAGS), 0)
