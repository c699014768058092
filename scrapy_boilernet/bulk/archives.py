"""Reads pages from tar and zip archives. What is damaged or too large is one item.

``tarfile`` reads the headers for long names whole, of any size, and parses them in quadratic time
in old releases of Python. ``zipfile`` unpacks bzip2 and LZMA without a limit. So both are used only
for what is bounded: single headers of tar archives, and the directories of zip archives.
"""

from __future__ import annotations

import lzma
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import SEEK_CUR, BufferedReader, BytesIO, RawIOBase
from itertools import count
from typing import Any, BinaryIO, NamedTuple

from scrapy_boilernet.bulk.compression import (
    CHUNK_BYTES,
    LZMA_MEMORY_BYTES,
    DamagedError,
    is_packed,
    unpacked,
)
from scrapy_boilernet.bulk.formats import START_BYTES, format_of_start
from scrapy_boilernet.bulk.pages import Entry, LeftOut, RawPage
from scrapy_boilernet.bulk.readers import READ_ERRORS, UNREAD_FORMAT, page_body, reason_of
from scrapy_boilernet.bulk.warc import Damage, Position

MAX_NAME_BYTES = 1 << 16
"""The largest header for a long name in a tar archive. Such a header may have extended attributes
too, of which Linux allows 64 kB."""
_BLOCK = tarfile.BLOCKSIZE
_CHECKSUM = slice(148, 156)
_GNU_NAME, _GNU_LINK = tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK
_FIELDS, _COMMON_FIELDS = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE), tarfile.XGLTYPE
_FIELD = re.compile(rb"(\d{1,5}) ([^=\n]{1,1000})=")
"""The beginning of a field of a pax header: its length, and its name."""
_LINE_END, _MAX_DIGITS = ord("\n"), 15
_SPARSE = "a file with holes, which is not read: pack it without --sparse"
_SPARSE_GOES_ON = 482, 504
"""Where GNU tar's sparse headers, and the blocks behind them, say that another block follows."""
_BOUNDED_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED, _LZMA_ENDS = 1, 2
"""Flags of a member: it is encrypted; its LZMA data has a mark at its end."""
_LZMA_VERSION_BYTES, _LZMA_OPTION_BYTES = 4, 5
_LOCAL_HEADER = struct.Struct("<26x2H")
"""Of the header before a member of a zip archive, the lengths of its name and its extra field."""


class _CutOffError(tarfile.ReadError):
    """The archive ends where it should go on."""


class _Part(RawIOBase):
    """Some bytes of a file, from where it is. Reading raises if the file has fewer."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self.left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._next(len(buffer))
        if not data and self.left and len(buffer):
            raise _CutOffError(f"the archive is cut off: {self.left:,} bytes are missing")
        buffer[: len(data)] = data
        return len(data)

    def skip(self) -> None:
        """Read the rest; does not raise if it is not there."""
        while self.left and self._next(CHUNK_BYTES):
            pass

    def _next(self, size: int) -> bytes:
        try:
            data = self._file.read(min(size, self.left, CHUNK_BYTES))
        except READ_ERRORS as error:  # not to be taken for damage in this part alone
            raise _CutOffError(reason_of(error)) from error
        self.left -= len(data)
        return data


class _Member(NamedTuple):
    """A member of a tar archive, or a header that cannot be read."""

    name: str
    """"" for a folder, and for a header that cannot be read."""
    data: BufferedReader | None = None
    """None if it is no file, such as a folder."""
    damage: str = ""
    kind: str = "Damage"
    """The kind of the failure, if there is one."""


class _Tar:
    """Reads a tar archive, or several behind each other."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0
        self._after_zeros = False
        self._is_lost = False
        """Whether a damaged header was met, and no other header yet."""
        self._name: str | None = None
        """The name of the next member, if it is too long for its header."""
        self._size: int | None = None
        self._is_sparse = False

    def members(self) -> Iterator[_Member]:
        """Yield the members; each must be read before the next."""
        while block := self._block():
            if not block.strip(b"\0"):
                self._after_zeros = True
                continue
            header = _header(block)
            if header is None:
                if not self._is_lost:
                    at = self._at - _BLOCK
                    reason = f"a damaged header at byte {at:,} of the tar archive"
                    yield _Member("", damage=f"{reason}, so members may be missing")
                self._is_lost = True
                continue
            self._after_zeros = self._is_lost = False
            yield from self._of(header, block)

    def _block(self) -> bytes:
        block = self._file.read(_BLOCK)
        self._at += len(block)
        if len(block) == _BLOCK:
            return block
        if not (self._after_zeros or self._is_lost):
            raise _CutOffError("the tar archive has no end: it is cut off")
        return b""

    def _of(self, header: tarfile.TarInfo, block: bytes) -> Iterator[_Member]:
        """Yield the member of a header; none for a header that belongs to the next member."""
        kind = header.type
        if kind in (_GNU_NAME, _GNU_LINK, *_FIELDS, _COMMON_FIELDS):
            with self._part(header.size) as part:
                damage = self._note(kind, part)
            if damage:
                yield _Member("", damage=damage)
            return
        is_sparse = self._is_sparse or kind == tarfile.GNUTYPE_SPARSE
        if kind == tarfile.GNUTYPE_SPARSE:
            goes_on = block[_SPARSE_GOES_ON[0]]
            while goes_on and (block := self._block()):
                goes_on = block[_SPARSE_GOES_ON[1]]
        name = header.name if self._name is None else self._name
        size = header.size if self._size is None else self._size
        self._name, self._size, self._is_sparse = None, None, False
        if not header.isreg() and kind in tarfile.SUPPORTED_TYPES:
            yield _Member("" if header.isdir() else name)
            return
        with self._part(size) as part:
            if is_sparse:
                yield _Member(name, None, _SPARSE, UNREAD_FORMAT)
            else:
                yield _Member(name, BufferedReader(part) if header.isreg() else None)

    @contextmanager
    def _part(self, size: int) -> Iterator[_Part]:
        """Give the data that follows; at the end, go to the next header."""
        part, padding = _Part(self._file, size), -size % _BLOCK
        yield part
        part.left += padding
        part.skip()
        self._at += size + padding

    def _note(self, kind: bytes, part: _Part) -> str:
        """Note what a header says about the next member; return why it cannot, or ""."""
        if part.left > MAX_NAME_BYTES:
            return (
                f"a header of {part.left:,} bytes at byte {self._at:,} of the tar archive, "
                f"{MAX_NAME_BYTES:,} are read; the name of the next member may be wrong"
            )
        data = part.readall() or b""
        if kind == _GNU_NAME:
            self._name = _text(data.partition(b"\0")[0])
        elif kind in _FIELDS:
            return self._note_fields(data)
        return ""

    def _note_fields(self, data: bytes) -> str:
        at = 0
        while at < len(data) and data[at]:
            field = _FIELD.match(data, at)
            end = at + int(field[1]) if field else 0
            if not field or not field.end() < end <= len(data) or data[end - 1] != _LINE_END:
                return f"a damaged pax header before byte {self._at:,} of the tar archive"
            name, value = field[2], data[field.end() : end - 1]
            if name == b"path":
                self._name = _text(value)
            elif name == b"size" and value.isdigit() and len(value) <= _MAX_DIGITS:
                self._size = int(value)
            self._is_sparse |= name.startswith(b"GNU.sparse.")
            at = end
        return ""


