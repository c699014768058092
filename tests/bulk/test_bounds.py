"""Inputs that are larger than they look, or that state what is not so: bounded, and a failure."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from testing.foreign import tar_of, zip_of
from testing.warcs import RESPONSE, warc_record

from scrapy_boilernet.bulk import tables
from scrapy_boilernet.bulk.compression import DamagedError
from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import Entry, LeftOut, RawPage, Reading
from scrapy_boilernet.bulk.parquet_headers import Blocks, sizes_of
from scrapy_boilernet.bulk.warc import START, Damage, Position, read_warc
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.store import PageStore

MAX_BYTES = 100_000
PAGE = "<html><p>Приливные бассейны. 潮だまり。 Flaques résiduelles.</p></html>".encode()
LARGE = 60_000_000


def read(path: Path, start: Position = START) -> list[Entry]:
    return [
        item
        for source in inputs_of([str(path)])
        for item in OpenInput(source, Reading(MAX_BYTES), start).items()
    ]


def peak_of(path: Path) -> tuple[list[Entry], int]:
    """Return the items, and how many bytes of memory Python used at most."""
    tracemalloc.start()
    try:
        items = read(path)
        return items, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def bodies(items: list[Entry]) -> list[bytes]:
    return [item.body for item in items if isinstance(item, RawPage)]


def reasons(items: list[Entry]) -> list[str]:
    return [item.reason for item in items if isinstance(item, Damage)]


def packed(pieces: Iterable[bytes]) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(piece) for piece in pieces), packer.flush()])


def repeated(piece: bytes, size: int) -> Iterator[bytes]:
    """Yield ``size`` bytes, most of them in large pieces."""
    large = piece * (1_000_000 // len(piece))
    for _ in range(size // len(large)):
        yield large
    yield large[: size % len(large)]


# Tar archives


def tar_header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.type = size, kind
    return member.tobuf(tarfile.USTAR_FORMAT)


def tar_member(name: str, content: bytes, kind: bytes = tarfile.REGTYPE) -> bytes:
    return tar_header(name, len(content), kind) + content + b"\0" * (-len(content) % 512)


def tar_with(kind: bytes, size: int, fill: bytes) -> Iterator[bytes]:
    """Yield a tar archive with a header for a name of this size, between two pages."""
    yield tar_member("a.html", PAGE)
    yield tar_header("././@LongLink", size, kind)
    yield from repeated(fill, size)
    yield b"\0" * (-size % 512)
    yield tar_member("b.html", PAGE) + b"\0" * 1024


KINDS = [
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [70_000, 200_000, LARGE])
@pytest.mark.parametrize("fill", [b"1", b"a", b"30 mtime=1350244992.023960108\n"])
def test_a_large_header_for_a_name_is_a_failure_and_no_page_is_lost(
    tmp_path: Path, kind: bytes, size: int, fill: bytes
) -> None:
    (tmp_path / "a").write_bytes(packed(tar_with(kind, size, fill)))
    items, peak = peak_of(tmp_path / "a")
    assert bodies(items) == [PAGE, PAGE]
    assert [f"a header of {size:,} bytes" in reason for reason in reasons(items)] == [True]
    assert peak < 3_000_000
    for number, item in enumerate(items):
        assert read(tmp_path / "a", item.position) == items[number:]


@pytest.mark.parametrize("times", [2, 50, 5_000])
def test_headers_for_names_in_a_row_do_not_nest(tmp_path: Path, times: int) -> None:
    field = tar_member("x", b"17 path=c/d.html\n", tarfile.XHDTYPE)
    (tmp_path / "a").write_bytes(field * times + tar_member("a.html", PAGE) + b"\0" * 1024)
    (page,) = read(tmp_path / "a")
    assert isinstance(page, RawPage)
    assert page.source.endswith("a/c/d.html")


@pytest.mark.parametrize(
    "data",
    [
        b"1" * 60_000, b"1" * 60_000 + b" path=a\n", b"99 path=a\n", b"0 path=a\n", b"8 path=a\n",
        b"-9 path=a\n", b"nothing at all\n", b"11 path=a.b\n11 path\n", b"10 path=ab",
        b"99999999999999999999 path=a\n", b" 10 path=a\n",
    ],
)  # fmt: skip
def test_damaged_pax_headers_are_failures(tmp_path: Path, data: bytes) -> None:
    archive = tar_member("x", data, tarfile.XHDTYPE) + tar_member("a.html", PAGE) + b"\0" * 1024
    (tmp_path / "a").write_bytes(archive)
    items = read(tmp_path / "a")
    assert bodies(items) == [PAGE]
    assert ["damaged pax header" in reason for reason in reasons(items)] == [True]


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize(
    "name", ["a/" * 200 + "p.html", "Приливы/" * 30 + "p.html", "潮だまり.html", "x" * 240]
)
def test_long_names_and_names_of_any_language_are_read(
    tmp_path: Path, form: int, name: str
) -> None:
    (tmp_path / "a").write_bytes(tar_of([(name, PAGE), ("b.html", PAGE)], form))
    first, second = read(tmp_path / "a")
    assert isinstance(first, RawPage)
    assert isinstance(second, RawPage)
    assert first.source == f"{tmp_path / 'a'}/{name}"
    assert second.source.endswith("/b.html")


def test_members_that_are_no_files_are_left_out(tmp_path: Path) -> None:
    kinds = [tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
    members = b"".join(tar_member(f"{n}.html", b"", kind) for n, kind in enumerate(kinds))
    (tmp_path / "a").write_bytes(members + tar_member("a.html", PAGE) + b"\0" * 1024)
    items = read(tmp_path / "a")
    assert [type(item) for item in items] == [LeftOut] * 5 + [RawPage]


@pytest.mark.parametrize("version", ["0.0", "0.1", "1.0"])
def test_files_with_holes_are_failures_that_say_so(tmp_path: Path, version: str) -> None:
    field = f" GNU.sparse.major={version}\n"
    length = len(field) + 2
    data = f"{length}{field}".encode()
    (tmp_path / "a").write_bytes(
        tar_member("x", data, tarfile.XHDTYPE) + tar_member("a.html", PAGE)
        + tar_member("b.html", PAGE, tarfile.GNUTYPE_SPARSE) + tar_member("c.html", PAGE)
        + b"\0" * 1024
    )  # fmt: skip
    items = read(tmp_path / "a")
    assert bodies(items) == [PAGE]
    assert ["--sparse" in reason for reason in reasons(items)] == [True, True]


# Zip archives


@pytest.mark.parametrize("pack", [packed, lambda p: bz2.compress(b"".join(p))])
def test_a_large_zip_in_a_packed_file_is_a_failure(
    tmp_path: Path, pack: Callable[[Iterable[bytes]], bytes]
) -> None:
    whole = zip_of([("a.html", b"<p>" + b"x" * 2_000_000)], zipfile.ZIP_STORED)
    (tmp_path / "a").write_bytes(pack([whole]))
    (reason,) = reasons(read(tmp_path / "a"))
    assert reason == "a zip of more than 1,000,000 bytes in a compressed file: unpack it first"
    (tmp_path / "a").write_bytes(whole)
    assert [len(body) for body in bodies(read(tmp_path / "a"))] == [MAX_BYTES + 1]


@pytest.mark.parametrize(
    "method",
    [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA],
)
def test_members_of_a_zip_are_unpacked_up_to_the_limit(tmp_path: Path, method: int) -> None:
    large = b"<p>" + b"x" * LARGE
    (tmp_path / "a").write_bytes(zip_of([("a.html", large), ("b.html", PAGE)], method))
    del large
    items, peak = peak_of(tmp_path / "a")
    assert [len(body) for body in bodies(items)] == [MAX_BYTES + 1, len(PAGE)]
    assert bodies(items)[1] == PAGE
    assert peak < 20_000_000  # LZMA has a dictionary of 8 MB


# JSON lines


ROW = json.dumps({"url": "https://a.example/", "html": PAGE.decode()}).encode() + b"\n"


@pytest.mark.parametrize(
    "line",
    [
        b'{"html": "' + b"x" * 2_000_000 + b'"}',
        b'{"html": "<p>", "x": [' + b"[]," * 310_000 + b"[]]}",
        b'{"html": "<p>", "x": [' + b"{}," * 310_000 + b"{}]}",
        b'{"html": "<p>", "x": [' + b"0," * 310_000 + b"0]}",
        b'{"html": "<p>", "x": ' + b"[" * 150_000 + b"]" * 150_000 + b"}",
        b'{"html": "<p>", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"html": "<p>", "x": ' + b'{"a":' * 60_000 + b"1" + b"}" * 60_000 + b"}",
        b'{"html": "<p>", "status": ' + b"1" * 5_000 + b"}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"html": "' + b'\\"' * 400_000,
        b'{"html": "<p>", "x": [' + b'"",' * 350_000 + b"0]}",
        b'{"html": "<p>", "x": [' + b'""' * 500_000 + b"]}",
        b'{"html": "\\u12"}',
        b'{"httpResponseBody": "***"}',
    ],
)
def test_lines_that_are_bombs_are_failures(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(ROW + line + b"\n" + ROW)
    items, peak = peak_of(tmp_path / "a.jsonl")
    assert bodies(items) == [PAGE, PAGE]
    assert len(reasons(items)) == 1
    assert "line 2" in reasons(items)[0]
    assert peak < 30_000_000


def test_a_line_of_any_size_takes_little_memory(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(
        packed([b'{"html": "', *repeated(b"x", LARGE), b'"}\n', ROW])
    )
    items, peak = peak_of(tmp_path / "a.jsonl.gz")
    assert bodies(items) == [PAGE]
    assert "line 1: more than 1,400,000 bytes" in reasons(items)[0]
    assert peak < 10_000_000


@pytest.mark.parametrize("letter", ["a", "й", "潮", "\U0001f600", '"', "\n", "<"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_largest_page_fits_into_a_line(tmp_path: Path, letter: str, ascii_only: bool) -> None:
    html = "<p>" + letter * ((MAX_BYTES - 3) // len(letter.encode()))
    line = json.dumps({"html": html}, ensure_ascii=ascii_only)
    (tmp_path / "a.jsonl").write_text(line + "\n", encoding="utf-8")
    assert bodies(read(tmp_path / "a.jsonl")) == [html.encode()]


@pytest.mark.parametrize(
    ("status", "found"),
    [(200, 200), (404, 404), (10**30, None), (-1, None), (0, None), (True, None), ("200", None),
     (1.5, None), (None, None), ([200], None), (99, None), (1000, None)],
)  # fmt: skip
def test_only_a_status_counts_as_one(tmp_path: Path, status: Any, found: int | None) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"html": "<p>", "status": status}) + "\n")
    (page,) = read(tmp_path / "a.jsonl")
    assert isinstance(page, RawPage)
    assert page.status == found


@pytest.mark.parametrize(
    ("value", "found"),
    [("2026-03-01", "2026-03-01"), (1.5, "1.5"), (170, "170"), ([1], None), ({"a": 1}, None),
     (None, None), (True, None), ("x" * 1_000, "x" * 100), (10**300, "1" + "0" * 99)],
)  # fmt: skip
def test_a_time_is_short(tmp_path: Path, value: Any, found: str | None) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"html": "<p>", "fetched": value}) + "\n")
    (page,) = read(tmp_path / "a.jsonl")
    assert isinstance(page, RawPage)
    assert page.fetched == found


# WARC files


class CountedFile(io.BytesIO):
    """A file that counts the bytes that are read."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


