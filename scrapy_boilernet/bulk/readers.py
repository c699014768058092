"""Reads pages from each kind of input. A damaged page is one item, and reading continues."""

from __future__ import annotations

import ast
import base64
import gzip
import json
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BufferedReader, BytesIO
from itertools import count, islice
from pathlib import Path
from typing import Any, BinaryIO, Self

from scrapy_boilernet.bulk.compression import GZIP, DamagedError, unpacked
from scrapy_boilernet.bulk.formats import START_BYTES, format_of_start
from scrapy_boilernet.bulk.http_message import (
    MAX_HEADER_BYTES,
    HttpHead,
    head_of,
    headers_of,
    parse_http,
)
from scrapy_boilernet.bulk.pages import Item, LeftOut, RawPage
from scrapy_boilernet.bulk.warc import Damage, Position, WarcRecord, read_warc
from scrapy_boilernet.files import read_body
from scrapy_boilernet.workers.store import read_index

HTML_FIELDS = ("html", "body", "browserHtml", "httpResponseBody", "content")
"""The fields of JSON lines that are searched for a page, in this order."""
_BASE64_FIELD = "httpResponseBody"
MAX_LINE_BYTES = 100_000_000
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
) -> Iterator[Item]:
    """Yield the responses and resources of a WARC file."""
    max_block_bytes = max_bytes + 1 + MAX_HEADER_BYTES
    for item in read_warc(file, start, gzipped=gzipped, max_block_bytes=max_block_bytes):
        yield item if isinstance(item, Damage) else _warc_page(item, name)


def _warc_page(record: WarcRecord, name: str) -> Item:
    headers, block = record.headers, record.block
    kind, declared = headers.get("warc-type", ""), headers.get("content-type", "")
    is_http = declared.lower().startswith("application/http")
    if kind not in ("response", "resource") or (kind == "response" and not is_http):
        return LeftOut(f"WARC {kind or 'record'}", record.position)
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
    )


def cached_response(folder: Path, start: Position) -> Iterator[Item]:
    """Yield the response in a folder of ``FilesystemCacheStorage``, Scrapy's HTTP cache.

    Reads the metadata as Python literals. Never opens the pickle beside them.
    """
    if start.skip:
        return
    try:
        files = ("meta", "response_headers", "response_body")
        contents = [(folder / file).read_bytes() for file in files]
        if contents[0].startswith(GZIP):  # the cache had HTTPCACHE_GZIP
            contents = [gzip.decompress(content) for content in contents]
        meta, headers, body = ast.literal_eval(contents[0].decode()), *contents[1:]
        head = head_of(headers_of(headers), int(meta["status"]))
        url, when = str(meta.get("response_url") or meta["url"]), meta.get("timestamp")
    except READ_ERRORS as error:
        yield Damage(f"{folder}: not a response of the HTTP cache: {error!r}", Position())
        return
    yield RawPage(
        source=str(folder), body=body, position=Position(), url=url, status=head.status,
        fetched=datetime.fromtimestamp(when, UTC).isoformat() if when else None,
        mime=head.mime, charset=head.charset, codings=head.codings,
    )  # fmt: skip


def deferred_pages(folder: Path, start: Position) -> Iterator[Item]:
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
            charset=job.charset, encoding=job.encoding,
        )  # fmt: skip


def html_page(file: BufferedReader, name: str, start: Position, max_bytes: int) -> Iterator[Item]:
    """Yield the page in an HTML file."""
    if start.skip == 0:
        yield RawPage(source=name, body=page_body(file, max_bytes), position=Position())


def page_body(file: Any, max_bytes: int) -> bytes:
    """Return the bytes of a page, unpacked. Gzip data stays packed: the worker unpacks it."""
    first = file.peek(START_BYTES)
    return read_body(file if first.startswith(GZIP) else unpacked(file, first), max_bytes)


def zip_pages(file: BinaryIO, name: str, start: Position, max_bytes: int) -> Iterator[Item]:
    """Yield the pages of a zip archive."""
    with zipfile.ZipFile(file) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        for number, member in enumerate(members[start.skip :], start.skip):
            path = f"{name}/{member.filename}"
            try:
                with archive.open(member) as page:
                    yield _member(page, path, Position(0, number), max_bytes)
            except READ_ERRORS as error:
                yield Damage(f"{path}: {reason_of(error)}", Position(0, number))


class _DamagedHeaderError(tarfile.TarError):
    """A header that is damaged. The members behind it can be read."""


