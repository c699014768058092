"""The numbers that the hashed featuriser gives a block: its text, its place, its subtrees.

Every number is a ratio, a flag or a logarithm scaled to some [0, 2], so that a page's size does
not change what a value means.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.context_numbers import (
    CLAIM_NUMBERS,
    CONTEXT_NUMBERS,
    KIN_NUMBERS,
    context_numbers,
)
from scrapy_boilernet.page import Block, Page
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

_PUNCTUATION = re.compile(r"[,;:،、，；：।]")
_STOP = re.compile(r"[.!?。！？؟…।]")
_ENDS = re.compile(r"[.!?。！？؟…।][\"'”’»)\]]*\Z")
_DIGIT = re.compile(r"\d")
_CAPITALISED = re.compile(r"\b[^\W\d_a-z]\w*")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:./-]\d{1,2}\b")
_SYMBOL = re.compile(r"[|©»›·•→▶★]")
_ADDRESS = re.compile(r"@|https?:|www\.")


def block_numbers(page: Page, block_tokens: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """Return the numbers of every block: (blocks, NUMBERS), columns as in :data:`GROUPS`.

    ``block_tokens``: per block its :func:`clipped_tokens`.
    """
    counts = [
        _word_count(block, found) for block, found in zip(page.blocks, block_tokens, strict=True)
    ]
    link_words = [
        count * block.link_chars / len(block.text)
        for block, count in zip(page.blocks, counts, strict=True)
    ]
    columns = [
        _text_numbers(page, block_tokens, counts, link_words),
        _place_numbers(page, counts, link_words),
        tree_numbers(page, counts, link_words),
        context_numbers(page, block_tokens, counts, link_words),
    ]
    return np.concatenate(columns, axis=1).astype(np.float32)


def clipped_tokens(text: str) -> list[str]:
    """Return the first 32 and last 8 tokens of the first and last 1,000 characters."""
    if len(text) > _MAX_TEXT_CHARS:
        text = text[: _MAX_TEXT_CHARS // 2] + " " + text[-_MAX_TEXT_CHARS // 2 :]
    found = tokens(text)
    if len(found) > _HEAD_TOKENS + _TAIL_TOKENS:
        return found[:_HEAD_TOKENS] + found[-_TAIL_TOKENS:]
    return found


def _word_count(block: Block, clipped: Sequence[str]) -> float:
    """Words of the block in any script; long blocks are extrapolated from characters.

    A CJK character counts 1/1.7 word (the ratio of its translation into English).
    """
    if not clipped:
        return 0.0
    single = sum(1 for token in clipped if len(token) == 1 and token > "\u0e00")
    words = len(clipped) - single + single / 1.7
    if len(clipped) < _HEAD_TOKENS + _TAIL_TOKENS:
        return words
    chars = sum(map(len, clipped)) + len(clipped) - single
    return max(words, words * len(block.text) / chars)


def _text_numbers(
    page: Page,
    block_tokens: Sequence[Sequence[str]],
    counts: Sequence[float],
    link_words: Sequence[float],
) -> NDArray[np.float64]:
    """Shape (n, TEXT_NUMBERS): what a reader sees of the block alone."""
    repeats = Counter(block.text for block in page.blocks)
    title = set(tokens(page.title)[:40])
    rows = np.zeros((len(page.blocks), TEXT_NUMBERS))
    for i, block in enumerate(page.blocks):
        text = block.text[:_MAX_TEXT_CHARS]
        words = max(counts[i], 1.0)
        seen = max(1.0, min(words, words * len(text) / len(block.text)))
        mine = set(block_tokens[i])
        rows[i] = (
            math.log1p(counts[i]) / 4,
            math.log1p(len(block.text)) / 6,
            link_words[i] / words,
            min(len(_PUNCTUATION.findall(text)) / seen, 1) * 4,
            min(len(_STOP.findall(text)) / seen, 1) * 4,
            bool(_ENDS.search(text)),
            len(_DIGIT.findall(text)) / len(text),
            min(len(_CAPITALISED.findall(text)) / seen, 1),
            min(len(text) / seen / 10, 2),
            repeats[block.text] > 1,
            block.hidden,
            block.noscript,
            text[0].islower(),
            bool(_DATE.search(text)),
            bool(_SYMBOL.search(text)),
            bool(_ADDRESS.search(text)),
            len(mine & title) / len(mine | title) if title else 0,
        )
    return rows


def _place_numbers(
    page: Page, counts: Sequence[float], link_words: Sequence[float]
) -> NDArray[np.float64]:
    """Shape (n, PLACE_NUMBERS): where the block stands, and what the page is like as a whole."""
    n = len(page.blocks)
    if not n:
        return np.zeros((0, PLACE_NUMBERS))
    words, links = np.asarray(counts), np.asarray(link_words)
    total = max(words.sum(), 1.0)
    prose = words[(links < words / 3) & (words >= 10)].sum()
    rank = np.arange(n)
    depth = np.array([len(block.tags) for block in page.blocks])
    columns = [
        rank / n,
        np.minimum(rank, 50) / 50,
        np.minimum(n - 1 - rank, 50) / 50,
        (np.cumsum(words) - words) / total,
        np.minimum(depth / 20, 2),
        np.full(n, links.sum() / total),
        np.full(n, prose / total),
        np.full(n, math.log1p(total) / 8),
    ]
    return np.stack(columns, axis=1)