@pytest.mark.parametrize("claimed", [10**14, 10**15 - 1, 400_000, 30_000])
@pytest.mark.parametrize("line_end", [b"\r\n", b"\n"])
def test_records_of_a_wrong_length_are_read_in_linear_time(claimed: int, line_end: bytes) -> None:
    number = 3_000
    record = warc_record("https://a.example/", RESPONSE + PAGE, length=claimed)
    file = CountedFile(record.replace(b"\r\n", line_end) * number)
    items = [*read_warc(file, START, gzipped=False, max_block_bytes=MAX_BYTES)]
    assert len(items) == number
    assert all(isinstance(item, Damage) for item in items)
    assert file.count < number * 10_000


def test_records_of_a_wrong_length_in_members_are_one_failure_each() -> None:
    member = gzip.compress(warc_record("https://a.example/", RESPONSE + PAGE, length=10**14))
    file = io.BytesIO(member * 6_000)
    items = [*read_warc(file, START, gzipped=True, max_block_bytes=MAX_BYTES)]
    assert len(items) == 6_000


def test_a_header_in_thousands_of_members_is_a_failure() -> None:
    data = gzip.compress(b"WARC/1.0\r\nX: ") + gzip.compress(b"x") * 20_000
    file = io.BytesIO(data + gzip.compress(warc_record("https://a.example/", RESPONSE)))
    *damages, record = read_warc(file, START, gzipped=True, max_block_bytes=MAX_BYTES)
    assert [type(item) for item in damages] == [Damage]
    assert not isinstance(record, Damage)


