"""Page → the numbers of its blocks, as :mod:`scrapy_boilernet.features.numbers` lists them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.features.numbers import (
    BLOCK_NUMBERS,
    FAR_BLOCKS,
    SAME_TAGS_NUMBERS,
    SUBTREE_NUMBERS,
    SUBTREES,
    Column,
    Number,
)
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

_KIN_CLASSES = 3
_HEADING_TAGS = {f"h{level}": level for level in range(1, 7)}
_HEADING_ANCESTORS = 3
_DENSE = 4
"""Up to this many elements per path step it is quicker to leave gaps than to sort."""
_HEAD_TOKENS, _TAIL_TOKENS = 32, 8
_MAX_TEXT_CHARS = 2000  # beyond it a block's ratios no longer move; keeps a 12 MB block cheap
_TITLE_TOKENS = 40
_PROSE_WORDS = 10
"""Least words of a block of prose."""

_STOPS, _CLOSERS = frozenset(".!?。！？؟…।"), "\"'”’»)]"
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:./-]\d{1,2}\b")
_MIN_DATE_DIGITS = 2
_ADDRESSES = ("@", "http:", "https:", "www.")


def block_numbers(
    page: Page, columns: Columns, block_tokens: Sequence[Sequence[str]]
) -> NDArray[np.float32]:
    """Return the numbers of every block: (blocks, NUMBERS), columns as in :data:`BLOCK_NUMBERS`.

    ``columns``: the page's; ``block_tokens``: per block its :func:`clipped_tokens`.
    """
    texts = [text[:_MAX_TEXT_CHARS] for text in columns.texts]
    characters = Characters(texts)
    words = _word_counts(block_tokens, columns.chars, characters)
    link_words = words * columns.link_chars / np.maximum(columns.chars, 1)
    of_text = _text_values(columns, texts, characters, words, link_words)
    of_text["words shared with the title"] = _title_overlaps(page, block_tokens)
    blocks = len(texts)
    groups = {
        "text": _matrix(BLOCK_NUMBERS["text"], of_text, blocks),
        "place": _matrix(BLOCK_NUMBERS["place"], _place_values(columns, words, link_words), blocks),
        "tree": _tree_numbers(columns, words, link_words),
        "claims": _matrix(BLOCK_NUMBERS["claims"], _claim_values(page.head, block_tokens), blocks),
        "kin": _kin_numbers(columns, words, link_words),
        "headings": _matrix(BLOCK_NUMBERS["headings"], _heading_values(columns), blocks),
    }
    ordered = [groups[group] for group in BLOCK_NUMBERS]
    return np.concatenate(ordered, axis=1).astype(np.float32)


def _matrix(
    numbers: Sequence[Number], values: Mapping[str, NDArray[Any]], rows: int
) -> NDArray[np.float64]:
    """The values by the numbers' names, scaled: (rows, numbers)."""
    scaled = np.empty((len(numbers), rows))
    for row, number in zip(scaled, numbers, strict=True):
        row[:] = number.scaled(values[number.name])
    return scaled.T


