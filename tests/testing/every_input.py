"""The same pages in every kind of input."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from .packing import zstandard
from .warcs import RESPONSE, warc_of, warc_record

Pages = Sequence[tuple[str, bytes]]


def arc_record(url: str, block: bytes, *, version: int = 1, length: int | None = None) -> bytes:
    """Return an ARC record; ``length``: the length in its line, by default the true one."""
    size = len(block) if length is None else length
    others = " 200 0123456789ABCDEF - 0 a.arc" if version == 2 else ""
    line = f"{url} 192.0.2.1 20060301120000 text/html{others} {size}\n"
    return line.encode() + block + b"\n"


def arc_head(version: int = 1) -> bytes:
    """Return the first record of an ARC file."""
    fields = "URL IP-address Archive-date Content-type Archive-length"
    block = f"{version} 0 InternetArchive\n{fields}\n".encode()
    line = f"filedesc://a.arc 0.0.0.0 20060301120000 text/plain {len(block)}\n"
    return line.encode() + block + b"\n"


def arc_of(pages: Pages, version: int = 1, pack: Callable[[bytes], bytes] = bytes) -> bytes:
    """Return an ARC file of these pages, packed by record."""
    records = (arc_record(url, RESPONSE + body, version=version) for url, body in pages)
    return b"".join(map(pack, (arc_head(version), *records)))


def wacz_of(pages: Pages, method: int = zipfile.ZIP_STORED, files: int = 2) -> bytes:
    """Return a WACZ file of these pages in several WARC files."""
    out = io.BytesIO()
    size = -(-len(pages) // files)
    with zipfile.ZipFile(out, "w", method) as archive:
        for number in range(files):
            part = pages[number * size : (number + 1) * size]
            archive.writestr(f"archive/data-{number}.warc.gz", warc_of(part))
        archive.writestr("indexes/index.cdx.gz", gzip.compress(b"com,example)/ 2026 {}\n"))
        archive.writestr("pages/pages.jsonl", b'{"format": "json-pages-1.0"}\n')
        archive.writestr("datapackage.json", b'{"profile": "data-package"}')
    return out.getvalue()


def csv_of(pages: Pages, delimiter: str = ",") -> bytes:
    """Return a CSV file of these pages."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(["id", "url", "html", "status"])
    for number, (url, body) in enumerate(pages):
        writer.writerow([number, url, body.decode("utf-8", "surrogateescape"), 200])
    return out.getvalue().encode("utf-8", "surrogateescape")


def rows_of(pages: Pages) -> list[dict[str, object]]:
    """Return the pages as rows of texts."""
    return [
        {"id": number, "url": url, "html": body.decode(), "status": 200}
        for number, (url, body) in enumerate(pages)
    ]


def lines_of(pages: Pages) -> bytes:
    """Return JSON lines of the pages."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows_of(pages))


def parquet_of(pages: Pages, *, as_bytes: bool = False) -> bytes:
    """Return a Parquet file of the pages with several groups of rows."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = rows_of(pages)
    if as_bytes:
        rows = [{**row, "html": body} for row, (_, body) in zip(rows, pages, strict=True)]
    out = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows), out, row_group_size=3)
    return out.getvalue()


def sqlite_of(pages: Pages) -> bytes:
    """Return an SQLite database of the pages."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE notes (text)")
    base.execute("CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT, html BLOB, status INTEGER)")
    base.executemany(
        "INSERT INTO pages VALUES (?, ?, ?, 200)",
        [(number, url, body) for number, (url, body) in enumerate(pages)],
    )
    base.commit()
    return base.serialize()


def zstandard_warc_of(pages: Pages) -> bytes:
    """Return a WARC file packed by record with the dictionary in its first frame."""
    from scrapy_boilernet.bulk.compression import zstd

    try:
        module = zstd()
    except ImportError:
        pytest.skip("no Zstandard")
    records = [warc_record(url, RESPONSE + body) for url, body in pages]
    one = module.train_dict(
        [*records, *(warc_record(f"https://b.example/{n}", RESPONSE) for n in range(200))], 2048
    )
    content = zstandard(one.dict_content)
    frame = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    return frame + b"".join(bytes(module.compress(one_, zstd_dict=one)) for one_ in records)


def index_of(pages: Pages, folder: Path, form: str = "cdxj") -> bytes:
    """Write a WARC file of the pages into the folder, and return an index of it."""
    lines, offset, data = [], 0, b""
    for url, body in pages:
        member = gzip.compress(warc_record(url, RESPONSE + body))
        key = f"com,example)/{len(lines)} 20260301120000"
        if form == "cdxj":
            known = {
                "url": url,
                "filename": "data.warc.gz",
                "offset": str(offset),
                "length": str(len(member)),
            }
            lines.append(f"{key} {json.dumps(known)}")
        else:
            lines.append(f"{key} {url} text/html 200 ABC - - {len(member)} {offset} data.warc.gz")
        data, offset = data + member, offset + len(member)
    (folder / "data.warc.gz").write_bytes(data)
    head = ["!OpenWayback-CDXJ 1.0"] if form == "cdxj" else [" CDX N b a m s k r M S V g"]
    return "\n".join([*head, *lines, ""]).encode()


EVERY: dict[str, Callable[[Pages, Path], bytes]] = {
    "WARC": lambda pages, _: warc_of(pages),
    "WARC, Zstandard with a dictionary": lambda pages, _: zstandard_warc_of(pages),
    "ARC 1": lambda pages, _: arc_of(pages),
    "ARC 2": lambda pages, _: arc_of(pages, 2),
    "ARC 1, gzip": lambda pages, _: arc_of(pages, 1, gzip.compress),
    "ARC 2, gzip": lambda pages, _: arc_of(pages, 2, gzip.compress),
    "ARC 1, Zstandard": lambda pages, _: arc_of(pages, 1, zstandard),
    "WACZ": lambda pages, _: wacz_of(pages),
    "WACZ, packed again": lambda pages, _: wacz_of(pages, zipfile.ZIP_DEFLATED),
    "JSON lines": lambda pages, _: lines_of(pages),
    "JSON array": lambda pages, _: json.dumps(rows_of(pages)).encode(),
    "JSON array over lines": lambda pages, _: json.dumps(rows_of(pages), indent=2).encode(),
    "JSON documents": lambda pages, _: "\n".join(
        json.dumps(row, indent=1) for row in rows_of(pages)
    ).encode(),
    "JSON lines, base64": lambda pages, _: b"".join(
        json.dumps({"url": url, "httpResponseBody": base64.b64encode(body).decode()}).encode()
        + b"\n"
        for url, body in pages
    ),
    "CSV": lambda pages, _: csv_of(pages),
    "CSV, semicolons": lambda pages, _: csv_of(pages, ";"),
    "TSV": lambda pages, _: csv_of(pages, "\t"),
    "CSV in UTF-16": lambda pages, _: csv_of(pages).decode().encode("utf-16"),
    "Parquet": lambda pages, _: parquet_of(pages),
    "Parquet of bytes": lambda pages, _: parquet_of(pages, as_bytes=True),
    "SQLite": lambda pages, _: sqlite_of(pages),
    "CDXJ": index_of,
    "CDX": lambda pages, folder: index_of(pages, folder, "cdx"),
}
"""Per kind of input what makes a file of it; some write another file into the folder."""
