"""Reads pages from each kind of input. A damaged page is one item, and reading continues."""

from __future__ import annotations

import csv
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

from scrapy_boilernet.bulk.arc import ARC
from scrapy_boilernet.bulk.compression import GZIP, DamagedError, is_packed, unpacked
from scrapy_boilernet.bulk.formats import START_BYTES
from scrapy_boilernet.bulk.http_message import (
    MAX_HEADER_BYTES,
    HttpHead,
    head_of,
    parse_http,
)
from scrapy_boilernet.bulk.pages import Entry, LeftOut, RawPage, Reading
from scrapy_boilernet.bulk.warc import (
    START,
    WARC,
    Damage,
    Grammar,
    Position,
    WarcRecord,
    read_warc,
)
from scrapy_boilernet.workers.files import read_body
from scrapy_boilernet.workers.store import read_index

_WARC_KINDS = ("warcinfo", "request", "response", "metadata", "revisit", "conversion")
UNREAD_FORMAT = "UnreadFormat"
"""The kind of a failure of a file in a format that is not read."""
READ_ERRORS = (
    OSError, EOFError, ValueError, LookupError, ArithmeticError, RuntimeError, TypeError,
    AttributeError, SyntaxError, MemoryError, struct.error, zlib.error, lzma.LZMAError,
    tarfile.TarError, zipfile.BadZipFile, zipfile.LargeZipFile, csv.Error,
)  # fmt: skip
"""What reading an input may raise. ``zipfile`` and ``tarfile`` raise many kinds of errors for
damaged data; ``RuntimeError`` if it is encrypted."""


def reason_of(error: Exception) -> str:
    """Return the message for the failure of an input or a part of it."""
    plain = (DamagedError, tarfile.TarError, zipfile.BadZipFile, csv.Error)
    if isinstance(error, plain) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}"


def warc_pages(
    file: BufferedReader,
    name: str,
    start: Position,
    reading: Reading,
    *,
    grammar: Grammar = WARC,
) -> Iterator[Entry]:
    """Yield the responses and resources of a WARC file, or of a similar one."""
    for item in read_warc(
        file,
        start,
        gzipped=is_packed(file.peek(START_BYTES)),
        max_block_bytes=reading.max_bytes + 1 + MAX_HEADER_BYTES,
        grammar=grammar,
    ):
        yield item if isinstance(item, Damage) else _warc_page(item, name)


def _warc_page(record: WarcRecord, name: str) -> Entry:
    headers, block = record.headers, record.block
    kind, declared = headers.get("warc-type", "").lower(), headers.get("content-type", "")
    is_http = declared.lower().startswith("application/http")
    if kind not in ("response", "resource") or (kind == "response" and not is_http):
        return LeftOut(f"WARC {kind if kind in _WARC_KINDS else 'record'}", record.position)
    if headers.get("warc-segment-number", "1") != "1":
        return LeftOut("WARC continuation", record.position)
    head = HttpHead(None, "", None, ())
    if is_http:
        try:
            head, block = parse_http(block)
        except ValueError as error:
            url = headers.get("warc-target-uri", "a response")
            return Damage(f"{url}: {error}", record.position)
    else:
        head = head_of({"content-type": declared}, None)
    return RawPage(
        source=name,
        body=block,
        position=record.position,
        url=headers.get("warc-target-uri", "").strip("<>") or None,
        fetched=headers.get("warc-date"),
        status=head.status,
        mime=head.mime,
        charset=head.charset,
        codings=head.codings,
        opt_out=head.opt_out,
    )


GRAMMARS: dict[str, Grammar] = {"warc": WARC, "arc": ARC}
"""How the records of a file are written, by the kind of the file."""


def deferred_pages(folder: Path, start: Position) -> Iterator[Entry]:
    """Yield the pages that crawls with ``BOILERNET_MODE = "deferred"`` have stored, each once."""
    for number, page in enumerate(read_index(folder)):
        position = Position(0, number)
        if number < start.skip:
            continue
        if page is None:
            yield Damage(f"{folder}: a broken line of the index", position)
            continue
        try:
            job = page.job()
        except ValueError as error:
            yield Damage(str(error), position)
            continue
        yield RawPage(
            source=str(folder), body=job.body, position=position, url=job.url,
            charset=job.charset, encoding=job.encoding, opt_out=job.opt_out,
        )  # fmt: skip


def html_page(
    file: BufferedReader, name: str, start: Position, reading: Reading
) -> Iterator[Entry]:
    """Yield the page in an HTML file."""
    if start.skip == 0:
        yield RawPage(source=name, body=page_body(file, reading.max_bytes), position=START)


def page_body(file: Any, max_bytes: int) -> bytes:
    """Return the bytes of a page, unpacked. Gzip data stays packed: the worker unpacks it."""
    first = file.peek(START_BYTES)
    return read_body(file if first.startswith(GZIP) else unpacked(file, first), max_bytes)
