"""Reads pages from Parquet files and SQLite databases, row by row."""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO
from urllib.parse import parse_qsl, quote

from scrapy_boilernet.bulk.compression import DamagedError, is_packed, seekable, unpacked
from scrapy_boilernet.bulk.formats import START_BYTES
from scrapy_boilernet.bulk.pages import Entry, Pointed, Reading
from scrapy_boilernet.bulk.parquet_headers import Blocks, sizes_of
from scrapy_boilernet.bulk.readers import READ_ERRORS, reason_of
from scrapy_boilernet.bulk.rows import (
    NO_HTML_FIELD,
    columns_of,
    has_pages,
    max_row_bytes,
    no_page,
    row_page,
)
from scrapy_boilernet.bulk.warc import Damage, Position

_BATCH_ROWS, _BATCH_BYTES = 16, 1 << 27
MAX_PAGE_BYTES = 1 << 28
"""The most bytes of a page of a column, unpacked. Arrow writes a page for each thousand rows."""
_BUFFER_BYTES = 1 << 16
_POOL = "ARROW_DEFAULT_MEMORY_POOL"
"""The variable by which Arrow chooses what allocates its memory."""
_M_MMAP_THRESHOLD, _LARGE_BYTES = -3, 1 << 20
"""What has so many bytes is returned to the system when it is no longer needed."""
DATABASE = "sqlite:///"
_DATABASE_ERRORS = (*READ_ERRORS, sqlite3.Error)


