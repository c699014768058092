"""A fingerprint of a text that near-duplicates share but for a few bits."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

_SHINGLE_WORDS, _BYTES = 4, 8
_MAX_WORDS = 100_000
NEAR_BITS = 6
"""Texts whose fingerprints differ in at most so many of 64 bits are near-duplicates."""


def fingerprint(words: Sequence[str]) -> str | None:
    """Return the SimHash of the runs of four words, 16 hexadecimal digits; None without words.

    The first 100,000 words count.
    """
    if not words:
        return None
    words = words[:_MAX_WORDS]
    runs = range(max(len(words) - _SHINGLE_WORDS + 1, 1))
    shingles = {" ".join(words[i : i + _SHINGLE_WORDS]) for i in runs}
    hashes = b"".join(
        blake2b(shingle.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()
        for shingle in shingles
    )
    bits = np.unpackbits(np.frombuffer(hashes, np.uint8).reshape(-1, _BYTES), axis=1)
    majority = 2 * bits.sum(axis=0, dtype=np.int64) > len(bits)
    return np.packbits(majority).tobytes().hex()


def distance(one: str, other: str) -> int:
    """Return in how many of 64 bits two fingerprints differ."""
    return (int(one, 16) ^ int(other, 16)).bit_count()
