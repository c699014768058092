"""Computes the numbers of blocks that :mod:`scrapy_boilernet.extractor.features.numbers` lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.numbers import (
    FAR_BLOCKS,
    NUMBERS,
    ROWS,
    SUBTREE_NUMBERS,
    SUBTREES,
    Column,
    scale,
)
from scrapy_boilernet.extractor.features.table import Columns
from scrapy_boilernet.extractor.features.texts import (
    HEAD_TOKENS,
    MAX_TEXT_CHARS,
    TAIL_TOKENS,
    TextCounts,
    count_texts,
)
from scrapy_boilernet.extractor.features.words import SINGLES_PER_WORD
from scrapy_boilernet.extractor.page import Ancestors, Page

_KIN_CLASSES = 3
_HEADING_TAGS = {f"h{level}": level for level in range(1, 7)}
_HEADING_ANCESTORS = 3
_DENSE = 4
"""If there are fewer elements per path step, gaps in their numbers cost less time than a sort."""
_PROSE_WORDS = 10
"""The least words of a block of prose."""


_Values = Mapping[str, NDArray[Any] | float]
"""By the names of numbers: (blocks,), or one value for all blocks."""


def block_numbers(page: Page, columns: Columns) -> NDArray[np.float32]:
    """Return the numbers of every block: (blocks, NUMBERS), columns as in :data:`ROWS`.

    ``columns``: the page's.
    """
    counts = count_texts(columns.texts, page.title, page.head)
    words = _word_counts(columns, counts)
    link_words = words * columns.link_chars / np.maximum(columns.chars, 1)
    values = np.empty((NUMBERS, len(columns.texts)))
    for group in (
        _text_values(columns, counts, words, link_words),
        _place_values(columns, words, link_words),
        _same_tags_values(columns, words, link_words),
        _kin_values(columns, words, link_words),
        _heading_values(columns),
    ):
        for name, column in group.items():
            values[ROWS[name]] = column
    values[_SUBTREE_ROWS] = _subtree_values(columns, words, link_words)
    return np.ascontiguousarray(scale(values).T, dtype=np.float32)


_SUBTREE_ROWS = slice(
    ROWS[f"{SUBTREE_NUMBERS[0].name}, subtree 1"],
    ROWS[f"{SUBTREE_NUMBERS[-1].name}, subtree {SUBTREES}"] + 1,
)


def _word_counts(columns: Columns, counts: TextCounts) -> Column:
    """Return the words of each block, in any script; long blocks are extrapolated from characters.

    ``SINGLES_PER_WORD`` characters of CJK count as a word.
    """
    words, singles = counts["tokens"], counts["singles"]
    numbers = words - singles + singles / SINGLES_PER_WORD
    for i in np.flatnonzero(words >= HEAD_TOKENS + TAIL_TOKENS).tolist():
        seen = counts["token_chars"][i] + words[i] - singles[i]
        numbers[i] = max(numbers[i], numbers[i] * columns.chars[i] / seen)
    return numbers


def _text_values(
    columns: Columns, counts: TextCounts, numbers: Column, link_words: Column
) -> _Values:
    """Return the numbers of the groups "text" and "claims"."""
    repeats = Counter(columns.texts)
    chars, digits = columns.chars, counts["digits"]
    seen_chars = np.minimum(chars, MAX_TEXT_CHARS).astype(np.float64)
    words = np.maximum(numbers, 1.0)
    seen = np.maximum(1.0, np.minimum(words, words * seen_chars / np.maximum(chars, 1)))
    return {
        "words": numbers,
        "characters": chars,
        "link density": link_words / words,
        "punctuation per word": counts["punctuation"] / seen,
        "sentence ends per word": counts["stops"] / seen,
        "ends as a sentence": counts["ends"],
        "share of digits": digits / np.maximum(seen_chars, 1),
        "capitalized words": counts["capitalized"] / seen,
        "characters per word": seen_chars / seen,
        "text is repeated": np.array([repeats[text] > 1 for text in columns.texts], np.bool_),
        "hidden": columns.hidden,
        "in noscript": columns.noscript,
        "begins in lower case": counts["lower"],
        "has a date or time": counts["dated"],
        "has a layout symbol": counts["symbols"] > 0,
        "has an address": counts["addressed"],
        "words shared with the title": counts["in_title"],
        "words in the description": counts["in_description"],
        "text in the JSON-LD body": counts["in_body"],
        "page has a JSON-LD body": counts["has_body"],
    }


def _place_values(columns: Columns, words: Column, links: Column) -> _Values:
    """Return the numbers of the group "place"."""
    n = len(columns.texts)
    total = max(words.sum(), 1.0)
    prose = words[(links < words / 3) & (words >= _PROSE_WORDS)].sum()
    rank = np.arange(n)
    depths = np.array([len(tags) for tags in columns.tags.values], dtype=np.int64)
    return {
        "place in the page": rank / max(n, 1),
        "blocks from the start": rank,
        "blocks to the end": n - 1 - rank,
        "words of the page before": (np.cumsum(words) - words) / total,
        "depth in elements": depths[columns.tags.places],
        "link density of the page": links.sum() / total,
        "prose of the page": prose / total,
        "words of the page": total,
    }


def _same_tags_values(columns: Columns, words: Column, link_words: Column) -> _Values:
    """Return the numbers of all blocks under the same tags."""
    kind = columns.tags.places
    kind_words, kind_links = np.bincount(kind, words), np.bincount(kind, link_words)
    per_block = kind_words / np.maximum(np.bincount(kind), 1)
    return {
        "page's words under the same tags": (kind_words / max(words.sum(), 1.0))[kind],
        "link density under the same tags": (kind_links / np.maximum(kind_words, 1.0))[kind],
        "words per block under the same tags": per_block[kind],
    }


def _subtree_values(columns: Columns, words: Column, link_words: Column) -> NDArray[np.float64]:
    """Return the numbers of the nearest distinct subtrees:
    (SUBTREES * len(SUBTREE_NUMBERS), blocks).
    """
    blocks, of_words, of_links = subtree_sums(
        columns.nodes, columns.depths, words, link_words, SUBTREES
    )
    by_name = {
        "share of the page's words": of_words / max(words.sum(), 1.0),
        "link density": of_links / np.maximum(of_words, 1.0),
        "words per block": of_words / np.maximum(blocks, 1),
        "blocks": blocks,
    }
    values = np.empty((SUBTREES, len(SUBTREE_NUMBERS), len(words)))
    for i, number in enumerate(SUBTREE_NUMBERS):
        values[:, i] = by_name[number.name]
    return values.reshape(SUBTREES * len(SUBTREE_NUMBERS), len(words))


def _subtree_sums(
    nodes: NDArray[np.int64],
    depths: NDArray[np.int64],
    words: Column,
    link_words: Column,
    levels: int,
) -> NDArray[np.float64]:
    """Return the blocks, words and words in links of each block's nearest distinct subtrees:
    (3, levels, blocks).

    An ancestor that adds no block to the subtree below it is passed over: a wrapper changes
    nothing. If there are fewer subtrees than ``levels``, the last is repeated.
    """
    n = len(depths)
    # Every block with each of its ancestors, outermost first.
    owner = np.repeat(np.arange(n), depths)
    subtree = _numbered(nodes)
    number = np.bincount(subtree).astype(np.float64)
    of_subtree = np.stack(
        [number, np.bincount(subtree, words[owner]), np.bincount(subtree, link_words[owner])]
    )
    # Outwards: an ancestor is another subtree if it has more blocks than the one below it.
    owner, subtree = owner[::-1], subtree[::-1]
    grows = np.ones(len(owner), dtype=np.bool_)
    grows[1:] = (number[subtree[1:]] != number[subtree[:-1]]) | (owner[1:] != owner[:-1])
    owner, subtree = owner[grows], subtree[grows]
    subtrees = np.bincount(owner, minlength=n)
    first = np.cumsum(subtrees[::-1])[::-1] - subtrees  # owners are in falling order
    sums = np.zeros((len(of_subtree), levels, n))
    has = subtrees > 0
    steps = np.minimum(np.arange(levels)[:, None], subtrees[has] - 1)
    sums[:, :, has] = of_subtree[:, subtree[first[has] + steps]]
    return sums


try:
    from scrapy_boilernet.extractor.features.compiled import subtree_sums
except ImportError:  # not compiled
    subtree_sums = _subtree_sums


def _numbered(nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the nodes; renumbered, in the same order, if their numbers have many gaps."""
    if not len(nodes) or nodes.max() < _DENSE * len(nodes):
        return nodes
    return np.unique(nodes, return_inverse=True)[1].reshape(-1)


