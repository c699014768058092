"""Gold text to soft block labels: which share of a block's tokens the gold text keeps.

Page and gold are aligned by the longest common subsequence of tokens: gold text that was edited, or
cut inside a block, gives a share between 0 and 1 instead of a wrong label.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from scrapy_boilernet.features.words import tokens
from scrapy_boilernet.page import Page

MAX_TOKENS = 60_000
"""Longer pages are aligned up to here: the alignment's bit matrix grows with the product."""


def soft_labels(page: Page, gold: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return (kept share, token count) per block, float32 of shape (blocks,) each.

    A block without tokens takes the label of the block before it and counts 0.
    """
    share, counts = kept_shares([block.text for block in page.blocks], gold)
    for i in range(1, len(share)):
        if counts[i] == 0:
            share[i] = share[i - 1]
    return share, counts


def kept_shares(
    texts: Sequence[str], other: str
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return per text the share of its tokens that are aligned with ``other``, and their number.

    The texts follow one another; float32 of shape (texts,) each; a text without tokens has share 0.
    """
    pieces = [tokens(text) for text in texts]
    owner = np.repeat(np.arange(len(pieces)), [len(piece) for piece in pieces])
    flat = [token for piece in pieces for token in piece]
    kept = np.zeros(len(pieces), dtype=np.float32)
    for begin, _, length in common_runs(flat, tokens(other)):
        np.add.at(kept, owner[begin : begin + length], 1)
    counts = np.array([len(piece) for piece in pieces], dtype=np.float32)
    return (kept / np.maximum(counts, 1)).astype(np.float32), counts


def common_runs(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the longest common subsequence as runs: (start in ``a``, start in ``b``, length).

    Of each sequence the first :data:`MAX_TOKENS` are aligned.
    """
    numbers_a, numbers_b = numbered(a[:MAX_TOKENS], b[:MAX_TOKENS])
    if not numbers_a or not numbers_b:
        return []
    runs = LCSseq.opcodes(numbers_a, numbers_b)
    return [
        (op.src_start, op.dest_start, op.src_end - op.src_start) for op in runs if op.tag == "equal"
    ]


def common_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, exact at any length."""
    return int(LCSseq.similarity(*numbered(a, b)))


def numbered(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return both sequences with every distinct token as one number: no two share a hash."""
    index: dict[str, int] = {}
    return (
        [index.setdefault(token, len(index)) for token in a],
        [index.setdefault(token, len(index)) for token in b],
    )
