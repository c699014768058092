"""Reads tar archives. What is damaged or too large is one item.

``tarfile`` reads the headers for long names whole, of any size, and parses them in quadratic time
in old releases of Python. So it is used only for single headers.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import count
from typing import BinaryIO, NamedTuple

from scrapy_boilernet.bulk.archive_members import CutOffError, Part, member_items
from scrapy_boilernet.bulk.compression import unpacked
from scrapy_boilernet.bulk.formats import START_BYTES
from scrapy_boilernet.bulk.pages import Entry, Reading
from scrapy_boilernet.bulk.readers import READ_ERRORS, UNREAD_FORMAT, reason_of
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
            raise CutOffError("the tar archive has no end: it is cut off")
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
    def _part(self, size: int) -> Iterator[Part]:
        """Give the data that follows; at the end, go to the next header."""
        part, padding = Part(self._file, size), -size % _BLOCK
        yield part
        part.left += padding
        part.skip()
        self._at += size + padding

    def _note(self, kind: bytes, part: Part) -> str:
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


def tar_pages(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry]:
    """Yield the pages of a tar archive. Always reads it from its beginning."""
    members = _Tar(unpacked(file, file.peek(START_BYTES))).members()
    for number in count():
        where, items = name, 0
        skip = start.skip if number == start.member else 0
        try:
            member = next(members, None)
            if member is None:
                return
            if number < start.member:
                continue
            where = f"{name}/{member.name}" if member.name else name
            for item in _member_entries(member, name, Position(0, 0, number), reading):
                if items >= skip:
                    yield item
                items += 1
        except READ_ERRORS as error:
            if number >= start.member and items >= skip:
                yield Damage(f"{where}: {reason_of(error)}", Position(0, items, number))
            if isinstance(error, CutOffError):
                return


def _member_entries(member: _Member, name: str, at: Position, reading: Reading) -> Iterator[Entry]:
    where = f"{name}/{member.name}" if member.name else name
    if member.damage:
        yield Damage(f"{where}: {member.damage}", at, member.kind)
    else:
        shown = where if member.name or member.data else ""
        yield from member_items(member.data, shown, at, reading)