def _kin_values(columns: Columns, words: Column, link_words: Column) -> _Values:
    """Return the numbers of the blocks with the same tags and near class words, such as the cards
    of a listing.
    """
    n = len(columns.texts)
    near = columns.class_words.inner(_KIN_CLASSES)
    kin = _numbered(columns.tags.places * len(near.values) + near.places)
    kin_words, number = np.bincount(kin, words), np.maximum(np.bincount(kin), 1)
    link_density = np.bincount(kin, link_words) / np.maximum(kin_words, 1.0)
    return {
        "page's words in its kind": (kin_words / max(words.sum(), 1.0))[kin],
        "link density of its kind": link_density[kin],
        "blocks of its kind": number[kin],
        "page's blocks in its kind": (number / max(n, 1))[kin],
        "words per block of its kind": (kin_words / number)[kin],
    }


def _heading_values(columns: Columns) -> _Values:
    """Return the numbers of the group "headings"."""
    n = len(columns.texts)
    places = np.arange(n)
    near = [_heading_level(tags[-_HEADING_ANCESTORS:]) for tags in columns.tags.values]
    levels = np.array(near, dtype=np.int64).reshape(-1, 2)
    level, in_h1 = levels[columns.tags.places].T
    # The last heading up to each block; -1 without one, which counts as FAR_BLOCKS away.
    last = np.maximum.accumulate(np.where(level > 0, places, -1)) if n else places
    after, distance = np.zeros((2, n), dtype=np.int64)
    if in_h1.any():
        first = int(in_h1.argmax())
        after, distance = np.where(places < first, -1, 1), places - first
    return {
        "blocks since a heading": np.where(last >= 0, places - last, FAR_BLOCKS),
        "level of the heading above": np.where(last >= 0, level[last], 0) if n else places,
        "after the first h1": after,
        "distance to the first h1": distance,
    }


@lru_cache(maxsize=1 << 12)  # every page has the same ones
def _heading_level(near: Ancestors) -> tuple[int, bool]:
    """Return the level of the innermost heading, 0 without one, and whether one is ``<h1>``."""
    level = next((_HEADING_TAGS[tag] for tag in reversed(near) if tag in _HEADING_TAGS), 0)
    return level, "h1" in near