def _header(block: bytes) -> tarfile.TarInfo | None:
    """Return the header in a block; None if it is damaged."""
    if not block[_CHECKSUM].strip(b" \0").isdigit():  # fast, for megabytes of other data
        return None
    try:
        header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.TarError, ValueError):
        return None
    return header if header.size >= 0 else None


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape").rstrip("/")


def tar_pages(file: BinaryIO, name: str, start: Position, max_bytes: int) -> Iterator[Entry]:
    """Yield the pages of a tar archive. Always reads it from its beginning."""
    members = _Tar(file).members()
    for number in count():
        position, where, ended = Position(0, number), name, False
        try:
            member = next(members, None)
            if member is None:
                return
            where = f"{name}/{member.name}" if member.name else name
            if member.damage:
                item: Entry = Damage(f"{where}: {member.damage}", position, member.kind)
            else:
                shown = where if member.name or member.data else ""
                item = _item(member.data, shown, position, max_bytes)
        except READ_ERRORS as error:
            item = Damage(f"{where}: {reason_of(error)}", position)
            ended = isinstance(error, _CutOffError)
        if number >= start.skip:
            yield item
        if ended:
            return


def zip_pages(file: BinaryIO, name: str, start: Position, max_bytes: int) -> Iterator[Entry]:
    """Yield the pages of a zip archive."""
    with zipfile.ZipFile(file) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        for number, member in enumerate(members[start.skip :], start.skip):
            path = f"{name}/{member.filename}"
            try:
                with _opened(file, archive, member) as page:
                    item = _item(page, path, Position(0, number), max_bytes)
            except READ_ERRORS as error:
                item = Damage(f"{path}: {reason_of(error)}", Position(0, number))
            yield item


def _opened(file: BinaryIO, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    """Return the unpacked data of a member, as an open file."""
    if member.flag_bits & _ENCRYPTED or member.compress_type in _BOUNDED_METHODS:
        return archive.open(member)
    file.seek(member.header_offset)
    lengths = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    file.seek(sum(lengths), SEEK_CUR)
    part = BufferedReader(_Part(file, member.compress_size))
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


def _item(page: Any, name: str, position: Position, max_bytes: int) -> Entry:
    """Return the item of a member of an archive, which is open, or None if it is no file.

    ``name``: "" for a folder.
    """
    body = page_body(page, max_bytes) if page else b""
    found = format_of_start(BytesIO(body), body[:START_BYTES], name, named=False)
    if not page or found.kind == "unknown":
        return LeftOut("not a page", position, name)
    if found.kind == "page":
        return RawPage(source=name, body=body, position=position)
    reason = found.refusal or f"{found.name} in an archive: unpack the archive, and name its files"
    return Damage(f"{name} is {reason}", position, UNREAD_FORMAT)
