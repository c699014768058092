"""Fingerprints of texts; those of near-duplicates differ in a few bits only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_RUN_WORDS, _BYTES = 4, 8
_MAX_WORDS = 100_000
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
"""Odd factors, one per place in a run, so that the order of the words counts."""
_COLUMNS = np.arange(_BYTES) * 256
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)
"""The bits of each byte: (256, 8)."""
NEAR_BITS = 6
"""Texts whose fingerprints differ in at most this many of 64 bits are near-duplicates."""


def fingerprint(words: NDArray[np.uint64]) -> str | None:
    """Return the SimHash of the runs of four words, 16 hexadecimal digits; None without words.

    ``words``: the text's :func:`~scrapy_boilernet.extractor.features.texts.token_hashes`. Only the
    first 100,000 words count; each run counts once.
    """
    words = words[:_MAX_WORDS]
    if not len(words):
        return None
    runs = np.zeros(max(len(words) - _RUN_WORDS + 1, 1), dtype=np.uint64)
    for i, factor in enumerate(_FACTORS[: len(words)]):
        runs += words[i : i + len(runs)] * np.uint64(factor)
    runs.sort()
    runs = runs[np.concatenate(([True], runs[1:] != runs[:-1]))]
    runs ^= runs >> np.uint64(31)  # mixes, so that each bit of the words changes all bits
    runs *= np.uint64(_FACTORS[1])
    runs ^= runs >> np.uint64(29)
    cells = runs.astype("<u8").view(np.uint8).reshape(-1, _BYTES) + _COLUMNS
    counts = np.bincount(cells.ravel(), minlength=256 * _BYTES).reshape(_BYTES, 256)
    majority = 2 * (counts @ _BITS) > len(runs)
    return np.packbits(majority).tobytes().hex()


def distance(one: str, other: str) -> int:
    """Return the number of bits, of 64, in which two fingerprints differ."""
    return (int(one, 16) ^ int(other, 16)).bit_count()
