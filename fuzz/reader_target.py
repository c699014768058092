"""The fuzz target of stored crawls: any bytes as an input, read twice, and on from a middle item.

The first byte of an input chooses what the rest is: a file with any name, or a file in a folder of
Scrapy's HTTP cache or of a deferred crawl. The second chooses how rows are read.
"""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path

from fuzz.common import CHOOSING_BYTES, limit_seconds, where
from scrapy_boilernet.bulk.http_message import MAX_HEADER_BYTES, BrokenBodyError, decoded_body
from scrapy_boilernet.bulk.inputs import Input, OpenInput, Reading
from scrapy_boilernet.bulk.pages import Entry, RawPage
from scrapy_boilernet.bulk.warc import START, Position
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.workers.files import MAX_GZIP_BYTES
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.store import PageStore

MAX_BYTES = 2_000
"""Small, so that inputs of the fuzzer exceed it."""
PAGE = b"<html><p>The tide pools of the northern coast.</p></html>"
NAMES = ("page", "page.html", "page.jsonl", "page.csv")
CACHE_FILES = ("meta", "response_headers", "response_body")
HEADERS = b"Content-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip"
META = (
    b"{'url': 'https://a.example/', 'method': 'GET', 'status': 200, "
    b"'response_url': 'https://a.example/', 'timestamp': 1770000000.5}"
)
FILES, CACHED, INDEX = 200, 230, 245
"""The first byte: below the first a file, below the second a file of Scrapy's cache, below the
third the index of a deferred store, else a body of one."""


def findings(data: bytes) -> dict[str, str]:
    """Return the problem of an input, if there is one: a message by its kind."""
    if len(data) < CHOOSING_BYTES:
        return {}
    begin = time.process_time()
    try:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            reading = Reading(
                MAX_BYTES,
                is_base64=data[1] % 4 == 1,
                charset_field="status" if data[1] % 4 == 2 else None,
                keep=(("status", "kept"), ("url", "address")) if data[1] % 4 == 3 else (),
            )
            _check(partial(_items, data[0], reading, data[CHOOSING_BYTES:], Path(folder)))
    except Exception as error:
        return {f"crash-{where(error)}": traceback.format_exc()}
    seconds, limit = time.process_time() - begin, limit_seconds(len(data))
    return {"slow-reader": f"{seconds:.2f} s for {len(data)} bytes"} if seconds > limit else {}


def _check(read: partial[list[Entry]]) -> None:
    items = read(START)
    for item in items:
        if isinstance(item, RawPage):
            _check_page(item)
    middle = items[len(items) // 2 : len(items) // 2 + 1]
    for item in middle:
        rest = read(item.position.after())
        number = items.index(item) + 1
        _require(_shown(rest) == _shown(items[number:]), f"{items}, resumed: {rest}")


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)


def _shown(items: list[Entry]) -> list[object]:
    return [item.body if isinstance(item, RawPage) else item.reason for item in items]


def _check_page(page: RawPage) -> None:
    most = max(MAX_GZIP_BYTES, MAX_BYTES + MAX_HEADER_BYTES) + 1
    _require(len(page.body) <= most, f"a body of {len(page.body)} bytes")
    _require(page.status is None or 100 <= page.status <= 999, f"the status {page.status}")
    with suppress(BrokenBodyError):
        body = decoded_body(page.body, page.codings, MAX_BYTES)
        _require(len(body) <= MAX_BYTES + 1, f"{len(body)} bytes unpacked")


def _items(kind: int, reading: Reading, data: bytes, folder: Path, start: Position) -> list[Entry]:
    """Return the items of the input that the data makes, from a position on."""
    if kind < FILES:
        name = NAMES[kind % len(NAMES)]
        source = Input(name, "file", named=kind % 2 == 0, size_bytes=len(data))

        @contextmanager
        def opened(_: str) -> Iterator[BufferedReader]:
            yield BufferedReader(BytesIO(data))  # type: ignore[arg-type]

        return [*OpenInput(source, reading, start, opened).items()]
    if kind < CACHED:
        for name, usual in zip(CACHE_FILES, (META, HEADERS, PAGE), strict=True):
            (folder / name).write_bytes(data if name == CACHE_FILES[kind % 3] else usual)
        source = Input(str(folder), "cached response", named=False, size_bytes=0)
    else:
        if not (folder / "bodies").is_dir():
            PageStore(folder).label([PageJob(PAGE, "https://a.example/", LabelOptions())])
        changed = folder.glob("index-*") if kind < INDEX else folder.glob("bodies/*/*.gz")
        next(iter(changed)).write_bytes(data)
        source = Input(str(folder), "deferred store", named=False, size_bytes=0)
    return [*OpenInput(source, reading, start).items()]
