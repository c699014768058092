"""Reads pages from each kind of input. A damaged page is one item, and reading continues."""

from __future__ import annotations

import base64
import json
import lzma
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from io import BufferedReader
from itertools import count, islice
from pathlib import Path
from typing import Any, BinaryIO

from scrapy_boilernet.bulk.compression import GZIP, DamagedError, unpacked
from scrapy_boilernet.bulk.formats import START_BYTES
from scrapy_boilernet.bulk.http_message import (
    MAX_HEADER_BYTES,
    HttpHead,
    head_of,
    http_status,
    parse_http,
)
from scrapy_boilernet.bulk.pages import Entry, LeftOut, RawPage
from scrapy_boilernet.bulk.warc import Damage, Position, WarcRecord, read_warc
from scrapy_boilernet.workers.files import read_body
from scrapy_boilernet.workers.store import read_index

HTML_FIELDS = ("html", "body", "browserHtml", "httpResponseBody", "content")
"""The fields of JSON lines that are searched for a page, in this order."""
_WARC_KINDS = ("warcinfo", "request", "response", "metadata", "revisit", "conversion")
_BASE64_FIELD = "httpResponseBody"
_LINE_BYTES_PER_BYTE, _MORE_LINE_BYTES = 4, 1_000_000
"""A line may have so many times the largest page's bytes, and so many more for its other fields.
JSON with only ASCII characters writes two bytes of UTF-8 as six."""
_PART = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[,\[{]', re.DOTALL)
_MAX_PARTS = 300_000
"""The most texts, commas and brackets of a line. Empty lists take twenty times the line's bytes."""
_MAX_TIME_CHARS = 100
_SHOWN_FIELDS, _SHOWN_CHARS = 20, 40
"""Of a row without a page, so many names of fields are shown, and so much of each."""
UNREAD_FORMAT = "UnreadFormat"
"""The kind of a failure of a file in a format that is not read."""
NO_HTML_FIELD = "NoHtmlField"
"""The kind of a failure of a row without a page, in a file that is not damaged."""
READ_ERRORS = (
    OSError, EOFError, ValueError, LookupError, ArithmeticError, RuntimeError, TypeError,
    AttributeError, SyntaxError, MemoryError, struct.error, zlib.error, lzma.LZMAError,
    tarfile.TarError, zipfile.BadZipFile, zipfile.LargeZipFile,
)  # fmt: skip
"""What reading an input may raise. ``zipfile`` and ``tarfile`` raise many kinds of errors for
damaged data; ``RuntimeError`` if it is encrypted."""


def reason_of(error: Exception) -> str:
    """Return the message for the failure of an input or a part of it."""
    if isinstance(error, (DamagedError, tarfile.TarError, zipfile.BadZipFile)) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}"


def warc_pages(
    file: BinaryIO, name: str, start: Position, *, gzipped: bool, max_bytes: int
) -> Iterator[Entry]:
    """Yield the responses and resources of a WARC file."""
    max_block_bytes = max_bytes + 1 + MAX_HEADER_BYTES
    for item in read_warc(file, start, gzipped=gzipped, max_block_bytes=max_block_bytes):
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


def html_page(file: BufferedReader, name: str, start: Position, max_bytes: int) -> Iterator[Entry]:
    """Yield the page in an HTML file."""
    if start.skip == 0:
        yield RawPage(source=name, body=page_body(file, max_bytes), position=Position())


def page_body(file: Any, max_bytes: int) -> bytes:
    """Return the bytes of a page, unpacked. Gzip data stays packed: the worker unpacks it."""
    first = file.peek(START_BYTES)
    return read_body(file if first.startswith(GZIP) else unpacked(file, first), max_bytes)


def lines_pages(
    file: BinaryIO, name: str, start: Position, html_field: str | None, max_bytes: int
) -> Iterator[Entry]:
    """Yield the pages of a file of JSON lines.

    A page is a text, or in the field ``httpResponseBody`` the base64 of bytes. Other fields that
    are read: ``url``, ``status``, and ``fetched`` or ``timestamp``.
    """
    most = _LINE_BYTES_PER_BYTE * max_bytes + _MORE_LINE_BYTES
    for number in count():
        position = Position(0, number)
        try:
            line = file.readline(most + 1)
            cut_off = len(line) > most and not line.endswith(b"\n")
            while cut_off and (rest := file.readline(1 << 20)) and not rest.endswith(b"\n"):
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
            yield _line_page(line, where, position, html_field, max_bytes)


def _line_page(
    line: bytes, where: str, position: Position, html_field: str | None, max_bytes: int
) -> Entry:
    try:
        row = _row(line)
        body, encoding = _body_of_row(row, html_field, max_bytes)
    except _NoHtmlFieldError as error:
        return Damage(f"{where}: {error}", position, NO_HTML_FIELD)
    except (ValueError, RecursionError) as error:
        return Damage(f"{where}: {error}", position)
    url, fetched = row.get("url"), row.get("fetched", row.get("timestamp"))
    return RawPage(
        source=where.rpartition(", line ")[0],
        body=body,
        position=position,
        url=url if isinstance(url, str) else None,
        fetched=str(fetched)[:_MAX_TIME_CHARS] if _is_time(fetched) else None,
        status=http_status(row.get("status")),
        encoding=encoding,
    )


def _is_time(value: Any) -> bool:
    return type(value) in (str, int, float) and bool(value)


class _NoHtmlFieldError(ValueError):
    """A row without a page."""


def _row(line: bytes) -> dict[str, Any]:
    """Return the object in a line; raises ``ValueError`` for other lines."""
    if sum(1 for _ in islice(_PART.finditer(line), _MAX_PARTS + 1)) > _MAX_PARTS:
        raise ValueError(f"more than {_MAX_PARTS:,} texts, commas and brackets")
    row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - the caller catches it
    return row


def _body_of_row(
    row: dict[str, Any], html_field: str | None, max_bytes: int
) -> tuple[bytes, str | None]:
    """Return (the page's bytes, their encoding if it is known).

    Of a page with more bytes, ``max_bytes`` and some more are returned.

    Raises ``ValueError`` if the row has no page.
    """
    names = (html_field,) if html_field else HTML_FIELDS
    name = next((name for name in names if isinstance(row.get(name), str)), None)
    if name is None:
        there = ", ".join(repr(str(one)[:_SHOWN_CHARS]) for one in islice(row, _SHOWN_FIELDS))
        more = f" and {len(row) - _SHOWN_FIELDS} more" if len(row) > _SHOWN_FIELDS else ""
        raise _NoHtmlFieldError(
            f"no text in {' or '.join(map(repr, names))}; name the field with --html-field, out of "
            f"{there or 'none'}{more}"
        )
    if name == _BASE64_FIELD:
        return base64.b64decode(row[name], validate=True), None
    return row[name][: max_bytes + 1].encode("utf-8", "replace"), "utf-8"