def parquet_pages(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    """Yield the pages of a Parquet file; only a few rows are in memory.

    Raises ``ImportError`` with the remedy if pyarrow is missing.
    """
    try:
        arrow, parquet = _arrow()
    except ImportError as error:
        raise ImportError(
            f"{name} is a Parquet file, which needs the package pyarrow: pip install pyarrow"
        ) from error
    with seekable(unpacked(file, file.peek(START_BYTES))) as whole:
        mapped = _Mapped.of(whole)
        data = arrow.BufferReader(mapped.data) if mapped else arrow.PythonFile(whole, "r")
        with data as source:
            table = parquet.ParquetFile(
                source, buffer_size=0 if mapped else _BUFFER_BYTES, pre_buffer=False
            )
            yield from _table_pages(table, mapped or Blocks(whole), name, start, reading)


def _arrow() -> tuple[Any, Any]:
    """Return pyarrow and its module for Parquet.

    For each few rows, Arrow reserves the bytes of a page of a column, often 20 MB. Allocators keep
    such memory for later; the one of the system gives it back if it is told to.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # such as with musl
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
    given = os.environ.get(_POOL)
    os.environ.setdefault(_POOL, "system")
    try:
        arrow = import_module("pyarrow")
        arrow.default_memory_pool()
    finally:
        if given is None:
            del os.environ[_POOL]
    return arrow, import_module("pyarrow.parquet")


class _Mapped:
    """A file in the memory of the process, from which Arrow reads without copies."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.data = mmap.mmap(number, 0, access=mmap.ACCESS_READ)

    @classmethod
    def of(cls, file: BinaryIO) -> _Mapped | None:
        """Return the file, if it is one of this machine."""
        try:
            return cls(file.fileno())
        except (OSError, ValueError):
            return None

    def __getitem__(self, at: int, /) -> int:
        return self.data[at]

    def release(self) -> None:
        """Take what was read out of the memory; raises ``OSError`` if the file is shorter now."""
        if os.fstat(self._number).st_size < len(self.data):  # to read on would end the process
            raise OSError("the file became shorter while it was read")
        if hasattr(mmap, "MADV_DONTNEED"):
            self.data.madvise(mmap.MADV_DONTNEED)


def _table_pages(
    table: Any, data: _Mapped | Blocks, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    known = table.schema_arrow.names
    columns = [one for one in columns_of(reading) if one in known]
    if not has_pages(known, reading):
        if start.skip == 0:
            yield Damage(f"{name}: {no_page(known, reading)}", Position(), NO_HTML_FIELD)
        return
    for group in range(start.offset, table.num_row_groups):
        here = Position(group, start.skip if group == start.offset else 0)
        # Of a file on another machine, headers are read only where they have to be.
        most = 0 if isinstance(data, _Mapped) else MAX_PAGE_BYTES
        try:
            sizes = sizes_of(data, table.metadata.row_group(group), columns, most)
            if sizes.page > MAX_PAGE_BYTES:
                raise DamagedError(_too_large(sizes.page))
        except READ_ERRORS as error:
            if here.skip == 0:
                yield Damage(f"{name}, group {group + 1}: {reason_of(error)}", here)
            continue
        rows = min(_BATCH_ROWS, max(1, _BATCH_BYTES // max(1, sizes.dictionary)))
        batches = table.iter_batches(rows, row_groups=[group], columns=columns, use_threads=False)
        yield from _group_pages(batches, data, name, here, reading)


def _too_large(size: int) -> str:
    return (
        f"a page of {size:,} bytes, and at most {MAX_PAGE_BYTES:,} are read: write it with smaller "
        "pages, in pyarrow with a smaller write_batch_size"
    )


def _local_path(file: Any) -> str | None:
    """Return the path of a file of this machine; None for other files, and for a pipe."""
    path = getattr(file, "name", None)
    return path if isinstance(path, str) and file.seekable() else None


def _group_pages(
    batches: Iterator[Any], data: _Mapped | Blocks, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    number = 0
    while True:
        where = f"{name}, row {number + 1} of group {start.offset + 1}"
        try:
            if isinstance(data, _Mapped):
                data.release()
            batch = next(batches, None)
            if batch is None:
                return
            rows: list[Any] = (
                _in_microseconds(batch).to_pylist()
                if number + len(batch) > start.skip
                else [None] * len(batch)
            )
        except READ_ERRORS as error:
            if number >= start.skip:
                yield Damage(f"{where}: {reason_of(error)}", Position(start.offset, number))
            return
        for row in rows:
            if number >= start.skip:
                where = f"{name}, row {number + 1} of group {start.offset + 1}"
                yield row_page(row, where, name, Position(start.offset, number), reading)
            number += 1


def _in_microseconds(batch: Any) -> Any:
    """Return the rows with times that Python has, which have no nanoseconds."""
    arrow = import_module("pyarrow")
    for number, field in enumerate(batch.schema):
        name, kind = str(field.type), field.type
        if "[ns" in name and name.startswith(("timestamp", "time64", "duration")):
            is_stamp = name.startswith("timestamp")
            wanted = arrow.timestamp("us", kind.tz) if is_stamp else arrow.duration("us")
            wanted = arrow.time64("us") if name.startswith("time64") else wanted
            column = batch.column(number).cast(wanted, safe=False)
            batch = batch.set_column(number, field.name, column)
    return batch


def database_of(name: str) -> tuple[str, str, str]:
    """Return (path, table, query) of a name such as ``sqlite:///a.db?table=pages``.

    A path that begins with ``/`` has four slashes. Raises ``ValueError`` for other fields.
    """
    path, _, fields = name.removeprefix(DATABASE).partition("?")
    given = dict(parse_qsl(fields, keep_blank_values=True))
    if {*given} - {"table", "query"} or len(given) > 1:
        raise ValueError(
            f"{name}: give table=NAME or query=SELECT..., as in {DATABASE}a.db?table=b"
        )
    return path, given.get("table", ""), given.get("query", "")


def sqlite_pages(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    """Yield the pages of an SQLite database: of each table that has a column with pages."""
    with _on_disk(file) as path:
        yield from _database_pages(path, name, "", "", start, reading)


def database_pages(name: str, start: Position, reading: Reading) -> Iterator[Entry | Pointed]:
    """Yield the pages of a table or a query of an SQLite database; see :func:`database_of`."""
    path, table, query = database_of(name)
    yield from _database_pages(path, path, table, query, start, reading)


@contextmanager
def _on_disk(file: BufferedReader) -> Iterator[str]:
    """Give the path of the file; of a copy, if the file is packed or not of this machine."""
    first, path = file.peek(START_BYTES), _local_path(file)
    if path and not is_packed(first):
        yield path
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "database"
        with copy.open("wb") as out:
            shutil.copyfileobj(unpacked(file, first), out)
        yield str(copy)


def _database_pages(
    path: str, name: str, table: str, query: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    try:
        base = _connected(path, reading)
    except _DATABASE_ERRORS as error:
        if start == Position():
            yield Damage(f"{name}: {error}", start)
        return
    with closing(base):
        try:
            queries = [query] if query else _queries(base, table, reading)
        except _DATABASE_ERRORS as error:
            kind = NO_HTML_FIELD if isinstance(error, LookupError) else "Damage"
            if start == Position():
                yield Damage(f"{name}: {error}", start, kind)
            return
        for number, one in enumerate(queries):
            if number >= start.member:
                skip = start.skip if number == start.member else 0
                yield from _query_pages(base, one, name, Position(0, skip, number), reading)


def _connected(path: str, reading: Reading) -> sqlite3.Connection:
    """Open the database to be read. Nothing in it can run, and its values are bounded."""
    base = sqlite3.connect(f"file:{quote(os.fsencode(path))}?mode=ro", uri=True)
    base.execute("PRAGMA query_only = ON")
    base.execute("PRAGMA trusted_schema = OFF")
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max_row_bytes(reading.max_bytes))
    base.text_factory = _text
    return base


def _text(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _queries(base: sqlite3.Connection, table: str, reading: Reading) -> list[str]:
    """Return a query per table with pages; raises ``LookupError`` if there is none."""
    found = base.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    names = sorted(str(name) for (name,) in found)
    wanted = [one for one in names if one == table or not table]
    known = {one: _columns(base, one) for one in wanted}
    with_pages = [one for one, columns in known.items() if has_pages(columns, reading)]
    if with_pages:
        return [
            f"SELECT {', '.join(map(_quoted, {*columns_of(reading)} & {*known[one]}))} "  # noqa: S608
            f"FROM {_quoted(one)}"
            for one in with_pages
        ]
    if table and not wanted:
        raise LookupError(f"no table {table!r}, only {', '.join(map(repr, names[:20])) or 'none'}")
    columns = [f"{one}.{column}" for one in wanted for column in known[one]]
    raise LookupError(no_page(columns, reading))


def _columns(base: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in base.execute(f"PRAGMA table_info({_quoted(table)})")]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _query_pages(
    base: sqlite3.Connection, query: str, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    """Yield the pages of a query. A value that is too large is one failure; after others, it ends.

    Begins with the row before ``start``, which shows whether the query ended there.
    """
    number, most, is_done = max(0, start.skip - 1), -1, False
    query = re.sub(r"[\s;]+\Z", "", query)
    while not is_done:
        position = start._replace(skip=number)
        try:
            rows = base.execute(f"SELECT * FROM ({query}\n) LIMIT {most} OFFSET {number}")  # noqa: S608
            names = [one[0] for one in rows.description]
            for values in rows:
                if number >= start.skip:
                    row, position = (
                        dict(zip(names, values, strict=False)),
                        position._replace(skip=number),
                    )
                    yield row_page(row, f"{name}, row {number + 1}", name, position, reading)
                number += 1
            most, is_done = -1, most < 0
        except _DATABASE_ERRORS as error:
            if most < 0:  # Python may have read one row ahead
                most = 1
                continue
            if number >= start.skip:
                yield Damage(f"{name}, row {number + 1}: {error}", start._replace(skip=number))
            number, most, is_done = number + 1, -1, not isinstance(error, sqlite3.DataError)
