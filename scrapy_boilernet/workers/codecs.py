"""How the values of a column become bytes, and values again."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np


class Codec(NamedTuple):
    """How the values of a column become bytes, and values again."""

    write: Callable[[Any], bytes]
    read: Callable[[bytes], Any]


def codec_of(words: Sequence[str]) -> Codec:
    """Return the codec of a column of these words, at most 256: a byte for each."""
    numbers = {word: number for number, word in enumerate(words)}
    return Codec(
        lambda column: bytes(map(numbers.__getitem__, column)),
        lambda data: tuple([words[number] for number in data]),
    )


def _lines(texts: Sequence[str]) -> bytes:
    """Return the texts as lines; raises ``ValueError`` if one has a line break."""
    data = "\n".join((*texts, ""))
    if data.count("\n") != len(texts):
        raise ValueError("a text of a block has a line break")
    return data.encode("utf-8", "surrogatepass")


def _numbers(column: Any) -> bytes:
    """Return numbers from 0 on, each in the fewest bytes that all of them need."""
    numbers = np.asarray(column, dtype=np.uint64)
    size = np.min_scalar_type(int(numbers.max(initial=0))).itemsize
    return bytes([size]) + numbers.astype(f"<u{size}").tobytes()


def _read_numbers(data: bytes) -> tuple[int, ...]:
    kind = _FORMATS[data[0]]
    count = (len(data) - 1) // data[0]
    return struct.unpack(f"<{count}{kind}", data[1 : 1 + count * data[0]])


_FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}
"""Of unsigned numbers, by their bytes."""

TEXTS = Codec(_lines, lambda data: tuple(data.decode("utf-8", "surrogatepass").split("\n")[:-1]))
NUMBERS = Codec(_numbers, _read_numbers)
FLOATS = Codec(
    lambda column: struct.pack(f"<{len(column)}d", *column),
    lambda data: struct.unpack(f"<{len(data) // 8}d", data[: len(data) // 8 * 8]),
)
FEW = Codec(
    lambda found: json.dumps(found).encode() if found else b"",
    lambda data: {int(i): text for i, text in json.loads(data).items()} if data else {},
)
"""Texts of a few blocks by their indexes."""
TEXT = Codec(
    lambda text: b"" if text is None else b"=" + text.encode("utf-8", "surrogatepass"),
    lambda data: data[1:].decode("utf-8", "surrogatepass") if data else None,
)
