"""Reads rows from text: JSON lines, JSON documents behind each other or in an array, and CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import BufferedReader, TextIOWrapper
from itertools import chain, count
from typing import Any, BinaryIO

from scrapy_boilernet.bulk.compression import CHUNK_BYTES, DamagedError, unpacked
from scrapy_boilernet.bulk.formats import START_BYTES, WIDE_MARKS
from scrapy_boilernet.bulk.pages import Entry, LeftOut, Pointed, Reading
from scrapy_boilernet.bulk.readers import READ_ERRORS, reason_of
from scrapy_boilernet.bulk.rows import (
    NO_HTML_FIELD,
    has_pages,
    json_page,
    max_row_bytes,
    row_page,
)
from scrapy_boilernet.bulk.warc import Damage, Position

_TEXT = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
"""The characters of a JSON text, up to its end."""
_MARK = re.compile(rb'["\[\]{}]')
_BETWEEN = b" \t\r\n,\xef\xbb\xbf"
_DELIMITERS = ",\t;|"
_VALUES = ("<", "://")
"""In a first row, they are in a page or an address, and not in the name of a field."""


def lines_pages(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    """Yield the pages of a file of JSON lines; see :func:`~rows.row_page`."""
    most = max_row_bytes(reading.max_bytes)
    lines = unpacked(file, file.peek(START_BYTES))
    for number in count():
        position = Position(0, number)
        try:
            line = lines.readline(most + 1)
            cut_off = len(line) > most and not line.endswith(b"\n")
            while cut_off and (rest := lines.readline(1 << 20)) and not rest.endswith(b"\n"):
                pass
        except READ_ERRORS as error:
            if number >= start.skip:
                yield Damage(f"{name}, line {number + 1}: {reason_of(error)}", position)
            return
        if not line:
            return
        if number < start.skip:
            continue
        where = f"{name}, line {number + 1}"
        if cut_off:
            yield Damage(f"{where}: more than {most:,} bytes", position)
        elif not line.strip():
            yield LeftOut("blank line", position)
        else:
            yield json_page(line, where, name, position, reading)


def json_pages(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    """Yield the pages of JSON objects in an array, or behind each other over any lines."""
    data = unpacked(file, file.peek(START_BYTES))
    found = _Elements(data, max_row_bytes(reading.max_bytes)).all()
    for number in count():
        position, where = Position(0, number), f"{name}, object {number + 1}"
        try:
            text = next(found, None)
        except READ_ERRORS as error:
            if number >= start.skip:
                yield Damage(f"{where}: {reason_of(error)}", position)
            return
        if text is None:
            return
        if number >= start.skip:
            if isinstance(text, DamagedError):
                yield Damage(f"{where}: {text}", position)
            else:
                yield json_page(text, where, name, position, reading)


class _Elements:
    """Splits JSON into its objects, without reading them. The work is linear in the bytes."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file = file
        self._most = most
        self._data = b""
        self._at = 0
        """What is before it in ``_data`` has been looked at."""
        self._begin = 0
        """Where the current object, or what is between two, begins in ``_data``."""
        self._too_large = False

    def all(self) -> Iterator[bytes | DamagedError]:
        """Yield the objects; an error for one with more than ``most`` bytes, or that is cut off.

        What stands between the objects and is no comma is yielded, too.
        """
        outside = depth = 0
        is_first = True
        while (mark := self._mark()) is not None:
            if is_first and mark == b"[":
                outside = depth = 1
                self._begin = self._at
            elif mark in b'[{"':
                if depth == outside:
                    yield from self._between(self._at - 1)
                depth += 1
                if mark == b'"':
                    self._skip_text()
            if depth > outside and mark in b'"]}':
                depth -= 1
                if depth == outside:
                    yield self._taken()
            elif mark in b"]}":  # the end of the array; what follows are documents of their own
                yield from self._between(self._at - 1)
                self._begin = self._at
                outside = depth = 0
            is_first = False
        if depth > outside:
            yield DamagedError("cut off")
        else:
            yield from self._between(len(self._data))

    def _between(self, end: int) -> Iterator[bytes]:
        """Yield what is before an object, if it is more than commas; the object begins behind."""
        text, self._begin = self._data[self._begin : end].strip(_BETWEEN), end
        if text:
            yield text

    def _taken(self) -> bytes | DamagedError:
        text: bytes | DamagedError = self._data[self._begin : self._at]
        if self._too_large:
            text = DamagedError(f"more than {self._most:,} bytes")
        self._too_large, self._begin = False, self._at
        return text

    def _mark(self) -> bytes | None:
        """Return the next bracket or quotation mark, and go behind it; None at the end."""
        while not (found := _MARK.search(self._data, self._at)):
            self._at = len(self._data)
            if not self._more():
                return None
        self._at = found.end()
        return found[0]

    def _skip_text(self) -> None:
        while True:
            found = _TEXT.match(self._data, self._at)
            self._at = found.end() if found else self._at
            if self._data[self._at : self._at + 1] == b'"':
                self._at += 1
                return
            if not self._more():
                self._at = len(self._data)
                return

    def _more(self) -> bool:
        """Read more bytes; keep those of the current object, unless it is too large."""
        if self._at - self._begin > self._most:
            self._too_large = True
            self._begin = self._at
        parts, size = [], 0
        kept = len(self._data) - self._begin
        while size <= kept // 4:  # else a large object would be copied for each chunk of it
            chunk = self._file.read(CHUNK_BYTES)
            if not chunk:
                break
            parts.append(chunk)
            size += len(chunk)
        self._data = self._data[self._begin :] + b"".join(parts)
        self._at -= self._begin
        self._begin = 0
        return size > 0


