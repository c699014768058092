"""Reads pages from each kind of input. A damaged page is one item, and reading continues."""

from __future__ import annotations

import ast
import base64
import gzip
import json
import tarfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from scrapy_boilernet.bulk.compression import GZIP, UNPACK_ERRORS
from scrapy_boilernet.bulk.http_message import (
    MAX_HEADER_BYTES,
    HttpHead,
    head_of,
    headers_of,
    parse_http,
)
from scrapy_boilernet.bulk.pages import Item, LeftOut, RawPage
from scrapy_boilernet.bulk.warc import Damage, Position, WarcRecord, read_warc
from scrapy_boilernet.files import ENDINGS, Readable, read_body
from scrapy_boilernet.workers.store import read_index

HTML_FIELDS = ("html", "body", "browserHtml", "httpResponseBody", "content")
"""The fields of JSON lines that are searched for a page, in this order."""
_BASE64_FIELD = "httpResponseBody"
MAX_LINE_BYTES = 100_000_000
_PAGE_ERRORS = (*UNPACK_ERRORS, RuntimeError, NotImplementedError, zipfile.BadZipFile)
"""The errors of reading a member of an archive: ``RuntimeError`` if it is encrypted."""


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
        opt_out=head.opt_out,
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
    except (
        *UNPACK_ERRORS, SyntaxError, KeyError, TypeError, AttributeError, MemoryError,
        RecursionError,
    ) as error:  # fmt: skip
        yield Damage(f"{folder}: not a response of the HTTP cache: {error!r}", Position())
        return
    yield RawPage(
        source=str(folder), body=body, position=Position(), url=url, status=head.status,
        fetched=datetime.fromtimestamp(when, UTC).isoformat() if when else None,
        mime=head.mime, charset=head.charset, codings=head.codings, opt_out=head.opt_out,
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
            charset=job.charset, encoding=job.encoding, opt_out=job.opt_out,
        )  # fmt: skip


def html_page(file: Readable, name: str, start: Position, max_bytes: int) -> Iterator[Item]:
    """Yield the page in an HTML file. A gzip file stays packed: the worker unpacks it."""
    if start.skip == 0:
        yield RawPage(source=name, body=read_body(file, max_bytes), position=Position())


def zip_pages(file: BinaryIO, name: str, start: Position, max_bytes: int) -> Iterator[Item]:
    """Yield the pages of a zip archive."""
    with zipfile.ZipFile(file) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        for number, member in enumerate(members[start.skip :], start.skip):
            position = Position(0, number)
            try:
                with archive.open(member) as page:
                    body = read_body(page, max_bytes)
            except _PAGE_ERRORS as error:
                yield Damage(f"{name}/{member.filename}: {error}", position)
                continue
            yield _member(name, member.filename, body, position)


def tar_pages(file: BinaryIO, name: str, start: Position, max_bytes: int) -> Iterator[Item]:
    """Yield the pages of a tar archive. Always reads it from its beginning."""
    with tarfile.open(fileobj=file, mode="r|") as archive:
        for number in count():
            member = archive.next()
            if member is None:
                return
            vars(archive)["members"] = []  # else the archive keeps all members in memory
            position = Position(0, number)
            page = archive.extractfile(member) if member.isreg() else None
            if number < start.skip:
                continue
            if page is None:
                yield LeftOut("not a page", position)
            else:
                yield _member(name, member.name, read_body(page, max_bytes), position)


def _member(archive: str, name: str, body: bytes, position: Position) -> Item:
    looks_like_page = body[:512].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
    if looks_like_page or name.lower().endswith(ENDINGS):
        return RawPage(source=f"{archive}/{name}", body=body, position=position)
    return LeftOut("not a page", position)


def lines_pages(
    file: BinaryIO, name: str, start: Position, html_field: str | None
) -> Iterator[Item]:
    """Yield the pages of a file of JSON lines.

    A page is a text, or in the field ``httpResponseBody`` the base64 of bytes. Other fields that
    are read: ``url``, ``status``, and ``fetched`` or ``timestamp``.
    """
    for number in count():
        line = file.readline(MAX_LINE_BYTES)
        if not line:
            return
        position = Position(0, number)
        cut_off = len(line) == MAX_LINE_BYTES and not line.endswith(b"\n")
        while cut_off and (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
            pass
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


def _body_of_row(row: Any, html_field: str | None) -> tuple[bytes, str | None]:
    """Return (the page's bytes, their encoding if it is known).

    Raises ``ValueError`` if the row has no page.
    """
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - the caller catches it
    names = (html_field,) if html_field else HTML_FIELDS
    name = next((name for name in names if isinstance(row.get(name), str)), None)
    if name is None:
        raise ValueError(
            f"no text in {' or '.join(map(repr, names))}; name the field with --html-field"
        )
    if name == _BASE64_FIELD:
        return base64.b64decode(row[name], validate=True), None
    return row[name].encode("utf-8", "replace"), "utf-8"
