"""Finds pages whose main text is a copy, or nearly a copy, of one that has a record already.

A text is known by a :class:`TextPrint`, 16 bytes: its fingerprint and its digest. Two fingerprints
that differ in at most ``NEAR_BITS`` bits are equal in one of ``NEAR_BITS + 1`` bands of bits, so a
lookup compares only those that share a band.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.texts import token_hashes
from scrapy_boilernet.extractor.output.fingerprint import NEAR_BITS, fingerprint

COPY, NEAR_COPY = "copy", "near copy"
"""The reasons if a page is left out because of another one with the same, or nearly the same, text.
"""
MAX_TEXTS = 4_000_000
"""So many texts are held in memory at most, the last ones; then the older half is forgotten."""
_ENTRY = struct.Struct("<QQ")
_WIDTHS = tuple(len(part) for part in np.array_split(np.arange(64), NEAR_BITS + 1))
"""The bits of each band."""
_SHIFTS = tuple(accumulate(_WIDTHS, initial=0))[:-1]
_FIRST_ROOM, _GROWTH = 8, 1.25
_READ_ENTRIES = 65_536


class TextPrint(NamedTuple):
    """What is kept of a text. Texts with the same print are taken for the same: it has 128 bits."""

    fingerprint: int
    """The 64 bits of :func:`~scrapy_boilernet.extractor.output.fingerprint.fingerprint`."""
    digest: int
    """64 bits of BLAKE2b."""

    @classmethod
    def of(cls, text: str) -> TextPrint | None:
        """Return the print of a text; None if it has no word, since it is then no copy."""
        bits = fingerprint(token_hashes(text))
        if bits is None:
            return None
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return cls(int(bits, 16), int.from_bytes(digest))

    def entry(self) -> bytes:
        """Return the print as it is written to a file."""
        return _ENTRY.pack(*self)


def read_entries(path: Path, size: int) -> Iterator[TextPrint]:
    """Yield the prints of the first ``size`` bytes of a file, without those that are forgotten."""
    half = MAX_TEXTS // 2
    number = size // _ENTRY.size
    begin = max((number - 1) // half - 1, 0) * half
    with path.open("rb") as file:
        file.seek(begin * _ENTRY.size)
        for first in range(begin, number, _READ_ENTRIES):
            data = file.read(min(_READ_ENTRIES, number - first) * _ENTRY.size)
            yield from map(TextPrint._make, _ENTRY.iter_unpack(data))


class Copies:
    """The texts of the records that were written, to find copies of them.

    Holds the last :data:`MAX_TEXTS` at most, and half as many at least. The first of two texts is
    kept, so what is found depends on the order of the texts alone.
    """

    def __init__(self, max_texts: int = MAX_TEXTS) -> None:
        self._half = max_texts // 2
        self._newer, self._older = _Texts(), _Texts()

    def __len__(self) -> int:
        return len(self._newer) + len(self._older)

    def reason_against(self, text: TextPrint) -> str:
        """Return :data:`COPY` or :data:`NEAR_COPY` if a text is one; "" if it is not."""
        found = {self._newer.like(text), self._older.like(text)}
        return next((reason for reason in (COPY, NEAR_COPY) if reason in found), "")

    def add(self, text: TextPrint) -> None:
        """Keep a text that has a record."""
        if len(self._newer) == self._half:
            self._newer, self._older = _Texts(), self._newer
        self._newer.add(text)


class _Texts:
    """Prints of texts, per band of bits and value of these bits."""

    def __init__(self) -> None:
        self._bands = [[_Column() for _ in range(1 << width)] for width in _WIDTHS]
        self._digests = [_Column() for _ in range(1 << _WIDTHS[0])]
        """In the order of the first band."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, text: TextPrint) -> None:
        keys = _keys(text.fingerprint)
        for band, key in zip(self._bands, keys, strict=True):
            band[key].append(text.fingerprint)
        self._digests[keys[0]].append(text.digest)
        self._count += 1

    def like(self, text: TextPrint) -> str:
        fingerprint = np.uint64(text.fingerprint)
        is_near = False
        for number, (band, key) in enumerate(
            zip(self._bands, _keys(text.fingerprint), strict=True)
        ):
            known = band[key].values()
            if not len(known):
                continue
            bits = differing(known, fingerprint)
            least = int(bits.min())
            if not number and not least:
                digests = self._digests[key].values()[bits == 0]
                return COPY if np.uint64(text.digest) in digests else NEAR_COPY
            is_near = is_near or least <= NEAR_BITS
            if is_near and number:
                break
        return NEAR_COPY if is_near else ""


class _Column:
    """Numbers of 64 bits, to which more are appended."""

    __slots__ = ("_count", "_room")

    def __init__(self) -> None:
        self._room: NDArray[np.uint64] = _NOTHING
        self._count = 0

    def append(self, value: int) -> None:
        if self._count == len(self._room):
            grown = np.empty(max(_FIRST_ROOM, int(self._count * _GROWTH)), dtype=np.uint64)
            grown[: self._count] = self._room
            self._room = grown
        self._room[self._count] = value
        self._count += 1

    def values(self) -> NDArray[np.uint64]:
        return self._room[: self._count]


_NOTHING = np.empty(0, dtype=np.uint64)


def _keys(fingerprint: int) -> Sequence[int]:
    """Return the value of each band of bits."""
    return [
        fingerprint >> shift & ((1 << width) - 1)
        for shift, width in zip(_SHIFTS, _WIDTHS, strict=True)
    ]


def differing_by_table(known: NDArray[np.uint64], one: np.uint64) -> NDArray[np.uint8]:
    """Return in how many bits each fingerprint differs from one."""
    parts = (known ^ one).view(np.uint16).reshape(-1, 4)
    counts: NDArray[np.uint8] = _BIT_COUNTS[parts].sum(axis=1, dtype=np.uint8)
    return counts


def _differing_by_numpy(known: NDArray[np.uint64], one: np.uint64) -> NDArray[np.uint8]:
    """Return the same; needs NumPy 2."""
    counts: NDArray[np.uint8] = np.bitwise_count(known ^ one)
    return counts


_BIT_COUNTS = np.unpackbits(np.arange(65_536, dtype="<u2").view(np.uint8)[:, None], axis=1)
_BIT_COUNTS = _BIT_COUNTS.reshape(-1, 16).sum(axis=1, dtype=np.uint8)
differing = _differing_by_numpy if hasattr(np, "bitwise_count") else differing_by_table