def csv_pages(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    """Yield the pages of a CSV or TSV file, whose first row has the names of the fields."""
    data = unpacked(file, file.peek(START_BYTES))
    wide = data.peek(2)[:2] in WIDE_MARKS if isinstance(data, BufferedReader) else False
    # Bytes that are not UTF-8 come out again as they are.
    lines = TextIOWrapper(
        data,
        "utf-16" if wide else "utf-8-sig",
        "replace" if wide else "surrogateescape",
        newline="",
    )
    most = max_row_bytes(reading.max_bytes)
    csv.field_size_limit(max(csv.field_size_limit(), most))
    try:
        yield from _csv_rows(_BoundedLines(lines, most), name, start, reading)
    finally:
        lines.detach()


class _BoundedLines:
    """The lines of a text. Raises if a row has more than ``most`` characters."""

    def __init__(self, file: TextIOWrapper, most: int) -> None:
        self._file = file
        self._most = most
        self.left = most

    def __iter__(self) -> _BoundedLines:
        return self

    def __next__(self) -> str:
        line = self._file.readline(self.left + 1)
        self.left -= len(line)
        if self.left < 0:
            while line and not line.endswith("\n"):
                line = self._file.readline(1 << 20)
            raise csv.Error(f"more than {self._most:,} characters")
        if not line:
            raise StopIteration
        return line


def _csv_rows(
    lines: _BoundedLines, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    first = next(lines, "")
    delimiter = max(_DELIMITERS, key=first.count)
    names = next(csv.reader(chain([first], lines), delimiter=delimiter), [])
    if _has_values(names) and not has_pages(names, reading):
        yield from [] if start.skip else [_without_names(name)]
        return
    rows = csv.reader(lines, delimiter=delimiter)
    for number in count():
        position, where = Position(0, number), f"{name}, row {number + 1}"
        lines.left = max_row_bytes(reading.max_bytes)
        try:
            values = next(rows, None)
        except csv.Error as error:
            if number >= start.skip:
                yield Damage(f"{where}: {error}", position)
            continue
        except READ_ERRORS as error:
            if number >= start.skip:
                yield Damage(f"{where}: {reason_of(error)}", position)
            return
        if values is None:
            return
        if number < start.skip:
            continue
        if not values:
            yield LeftOut("blank line", position)
            continue
        yield row_page(_row(names, values), where, name, position, reading)


def _row(names: list[str], values: list[str]) -> dict[str, Any]:
    row: dict[str, Any] = dict(zip(names, map(_value, values), strict=False))
    if status := row.get("status"):
        row["status"] = int(status) if re.fullmatch("[1-9][0-9]{2}", str(status)) else None
    return row


def _without_names(name: str) -> Damage:
    reason = "the first row has no names of fields: write them before it, such as url,html"
    return Damage(f"{name}: {reason}", Position(0, 0), NO_HTML_FIELD)


def _has_values(first: list[str]) -> bool:
    """Return whether the first row is one of pages, and not of names."""
    return any(one in field for field in first for one in _VALUES)


def _value(text: str) -> str | bytes:
    """Return a field; its bytes if it is not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")
    return text