def clipped_tokens(text: str) -> list[str]:
    """Return the first 32 and last 8 tokens of the first and last 1,000 characters."""
    if len(text) > _MAX_TEXT_CHARS:
        text = text[: _MAX_TEXT_CHARS // 2] + " " + text[-_MAX_TEXT_CHARS // 2 :]
    all_tokens = tokens(text)
    if len(all_tokens) > _HEAD_TOKENS + _TAIL_TOKENS:
        return all_tokens[:_HEAD_TOKENS] + all_tokens[-_TAIL_TOKENS:]
    return all_tokens


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


def _text_values(
    columns: Columns,
    texts: Sequence[str],
    characters: Characters,
    counts: Column,
    link_words: Column,
) -> dict[str, NDArray[Any]]:
    """What a reader sees of the block alone, by name; each (blocks,)."""
    repeats = Counter(columns.texts)
    chars = columns.chars
    seen_chars = np.minimum(chars, _MAX_TEXT_CHARS).astype(np.float64)
    words = np.maximum(counts, 1.0)
    seen = np.maximum(1.0, np.minimum(words, words * seen_chars / np.maximum(chars, 1)))
    digits = characters.count(DIGIT)
    ends = [text.rstrip(_CLOSERS)[-1:] in _STOPS for text in texts]
    return {
        "words": counts,
        "characters": chars,
        "link density": link_words / words,
        "punctuation per word": characters.count(PUNCTUATION) / seen,
        "sentence ends per word": characters.count(STOP) / seen,
        "ends as a sentence": np.array(ends, dtype=np.bool_),
        "share of digits": digits / np.maximum(seen_chars, 1),
        "capitalized words": characters.count_capitalized() / seen,
        "characters per word": seen_chars / seen,
        "text is repeated": np.array([repeats[text] > 1 for text in columns.texts], np.bool_),
        "hidden": columns.hidden,
        "in noscript": columns.noscript,
        "begins in lower case": np.array([text[:1].islower() for text in texts], np.bool_),
        "has a date or time": _dated(texts, digits),
        "has a layout symbol": characters.count(SYMBOL) > 0,
        "has an address": _addressed(texts),
    }


def _dated(texts: Sequence[str], digits: NDArray[np.int64]) -> NDArray[np.bool_]:
    dated = digits >= _MIN_DATE_DIGITS
    for i in np.flatnonzero(dated).tolist():
        dated[i] = _DATE.search(texts[i]) is not None
    return dated


def _addressed(texts: Sequence[str]) -> NDArray[np.bool_]:
    addressed = np.zeros(len(texts), dtype=np.bool_)
    together = "\n".join(texts)
    for sign in _ADDRESSES:
        if sign in together:  # on few pages
            addressed |= [sign in text for text in texts]
    return addressed


def _title_overlaps(page: Page, block_tokens: Sequence[Sequence[str]]) -> Column:
    """Share of the tokens of block and title that both have: (blocks,)."""
    overlaps = np.zeros(len(block_tokens))
    title = set(tokens(page.title)[:_TITLE_TOKENS])
    apart = np.fromiter(map(title.isdisjoint, block_tokens), np.bool_, count=len(block_tokens))
    for i in np.flatnonzero(~apart).tolist():
        mine = set(block_tokens[i])
        overlaps[i] = len(mine & title) / len(mine | title)
    return overlaps


def _place_values(columns: Columns, words: Column, links: Column) -> dict[str, NDArray[Any]]:
    """Where the block stands, and what the page is like as a whole; (blocks,) or one for all."""
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
        "words of the page": np.asarray(total),
    }


def _tree_numbers(columns: Columns, words: Column, link_words: Column) -> NDArray[np.float64]:
    """The group "tree": the subtrees of the block, and the blocks under the same tags.

    ``words``: words per block; ``link_words``: those in links. Both of shape (blocks,).
    """
    kind = columns.tags.places
    kind_words, kind_links = np.bincount(kind, words), np.bincount(kind, link_words)
    page_words = max(words.sum(), 1.0)
    same_tags = {
        "page's words under the same tags": kind_words / page_words,
        "link density under the same tags": kind_links / np.maximum(kind_words, 1.0),
        "words per block under the same tags": kind_words / np.maximum(np.bincount(kind), 1),
    }
    of_kinds = _matrix(SAME_TAGS_NUMBERS, same_tags, len(kind_words))
    subtrees = _subtree_numbers(columns, words, link_words, page_words)
    return np.concatenate([subtrees, of_kinds[kind]], axis=1)