class _Header(tarfile.TarInfo):
    """The header of a member of a tar archive. ``tarfile`` takes a damaged one for the end."""

    @classmethod
    def fromtarfile(cls, archive: _Tar) -> Self:  # type: ignore[override]
        try:
            header = super().fromtarfile(archive)
        except _TAR_ERRORS.EOFHeaderError:  # a block of zeros
            archive.after_zeros = True
            raise
        except (_TAR_ERRORS.EmptyHeaderError, _TAR_ERRORS.TruncatedHeaderError) as error:
            if archive.after_zeros or archive.is_lost:
                raise
            raise tarfile.ReadError("the tar archive has no end: it is cut off") from error
        except tarfile.HeaderError as error:
            if archive.is_lost:
                raise
            archive.is_lost = True
            at, archive.offset = archive.offset, archive.fileobj.tell()
            raise _DamagedHeaderError(
                f"a damaged header at byte {at:,} of the tar archive, so members may be missing"
            ) from error
        archive.after_zeros = archive.is_lost = False
        return header


_TAR_ERRORS: Any = tarfile
"""The kinds of ``HeaderError``, which type checkers do not know."""


class _Tar(tarfile.TarFile):
    """A tar archive, or several behind each other."""

    tarinfo = _Header
    ignore_zeros = True  # goes on behind zeros and what is no header
    after_zeros = False
    is_lost = False
    """Whether a damaged header was met, and no other header yet."""
    fileobj: Any


def tar_pages(file: BinaryIO, name: str, start: Position, max_bytes: int) -> Iterator[Item]:
    """Yield the pages of a tar archive. Always reads it from its beginning."""
    with _Tar.open(fileobj=file, mode="r|") as archive:
        for number in count():
            position, where, ended = Position(0, number), name, False
            try:
                member = archive.next()
                if member is None:
                    return
                vars(archive)["members"] = []  # else the archive keeps all members in memory
                where = f"{name}/{member.name}"
                page = archive.extractfile(member) if member.isreg() else None
                item = _member(page, where, position, max_bytes)
            except READ_ERRORS as error:
                item = Damage(f"{where}: {reason_of(error)}", position)
                ended = not isinstance(error, _DamagedHeaderError)
            if number >= start.skip:
                yield item
            if ended:
                return


def _member(page: Any, name: str, position: Position, max_bytes: int) -> Item:
    """Return the item of a member of an archive, which is open, or None if it is no file."""
    body = page_body(page, max_bytes) if page else b""
    found = format_of_start(BytesIO(body), body[:START_BYTES], name, named=False)
    if not page or found.kind == "unknown":
        return LeftOut("not a page", position, name)
    if found.kind == "page":
        return RawPage(source=name, body=body, position=position)
    reason = found.refusal or f"{found.name} in an archive: unpack the archive, and name its files"
    return Damage(f"{name} is {reason}", position, UNREAD_FORMAT)


def lines_pages(
    file: BinaryIO, name: str, start: Position, html_field: str | None
) -> Iterator[Item]:
    """Yield the pages of a file of JSON lines.

    A page is a text, or in the field ``httpResponseBody`` the base64 of bytes. Other fields that
    are read: ``url``, ``status``, and ``fetched`` or ``timestamp``.
    """
    for number in count():
        position = Position(0, number)
        try:
            line = file.readline(MAX_LINE_BYTES)
            cut_off = len(line) == MAX_LINE_BYTES and not line.endswith(b"\n")
            while cut_off and (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
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
            yield Damage(f"{where}: more than {MAX_LINE_BYTES} bytes", position)
        elif not line.strip():
            yield LeftOut("blank line", position)
        else:
            yield _line_page(line, where, position, html_field)


def _line_page(line: bytes, where: str, position: Position, html_field: str | None) -> Item:
    try:
        row = json.loads(line)
        body, encoding = _body_of_row(row, html_field)
    except _NoHtmlFieldError as error:
        return Damage(f"{where}: {error}", position, NO_HTML_FIELD)
    except (ValueError, RecursionError) as error:
        return Damage(f"{where}: {error}", position)
    status, fetched = row.get("status"), row.get("fetched", row.get("timestamp"))
    return RawPage(
        source=where.rpartition(", line ")[0],
        body=body,
        position=position,
        url=row["url"] if isinstance(row.get("url"), str) else None,
        fetched=str(fetched) if fetched else None,
        status=status if isinstance(status, int) else None,
        encoding=encoding,
    )


class _NoHtmlFieldError(ValueError):
    """A row without a page."""


def _body_of_row(row: Any, html_field: str | None) -> tuple[bytes, str | None]:
    """Return (the page's bytes, their encoding if it is known).

    Raises ``ValueError`` if the row has no page.
    """
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - the caller catches it
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
    return row[name].encode("utf-8", "replace"), "utf-8"
