"""The numbers that the hashed featurizer gives a block: its text, place, subtrees and context.

Every number is a ratio, a flag or a logarithm scaled to some [0, 2], so that a page's size does
not change what a value means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.features.table import Columns
from scrapy_boilernet.features.words import (
    DIGIT,
    HIGH,
    PUNCTUATION,
    STOP,
    SYMBOL,
    Characters,
    tokens,
    trigrams,
)
from scrapy_boilernet.page import Head, Page

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


_TREE_ANCESTORS = 5
_SUBTREE = 4
_DENSE = 4
"""Up to this many elements per path step it is quicker to leave gaps than to sort."""
TREE_NUMBERS = _SUBTREE * _TREE_ANCESTORS + 3


def tree_numbers(columns: Columns, words: Column, link_words: Column) -> NDArray[np.float64]:
    """Shape (n, TREE_NUMBERS): the subtrees that the block stands in, and its kind of path.

    ``words``: words per block; ``link_words``: those in links. Both of shape (n,).
    """
    kind = columns.tags.places
    kind_words, kind_links = np.bincount(kind, words), np.bincount(kind, link_words)
    page_words = max(words.sum(), 1.0)
    of_kinds = (
        kind_words / page_words,
        kind_links / np.maximum(kind_words, 1.0),
        np.log1p(kind_words / np.maximum(np.bincount(kind), 1)) / 4,
    )
    of_kind = np.stack(of_kinds, axis=1)[kind]
    return np.concatenate(
        [_subtree_numbers(columns, words, link_words, page_words), of_kind], axis=1
    )


def _subtree_numbers(
    columns: Columns, words: Column, link_words: Column, page_words: float
) -> NDArray[np.float64]:
    """Word share, link share, words per block and blocks of the 5 nearest distinct subtrees.

    Ancestors that add no block to the one below are passed over: a wrapper changes nothing. Where
    there are fewer, the last is repeated.
    """
    n = len(columns.nodes)
    depths = np.fromiter(map(len, columns.nodes), dtype=np.int64, count=n)
    # Every block with each of its ancestors, outermost first.
    owner = np.repeat(np.arange(n), depths)
    subtree = _numbered(np.array(list(chain.from_iterable(columns.nodes)), dtype=np.int64))
    number = np.bincount(subtree).astype(np.float64)
    subtree_words = np.bincount(subtree, words[owner])
    of_subtrees = (
        subtree_words / page_words,
        np.bincount(subtree, link_words[owner]) / np.maximum(subtree_words, 1.0),
        np.log1p(subtree_words / np.maximum(number, 1)) / 4,
        np.log1p(number) / 6,
    )
    of_subtree = np.stack(of_subtrees, axis=1)
    # Outwards: an ancestor is another subtree if it has more blocks than the one below it.
    owner, subtree = owner[::-1], subtree[::-1]
    grows = np.ones(len(owner), dtype=np.bool_)
    grows[1:] = (number[subtree[1:]] != number[subtree[:-1]]) | (owner[1:] != owner[:-1])
    owner, subtree = owner[grows], subtree[grows]
    subtrees = np.bincount(owner, minlength=n)
    first = np.cumsum(subtrees[::-1])[::-1] - subtrees  # owners fall
    rows = np.zeros((n, _TREE_ANCESTORS, _SUBTREE))
    has = subtrees > 0
    steps = np.minimum(np.arange(_TREE_ANCESTORS), subtrees[has, None] - 1)
    rows[has] = of_subtree[subtree[first[has, None] + steps]]
    return rows.reshape(n, _TREE_ANCESTORS * _SUBTREE)


def _numbered(nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The nodes by numbers that are not much more than they are, in the same order."""
    if not len(nodes) or nodes.max() < _DENSE * len(nodes):
        return nodes
    return np.unique(nodes, return_inverse=True)[1].reshape(-1)


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
