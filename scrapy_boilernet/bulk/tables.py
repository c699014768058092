"""Reads pages from Parquet files and SQLite databases, row by row."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl, quote

from scrapy_boilernet.bulk.compression import is_packed, seekable, unpacked
from scrapy_boilernet.bulk.formats import START_BYTES
from scrapy_boilernet.bulk.pages import Entry, Pointed, Reading
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

_BATCH_ROWS = 16
_BUFFER_BYTES = 1 << 20
DATABASE = "sqlite:///"
_DATABASE_ERRORS = (*READ_ERRORS, sqlite3.Error)


def parquet_pages(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    """Yield the pages of a Parquet file; only a few rows are in memory.

    Raises ``ImportError`` with the remedy if pyarrow is missing.
    """
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError(
            f"{name} is a Parquet file, which needs the package pyarrow; "
            "pip install '.[bulk]' in a checkout"
        ) from error
    with seekable(unpacked(file, file.peek(START_BYTES))) as whole:
        table = parquet.ParquetFile(whole, buffer_size=_BUFFER_BYTES, pre_buffer=False)
        known = table.schema_arrow.names
        columns = [one for one in columns_of(reading) if one in known]
        if not has_pages(known, reading):
            if start.skip == 0:
                yield Damage(f"{name}: {no_page(known, reading)}", Position(), NO_HTML_FIELD)
            return
        for group in range(start.offset, table.num_row_groups):
            skip = start.skip if group == start.offset else 0
            batches = table.iter_batches(
                _BATCH_ROWS, row_groups=[group], columns=columns, use_threads=False
            )
            yield from _group_pages(batches, name, Position(group, skip), reading)


def _group_pages(
    batches: Iterator[Any], name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    number = 0
    while True:
        where = f"{name}, row {number + 1} of group {start.offset + 1}"
        try:
            batch = next(batches, None)
            if batch is None:
                return
            rows: list[Any] = (
                batch.to_pylist() if number + len(batch) > start.skip else [None] * len(batch)
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
    first = file.peek(START_BYTES)
    path = getattr(file, "name", None)
    if isinstance(path, str) and not is_packed(first) and file.seekable():
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
        with closing(_connected(path, reading)) as base:
            queries = [query] if query else _queries(base, table, reading)
            for number, one in enumerate(queries):
                if number >= start.member:
                    skip = start.skip if number == start.member else 0
                    yield from _query_pages(base, one, name, Position(0, skip, number), reading)
    except _DATABASE_ERRORS as error:
        kind = NO_HTML_FIELD if isinstance(error, LookupError) else "Damage"
        if start == Position():
            yield Damage(f"{name}: {error}", Position(), kind)


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
    """Yield the pages of a query. A row that cannot be read is one failure."""
    number, failed = start.skip, 0
    query = re.sub(r"[\s;]+\Z", "", query)
    while failed < 2:
        rows = base.execute(f"SELECT * FROM ({query}) LIMIT -1 OFFSET {number}")  # noqa: S608
        names = [one[0] for one in rows.description]
        try:
            for values in rows:
                where, failed = f"{name}, row {number + 1}", 0
                position = Position(0, number, start.member)
                yield row_page(
                    dict(zip(names, values, strict=False)), where, name, position, reading
                )
                number += 1
            return  # noqa: TRY300 - of the loop
        except _DATABASE_ERRORS as error:  # of one value, or of the file
            position = Position(0, number, start.member)
            yield Damage(f"{name}, row {number + 1}: {error}", position)
            number, failed = number + 1, failed + 1
