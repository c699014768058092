"""Compressions of stored crawls."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable

import pytest

from scrapy_boilernet.bulk.compression import zstd


def zstandard(data: bytes) -> bytes:
    """Return the data as a frame of Zstandard; skips the test where no package makes one."""
    try:
        return bytes(zstd().compress(data))
    except ImportError:
        pytest.skip("no Zstandard")


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "Zstandard": zstandard,
}  # fmt: skip
BY_ENDING = dict(zip((".gz", ".bz2", ".xz", ".zst"), PACKERS.values(), strict=True))
