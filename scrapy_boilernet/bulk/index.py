"""Reads the records that an index of WARC files points to, each by its range of bytes.

The lines of a CDX or CDXJ index, and the rows of a table such as Common Crawl's, name a file, an
offset and a length. Ranges of files on other machines are read several at a time.
"""

from __future__ import annotations

import json
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from io import BufferedReader, BytesIO
from itertools import count
from typing import Any, cast

from scrapy_boilernet.bulk.compression import unpacked
from scrapy_boilernet.bulk.formats import START_BYTES, format_of_start
from scrapy_boilernet.bulk.http_message import MAX_HEADER_BYTES
from scrapy_boilernet.bulk.pages import Entry, LeftOut, Pointed, RawPage, Reading
from scrapy_boilernet.bulk.readers import GRAMMARS, READ_ERRORS, reason_of, warc_pages
from scrapy_boilernet.bulk.rows import row_page
from scrapy_boilernet.bulk.storage import is_address, read_range, shown
from scrapy_boilernet.bulk.warc import START, Damage, Position

_MAX_LINE_BYTES = 1_000_000
_AT_A_TIME = 16
"""So many ranges are asked for at the same time."""
_HEADER = re.compile(rb" ?CDX ((?:[A-Za-z] ?){2,30})\s*\Z")
_COLUMNS = "N b a m s k r M S V g"
"""The columns of a CDX index without a header, by the letters of the format."""
_NAMES = {"a": "url", "b": "timestamp", "m": "mime", "s": "status", "S": "length", "V": "offset"}
_NAMES |= {"g": "filename"}


def index_pages(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry | Pointed]:
    """Yield where the records are that a CDX or CDXJ index lists, a line each."""
    lines = unpacked(file, file.peek(START_BYTES))
    columns = _COLUMNS.split()
    for number in count():
        position, where = Position(0, number), f"{name}, line {number + 1}"
        try:
            line = lines.readline(_MAX_LINE_BYTES)
        except READ_ERRORS as error:
            if number >= start.skip:
                yield Damage(f"{where}: {reason_of(error)}", position)
            return
        if not line:
            return
        header = _HEADER.match(line)
        if header:
            columns = header[1].decode().split()
        if number < start.skip:
            continue
        if header or line.startswith(b"!") or not line.strip():
            yield LeftOut("index header", position)
            continue
        try:
            row = _row(line.decode("utf-8", "replace"), columns)
        except (ValueError, RecursionError) as error:
            yield Damage(f"{where}: {error}", position)
        else:
            yield row_page(row, where, name, position, reading)


def _row(line: str, columns: list[str]) -> dict[str, Any]:
    """Return the fields of a line; raises ``ValueError`` for other lines."""
    before, brace, _ = line.partition("{")
    if brace and len(before.split()) == 2:
        found = json.loads(line[len(before) :])
        return {"timestamp": before.split()[1], **found}
    values = line.split()
    if len(values) != len(columns):
        raise ValueError(f"not a line of an index: {len(values)} fields, not {len(columns)}")
    if missing := [_NAMES[key] for key in "gVS" if key not in columns]:
        raise ValueError(
            f"the index has no {' and no '.join(missing)} of its records; name the WARC files "
            "themselves, or index them with cdxj-indexer"
        )
    named = dict(zip(columns, values, strict=True))
    return {_NAMES[key]: value for key, value in named.items() if key in _NAMES}


def resolved(entries: Iterable[Entry | Pointed], name: str, reading: Reading) -> Iterator[Entry]:
    """Yield the entries in their order, with the pages that they point to.

    ``name``: the index; paths of files are relative to its folder, unless the reading has a base.
    """
    base = reading.base or name.rpartition("/")[0]
    waiting: deque[Entry | Future[Entry]] = deque()
    with ThreadPoolExecutor(_AT_A_TIME) as threads:  # starts threads only for what is submitted
        try:
            for entry in entries:
                if isinstance(entry, Pointed):
                    waiting.append(threads.submit(_fetched, entry, base, reading))
                else:
                    waiting.append(entry)
                while waiting and (len(waiting) > _AT_A_TIME or not isinstance(waiting[0], Future)):
                    yield _done(waiting.popleft())
            while waiting:
                yield _done(waiting.popleft())
        finally:
            for one in waiting:
                if isinstance(one, Future):
                    one.cancel()


def _done(entry: Entry | Future[Entry]) -> Entry:
    return entry.result() if isinstance(entry, Future) else entry


def _fetched(pointed: Pointed, base: str, reading: Reading) -> Entry:
    """Return the page of a record; raises ``StorageError`` if it cannot be read for now."""
    file = pointed.file
    if not is_address(file) and not os.path.isabs(file):  # noqa: PTH117
        file = f"{base.rstrip('/')}/{file}" if base else file
    where = f"{shown(file)}, {pointed.length:,} bytes from {pointed.offset:,}"
    most = reading.max_bytes + 2 * MAX_HEADER_BYTES
    try:
        data = read_range(file, pointed.offset, min(pointed.length, most))
        found = format_of_start(BytesIO(data), data[:START_BYTES], "", named=False)
        if found.kind not in GRAMMARS:
            raise ValueError("no WARC record")
        record = BufferedReader(cast("Any", BytesIO(data)))
        pages = warc_pages(record, shown(file), START, reading, grammar=GRAMMARS[found.kind])
        item = next(pages)
    except (*READ_ERRORS, StopIteration) as error:
        return Damage(f"{where}: {reason_of(error)}", pointed.position)
    item = replace(item, position=pointed.position)
    if isinstance(item, Damage):
        return replace(item, reason=f"{where}: {item.reason}")
    return replace(item, kept=pointed.kept) if isinstance(item, RawPage) else item
