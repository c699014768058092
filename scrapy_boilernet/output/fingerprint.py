"""A fingerprint of a text that near-duplicates share but for a few bits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

_RUN_WORDS, _BYTES = 4, 8
_MAX_WORDS = 100_000
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
"""Odd numbers by which the words of a run are told apart."""
NEAR_BITS = 6
"""Texts whose fingerprints differ in at most so many of 64 bits are near-duplicates."""


def fingerprint(words: Sequence[str]) -> str | None:
    """Return the SimHash of the runs of four words, 16 hexadecimal digits; None without words.

    The first 100,000 words count; each run counts once.
    """
    if not words:
        return None
    words = words[:_MAX_WORDS]
    numbers = {word: i for i, word in enumerate(dict.fromkeys(words))}
    digests = np.frombuffer(b"".join(map(_digest, numbers)), "<u8")
    hashes = digests[np.fromiter(map(numbers.__getitem__, words), np.intp, len(words))]
    runs = np.zeros(max(len(words) - _RUN_WORDS + 1, 1), dtype=np.uint64)
    for i, factor in enumerate(_FACTORS[: len(words)]):
        runs += hashes[i : i + len(runs)] * np.uint64(factor)
    runs.sort()
    runs = runs[np.concatenate(([True], runs[1:] != runs[:-1]))]
    runs ^= runs >> np.uint64(31)  # so that all bits of the words reach all bits
    runs *= np.uint64(_FACTORS[1])
    runs ^= runs >> np.uint64(29)
    bits = np.unpackbits(runs.astype("<u8").view(np.uint8).reshape(-1, _BYTES), axis=1)
    majority = 2 * bits.sum(axis=0, dtype=np.int64) > len(bits)
    return np.packbits(majority).tobytes().hex()


@lru_cache(maxsize=1 << 16)
def _digest(word: str) -> bytes:
    return blake2b(word.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()


def distance(one: str, other: str) -> int:
    """Return in how many of 64 bits two fingerprints differ."""
    return (int(one, 16) ^ int(other, 16)).bit_count()
