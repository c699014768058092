"""Reads WARC and ARC files record by record, also after damaged records.

Readers such as warcio and FastWARC stop at the first damaged record of a file, or raise. Here, a
damaged record is one item, and the records after it are read. Reading can begin again at the
position of a record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import SEEK_END, BufferedReader, BytesIO
from typing import BinaryIO, NamedTuple

from scrapy_boilernet.bulk.compression import (
    CHUNK_BYTES,
    UNPACK_ERRORS,
    DamagedError,
    Members,
)
from scrapy_boilernet.bulk.http_message import MAX_HEADER_BYTES, headers_of

_MAX_PIECES = 100
"""A header is read in at most so many pieces, such as gzip members of one byte each."""
_LINE_ENDS = re.compile(rb"[\r\n]*+")
_LOOK_BYTES = 4_096
"""Where a record should end, so many bytes are looked at before it is read."""


class Grammar(NamedTuple):
    """How the records of a kind of file are written."""

    name: str
    magic: re.Pattern[bytes]
    """The beginning of a record."""
    magic_bytes: int
    """The most bytes of a match of ``magic``."""
    next: re.Pattern[bytes]
    """What the next record is found by, after damage: a line end, and a beginning behind it."""
    head_ends: tuple[bytes, ...]
    """What may end the header of a record."""
    headers: Callable[[bytes], dict[str, str]]
    """Returns the fields of a header by lower-case names, ``content-length`` among them."""
    end: bytes
    """What stands behind a record, if it shows that the record ends there; else b""."""


WARC = Grammar(
    "WARC",
    re.compile(rb"WARC/\d\.\d"),
    8,
    re.compile(rb"(?:^|\n)(?=WARC/\d\.\d{1,2}\r?\n)"),
    (b"\r\n\r\n", b"\n\n"),
    lambda head: headers_of(head.partition(b"\n")[2]),
    b"\r\n\r\n",
)


class Position(NamedTuple):
    """The position of an item in an input, from which reading can begin again."""

    offset: int = 0
    """Where reading begins: an offset in bytes; in tables, the number of a group of rows."""
    skip: int = 0
    """How many items to skip from there to this one."""
    member: int = 0
    """The number of the member, if the input is an archive; the others are about this member."""

    def after(self) -> Position:
        """Return the position of the next item."""
        return self._replace(skip=self.skip + 1)


START = Position()


@dataclass(frozen=True)
class WarcRecord:
    """A record: its header fields by lower-case names, and its block."""

    headers: dict[str, str]
    block: bytes
    """Its first bytes, at most ``max_block_bytes`` of :func:`read_warc`."""
    position: Position


@dataclass(frozen=True)
class Damage:
    """A part of an input that cannot be read, where a page was expected."""

    reason: str
    position: Position
    kind: str = "Damage"
    """Under which it is counted; others are for what is not damaged, and yet not read."""


def read_warc(
    file: BinaryIO,
    start: Position,
    *,
    gzipped: bool,
    max_block_bytes: int,
    grammar: Grammar = WARC,
) -> Iterator[WarcRecord | Damage]:
    """Yield the records from the position ``start`` on, including the record there.

    ``file`` must be at its beginning. If it cannot seek, ``start.offset`` must be 0. ``gzipped``:
    whether it is gzip, which is then read member by member.
    """
    if start.offset:
        file.seek(start.offset)
    chunks = _GzipChunks(file, start.offset) if gzipped else _PlainChunks(file, start.offset)
    items = _Reader(chunks, max_block_bytes, grammar).items()
    for number, item in enumerate(items):
        if number >= start.skip:
            yield item


def _cut_off(missing: int, length: int) -> str:
    return f"a record that is cut off: {missing} of {length} bytes are missing"


def _wrong_length(length: int) -> str:
    return f"a record with another length than its header says: {length} bytes"


class _PlainChunks:
    """The bytes of a file that is not gzip."""

    def __init__(self, file: BinaryIO, offset: int) -> None:
        self._file = file
        self._at = offset
        # A packed file would be unpacked from its beginning again.
        self._seekable = isinstance(file, BytesIO | BufferedReader) and file.seekable()

    def next(self) -> tuple[bytes, int | None]:
        """Return (the next bytes, their offset); b"" at the end."""
        try:
            data = self._file.read(CHUNK_BYTES)
        except UNPACK_ERRORS as error:
            self._file = BytesIO()  # else the next call may fail in the same way, without an end
            raise DamagedError(f"the file is damaged: {error}") from error
        begin = self._at
        self._at += len(data)
        return data, begin

    def back_to(self, offset: int) -> bool:
        """Go back to the offset; return whether that is possible."""
        if self._seekable:
            self._file.seek(offset)
            self._at = offset
        return self._seekable

    def look_at(self, offset: int) -> tuple[bytes, int] | None:
        """Return (bytes at the offset, how many bytes the file has); None if it cannot seek."""
        if not self._seekable:
            return None
        size = self._file.seek(0, SEEK_END)
        self._file.seek(min(offset, size))
        found = self._file.read(_LOOK_BYTES)
        self._file.seek(self._at)
        return found, size


class _GzipChunks:
    """The unpacked bytes of a gzip file. Reading can begin at each member."""

    def __init__(self, file: BinaryIO, offset: int) -> None:
        self._members = Members(file, offset)
        self._member = -1

    def next(self) -> tuple[bytes, int | None]:
        """Return (the next bytes, the offset of their member if they begin it); b"" at the end."""
        for piece in self._members.pieces():
            first = piece.member != self._member
            self._member = piece.member
            return piece.data, piece.member if first else None
        return b"", None

    def back_to(self, offset: int) -> bool:  # noqa: ARG002 - as in _PlainChunks
        """Return False, since a damaged record ends with its member."""
        return False

    def look_at(self, offset: int) -> None:
        """Return None, since unpacked bytes cannot be seen beforehand."""


class _Reader:
    """Parses records. ``_data`` from ``_at`` on has been read, and not been parsed yet."""

    def __init__(
        self, chunks: _PlainChunks | _GzipChunks, max_block_bytes: int, grammar: Grammar
    ) -> None:
        self._grammar = grammar
        self._magic = grammar.magic
        self._chunks = chunks
        self._plain = isinstance(chunks, _PlainChunks)
        self._max_block_bytes = max_block_bytes
        self._data = b""
        self._at = 0
        self._begin: int | None = None
        """The offset of ``_data[0]`` in the file, if reading can begin there."""
        self._joint: int | None = None
        """Where a gzip member begins in ``_data`` that was read last, if one does."""
        self._position = Position(0, -1)

    def items(self) -> Iterator[WarcRecord | Damage]:
        """Yield the records, and one :class:`Damage` per damaged part."""
        while True:
            before = self._position
            try:
                if not self._at_record():
                    return
                self._note_position()
                record = self._record()
            except DamagedError as error:
                if self._position is before:  # the damage is before a record
                    self._position = Position(before.offset, before.skip + 1)
                yield Damage(str(error), self._position)
                if not self._go_on():
                    return
                continue
            yield record

    def _at_record(self) -> bool:
        """Skip empty lines; return whether more bytes follow."""
        while True:
            if match := _LINE_ENDS.match(self._data, self._at):
                self._at = match.end()
            if self._at < len(self._data):
                return True
            if not self._more():
                return False

    def _note_position(self) -> None:
        """Set the position of the record that begins here.

        If reading can begin at the record, that is its offset. Else, it is the last such offset and
        the number of records to skip. In a gzip file, reading can only begin at a member.
        """
        if self._begin is not None and (self._plain or self._at == 0):
            self._position = Position(self._begin + self._at, 0)
        else:
            self._position = Position(self._position.offset, self._position.skip + 1)

    def _record(self) -> WarcRecord:
        headers = self._headers()
        length = headers.get("content-length", "")
        if not re.fullmatch(r"\d{1,15}", length):
            raise DamagedError(
                f"a record without a valid length: Content-Length is {length[:100]!r}"
            )
        self._check_end(int(length))
        after_head = self._begin + self._at if self._begin is not None else 0
        data, at = self._data, self._at
        try:
            block = self._block(int(length))
            ends_well = self._ends_well()
        except DamagedError:
            if self._plain:
                self._return_to(after_head)
            raise
        if not ends_well:
            if self._data is data:
                self._at = at - 1  # the next record may begin there, behind a line end
            else:
                self._return_to(after_head)
            raise DamagedError(_wrong_length(int(length)))
        return WarcRecord(headers, block, self._position)

    def _check_end(self, length: int) -> None:
        """Raise :class:`DamagedError` if the file shows that no record ends after so many bytes.

        Else, each of many records with a wrong length would be read to the end of the file.
        """
        if self._begin is None or self._at + length <= len(self._data):
            return
        end = self._begin + self._at + length
        seen = self._chunks.look_at(end)
        if seen is None:
            return
        after, size = seen
        rest = after.lstrip(b"\r\n")
        is_last = not rest and end + len(after) == size
        expected = self._grammar.end
        ends_well = (expected and after.startswith(expected)) or (
            (expected or rest != after) and self._magic.match(rest)
        )
        if not (ends_well or is_last):
            self._at -= 1  # the next record may begin here, behind a line end
            raise DamagedError(
                _cut_off(end - size, length) if end > size else _wrong_length(length)
            )

    def _begins(self) -> bool:
        while not self._magic.match(self._data, self._at):
            most = self._at + self._grammar.magic_bytes
            is_enough = len(self._data) >= most or self._data.find(b"\n", self._at, most) >= 0
            if is_enough or not self._more(keep=True):
                return False
        return True

    def _ends_well(self) -> bool:
        """Return whether a record may end here."""
        end = self._grammar.end
        if end and self._peek(len(end)) == end:
            return True
        if not end and not self._plain and not self._data[self._at :].strip(b"\r\n"):
            return True  # its member ends, too; the next may be damaged
        if not end and self._peek(1).strip(b"\r\n"):
            return False
        return not self._at_record() or self._begins()

    def _headers(self) -> dict[str, str]:
        is_record = self._begins()
        begin = self._at
        self._at += 1  # if the record is damaged, the search for the next begins here
        if not is_record:
            raise DamagedError(f"not a {self._grammar.name} record where one should begin")
        for _ in range(_MAX_PIECES):
            for blank in self._grammar.head_ends:
                end = self._data.find(blank, self._at)
                if end >= 0:
                    lines = self._data[begin:end]
                    self._at = end + len(blank)
                    return self._grammar.headers(lines)
            if len(self._data) - begin > MAX_HEADER_BYTES:
                raise DamagedError(f"a record with a header of more than {MAX_HEADER_BYTES} bytes")
            if not self._more(keep=True):
                raise DamagedError("a record that is cut off in its header")
            begin = 0
        raise DamagedError(f"a record with a header in more than {_MAX_PIECES} parts")

    def _block(self, length: int) -> bytes:
        """Read the next ``length`` bytes; return the first of them, up to the limit."""
        parts, kept, left = [], 0, length
        while left:
            if self._at == len(self._data):
                ended = not self._more()
                new_member = not self._plain and self._begin is not None
                if ended or (new_member and self._begins()):
                    raise DamagedError(_cut_off(left, length))
            part = self._data[self._at : self._at + left]
            self._at += len(part)
            left -= len(part)
            parts.append(part[: self._max_block_bytes - kept])
            kept += len(parts[-1])
        return b"".join(parts)

    def _return_to(self, offset: int) -> None:
        """If possible, go back to the offset, so that the next record is searched from there."""
        if self._plain and self._chunks.back_to(offset):
            self._data, self._at, self._begin = b"", 0, offset

    def _go_on(self) -> bool:
        """Go to the next record after damage; return whether there is one."""
        while True:
            found = self._grammar.next.search(self._data, self._at)
            if found:
                self._at = found.end()
                return True
            self._at = max(self._at, len(self._data) - 2 * self._grammar.magic_bytes)
            try:
                if not self._more(keep=True):
                    return False
                if self._joint is not None and self._magic.match(self._data, self._joint):
                    self._at = self._joint
                    return True
            except DamagedError:  # damaged parts in a row are one item
                self._data, self._at = b"", 0

    def _peek(self, size: int) -> bytes:
        while len(self._data) - self._at < size and self._more(keep=True):
            pass
        return self._data[self._at : self._at + size]

    def _more(self, *, keep: bool = False) -> bool:
        """Read more bytes into ``_data``; return whether there were any.

        ``keep``: whether the bytes that are not parsed yet stay in front of them.
        """
        try:
            data, begin = self._chunks.next()
        except DamagedError:
            self._data, self._at, self._begin = b"", 0, None
            raise
        left = self._data[self._at :] if keep else b""
        if not data:
            return False
        if not left:
            self._begin = begin
        elif self._begin is not None:
            self._begin = self._begin + self._at if self._plain else None
        self._joint = len(left) if begin is not None and not self._plain else None
        self._data, self._at = left + data, 0
        return True