def warc_items(path: Path, *records: bytes) -> list[Entry]:
    path.write_bytes(b"".join(records))
    return read(path)


@pytest.mark.parametrize(
    "kind", ["response", "Response", "RESPONSE", "rEsPoNsE", "resource", "Resource", "RESOURCE"]
)
@pytest.mark.parametrize("name", [b"WARC-Type", b"warc-type", b"WARC-TYPE", b"Warc-Type"])
def test_types_of_records_are_read_in_any_case(tmp_path: Path, kind: str, name: bytes) -> None:
    record = warc_record("https://a.example/", RESPONSE + PAGE, kind)
    assert bodies(warc_items(tmp_path / "a", record.replace(b"WARC-Type", name))) == [PAGE]


def test_types_of_records_that_nobody_knows_are_counted_as_one(tmp_path: Path) -> None:
    records = [warc_record("https://a.example/", PAGE, f"type-{n}" * 100) for n in range(20)]
    items = warc_items(tmp_path / "a", *records)
    assert {item.reason for item in items if isinstance(item, LeftOut)} == {"WARC record"}


@pytest.mark.parametrize(
    "spaces", [b" " * 300_000, b"\t" * 300_000, b" \t" * 150_000, b"'" + b" " * 300_000]
)
@pytest.mark.parametrize("after", [b"", b";", b"utf-8"])
def test_spaces_in_a_content_type_take_linear_time(
    tmp_path: Path, spaces: bytes, after: bytes
) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=" + spaces + after + b"\r\n\r\n"
    (page,) = warc_items(tmp_path / "a", warc_record("https://a.example/", head + PAGE))
    assert isinstance(page, RawPage)
    assert (page.body, page.charset) == (PAGE, "utf-8" if after == b"utf-8" else None)


