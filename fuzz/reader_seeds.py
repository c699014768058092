"""The seeds of the target of stored crawls: small inputs of every kind."""

from __future__ import annotations

import base64
import bz2
import gzip
import json
import lzma
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import Path

from fuzz.reader_target import CACHED, FILES, HEADERS, INDEX, META, PAGE
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.store import PageStore
from tests.testing.every_input import EVERY, lines_of
from tests.testing.foreign import FOREIGN, tar_of, zip_of
from tests.testing.packing import zstandard
from tests.testing.warcs import RESPONSE, warc_record

LONG = "a/" * 90 + "page.html"


def reader_seeds() -> list[bytes]:
    """Return the inputs: the two bytes that ``reader_target.py`` describes, and the data."""
    files = [one for kind in (_warcs(), _archives(), _rows(), _others()) for one in kind]
    files += [one for _, examples in FOREIGN.values() for one in examples]
    files += [pack(one) for one in files[:12] for pack in (gzip.compress, bz2.compress)]
    files += [lzma.compress(PAGE), gzip.compress(PAGE), PAGE]
    seeds = [(number % FILES, one) for number, one in enumerate(files)]
    for number, one in enumerate((META, HEADERS, PAGE)):
        first = FILES + (number - FILES) % 3
        seeds += [(first, one), (first, gzip.compress(one))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        PageStore(folder).label(
            [PageJob(PAGE, f"https://a.example/{n}", LabelOptions()) for n in range(3)]
        )
        seeds += [(CACHED, one.read_bytes()) for one in folder.glob("index-*")]
        seeds += [(INDEX, one.read_bytes()) for one in folder.glob("bodies/*/*.gz")]
    return [bytes([first, 0]) + one for first, one in seeds]


def _warcs() -> list[bytes]:
    packed = b"HTTP/1.1 200 OK\r\nContent-Encoding: %b\r\nTransfer-Encoding: chunked\r\n\r\n"
    records = [
        warc_record("https://a.example/1", RESPONSE + PAGE),
        warc_record("https://a.example/2", b"ICY 200 OK\r\n\r\n" + PAGE),
        warc_record("https://a.example/3", packed % b"gzip" + gzip.compress(PAGE)),
        warc_record("https://a.example/4", packed % b"deflate" + zlib.compress(PAGE)),
        warc_record("https://a.example/5", packed % b"br" + b"27\r\n" + PAGE[:39] + b"\r\n0\r\n"),
        warc_record("https://a.example/6", PAGE, "resource", "text/html; charset=utf-8"),
        warc_record("https://a.example/7", RESPONSE + PAGE, length=99_999),
        warc_record("https://a.example/8", RESPONSE, "revisit"),
    ]
    return [*records, b"".join(records), b"".join(map(gzip.compress, records))]


def _others() -> list[bytes]:
    """Return a small file of each kind of input, and of several with many members."""
    pages = [(f"https://a.example/{number}", PAGE) for number in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        every = [make(pages, Path(folder)) for make in EVERY.values()]
    packs = (gzip.compress, bz2.compress, lzma.compress, zstandard)
    lines = lines_of(pages).splitlines(keepends=True)
    return every + [b"".join(map(pack, lines)) for pack in packs]


def _archives() -> list[bytes]:
    members = [("a.html", PAGE), (LONG, PAGE), ("b.html.gz", gzip.compress(PAGE)), ("c.png", b"P")]
    forms = (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)
    methods = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    return [tar_of(members, form) for form in forms] + [zip_of(members, one) for one in methods]


def _rows() -> list[bytes]:
    rows = [
        {"url": "https://a.example/", "html": PAGE.decode(), "status": 200, "fetched": "2026"},
        {"httpResponseBody": base64.b64encode(PAGE).decode(), "timestamp": 1.5},
        {"body": "<p>\u0447\ud83d\ude00</p>", "status": 10**30, "fetched": [1, {"a": []}]},
    ]
    return [b"".join(json.dumps(row).encode() + b"\n" for row in rows)]
