"""The numbers that the hashed featuriser gives a block: its text, its place, its subtrees.

Every number is a ratio, a flag or a logarithm scaled to some [0, 2], so that a page's size does
not change what a value means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.characters import (
    DIGIT,
    HIGH,
    PUNCTUATION,
    STOP,
    SYMBOL,
    Characters,
)
from scrapy_boilernet.columns import Columns
from scrapy_boilernet.context_numbers import (
    CLAIM_NUMBERS,
    CONTEXT_NUMBERS,
    KIN_NUMBERS,
    context_numbers,
)
from scrapy_boilernet.page import Page
from scrapy_boilernet.subtree_numbers import TREE_NUMBERS, tree_numbers
from scrapy_boilernet.tokens import tokens

TEXT_NUMBERS, PLACE_NUMBERS = 17, 8
_CONTEXT = TEXT_NUMBERS + PLACE_NUMBERS + TREE_NUMBERS
NUMBERS = _CONTEXT + CONTEXT_NUMBERS
GROUPS = {
    "text": slice(0, TEXT_NUMBERS),
    "place": slice(TEXT_NUMBERS, TEXT_NUMBERS + PLACE_NUMBERS),
    "tree": slice(TEXT_NUMBERS + PLACE_NUMBERS, _CONTEXT),
    "claims": slice(_CONTEXT, _CONTEXT + CLAIM_NUMBERS),
    "kin": slice(_CONTEXT + CLAIM_NUMBERS, _CONTEXT + CLAIM_NUMBERS + KIN_NUMBERS),
    "headings": slice(_CONTEXT + CLAIM_NUMBERS + KIN_NUMBERS, NUMBERS),
}
"""Columns per group of numbers; training drops whole groups at random."""

_HEAD_TOKENS, _TAIL_TOKENS = 32, 8
_MAX_TEXT_CHARS = 2000  # beyond it a block's ratios no longer move; keeps a 12 MB block cheap

_STOPS, _CLOSERS = frozenset(".!?。！？؟…।"), "\"'”’»)]"
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:./-]\d{1,2}\b")
_MIN_DATE_DIGITS = 2
_ADDRESSES = ("@", "http:", "https:", "www.")

Column = NDArray[np.float64]


def block_numbers(
    page: Page, columns: Columns, block_tokens: Sequence[Sequence[str]]
) -> NDArray[np.float32]:
    """Return the numbers of every block: (blocks, NUMBERS), columns as in :data:`GROUPS`.

    ``columns``: the page's; ``block_tokens``: per block its :func:`clipped_tokens`.
    """
    texts = [text[:_MAX_TEXT_CHARS] for text in columns.texts]
    characters = Characters(texts)
    words = _word_counts(block_tokens, columns.chars, characters)
    link_words = words * columns.link_chars / np.maximum(columns.chars, 1)
    groups = [
        _text_numbers(columns, texts, characters, words, link_words),
        _title_overlaps(page, block_tokens),
        _place_numbers(columns, words, link_words),
        tree_numbers(columns, words, link_words),
        context_numbers(page.head, columns, block_tokens, words, link_words),
    ]
    return np.concatenate(groups, axis=1).astype(np.float32)


def clipped_tokens(text: str) -> list[str]:
    """Return the first 32 and last 8 tokens of the first and last 1,000 characters."""
    if len(text) > _MAX_TEXT_CHARS:
        text = text[: _MAX_TEXT_CHARS // 2] + " " + text[-_MAX_TEXT_CHARS // 2 :]
    found = tokens(text)
    if len(found) > _HEAD_TOKENS + _TAIL_TOKENS:
        return found[:_HEAD_TOKENS] + found[-_TAIL_TOKENS:]
    return found


def _word_counts(
    block_tokens: Sequence[Sequence[str]], chars: NDArray[np.int64], characters: Characters
) -> Column:
    """Words of each block in any script; long blocks are extrapolated from characters.

    A CJK character counts 1/1.7 word (the ratio of its translation into English).
    """
    words = np.fromiter(map(len, block_tokens), dtype=np.float64, count=len(block_tokens))
    singles = np.zeros(len(words))
    unsure = (characters.count(HIGH) > 0) | (chars > _MAX_TEXT_CHARS)
    for i in np.flatnonzero(unsure).tolist():
        singles[i] = sum(1 for token in block_tokens[i] if len(token) == 1 and token > "\u0e00")
    counts = words - singles + singles / 1.7
    for i in np.flatnonzero(words >= _HEAD_TOKENS + _TAIL_TOKENS).tolist():
        seen = sum(map(len, block_tokens[i])) + words[i] - singles[i]
        counts[i] = max(counts[i], counts[i] * chars[i] / seen)
    return counts


def _text_numbers(
    columns: Columns,
    texts: Sequence[str],
    characters: Characters,
    counts: Column,
    link_words: Column,
) -> NDArray[np.float64]:
    """Shape (n, TEXT_NUMBERS - 1): what a reader sees of the block alone."""
    repeats = Counter(columns.texts)
    chars = columns.chars
    seen_chars = np.minimum(chars, _MAX_TEXT_CHARS).astype(np.float64)
    words = np.maximum(counts, 1.0)
    seen = np.maximum(1.0, np.minimum(words, words * seen_chars / np.maximum(chars, 1)))
    digits = characters.count(DIGIT)
    rows = np.empty((TEXT_NUMBERS - 1, len(texts)))
    rows[0] = np.log1p(counts) / 4
    rows[1] = np.log1p(chars) / 6
    rows[2] = link_words / words
    rows[3] = np.minimum(characters.count(PUNCTUATION) / seen, 1) * 4
    rows[4] = np.minimum(characters.count(STOP) / seen, 1) * 4
    rows[5] = [text.rstrip(_CLOSERS)[-1:] in _STOPS for text in texts]
    rows[6] = digits / np.maximum(seen_chars, 1)
    rows[7] = np.minimum(characters.count_capitalized() / seen, 1)
    rows[8] = np.minimum(seen_chars / seen / 10, 2)
    rows[9] = [repeats[text] > 1 for text in columns.texts]
    rows[10] = columns.hidden
    rows[11] = columns.noscript
    rows[12] = [text[:1].islower() for text in texts]
    rows[13] = _dated(texts, digits)
    rows[14] = characters.count(SYMBOL) > 0
    rows[15] = _addressed(texts)
    return rows.T


def _dated(texts: Sequence[str], digits: NDArray[np.int64]) -> NDArray[np.bool_]:
    found = digits >= _MIN_DATE_DIGITS
    for i in np.flatnonzero(found).tolist():
        found[i] = _DATE.search(texts[i]) is not None
    return found


def _addressed(texts: Sequence[str]) -> NDArray[np.bool_]:
    found = np.zeros(len(texts), dtype=np.bool_)
    together = "\n".join(texts)
    for sign in _ADDRESSES:
        if sign in together:  # on few pages
            found |= [sign in text for text in texts]
    return found


def _title_overlaps(page: Page, block_tokens: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Shape (n, 1): share of the tokens of block and title that both have."""
    overlaps = np.zeros((len(block_tokens), 1))
    title = set(tokens(page.title)[:40])
    apart = np.fromiter(map(title.isdisjoint, block_tokens), np.bool_, count=len(block_tokens))
    for i in np.flatnonzero(~apart).tolist():
        mine = set(block_tokens[i])
        overlaps[i] = len(mine & title) / len(mine | title)
    return overlaps


def _place_numbers(columns: Columns, words: Column, links: Column) -> NDArray[np.float64]:
    """Shape (n, PLACE_NUMBERS): where the block stands, and what the page is like as a whole."""
    n = len(columns.texts)
    total = max(words.sum(), 1.0)
    prose = words[(links < words / 3) & (words >= 10)].sum()
    rank = np.arange(n)
    depths = np.array([len(tags) for tags in columns.tags.values], dtype=np.int64)
    rows = np.empty((PLACE_NUMBERS, n))
    rows[0] = rank / max(n, 1)
    rows[1] = np.minimum(rank, 50) / 50
    rows[2] = np.minimum(n - 1 - rank, 50) / 50
    rows[3] = (np.cumsum(words) - words) / total
    rows[4] = np.minimum(depths[columns.tags.places] / 20, 2)
    rows[5] = links.sum() / total
    rows[6] = prose / total
    rows[7] = np.log1p(total) / 8
    return rows.T
