"""Reads a folder of Scrapy's HTTP cache, as ``FilesystemCacheStorage`` writes it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from scrapy_boilernet.bulk.compression import GZIP, unpacked
from scrapy_boilernet.bulk.http_message import MAX_HEADER_BYTES, head_of, headers_of, http_status
from scrapy_boilernet.bulk.pages import Entry, RawPage
from scrapy_boilernet.bulk.readers import READ_ERRORS
from scrapy_boilernet.bulk.warc import Damage, Position
from scrapy_boilernet.workers.files import read_at_most, read_body

_MAX_META_BYTES = 100_000
"""Five values, of which the URL is the longest."""
_TEXT = re.compile(r"""(["'])(?:(?!\1)[^\\]|\\.)*+\1?""", re.DOTALL)
_MAX_MARKS = 2_000
"""The most characters of ``meta`` that are not in a text, so that nothing is nested deep."""


def cached_response(folder: Path, start: Position, max_bytes: int) -> Iterator[Entry]:
    """Yield the response in a folder of the cache.

    Reads the metadata as Python literals. Never opens the pickle beside them.
    """
    if start.skip:
        return
    try:
        with (folder / "meta").open("rb") as file:
            packed = file.read(len(GZIP)) == GZIP  # the cache had HTTPCACHE_GZIP
        meta = _literal(_short(folder / "meta", _MAX_META_BYTES, packed))
        headers = _short(folder / "response_headers", MAX_HEADER_BYTES, packed)
        with _opened(folder / "response_body", packed) as file:
            body = read_body(file, max_bytes)
        status = http_status(int(meta["status"]))
        if status is None:
            raise ValueError("no HTTP status")
        head = head_of(headers_of(headers), status)
        url, when = str(meta.get("response_url") or meta["url"]), meta.get("timestamp")
        fetched = datetime.fromtimestamp(when, UTC).isoformat() if when else None
    except (*READ_ERRORS, ImportError) as error:
        yield Damage(f"{folder}: not a response of the HTTP cache: {error!r}", Position())
        return
    yield RawPage(
        source=str(folder), body=body, position=Position(), url=url, status=head.status,
        fetched=fetched, mime=head.mime, charset=head.charset, codings=head.codings,
        opt_out=head.opt_out,
    )  # fmt: skip


def _literal(data: bytes) -> Any:
    """Return the value that the data has as a Python literal; raises ``ValueError`` for others."""
    text = data.decode()
    if len(_TEXT.sub("", text)) > _MAX_MARKS:
        raise ValueError("more than the metadata of a response")
    return ast.literal_eval(text)


@contextmanager
def _opened(path: Path, packed: bool) -> Iterator[BinaryIO]:
    with path.open("rb") as file:
        yield unpacked(file, GZIP) if packed else file


def _short(path: Path, most: int, packed: bool) -> bytes:
    with _opened(path, packed) as file:
        data = read_at_most(file, most + 1)
    if len(data) > most:
        raise ValueError(f"{path.name} has more than {most:,} bytes")
    return data
