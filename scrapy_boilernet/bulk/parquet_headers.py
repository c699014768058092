"""Reads how large the pages of a Parquet file are, before Arrow unpacks them.

A page, in this format, is a part of a column. It is unpacked as a whole, and a value of the
dictionary page may stand in every row, so a small file can take all memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, BinaryIO, NamedTuple, Protocol

from scrapy_boilernet.bulk.compression import DamagedError

_MAX_DEPTH = 16
_BLOCK_BYTES = 1 << 14
_DICTIONARY_PAGE = 2
_KIND, _UNPACKED_BYTES, _PACKED_BYTES = 1, 2, 3
"""The numbers of the fields of the header of a page."""


class Data(Protocol):
    """The bytes of a file."""

    def __getitem__(self, at: int, /) -> int: ...


class Sizes(NamedTuple):
    """The most bytes of the pages of some columns, unpacked."""

    page: int
    dictionary: int


class Blocks:
    """The bytes of a file that can seek, of which only one block is in memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._begin, self._block = 0, b""

    def __getitem__(self, at: int, /) -> int:
        if not 0 <= at - self._begin < len(self._block):
            self._file.seek(at)
            self._begin, self._block = at, self._file.read(_BLOCK_BYTES)
        return self._block[at - self._begin]


def sizes_of(data: Data, group: Any, columns: Iterable[str], most: int) -> Sizes:
    """Return the sizes of the columns of a group of rows (``pyarrow.parquet.RowGroupMetaData``).

    ``most``: of a column that states to have at most so many bytes, only the first header is read.
    Raises :class:`~scrapy_boilernet.bulk.compression.DamagedError` for a wrong header.
    """
    page = dictionary = 0
    wanted = {*columns}
    for number in range(group.num_columns):
        column = group.column(number)
        if column.path_in_schema.partition(".")[0] in wanted:
            begins = (column.dictionary_page_offset, column.data_page_offset)
            start = min(one for one in begins if one is not None)
            is_small = column.total_uncompressed_size <= most
            end = start + 1 if is_small else start + column.total_compressed_size
            found = _sizes(data, start, end)
            page, dictionary = max(page, found.page), max(dictionary, found.dictionary)
    return Sizes(page, dictionary)


def _sizes(data: Data, at: int, end: int) -> Sizes:
    """Return the sizes of the pages from a byte on, up to one that is cut off."""
    page = dictionary = 0
    while 0 <= at < end:
        try:
            header, at = _struct(data, at, _MAX_DEPTH)
        except IndexError:  # Arrow says so when it comes to this page
            break
        size, packed = header.get(_UNPACKED_BYTES, 0), header.get(_PACKED_BYTES, 0)
        if header.get(_KIND) == _DICTIONARY_PAGE:
            dictionary = max(dictionary, size)
        page, at = max(page, size), at + max(0, packed)
    return Sizes(page, dictionary)


def _struct(data: Data, at: int, depth: int) -> tuple[dict[int, int], int]:
    """Return the whole numbers of a struct in Thrift's compact protocol, and where it ends."""
    found: dict[int, int] = {}
    field = 0
    while (first := data[at]) != 0:
        at += 1
        if first >> 4:
            field += first >> 4
        else:
            number, at = _varint(data, at)
            field = _signed(number)
        value, at = _value(data, at, first & 15, depth)
        if value is not None:
            found[field] = value
    return found, at + 1


def _value(data: Data, at: int, kind: int, depth: int) -> tuple[int | None, int]:
    """Return a value of a struct, if it is a whole number, and where it ends."""
    if depth == 0:
        raise DamagedError("the header of a page is nested too deep")
    match kind:
        case 1 | 2:  # true, false
            return None, at
        case 3:
            return None, at + 1
        case 4 | 5 | 6:
            number, at = _varint(data, at)
            return _signed(number), at
        case 7:
            return None, at + 8
        case 8:
            size, at = _varint(data, at)
            return None, at + size
        case 12:
            return None, _struct(data, at, depth - 1)[1]
    raise DamagedError("the header of a page is damaged")  # lists and maps are in none


def _varint(data: Data, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise DamagedError("a number in the header of a page is damaged")


def _signed(number: int) -> int:
    return (number >> 1) ^ -(number & 1)
