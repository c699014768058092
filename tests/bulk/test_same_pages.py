"""The same pages in every kind of input give the same pages."""

from __future__ import annotations

import base64
import bz2
import csv
import gzip
import json
import lzma
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from testing.foreign import tar_of, zip_of
from testing.packing import zstandard
from testing.warcs import RESPONSE, warc_of, warc_record

from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import RawPage, Reading
from scrapy_boilernet.bulk.warc import Damage

PAGES = [
    (f"https://a.example/{n}?q={n}", f"<html><p>Die Flut kommt um {n} Uhr. 海は広い {n}.</p>")
    for n in range(7)
]
ROWS = [{"url": url, "html": html, "id": n} for n, (url, html) in enumerate(PAGES)]
BYTES = [(url, html.encode()) for url, html in PAGES]


def lines_of(rows: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def arc() -> bytes:
    version = b"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
    head = b"filedesc://a.arc 0.0.0.0 20260301120000 text/plain %d\n" % len(version)
    records = [head + version + b"\n"]
    for url, html in BYTES:
        body = RESPONSE + html
        fields = f"{url} 1.2.3.4 20260301120000 text/html {len(body)}\n".encode()
        records.append(fields + body + b"\n")
    return b"".join(map(gzip.compress, records))


def csv_file(path: Path, delimiter: str = ",") -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["url", "html", "id"], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(ROWS)


def parquet(path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    table = pytest.importorskip("pyarrow.parquet")
    table.write_table(arrow.Table.from_pylist(ROWS), path, row_group_size=3)


def sqlite(path: Path) -> None:
    base = sqlite3.connect(path)
    base.execute("create table pages (url text, html text, id integer)")
    base.executemany("insert into pages values (:url, :html, :id)", ROWS)
    base.commit()
    base.close()


def wacz(path: Path) -> None:
    half = len(BYTES) // 2
    path.write_bytes(zip_of([
        ("archive/a.warc.gz", warc_of(BYTES[:half])), ("archive/b.warc.gz", warc_of(BYTES[half:])),
        ("pages/pages.jsonl", b'{"format": "json-pages-1.0"}\n'),
        ("datapackage.json", b'{"profile": "data-package"}'),
    ]))  # fmt: skip


def index(path: Path) -> None:
    """Write a WARC file, and a CDXJ index of its records."""
    data, entries = b"", []
    for url, html in BYTES:
        record = gzip.compress(warc_record(url, RESPONSE + html))
        fields = {"url": url, "filename": "a.warc.gz", "offset": len(data), "length": len(record)}
        text = {name: str(value) for name, value in fields.items()}
        entries.append(f"example,a)/ 20260301120000 {json.dumps(text)}\n")
        data += record
    (path.parent / "a.warc.gz").write_bytes(data)
    path.write_text("".join(entries), encoding="utf-8")


def writes(make: Callable[[], bytes]) -> Callable[[Path], None]:
    return lambda path: bool(path.write_bytes(make())) and None


INPUTS: dict[str, Callable[[Path], None]] = {
    "a.warc.gz": writes(lambda: warc_of(BYTES)),
    "a.arc.gz": writes(arc),
    "a.wacz": wacz,
    "a.jsonl": writes(lambda: lines_of([*ROWS])),
    "a.jsonl.gz": writes(lambda: gzip.compress(lines_of([*ROWS]))),
    "a.jsonl.bz2": writes(lambda: b"".join(bz2.compress(lines_of([row])) for row in ROWS)),
    "a.jsonl.xz": writes(lambda: lzma.compress(lines_of([*ROWS]))),
    "a.jsonl.zst": writes(lambda: zstandard(lines_of([*ROWS]))),
    "a.json": writes(lambda: json.dumps(ROWS, indent=1).encode()),
    "a.csv": csv_file,
    "a.tsv": lambda path: csv_file(path, "\t"),
    "a.parquet": parquet,
    "a.sqlite": sqlite,
    "a.cdxj": index,
}


def read(path: Path, **how: object) -> list[RawPage]:
    items = [
        item
        for one in inputs_of([str(path)])
        for item in OpenInput(one, Reading(10**6, **how)).items()  # type: ignore[arg-type]
    ]
    assert not [item for item in items if isinstance(item, Damage)]
    return [item for item in items if isinstance(item, RawPage)]


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("other", ["", "data", "page.html"])
def test_every_input_has_the_same_pages_whatever_it_is_called(
    tmp_path: Path, name: str, other: str
) -> None:
    path = tmp_path / (other or name)
    if other == "page.html" and name.endswith((".csv", ".tsv")):
        pytest.skip("a table that calls itself HTML is a page")
    INPUTS[name](path)
    pages = read(path)
    assert [(page.url, page.body) for page in pages] == BYTES


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.parquet", "a.sqlite"])
def test_fields_with_other_names_base64_and_fields_that_are_kept(tmp_path: Path, name: str) -> None:
    changed = [
        {"link": url, "raw": base64.b64encode(html).decode(), "set": "made", "html": "no", "n": n}
        for n, (url, html) in enumerate(BYTES)
    ]
    path = tmp_path / name
    if name == "a.csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, [*changed[0]])
            writer.writeheader()
            writer.writerows(changed)
    elif name == "a.parquet":
        arrow = pytest.importorskip("pyarrow")
        table = pytest.importorskip("pyarrow.parquet")
        table.write_table(arrow.Table.from_pylist(changed), path)
    elif name == "a.sqlite":
        base = sqlite3.connect(path)
        base.execute("create table pages (link, raw, 'set', html, n)")
        base.executemany("insert into pages values (:link, :raw, :set, :html, :n)", changed)
        base.commit()
        base.close()
    elif name == "a.json":
        path.write_text(json.dumps(changed), encoding="utf-8")
    else:
        path.write_bytes(lines_of([*changed]))
    keep = (("set", "origin"),)
    pages = read(path, html_field="raw", url_field="link", is_base64=True, keep=keep)
    assert [(page.url, page.body) for page in pages] == BYTES
    assert [dict(page.kept) for page in pages] == [{"origin": "made"}] * len(BYTES)


def test_tar_and_zip_archives_have_the_pages_of_their_members(tmp_path: Path) -> None:
    members = [(f"{n}.html", html) for n, (_, html) in enumerate(BYTES)]
    for make in (tar_of, zip_of):
        (tmp_path / "a").write_bytes(make(members))
        assert [page.body for page in read(tmp_path / "a")] == [html for _, html in BYTES]


def test_patterns_name_files(tmp_path: Path) -> None:
    for n, (_, html) in enumerate(BYTES):
        (tmp_path / f"{n} ü.html").write_bytes(html)
    given = inputs_of([str(tmp_path / "[0-3] ü.html"), str(tmp_path / "4 ü.html")])
    found = [item for one in given for item in OpenInput(one, Reading(10**6)).items()]
    assert [item.body for item in found if isinstance(item, RawPage)] == [b for _, b in BYTES[:5]]


@pytest.mark.parametrize("name", ["a.warc.gz", "a.arc.gz", "a.wacz", "a.jsonl.gz", "a.csv"])
def test_addresses_are_read_as_files_are(tmp_path: Path, name: str) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    INPUTS[name](tmp_path / name)
    memory.pipe(f"/crawl-{name}/{name}", (tmp_path / name).read_bytes())
    address = f"memory://crawl-{name}/{name}"
    items = [
        item for one in inputs_of([address]) for item in OpenInput(one, Reading(10**6)).items()
    ]
    pages = [item for item in items if isinstance(item, RawPage)]
    assert [(page.url, page.body) for page in pages] == BYTES
    assert all(page.source.startswith(address) for page in pages)
