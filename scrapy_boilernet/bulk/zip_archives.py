"""Reads zip archives, WACZ files among them. What is damaged or too large is one item.

``zipfile`` unpacks bzip2 and LZMA without a limit. So it is used only for the directories of
archives, and for what is bounded.
"""

from __future__ import annotations

import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from io import SEEK_CUR, BufferedReader, RawIOBase
from typing import Any, BinaryIO, cast

from scrapy_boilernet.bulk.archive_members import Part, Window, member_items
from scrapy_boilernet.bulk.compression import (
    CHUNK_BYTES,
    LZMA_MEMORY_BYTES,
    DamagedError,
    is_packed,
    seekable,
    unpacked,
)
from scrapy_boilernet.bulk.formats import START_BYTES
from scrapy_boilernet.bulk.pages import Entry, LeftOut, Reading
from scrapy_boilernet.bulk.readers import READ_ERRORS, reason_of
from scrapy_boilernet.bulk.warc import Damage, Position

_ZIP_BYTES_PER_BYTE = 10
"""Of a zip in a compressed file, so many times the bytes of the largest page are unpacked."""
_OF_WACZ = re.compile(r"archive/[^/]+\.w?arc(?:\.gz|\.zst)?\Z", re.IGNORECASE)
_RECORD_FILE = re.compile(r"\.w?arc(?:\.\w+)?\Z")
"""The name of a member that may be a WARC file, so that its records are read as such."""
_BOUNDED_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED, _LZMA_ENDS = 1, 2
"""Flags of a member: it is encrypted; its LZMA data has a mark at its end."""
_LZMA_VERSION_BYTES, _LZMA_OPTION_BYTES = 4, 5
_LOCAL_HEADER = struct.Struct("<26x2H")
"""Of the header before a member of a zip archive, the lengths of its name and its extra field."""


def zip_pages(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry]:
    """Yield the pages of a zip archive; of a WACZ file, those of its WARC files."""
    first = file.peek(START_BYTES)
    most = _ZIP_BYTES_PER_BYTE * reading.max_bytes if is_packed(first) else None
    with seekable(unpacked(file, first), most) as whole, zipfile.ZipFile(whole) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        is_wacz = any(_OF_WACZ.match(member.filename) for member in members)
        for number, member in enumerate(members[start.member :], start.member):
            path = f"{name}/{member.filename}"
            at = start if number == start.member else Position(0, 0, number)
            if is_wacz and not member.filename.startswith("archive/"):
                if at.skip == 0:
                    yield LeftOut("WACZ index", at)
                continue
            yield from _zip_member(whole, archive, member, path, at, reading)


def _zip_member(
    file: BinaryIO,
    archive: zipfile.ZipFile,
    member: zipfile.ZipInfo,
    path: str,
    at: Position,
    reading: Reading,
) -> Iterator[Entry]:
    after = at
    try:
        with _opened(file, archive, member) as data:
            for item in member_items(data, path, at, reading):
                yield item
                after = item.position.after()
    except READ_ERRORS as error:
        if after != at or at.skip == 0:
            yield Damage(f"{path}: {reason_of(error)}", after)


def _opened(file: BinaryIO, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    """Return the unpacked data of a member, as an open file."""
    is_record_file = _RECORD_FILE.search(member.filename.lower())
    if member.flag_bits & _ENCRYPTED or (
        member.compress_type in _BOUNDED_METHODS and not is_record_file
    ):
        return archive.open(member)
    if member.compress_type == zipfile.ZIP_DEFLATED:
        return BufferedReader(Part(cast("BinaryIO", archive.open(member)), member.file_size))
    file.seek(member.header_offset)
    lengths = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    begin = file.seek(sum(lengths), SEEK_CUR)
    if member.compress_type == zipfile.ZIP_STORED:
        return BufferedReader(Window(file, begin, member.compress_size))
    part = BufferedReader(Part(file, member.compress_size))
    if member.compress_type == zipfile.ZIP_LZMA:
        return BufferedReader(_Lzma(part, member))
    first = part.peek(START_BYTES)
    if not is_packed(first):
        raise NotImplementedError(f"packed with the method {member.compress_type}, not read here")
    return unpacked(part, first)


class _Lzma(RawIOBase):
    """The unpacked data of a member of a zip archive that is packed with LZMA."""

    def __init__(self, part: Any, member: zipfile.ZipInfo) -> None:
        self._part = part
        self._right_sum, self._sum = member.CRC, 0
        self._unpacker = lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=LZMA_MEMORY_BYTES)
        ends_itself = member.flag_bits & _LZMA_ENDS
        size = b"\xff" * 8 if ends_itself else member.file_size.to_bytes(8, "little")
        part.read(_LZMA_VERSION_BYTES)
        self._unpacker.decompress(part.read(_LZMA_OPTION_BYTES) + size, max_length=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = b""
        while not data and not self._unpacker.eof:
            new = self._part.read(CHUNK_BYTES) if self._unpacker.needs_input else b""
            if self._unpacker.needs_input and not new:
                raise DamagedError("LZMA data is cut off")
            data = self._unpacker.decompress(new, len(buffer))
        self._sum = zlib.crc32(data, self._sum)
        if self._unpacker.eof and self._sum != self._right_sum:
            raise DamagedError("LZMA data is damaged: it has another checksum")
        buffer[: len(data)] = data
        return len(data)
