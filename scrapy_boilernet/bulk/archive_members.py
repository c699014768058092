"""Reads a member of an archive: a page, or a WARC or ARC file."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import replace
from io import SEEK_CUR, SEEK_END, SEEK_SET, BufferedReader, BytesIO, RawIOBase
from typing import Any, BinaryIO

from scrapy_boilernet.bulk.compression import CHUNK_BYTES, DamagedError
from scrapy_boilernet.bulk.formats import START_BYTES, format_of_start
from scrapy_boilernet.bulk.pages import Entry, LeftOut, RawPage, Reading
from scrapy_boilernet.bulk.readers import (
    GRAMMARS,
    READ_ERRORS,
    UNREAD_FORMAT,
    page_body,
    reason_of,
    warc_pages,
)
from scrapy_boilernet.bulk.warc import START, Damage, Grammar, Position


class CutOffError(tarfile.ReadError):
    """The archive ends where it should go on."""


class Part(RawIOBase):
    """Some bytes of a file, from where it is. Reading raises if the file has fewer."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self.left = size

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Read into the buffer; return how many bytes were read."""
        data = self._next(len(buffer))
        if not data and self.left and len(buffer):
            raise CutOffError(f"the archive is cut off: {self.left:,} bytes are missing")
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
            raise CutOffError(reason_of(error)) from error
        self.left -= len(data)
        return data


class Window(RawIOBase):
    """Some bytes of a file that can seek, as a file of their own."""

    def __init__(self, file: BinaryIO, begin: int, size: int) -> None:
        self._file = file
        self._begin = begin
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        """Go to the offset, and return it."""
        self._at = offset + {SEEK_SET: 0, SEEK_CUR: self._at, SEEK_END: self._size}[whence]
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        """Read into the buffer; return how many bytes were read."""
        self._file.seek(self._begin + self._at)
        data = self._file.read(max(0, min(len(buffer), self._size - self._at)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def member_items(data: Any, path: str, at: Position, reading: Reading) -> Iterator[Entry]:
    """Yield the page of a member of an archive, or the pages if it is a WARC or ARC file.

    ``data``: the open member, None if it is no file; ``path``: "" for a folder.
    """
    grammar = _grammar(data, path) if data else None
    if grammar is None:
        item = _item(data, path, at, reading.max_bytes)  # read in any case: it may be cut off
        if at.skip == 0:
            yield item
        return
    seeks = isinstance(getattr(data, "raw", None), Window)
    begin = at._replace(member=0) if seeks else START
    for number, item in enumerate(warc_pages(data, path, begin, reading, grammar=grammar)):
        if seeks:
            yield replace(item, position=item.position._replace(member=at.member))
        elif number >= at.skip:
            yield replace(item, position=Position(0, number, at.member))


def _grammar(data: BufferedReader, path: str) -> Grammar | None:
    """Return how the records of a member are written, by its first bytes; None if it has none."""
    first = data.peek(START_BYTES)
    try:
        found = format_of_start(BytesIO(first), first, path, named=False)
    except DamagedError:  # or more bytes are needed
        return None
    return GRAMMARS.get(found.kind)


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