@pytest.mark.parametrize("field", [b"a:b", b"Content-Type: text/html", b"Content-Encoding: gzip"])
def test_a_field_that_is_repeated_takes_linear_time(tmp_path: Path, field: bytes) -> None:
    lines = (field + b"\r\n") * (1_000_000 // (len(field) + 2))
    record = warc_record("https://a.example/", b"HTTP/1.1 200 OK\r\n" + lines + b"\r\n" + PAGE)
    assert bodies(warc_items(tmp_path / "a", record)) == [PAGE]


# Parquet


def parquet(path: Path, bodies: list[str], **how: Any) -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"url": [f"https://a.example/{n}" for n in range(len(bodies))],
                         "html": bodies})  # fmt: skip
    pytest.importorskip("pyarrow.parquet").write_table(table, path, compression="zstd", **how)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("with_facts", [True, False])
def test_a_large_page_of_a_parquet_file_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, with_facts: bool
) -> None:
    monkeypatch.setattr(tables, "MAX_PAGE_BYTES", 1_000_000)
    texts = [*(f"<p>Page {n}" for n in range(29)), "<p>" + "x" * 3_000_000, "<p>The last"]
    facts = {"write_statistics": with_facts, "write_page_index": with_facts}
    path = tmp_path / "a.parquet"
    parquet(path, texts, row_group_size=10, use_dictionary=False, data_page_version=version,
            write_batch_size=1, data_page_size=1, **facts)  # fmt: skip
    items = read(path)
    assert bodies(items) == [text.encode() for text in (*texts[:20], texts[-1])]
    (reason,) = reasons(items)
    assert "group 3: a page of 3,000,0" in reason
    assert "write_batch_size" in reason
    assert read(path, items[3].position.after()) == items[4:]
    assert read(path, items[-2].position.after()) == items[-1:]