def _subtree_numbers(
    columns: Columns, words: Column, link_words: Column, page_words: float
) -> NDArray[np.float64]:
    """The nearest distinct subtrees: (blocks, SUBTREES * len(SUBTREE_NUMBERS)).

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
    values = {
        "share of the page's words": subtree_words / page_words,
        "link density": np.bincount(subtree, link_words[owner]) / np.maximum(subtree_words, 1.0),
        "words per block": subtree_words / np.maximum(number, 1),
        "blocks": number,
    }
    of_subtree = _matrix(SUBTREE_NUMBERS, values, len(number))
    # Outwards: an ancestor is another subtree if it has more blocks than the one below it.
    owner, subtree = owner[::-1], subtree[::-1]
    grows = np.ones(len(owner), dtype=np.bool_)
    grows[1:] = (number[subtree[1:]] != number[subtree[:-1]]) | (owner[1:] != owner[:-1])
    owner, subtree = owner[grows], subtree[grows]
    subtrees = np.bincount(owner, minlength=n)
    first = np.cumsum(subtrees[::-1])[::-1] - subtrees  # owners fall
    rows = np.zeros((n, SUBTREES, len(SUBTREE_NUMBERS)))
    has = subtrees > 0
    steps = np.minimum(np.arange(SUBTREES), subtrees[has, None] - 1)
    rows[has] = of_subtree[subtree[first[has, None] + steps]]
    return rows.reshape(n, SUBTREES * len(SUBTREE_NUMBERS))


def _numbered(nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The nodes by numbers that are not much more than they are, in the same order."""
    if not len(nodes) or nodes.max() < _DENSE * len(nodes):
        return nodes
    return np.unique(nodes, return_inverse=True)[1].reshape(-1)


def _claim_values(head: Head, block_tokens: Sequence[Sequence[str]]) -> dict[str, NDArray[Any]]:
    """What the page's metadata quotes of a block; (blocks,), or one for all."""
    in_description, in_body = np.zeros((2, len(block_tokens)))
    described = set(tokens(head.description))
    body = trigrams(tokens(head.article_body))
    for i, mine in enumerate(block_tokens if described or body else ()):
        if len(mine) >= 3:
            in_description[i] = sum(map(described.__contains__, mine)) / len(mine)
            if body:
                runs = zip(mine, mine[1:], mine[2:], strict=False)
                in_body[i] = sum(map(body.__contains__, runs)) / (len(mine) - 2)
    return {
        "words in the description": in_description,
        "text in the JSON-LD body": in_body,
        "page has a JSON-LD body": np.asarray(bool(body)),
    }


def _kin_numbers(columns: Columns, words: Column, link_words: Column) -> NDArray[np.float64]:
    """The group "kin": blocks with the same tags and near class words, as cards of a listing."""
    n = len(columns.texts)
    near = columns.class_words.inner(_KIN_CLASSES)
    pairs = columns.tags.places * len(near.values) + near.places
    kin: NDArray[np.int64] = np.unique(pairs, return_inverse=True)[1].reshape(-1)
    kin_words, number = np.bincount(kin, words), np.maximum(np.bincount(kin), 1)
    values = {
        "page's words in its kind": kin_words / max(words.sum(), 1.0),
        "link density of its kind": np.bincount(kin, link_words) / np.maximum(kin_words, 1.0),
        "blocks of its kind": number,
        "page's blocks in its kind": number / max(n, 1),
        "words per block of its kind": kin_words / number,
    }
    return _matrix(BLOCK_NUMBERS["kin"], values, len(number))[kin]


def _heading_values(columns: Columns) -> dict[str, NDArray[Any]]:
    """Blocks since the last heading and its level; before or after the first h1, and how far."""
    n = len(columns.texts)
    places = np.arange(n)
    near = [tags[-_HEADING_ANCESTORS:] for tags in columns.tags.values]
    levels = np.array([_heading_level(tags) for tags in near], dtype=np.int64)
    level = levels[columns.tags.places]
    # The last heading up to each block; without one, as if it stood too far to matter.
    last = np.maximum.accumulate(np.where(level > 0, places, -1)) if n else places
    in_h1 = np.array(["h1" in tags for tags in near], dtype=np.bool_)[columns.tags.places]
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


def _heading_level(near: tuple[str, ...]) -> int:
    return next((_HEADING_TAGS[tag] for tag in reversed(near) if tag in _HEADING_TAGS), 0)
