"""Gold text to soft block labels: which share of a block's tokens the gold text keeps.

Page and gold are aligned by the longest common subsequence of tokens: gold text that was edited, or
cut inside a block, gives a share between 0 and 1 instead of a wrong label.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from scrapy_boilernet.page import Page
from scrapy_boilernet.tokens import tokens

MAX_TOKENS = 60_000
"""Longer pages are aligned up to here: the alignment's bit matrix grows with the product."""


def soft_labels(page: Page, gold: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return (kept share, token count) per block, float32 of shape (blocks,) each.

    A block without tokens takes the label of the block before it and counts 0.
    """
    block_tokens = [tokens(block.text) for block in page.blocks]
    owner = [i for i, found in enumerate(block_tokens) for _ in found][:MAX_TOKENS]
    flat = [token for found in block_tokens for token in found][:MAX_TOKENS]
    kept = np.zeros(len(page.blocks), dtype=np.float32)
    for begin, end in _common_runs(flat, tokens(gold)[:MAX_TOKENS]):
        for position in range(begin, end):
            kept[owner[position]] += 1
    counts = np.array([len(found) for found in block_tokens], dtype=np.float32)
    share = (kept / np.maximum(counts, 1)).astype(np.float32)
    for i in range(1, len(share)):
        if counts[i] == 0:
            share[i] = share[i - 1]
    return share, counts


def _common_runs(a: list[str], b: list[str]) -> list[tuple[int, int]]:
    """Return the runs of ``a`` that are part of the longest common subsequence."""
    if not a or not b:
        return []
    index: dict[str, int] = {}
    numbers_a = [index.setdefault(token, len(index)) for token in a]
    numbers_b = [index.setdefault(token, len(index)) for token in b]
    runs = LCSseq.opcodes(numbers_a, numbers_b)
    return [(op.src_start, op.src_end) for op in runs if op.tag == "equal"]
