"""Writes files of records. If the run is killed, a file is complete up to its last mark."""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from scrapy_boilernet.bulk.compression import zstd
from scrapy_boilernet.bulk.progress_file import open_plain
from scrapy_boilernet.bulk.shards import (
    DEFAULT_PAGES,
    Partition,
    Shards,
    part_name,
    writer_of,
)

FORMATS = ("jsonl", "parquet", "markdown-files")
_LINE_ENDINGS = (".jsonl", ".json", ".ndjson")
_PACKED_ENDINGS = (".gz", ".zst")


class Output(Protocol):
    """Takes lines of JSON. Lines written before a mark are not lost when the process is killed."""

    rows_per_mark: int
    """How many rows are written between two marks."""

    def write(self, line: bytes) -> None:
        """Write a line; raises ``OSError`` if the disk is full."""
        ...

    def mark(self) -> int:
        """Write everything to the disk; return a ``state`` for :class:`Destination` to continue."""
        ...

    def close(self) -> None:
        """Close the file. Lines written since the last mark may be lost."""
        ...


@dataclass(frozen=True)
class Destination:
    """Where and how the records are written."""

    path: Path
    """A file, or a folder of shards. Beside it are the other files of the run."""
    format: str
    """One of :data:`FORMATS`."""
    shard_pages: int | None = None
    """How many pages a shard has; None: the default, or for JSON lines one file."""
    partition: Partition | None = None
    address: str = ""
    """Where the shards are moved to when they are finished; "": they stay in the folder."""

    @property
    def ending(self) -> str:
        """How the names of the shards end; "" if there is one file."""
        if self.format == "markdown-files":
            return ".md"
        if self.format == "parquet":
            return ".parquet"
        if not (self.shard_pages or self.partition or self.address):
            return ""
        name = self.path.name.lower()
        return next((f".jsonl{one}" for one in (".gz", ".zst") if name.endswith(one)), ".jsonl.zst")

    def check_packages(self) -> None:
        """Raise ``ImportError`` with the remedy if a package is missing that writes this output."""
        if self.ending:
            writer_of(self.ending)
        elif self.path.suffix.lower() == ".zst":
            zstd()

    def opened(self, state: int = 0) -> Output:
        """Open the output and return it; ``state``: 0, or the value of its last mark.

        Raises ``OSError`` if the output cannot be written.
        """
        if not self.ending:
            return LinesFile(self.path, state)
        pages = self.shard_pages or DEFAULT_PAGES
        return Shards(
            self.path, self.ending, state, pages=pages, partition=self.partition,
            address=self.address,
        )  # fmt: skip

    def lacks(self, state: int) -> str:
        """Return what it lacks of what was written until its last mark; "" if it is there."""
        if not self.ending:
            return lacking(self.path, state)
        if self.partition or self.address:
            return ""
        names = (part_name(number, self.ending) for number in range(1, state + 1))
        gone = next((one for one in names if not (self.path / one).exists()), None)
        return "" if gone is None else f"{self.path} lacks {gone}, which its run wrote"


def format_of(path: Path, given: str | None) -> str:
    """Return the given format of an output, or the one of its name.

    Raises ``ValueError`` if none is given and the name has an unknown ending.
    """
    if given:
        return given
    name = path.name.lower()
    for ending in _PACKED_ENDINGS:
        name = name.removesuffix(ending)
    if name.endswith(_LINE_ENDINGS):
        return "jsonl"
    if name.endswith(".parquet"):
        return "parquet"
    raise ValueError(
        f"{path}: give --format {' or '.join(FORMATS)}, or a name such as {path}.jsonl.gz"
    )


def lacking(path: Path, size: int) -> str:
    """Return what a file lacks of the bytes that were written until its last mark; "" if none."""
    found = path.stat().st_size if path.is_file() else 0
    return f"{path} has {found:,} bytes, but its run wrote {size:,}" if found < size else ""


class LinesFile:
    """A file of JSON lines. It is compressed if its name ends with ``.gz`` or ``.zst``.

    Each mark ends a gzip member or a Zstandard frame.
    """

    rows_per_mark = 500

    def __init__(self, path: Path, size: int = 0) -> None:
        suffix = path.suffix.lower()
        self._ending = suffix if suffix in _PACKED_ENDINGS else ""
        self._zstd = zstd() if self._ending == ".zst" else None
        self._file = open_plain(path, os.O_RDWR | (0 if size else os.O_CREAT))
        self._file.truncate(size)
        self._file.seek(size)
        self._packed: BinaryIO | None = None

    def write(self, line: bytes) -> None:
        """Write a line."""
        if self._packed is None:
            self._packed = self._begin()
        self._packed.write(line)

    def mark(self) -> int:
        """Write everything to the disk; return the file's size in bytes."""
        if self._packed is not None and self._packed is not self._file:
            self._packed.close()
        self._packed = None
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _begin(self) -> BinaryIO:
        if self._ending == ".gz":
            return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=self._file)  # type: ignore[return-value]
        if self._zstd:
            return self._zstd.ZstdFile(self._file, "wb")  # type: ignore[no-any-return]
        return self._file
