"""Writes files of records. If the run is killed, a file is complete up to its last mark."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from scrapy_boilernet.bulk.compression import zstd
from scrapy_boilernet.bulk.progress_file import open_plain

FORMATS = ("jsonl", "parquet")
_LINE_ENDINGS = (".jsonl", ".json", ".ndjson")
_PACKED_ENDINGS = (".gz", ".zst")
_TYPES = {
    "status": "int16", "main_text_confidence": "float",
    **dict.fromkeys(
        ("chunk", "chunks", "start", "end", "text_start", "text_end", "tokens"), "int32"
    ),
    **dict.fromkeys(("headings", "pages", "missing"), "strings"),
}  # fmt: skip
"""The types of the columns of Parquet files; the others are texts, or JSON as text."""
_GROUP_ROWS, _GROUP_BYTES = 1_000, 32_000_000
"""If the rows in memory reach one of these limits, they are written to the Parquet file."""


class Output(Protocol):
    """Takes lines of JSON. Lines written before a mark are not lost when the process is killed."""

    rows_per_mark: int
    """How many rows are written between two marks."""

    def write(self, line: bytes) -> None:
        """Write a line; raises ``OSError`` if the disk is full."""
        ...

    def mark(self) -> int:
        """Write everything to the disk; return a ``state`` for :func:`output_of` to continue."""
        ...

    def close(self) -> None:
        """Close the file. Lines written since the last mark may be lost."""
        ...


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


def output_of(path: Path, format_name: str, state: int = 0) -> Output:
    """Open an output and return it; ``state``: 0 for a new one, else the value of its last mark.

    Raises ``ImportError`` with the remedy if a package is missing, ``OSError`` if the output cannot
    be written.
    """
    return ParquetFolder(path, state) if format_name == "parquet" else LinesFile(path, state)


def lacking(path: Path, format_name: str, state: int) -> str:
    """Return what an output lacks of what was written until its last mark; "" if it is there."""
    if format_name == "parquet":
        gone = next((n for n in range(state) if not (path / _part_name(n)).is_file()), None)
        return "" if gone is None else f"{path} lacks {_part_name(gone)}, which its run wrote"
    size = path.stat().st_size if path.is_file() else 0
    return f"{path} has {size:,} bytes, but its run wrote {state:,}" if size < state else ""


def _part_name(number: int) -> str:
    return f"part-{number:05}.parquet"


class LinesFile:
    """A file of JSON lines. It is compressed if its name ends with ``.gz`` or ``.zst``.

    Each mark ends a gzip member or a Zstandard frame.
    """

    rows_per_mark = 500

    def __init__(self, path: Path, size: int = 0) -> None:
        self._ending = path.suffix if path.suffix in _PACKED_ENDINGS else ""
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


class ParquetFolder:
    """A folder of Parquet files ``part-00000.parquet`` and so on, one per mark.

    Metadata, block labels and other values that are no texts are columns of JSON, since their keys
    differ from page to page.
    """

    rows_per_mark = 10_000

    def __init__(self, path: Path, parts: int = 0) -> None:
        try:
            self._arrow = import_module("pyarrow")
            self._parquet = import_module("pyarrow.parquet")
        except ImportError as error:
            raise ImportError(
                "Parquet needs the package pyarrow; pip install '.[bulk]' in a checkout"
            ) from error
        self._folder = path
        self._parts = parts
        self._writer: Any = None
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0
        path.mkdir(parents=True, exist_ok=True)
        for part in [*path.glob("part-*.parquet"), *path.glob("*.unfinished")]:
            number = part.name.removeprefix("part-").removesuffix(".parquet")
            if not number.isdigit() or int(number) >= parts:
                part.unlink()

    def write(self, line: bytes) -> None:
        """Write the line as a row."""
        row = json.loads(line)
        for name, value in row.items():
            if name not in _TYPES and not isinstance(value, str | None):
                row[name] = json.dumps(value, ensure_ascii=False)
        self._rows.append(row)
        self._bytes += len(line)
        if len(self._rows) >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._write_group()

    def mark(self) -> int:
        """Finish the part; return the number of finished parts."""
        self._write_group()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
            unfinished, part = self._unfinished, self._folder / _part_name(self._parts)
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
            unfinished.replace(part)
            self._parts += 1
        return self._parts

    def close(self) -> None:
        """Close and remove the unfinished part."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._unfinished.unlink(missing_ok=True)

    @property
    def _unfinished(self) -> Path:
        return self._folder / f"{_part_name(self._parts)}.unfinished"

    def _write_group(self) -> None:
        if not self._rows:
            return
        schema = _schema(self._arrow, self._rows[0])
        if self._writer is None:
            self._writer = self._parquet.ParquetWriter(self._unfinished, schema, compression="zstd")
        columns = [[row.get(name) for row in self._rows] for name in schema.names]
        self._writer.write_table(self._arrow.table(columns, schema=schema))
        self._rows, self._bytes = [], 0


def _schema(arrow: Any, row: Mapping[str, Any]) -> Any:
    """Return the columns of a row. All rows of a run have the same columns."""
    types = {
        "int16": arrow.int16(), "int32": arrow.int32(), "float": arrow.float32(),
        "string": arrow.string(), "strings": arrow.list_(arrow.string()),
    }  # fmt: skip
    return arrow.schema([(name, types[_TYPES.get(name, "string")]) for name in row])
