"""Soft block labels from gold text: the share of each block's tokens that the gold text keeps.

The tokens of page and gold are aligned by their longest common subsequence. Gold text that was
edited, or cut inside a block, gives a share between 0 and 1 instead of a wrong label.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.page import Page

MAX_TOKENS = 60_000
"""The most tokens of a text that are aligned: memory grows with the product of the lengths."""


def soft_labels(page: Page, gold: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return (kept share, token count) per block, float32 of shape (blocks,) each.

    A block without tokens has the share of the block before it and the count 0.
    """
    share, counts = kept_shares([block.text for block in page.blocks], gold)
    for i in range(1, len(share)):
        if counts[i] == 0:
            share[i] = share[i - 1]
    return share, counts


def kept_shares(
    texts: Sequence[str], other: str
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return (share of the tokens that are aligned with ``other``, token count) per text.

    float32 of shape (texts,) each. The texts are aligned as one, in their order; a text without
    tokens has the share 0.
    """
    text_of, flat = flat_tokens(texts)
    kept = np.zeros(len(texts), dtype=np.float32)
    for begin, _, length in common_runs(flat, tokens(other)):
        np.add.at(kept, text_of[begin : begin + length], 1)
    counts = np.bincount(text_of, minlength=len(texts)).astype(np.float32)
    return (kept / np.maximum(counts, 1)).astype(np.float32), counts


def flat_tokens(texts: Sequence[str]) -> tuple[NDArray[np.int64], list[str]]:
    """Return (per token the index of its text, the tokens of all texts)."""
    pieces = [tokens(text) for text in texts]
    text_of = np.repeat(np.arange(len(pieces)), [len(piece) for piece in pieces]).astype(np.int64)
    return text_of, [token for piece in pieces for token in piece]


def common_runs(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the longest common subsequence as runs: (start in ``a``, start in ``b``, length).

    Only the first :data:`MAX_TOKENS` of each sequence are aligned.
    """
    numbers_a, numbers_b = numbered(a[:MAX_TOKENS], b[:MAX_TOKENS])
    if not numbers_a or not numbers_b:
        return []
    runs = LCSseq.opcodes(numbers_a, numbers_b)
    return [
        (op.src_start, op.dest_start, op.src_end - op.src_start) for op in runs if op.tag == "equal"
    ]


def common_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, at any length of the sequences."""
    return int(LCSseq.similarity(*numbered(a, b)))


def numbered(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return both sequences as numbers; equal tokens, and only these, have equal numbers."""
    index: dict[str, int] = {}
    return (
        [index.setdefault(token, len(index)) for token in a],
        [index.setdefault(token, len(index)) for token in b],
    )