def test_a_value_of_a_dictionary_in_every_row_takes_little_memory(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    path = tmp_path / "a.parquet"
    text = "<p>" + "x" * LARGE
    column = arrow.DictionaryArray.from_arrays(arrow.array([0] * 20, arrow.int32()), [text])
    pytest.importorskip("pyarrow.parquet").write_table(
        arrow.table({"html": column}), path, dictionary_pagesize_limit=1 << 30
    )
    items, peak = peak_of(path)
    assert len(bodies(items)) == 20
    assert peak < 6 * LARGE  # of two rows at a time


@pytest.mark.parametrize(
    ("header", "sizes"),
    [
        (b"\x15\x00\x15\x80\xa9\x0f\x15\x06\x00", (125_504, 0)),
        (b"\x15\x04\x15\x80\xa9\x0f\x15\x06\x00", (125_504, 125_504)),
        (b"\x15\x00\x15\x80\xa9\x0f\x15\x06", (0, 0)),
        (b"\x15\x00\x15\x80", (0, 0)),
        (b"", (0, 0)),
        (b"\x15\x00\x15\x0f\x15\x06\x00", (0, 0)),  # a negative size
        (b"\x15\x00\x15\x80\xa9\x0f\x15\x06\x5c\x00\x00", (125_504, 0)),
        (b"\x1c" * 100_000, "nested too deep"),
        (b"\x19\xf9\xff\xff\xff\xff\x0f" * 20, "damaged"),
        (b"\x15" + b"\xff" * 100, "damaged"),
    ],
)
def test_headers_of_parquet_pages_that_are_damaged(
    header: bytes, sizes: tuple[int, int] | str
) -> None:
    class Group:
        num_columns = 1

        def column(self, _: int) -> Any:
            return SimpleNamespace(
                path_in_schema="html", dictionary_page_offset=None, data_page_offset=0,
                total_compressed_size=9, total_uncompressed_size=9,
            )  # fmt: skip

    for data in (header, Blocks(io.BytesIO(header))):
        if isinstance(sizes, str):
            with pytest.raises(DamagedError, match=sizes):
                sizes_of(data, Group(), ["html"], 0)
        else:
            assert sizes_of(data, Group(), ["html"], 0) == sizes


# Folders


META: dict[str, Any] = {
    "url": "https://a.example/潮", "method": "GET", "status": 200,
    "response_url": "https://a.example/潮", "timestamp": 1_770_000_000.5,
}  # fmt: skip


def cached(folder: Path, meta: bytes, body: bytes = PAGE, headers: bytes = b"", **how: Any) -> Path:
    pack = gzip.compress if how.get("gz") else bytes
    folder.mkdir(parents=True)
    (folder / "meta").write_bytes(pack(meta))
    (folder / "response_headers").write_bytes(pack(headers))
    (folder / "response_body").write_bytes(body)
    return folder


@pytest.mark.parametrize(
    "value",
    [
        "'x'", "1e300", "-1e300", "1e999", "1" * 4_000, "1" * 5_000, "float('nan')", "[1]",
        "[" * 100_000, "(" * 1_500, "-" * 100_000 + "1", "-" * 1_900 + "1", "{}['a']", "1 + 1j",
        "b'1'", "__import__('os').system('false')", "''" * 60_000, "10**9", "0x" + "f" * 300,
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["timestamp", "status"])
@pytest.mark.parametrize("gz", [False, True])
def test_metadata_of_a_cache_that_are_not_so_are_failures(
    tmp_path: Path, name: str, value: str, gz: bool
) -> None:
    meta = repr(META).replace(repr(META[name]), value).encode()
    cached(tmp_path / "1", meta, gzip.compress(PAGE) if gz else PAGE, gz=gz)
    cached(tmp_path / "2", repr(META).encode())
    items = read(tmp_path)
    assert bodies(items) == [PAGE]
    assert ["not a response of the HTTP cache" in one for one in reasons(items)] == [True]


def test_quotes_and_escapes_in_the_metadata_of_a_cache(tmp_path: Path) -> None:
    for number, url in enumerate(
        ["https://a.example/?'", "https://a.example/?'\"", "a\\' [{(" * 9]
    ):
        meta = {**META, "response_url": url, "more": [{"a": (1, None, True)}]}
        cached(tmp_path / str(number), repr(meta).encode())
    assert len(bodies(read(tmp_path))) == 3


def test_large_files_of_a_cache_are_read_up_to_the_limit(tmp_path: Path) -> None:
    meta = repr(META).encode()
    bomb = packed([b"<p>", *repeated(b"x", LARGE)])
    cached(tmp_path / "1", meta, bomb, gz=True)
    sparse = cached(tmp_path / "2", meta)
    with (sparse / "response_body").open("r+b") as file:
        file.truncate(10**12)
    for number, name in enumerate(["meta", "response_headers"], 3):
        folder = cached(tmp_path / str(number), meta, gzip.compress(PAGE), gz=True)
        (folder / name).write_bytes(bomb)
    items, peak = peak_of(tmp_path)
    assert [len(body) for body in bodies(items)] == [MAX_BYTES + 1] * 2
    assert len(reasons(items)) == 2
    assert peak < 5_000_000


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"{", b"[" * 100_000), (b"{", b'{"a":' * 50_000),
        (b'"max_bytes": ', b'"max_bytes": 1e999'),
        (b'"max_bytes": ', b'"max_bytes": ' + b"1" * 5_000),
        (b'"max_blocks": ', b'"max_blocks": -'),
        (b'"threshold": null', b'"threshold": NaN'), (b'"threshold": null', b'"threshold": 1e999'),
        (b'"url": "', b'"url": ["'), (b'"digest": "', b'"digest": "../'),
        (b'"rows": ', b'"rows": ' + b"[" * 2_000), (b'"key": ', b'"key": ' + b"9" * 5_000),
        (b'"options": {', b'"options": {"a": {'),
    ],
)  # fmt: skip
def test_lines_of_a_deferred_index_that_are_not_so_are_failures(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    jobs = [PageJob(PAGE + b"%d" % n, f"https://a.example/{n}", LabelOptions()) for n in range(3)]
    PageStore(tmp_path).label(jobs)
    (index,) = tmp_path.glob("index-*")
    lines = index.read_bytes().splitlines(keepends=True)
    assert old in lines[1]
    index.write_bytes(lines[0] + lines[1].replace(old, new, 1) + lines[2])
    items = read(tmp_path)
    assert bodies(items) == [jobs[0].body, jobs[2].body]
    assert len(reasons(items)) == 1


def test_a_bomb_in_a_deferred_store_is_a_failure(tmp_path: Path) -> None:
    jobs = [PageJob(PAGE + b"%d" % n, f"https://a.example/{n}", LabelOptions()) for n in range(3)]
    PageStore(tmp_path).label(jobs)
    body = next(tmp_path.glob(f"bodies/*/{jobs[1].digest}.gz"))
    body.write_bytes(packed([b"<p>", *repeated(b"x", LARGE)]))
    items = read(tmp_path)
    assert bodies(items) == [jobs[0].body, jobs[2].body]
    assert len(reasons(items)) == 1


@pytest.mark.parametrize("pack", [packed, lambda p: lzma.compress(b"".join(p)),
                                  lambda p: bz2.compress(b"".join(p))])  # fmt: skip
def test_a_packed_page_is_unpacked_up_to_the_limit(
    tmp_path: Path, pack: Callable[[Iterable[bytes]], bytes]
) -> None:
    (tmp_path / "a.html").write_bytes(pack([b"<p>", *repeated(b"x", LARGE)]))
    items, peak = peak_of(tmp_path / "a.html")
    assert len(items) == 1
    assert peak < 20_000_000
