"""Computes the numbers of blocks that :mod:`scrapy_boilernet.extractor.features.numbers` lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

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
    COUNTS,
    HEAD_TOKENS,
    MAX_TEXT_CHARS,
    TAIL_TOKENS,
    count_texts,
)
from scrapy_boilernet.extractor.features.words import SINGLES_PER_WORD
from scrapy_boilernet.extractor.page import Ancestors, Page

_HEADING_TAGS = {f"h{level}": level for level in range(1, 7)}
HEADING_ANCESTORS = 3
"""The innermost elements of a block that are looked at for a heading."""
_DENSE = 4
"""If there are fewer elements per path step, gaps in their numbers cost less time than a sort."""
PROSE_WORDS = 10
"""The least words of a block of prose."""
_WORD_COUNTS = tuple(map([*COUNTS].index, ("tokens", "token_chars", "singles")))


_Values = Mapping[str, NDArray[Any] | float]
"""By the names of numbers: (blocks,), or one value for all blocks."""


def block_numbers(page: Page, columns: Columns) -> NDArray[np.float32]:
    """Return the numbers of every block: (blocks, NUMBERS), columns as in :data:`ROWS`.

    ``columns``: the page's.
    """
    counts = count_texts(columns.texts, page.title, page.head)
    words, link_words, prose = word_columns(
        counts, columns.chars, columns.link_chars, SINGLES_PER_WORD
    )
    sums = PageSums(max(float(words.sum()), 1.0), float(link_words.sum()), float(prose.sum()))
    values = number_rows(columns, counts, words, link_words, sums)
    scaled: NDArray[np.float32] = np.ascontiguousarray(scale(values).T, dtype=np.float32)
    return scaled


class PageSums(NamedTuple):
    """Words of a page."""

    words: float
    """Of all blocks; at least 1."""
    links: float
    """In links."""
    prose: float
    """In blocks of prose."""


def _number_rows(
    columns: Columns,
    counts: NDArray[np.float64],
    words: Column,
    link_words: Column,
    sums: PageSums,
) -> NDArray[np.float64]:
    """Return the numbers of every block before they are scaled: (NUMBERS, blocks).

    ``counts``: what :func:`count_texts` returns.
    """
    values: NDArray[np.float64] = np.empty((NUMBERS, len(columns.texts)))
    for group in (
        _text_values(columns, dict(zip(COUNTS, counts, strict=True)), words, link_words),
        _place_values(columns, words, sums),
        _same_tags_values(columns, words, link_words, sums),
        _kind_values(columns, words, link_words, sums),
        _heading_values(columns),
    ):
        for name, column in group.items():
            values[ROWS[name]] = column
    values[_SUBTREE_ROWS] = _subtree_values(columns, words, link_words, sums)
    return values


try:
    from scrapy_boilernet.extractor.features.compiled import number_rows
except ImportError:  # not compiled
    number_rows = _number_rows


_SUBTREE_ROWS = slice(
    ROWS[f"{SUBTREE_NUMBERS[0].name}, subtree 1"],
    ROWS[f"{SUBTREE_NUMBERS[-1].name}, subtree {SUBTREES}"] + 1,
)


def _word_columns(
    counts: NDArray[np.float64],
    chars: NDArray[np.int64],
    link_chars: NDArray[np.int64],
    singles_per_word: float,
) -> tuple[Column, Column, Column]:
    """Return the words of each block, in any script, and those of them in links: (blocks,) both;
    and the words of the blocks of prose alone.

    Long blocks are extrapolated from their characters. ``singles_per_word``: characters of CJK that
    count as a word.
    """
    tokens, token_chars, singles = (counts[row] for row in _WORD_COUNTS)
    words: Column = tokens - singles + singles / singles_per_word
    for i in np.flatnonzero(tokens >= HEAD_TOKENS + TAIL_TOKENS).tolist():
        seen = token_chars[i] + tokens[i] - singles[i]
        words[i] = max(words[i], words[i] * chars[i] / seen)
    link_words: Column = words * link_chars / np.maximum(chars, 1)
    return words, link_words, words[(link_words < words / 3) & (words >= PROSE_WORDS)]


try:
    from scrapy_boilernet.extractor.features.compiled import word_columns
except ImportError:  # not compiled
    word_columns = _word_columns


def _text_values(
    columns: Columns, counts: Mapping[str, Column], numbers: Column, link_words: Column
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


def _place_values(columns: Columns, words: Column, sums: PageSums) -> _Values:
    """Return the numbers of the group "place"."""
    n = len(columns.texts)
    rank = np.arange(n)
    return {
        "place in the page": rank / max(n, 1),
        "blocks from the start": rank,
        "blocks to the end": n - 1 - rank,
        "words of the page before": (np.cumsum(words) - words) / sums.words,
        "depth in elements": columns.depths,
        "link density of the page": sums.links / sums.words,
        "prose of the page": sums.prose / sums.words,
        "words of the page": sums.words,
    }


def _same_tags_values(
    columns: Columns, words: Column, link_words: Column, sums: PageSums
) -> _Values:
    """Return the numbers of all blocks under the same tags."""
    kind = columns.tags.places
    kind_words, kind_links = np.bincount(kind, words), np.bincount(kind, link_words)
    per_block = kind_words / np.maximum(np.bincount(kind), 1)
    return {
        "page's words under the same tags": (kind_words / sums.words)[kind],
        "link density under the same tags": (kind_links / np.maximum(kind_words, 1.0))[kind],
        "words per block under the same tags": per_block[kind],
    }


def _subtree_values(
    columns: Columns, words: Column, link_words: Column, sums: PageSums
) -> NDArray[np.float64]:
    """Return the numbers of the nearest distinct subtrees:
    (SUBTREES * len(SUBTREE_NUMBERS), blocks).
    """
    blocks, of_words, of_links = subtree_sums(
        columns.nodes, columns.depths, words, link_words, SUBTREES
    )
    by_name = {
        "share of the page's words": of_words / sums.words,
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


def _kind_values(columns: Columns, words: Column, link_words: Column, sums: PageSums) -> _Values:
    """Return the numbers of the group "kin"."""
    n, kind = len(columns.texts), columns.kinds
    kind_words, number = np.bincount(kind, words), np.maximum(np.bincount(kind), 1)
    link_density = np.bincount(kind, link_words) / np.maximum(kind_words, 1.0)
    return {
        "page's words in its kind": (kind_words / sums.words)[kind],
        "link density of its kind": link_density[kind],
        "blocks of its kind": number[kind],
        "page's blocks in its kind": (number / max(n, 1))[kind],
        "words per block of its kind": (kind_words / number)[kind],
    }


def _heading_values(columns: Columns) -> _Values:
    """Return the numbers of the group "headings"."""
    n = len(columns.texts)
    places = np.arange(n)
    levels = [_heading_level(tags[-HEADING_ANCESTORS:]) for tags in columns.tags.values]
    headings = np.array(levels, dtype=np.int64).reshape(-1, 2)
    level, in_h1 = headings[columns.tags.places].T
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


def _heading_level(near: Ancestors) -> tuple[int, bool]:
    """Return the level of the innermost heading, 0 without one, and whether one is ``<h1>``."""
    level = next((_HEADING_TAGS[tag] for tag in reversed(near) if tag in _HEADING_TAGS), 0)
    return level, "h1" in near
