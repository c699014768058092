"""Finds the inputs of a run, and detects their formats from their contents."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from io import BufferedReader, BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Literal

from scrapy_boilernet.bulk.compression import GZIP, UNPACK_ERRORS, is_packed, unpacked
from scrapy_boilernet.bulk.pages import Item, LeftOut
from scrapy_boilernet.bulk.readers import (
    cached_response,
    deferred_pages,
    html_page,
    lines_pages,
    tar_pages,
    warc_pages,
    zip_pages,
)
from scrapy_boilernet.bulk.warc import MAGIC, START, Damage, Position
from scrapy_boilernet.files import ENDINGS

STANDARD_INPUT = "-"
Kind = Literal["warc", "zip", "tar", "lines", "page", "unknown"]
_START_BYTES = 512
_TAR_MARK = slice(257, 262)


@dataclass(frozen=True)
class Input:
    """A file, or a folder in which Scrapy's HTTP cache or a deferred crawl has stored pages."""

    path: str
    """``-``: standard input."""
    kind: Literal["file", "cached response", "deferred store"]
    named: bool
    """Whether the user named it, or it was found in a folder."""
    size_bytes: int
    """0 if the size is not known."""


@dataclass(frozen=True)
class Reading:
    """How inputs are read."""

    max_bytes: int
    """How many bytes of a page are read; one more is read to see whether there are more."""
    html_field: str | None = None
    """The field of JSON lines that contains the page; None: one of the usual names."""


def inputs_of(names: Sequence[str]) -> Iterator[Input]:
    """Yield the named files, and those in the named folders at any depth, in a fixed order.

    Raises ``FileNotFoundError`` for a name that is neither a file nor a folder.
    """
    for name in names:
        if name == STANDARD_INPUT:
            yield Input(name, "file", named=True, size_bytes=0)
        elif os.path.isdir(name):  # noqa: PTH112 - a folder may have a million entries
            yield from _folder(name)
        elif os.path.exists(name):  # noqa: PTH110
            yield Input(name, "file", named=True, size_bytes=Path(name).stat().st_size)
        else:
            raise FileNotFoundError(f"no file or folder {name!r}; use - for standard input")


def _folder(folder: str) -> Iterator[Input]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    names = {entry.name for entry in entries}
    if {"response_body", "meta"} <= names:
        size = sum(entry.stat().st_size for entry in entries if entry.name == "response_body")
        yield Input(folder, "cached response", named=False, size_bytes=size)
        return
    if "bodies" in names and any(name.startswith("index-") for name in names):
        yield Input(folder, "deferred store", named=False, size_bytes=0)
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _folder(entry.path)
        elif entry.is_file():
            yield Input(entry.path, "file", named=False, size_bytes=entry.stat().st_size)


class OpenInput:
    """The items of an input from a position on. Reading raises only ``ImportError``."""

    def __init__(
        self,
        source: Input,
        reading: Reading,
        start: Position = START,
        opened: Callable[[str], AbstractContextManager[BufferedReader]] | None = None,
    ) -> None:
        """``opened``: opens a file by its path; None: opens files of this machine."""
        self._source = source
        self._reading = reading
        self._start = start
        self._opened = opened or _opened
        self._file: BinaryIO | None = None

    @property
    def read_bytes(self) -> int:
        """How many bytes of the file have been read."""
        try:
            return self._file.tell() if self._file else 0
        except (OSError, ValueError):  # a pipe, a closed file
            return 0

    def items(self) -> Iterator[Item]:
        """Yield the items; if the rest cannot be read, one :class:`Damage` at the end."""
        last = self._start
        try:
            for item in self._items():
                last = item.position
                yield item
        except UNPACK_ERRORS as error:
            reason = f"{type(error).__name__}: {error}"
            yield Damage(reason, Position(last.offset, last.skip + 1))

    def _items(self) -> Iterator[Item]:
        path, start = self._source.path, self._start
        if self._source.kind == "cached response":
            yield from cached_response(Path(path), start)
            return
        if self._source.kind == "deferred store":
            yield from deferred_pages(Path(path), start)
            return
        with self._opened(path) as file:
            self._file = file
            yield from self._of_file(file)

    def _of_file(self, file: BufferedReader) -> Iterator[Item]:
        name, start, max_bytes = self._source.path, self._start, self._reading.max_bytes
        first = file.peek(_START_BYTES)
        inside = _unpacked_start(first) if is_packed(first) else first
        kind = _kind(inside, name, named=self._source.named)
        gzipped = first.startswith(GZIP)
        if kind == "warc" and gzipped:
            yield from warc_pages(file, name, start, gzipped=True, max_bytes=max_bytes)
            return
        if kind == "page":
            yield from html_page(file if gzipped else unpacked(file, first), name, start, max_bytes)
            return
        data = unpacked(file, first)
        if kind == "warc":
            yield from warc_pages(data, name, start, gzipped=False, max_bytes=max_bytes)
        elif kind == "zip":
            with _seekable(data) as archive:
                yield from zip_pages(archive, name, start, max_bytes)
        elif kind == "tar":
            yield from tar_pages(data, name, start, max_bytes)
        elif kind == "lines":
            yield from lines_pages(data, name, start, self._reading.html_field)
        elif start.skip == 0:
            yield LeftOut("not a page", START)


def kind_of(source: Input) -> Kind | Literal["cached response", "deferred store"]:
    """Return the kind of the input, by its first bytes; ``"unknown"`` if it cannot be read."""
    if source.kind != "file":
        return source.kind
    try:
        with Path(source.path).open("rb") as file:
            first = file.read(_START_BYTES)
    except OSError:
        return "unknown"
    inside = _unpacked_start(first) if is_packed(first) else first
    return _kind(inside, source.path, named=source.named)


def kind_of_start(first: bytes) -> Kind:
    """Return the kind of an input that begins with these bytes, such as standard input."""
    inside = _unpacked_start(first) if is_packed(first) else first
    return _kind(inside, STANDARD_INPUT, named=True)


@contextmanager
def _opened(path: str) -> Iterator[BufferedReader]:
    if path != STANDARD_INPUT:
        with Path(path).open("rb") as file:
            yield file
        return
    yield sys.stdin.buffer  # type: ignore[misc]


def _seekable(file: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """Return the file if it is an unpacked one that can seek, else a temporary copy."""
    if file.seekable() and isinstance(file, BufferedReader):
        return nullcontext(file)
    copy = TemporaryFile()  # noqa: SIM115 - the caller closes it
    while chunk := file.read(1 << 20):
        copy.write(chunk)
    copy.seek(0)
    return copy


def _unpacked_start(first: bytes) -> bytes:
    """Return the first bytes of a packed file unpacked; b"" if they are damaged."""
    if first.startswith(GZIP):
        try:
            return zlib.decompressobj(31).decompress(first, _START_BYTES)
        except zlib.error:
            return b""
    try:
        return bytes(unpacked(BytesIO(first), first).read1(_START_BYTES))  # type: ignore[attr-defined]
    except UNPACK_ERRORS:
        return b""


def _kind(start: bytes, name: str, *, named: bool) -> Kind:
    if MAGIC.match(start):
        return "warc"
    if start.startswith(b"PK\x03\x04"):
        return "zip"
    if start[_TAR_MARK] == b"ustar":
        return "tar"
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"{"):
        return "lines"
    if named or text.startswith(b"<") or name.lower().endswith(ENDINGS):
        return "page"
    return "unknown"
