"""Every kind of input gives the same pages, packed or not, and can be continued at every item."""

from __future__ import annotations

import base64
import csv
import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from testing.every_input import (
    EVERY,
    arc_head,
    arc_of,
    arc_record,
    csv_of,
    index_of,
    parquet_of,
    sqlite_of,
    wacz_of,
)
from testing.packing import BY_ENDING, zstandard
from testing.warcs import RESPONSE, warc_of

from scrapy_boilernet.bulk import inputs, row_files
from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import Entry, RawPage, Reading
from scrapy_boilernet.bulk.warc import START, Damage, Position

PAGES = [
    (
        f"https://example.com/{n}",
        f'<html><p title="a, b; c">Page {n}: "\u6d77" \u0434\u0430\u043b\u044c\n\n'
        f"{'tide ' * n * 9}</html>".encode(),
    )
    for n in range(8)
]
BODIES = [body for _, body in PAGES]


def read(name: Path | str, start: Position = START, **how: Any) -> list[Entry]:
    (source,) = inputs_of([str(name)])
    return [*OpenInput(source, Reading(**{"max_bytes": 100_000, **how}), start).items()]


def pages(items: list[Entry]) -> list[tuple[str | None, bytes]]:
    return [(item.url, item.body) for item in items if isinstance(item, RawPage)]


def check_resuming(name: Path | str, items: list[Entry], **how: Any) -> None:
    for number, item in enumerate(items):
        assert read(name, item.position, **how) == items[number:]
        assert read(name, item.position.after(), **how) == items[number + 1 :]


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("pack", ["", *BY_ENDING])
def test_every_input_gives_the_same_pages(tmp_path: Path, kind: str, pack: str) -> None:
    data = EVERY[kind](PAGES, tmp_path)
    file = tmp_path / "without-a-telling-name"
    file.write_bytes(BY_ENDING[pack](data) if pack else data)
    if pack and kind in ("ARC 1, gzip", "ARC 2, gzip", "ARC 1, Zstandard", "WARC",
                         "WARC, Zstandard with a dictionary"):  # fmt: skip
        pytest.skip("packed already")
    items = read(file)
    assert pages(items) == PAGES
    assert not [item for item in items if isinstance(item, Damage)]
    check_resuming(file, items)


@pytest.mark.parametrize("kind", EVERY)
def test_a_name_that_says_something_else_changes_nothing(tmp_path: Path, kind: str) -> None:
    if kind.startswith(("CSV", "TSV")):
        pytest.skip("a table that calls itself HTML is a page")
    (tmp_path / "page.html").write_bytes(EVERY[kind](PAGES, tmp_path))
    assert pages(read(tmp_path / "page.html")) == PAGES


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("place", range(6))
def test_what_is_cut_off_is_counted(tmp_path: Path, kind: str, place: int) -> None:
    data = EVERY[kind](PAGES, tmp_path)
    file = tmp_path / "a"
    file.write_bytes(data[: len(data) * (place + 3) // 10])
    items = read(file)
    assert isinstance(items[-1], Damage) or kind.startswith(("CSV", "TSV", "CDX"))
    found = [one for one in pages(items) if one in PAGES]
    assert found == PAGES[: len(found)]
    check_resuming(file, items)


@pytest.mark.parametrize("content", [b"\x37\xa4\x30\xec" + b"tide" * 50, b"", b"tide", b"\0" * 9])
@pytest.mark.parametrize("is_packed", [True, False])
def test_a_damaged_dictionary_is_a_failure_of_each_record(
    tmp_path: Path, content: bytes, is_packed: bool
) -> None:
    data = EVERY["WARC, Zstandard with a dictionary"](PAGES, tmp_path)
    size = int.from_bytes(data[4:8], "little")
    content = zstandard(content) if is_packed else content
    file = tmp_path / "a"
    file.write_bytes(data[:4] + len(content).to_bytes(4, "little") + content + data[8 + size :])
    items = read(file)
    assert not pages(items)
    assert 1 <= len(items) <= len(PAGES) + 1
    assert all(isinstance(item, Damage) for item in items)
    assert read(file, items[0].position.after()) == items[1:]


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("seed", range(8))
def test_damage_is_bounded_and_counted(tmp_path: Path, kind: str, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(EVERY[kind](PAGES, tmp_path))
    for _ in range(chance.choice([1, 3, 20])):
        data[chance.randrange(100, len(data))] = chance.randrange(256)
    file = tmp_path / "a"
    file.write_bytes(data)
    items = read(file)
    assert len(items) < 200
    for item in items[:: max(1, len(items) // 3)]:
        after = read(file, item.position.after())
        number = next(n for n, one in enumerate(items) if one.position == item.position)
        assert after == items[number + 1 :]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("change", [-5, 3, 700, 10**9])
def test_an_arc_record_with_a_wrong_length_is_one_failure(
    tmp_path: Path, version: int, change: int
) -> None:
    records = [
        arc_record(url, RESPONSE + body, version=version,
                   length=len(RESPONSE + body) + (change if number == 3 else 0))
        for number, (url, body) in enumerate(PAGES)
    ]  # fmt: skip
    (tmp_path / "a.arc").write_bytes(arc_head(version) + b"".join(records))
    items = read(tmp_path / "a.arc")
    assert [one for one in pages(items) if one in PAGES] == PAGES[:3] + PAGES[4:]
    assert len([item for item in items if isinstance(item, Damage)]) == 1
    check_resuming(tmp_path / "a.arc", items)


def test_an_arc_has_what_the_crawler_knew(tmp_path: Path) -> None:
    (tmp_path / "a.arc").write_bytes(
        arc_of(PAGES[:1]) + arc_record("dns:example.com", b"192.0.2.1")
        + arc_record("http://a.example/a b", RESPONSE.replace(b"200", b"404") + b"<p>A")
    )  # fmt: skip
    first, last = (item for item in read(tmp_path / "a.arc") if isinstance(item, RawPage))
    assert (first.fetched, first.status, first.charset) == ("2006-03-01T12:00:00Z", 200, "utf-8")
    assert (last.url, last.status, last.body) == ("http://a.example/a b", 404, b"<p>A")


def test_a_damaged_record_in_a_wacz_is_one_failure(tmp_path: Path) -> None:
    data = wacz_of(PAGES)
    place = data.index(warc_of(PAGES[2:3])) + 40
    (tmp_path / "a.wacz").write_bytes(data[:place] + b"\0" * 9 + data[place + 9 :])
    items = read(tmp_path / "a.wacz")
    assert pages(items) == PAGES[:2] + PAGES[3:]
    assert len([item for item in items if isinstance(item, Damage)]) == 1
    check_resuming(tmp_path / "a.wacz", items)


@pytest.mark.parametrize(
    ("make", "name"),
    [(csv_of, "a.csv"), (parquet_of, "a.parquet"), (sqlite_of, "a.db")],
    ids=["CSV", "Parquet", "SQLite"],
)
def test_fields_are_named_and_kept(tmp_path: Path, make: Callable[[Any], bytes], name: str) -> None:
    (tmp_path / name).write_bytes(make(PAGES))
    how = {"html_field": "url", "url_field": "html", "keep": (("id", "number"), ("gone", "gone"))}
    items = read(tmp_path / name, **how)
    assert [item.body.decode() for item in items if isinstance(item, RawPage)] == [
        url for url, _ in PAGES
    ]
    kept = [dict(item.kept) for item in items if isinstance(item, RawPage)]
    assert [int(one["number"]) for one in kept] == [*range(len(PAGES))]
    assert {one["gone"] for one in kept} == {None}
    (failure, *_) = read(tmp_path / name, html_field="page")
    assert isinstance(failure, Damage)
    assert failure.kind == "NoHtmlField"
    assert "--html-field" in failure.reason
    assert "html" in failure.reason


@pytest.mark.parametrize("kind", ["JSON lines", "JSON array", "CSV", "Parquet", "SQLite"])
def test_pages_in_base64(tmp_path: Path, kind: str) -> None:
    packed = [(url, base64.b64encode(body)) for url, body in PAGES]
    (tmp_path / "a").write_bytes(EVERY[kind](packed, tmp_path))
    assert pages(read(tmp_path / "a", is_base64=True)) == PAGES


@pytest.mark.parametrize("encoding", ["koi8-r", "cp1251", "utf-16"])
def test_pages_in_bytes_have_the_charset_of_their_row(tmp_path: Path, encoding: str) -> None:
    body = "<p>\u0434\u0430\u043b\u044c</p>".encode(encoding)
    base = sqlite3.connect(tmp_path / "a.db")
    base.execute("CREATE TABLE t (html BLOB, enc TEXT)")
    base.execute("INSERT INTO t VALUES (?, ?)", (body, encoding))
    base.commit()
    base.close()
    (page,) = read(tmp_path / "a.db", charset_field="enc")
    assert isinstance(page, RawPage)
    assert (page.body, page.charset, page.encoding) == (body, encoding, None)


@pytest.mark.parametrize("row", ["https://a.example/,<p>A", "1;https://a.example/", "2\t<p>A"])
def test_a_csv_without_names_is_one_failure_with_a_remedy(tmp_path: Path, row: str) -> None:
    (tmp_path / "a.csv").write_text(f"{row}\n{row}\n")
    (failure,) = read(tmp_path / "a.csv")
    assert isinstance(failure, Damage)
    assert failure.kind == "NoHtmlField"
    assert "such as url,html" in failure.reason
    check_resuming(tmp_path / "a.csv", [failure])
    (tmp_path / "a.csv").write_text("url,html\n" + row.replace("1;", "<p>,").replace("\t", ","))
    assert len(pages(read(tmp_path / "a.csv"))) == 1


def test_a_csv_that_is_not_utf_8_keeps_its_bytes(tmp_path: Path) -> None:
    body = "<p>\u0434\u0430\u043b\u044c</p>".encode("koi8-r")
    (tmp_path / "a.csv").write_bytes(b"url,html\nhttps://a.example/," + body + b"\n")
    (page,) = read(tmp_path / "a.csv")
    assert isinstance(page, RawPage)
    assert (page.body, page.encoding) == (body, None)


@pytest.mark.parametrize("name", ["a?table=pages", "a?query=SELECT * FROM pages WHERE id > 3;"])
def test_a_table_or_a_query_of_a_database(tmp_path: Path, name: str) -> None:
    (tmp_path / "a").write_bytes(sqlite_of(PAGES))
    whole = f"sqlite:///{tmp_path}/{name}"
    items = read(whole)
    assert pages(items) == (PAGES if "table" in name else PAGES[4:])
    check_resuming(whole, items)


@pytest.mark.parametrize(
    "query", ["DROP TABLE pages", "SELECT nothing FROM pages", "ATTACH 'b' AS b", "INSERT", ""]
)
def test_a_query_that_cannot_be_read_is_a_failure_and_changes_nothing(
    tmp_path: Path, query: str
) -> None:
    (tmp_path / "a").write_bytes(sqlite_of(PAGES))
    before = (tmp_path / "a").read_bytes()
    items = read(f"sqlite:///{tmp_path}/a?query={query}")
    assert pages(items) == ([] if query else PAGES)
    assert query == "" or isinstance(items[0], Damage)
    assert (tmp_path / "a").read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a"]


def test_a_value_that_is_too_large_is_one_failure(tmp_path: Path) -> None:
    big = "<p>" + "x" * 2_000_000
    rows = [
        ("https://a.example/", "<p>A"),
        ("https://b.example/", big),
        ("https://c.example/", "<p>C"),
    ]
    base = sqlite3.connect(tmp_path / "a.db")
    base.execute("CREATE TABLE t (url, html)")
    base.executemany("INSERT INTO t VALUES (?, ?)", rows)
    base.commit()
    base.close()
    (tmp_path / "a.json").write_text(
        json.dumps([dict(zip(("url", "html"), r, strict=True)) for r in rows])
    )
    with (tmp_path / "a.csv").open("w", newline="") as out:
        csv.writer(out).writerows([("url", "html"), *rows])
    for name in ("a.db", "a.json", "a.csv"):
        items = read(tmp_path / name, max_bytes=1_000)
        assert [body for _, body in pages(items)] == [b"<p>A", b"<p>C"], name
        assert len([item for item in items if isinstance(item, Damage)]) == 1
        check_resuming(tmp_path / name, items, max_bytes=1_000)


@pytest.mark.parametrize("chunk", [1, 2, 7, 64])
@pytest.mark.parametrize(
    ("text", "bodies", "failures"),
    [
        ('[{"html": "<p>A"}, {"html": "<p>\\"]}"}]', 2, 0),
        ('[{"html": "<p>A"}, 7, "x", null, {"html": "<p>B", "a": [[], {}]}]', 2, 3),
        ('{"html": "<p>A"}{"html": "<p>B"}', 2, 0),
        ('{\n"html": "<p>A\\\\"}\n\n{"html": "<p>B"}', 2, 0),
        ('[{"html": "<p>A"}]\n[{"html": "<p>B"}]', 1, 1),
        ('[{"html": "<p>A"}, {"html": "<p>B', 1, 1),
        ('[{"html": "<p>A"} no JSON ]', 1, 1),
        ("[]", 0, 0),
    ],
)  # fmt: skip
def test_json_is_split_into_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, bodies: int, failures: int,
    chunk: int,
) -> None:  # fmt: skip
    monkeypatch.setattr(row_files, "CHUNK_BYTES", chunk)
    (tmp_path / "a").write_text(text)
    items = read(tmp_path / "a")
    if text.startswith("{") and "\n" not in text[:9]:
        return  # a line of JSON lines
    assert (len(pages(items)), len(items) - len(pages(items))) == (bodies, failures)


def test_an_index_names_what_cannot_be_read(tmp_path: Path) -> None:
    lines = index_of(PAGES, tmp_path).decode().splitlines()
    gone = lines[2].replace("data.warc.gz", "gone.warc.gz")
    wrong = lines[3].replace('"offset": "', '"offset": "1')
    (tmp_path / "a").write_text("\n".join([*lines[:2], gone, wrong, "no line", *lines[4:]]))
    items = read(tmp_path / "a", keep=(("mime", "mime"),))
    assert pages(items) == [PAGES[0], *PAGES[3:]]
    reasons = [item.reason for item in items if isinstance(item, Damage)]
    assert len(reasons) == 3
    assert "gone.warc.gz" in reasons[0]
    check_resuming(tmp_path / "a", items, keep=(("mime", "mime"),))


def test_an_index_may_have_another_base(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a").write_bytes(index_of(PAGES, tmp_path / "b"))
    assert pages(read(tmp_path / "a", base=str(tmp_path / "b"))) == PAGES


def test_lists_and_patterns(tmp_path: Path) -> None:
    for number, one in enumerate(PAGES):
        (tmp_path / f"{number}.warc").write_bytes(warc_of([one]))
    (tmp_path / "odd\nname.warc").write_bytes(warc_of(PAGES[:1]))
    found = [*inputs_of([str(tmp_path / "[0-9].warc")])]
    assert [Path(one.path).name for one in found] == [f"{n}.warc" for n in range(8)]
    (tmp_path / "list").write_text(f"# files\n{tmp_path}/3.warc\r\n\n{tmp_path}/[67].warc\n")
    found = [*inputs_of([f"list:{tmp_path}/list"])]
    assert [Path(one.path).name for one in found] == ["3.warc", "6.warc", "7.warc"]
    with pytest.raises(FileNotFoundError, match="no file matches"):
        [*inputs_of([str(tmp_path / "*.arc")])]


def test_of_a_large_folder_few_names_are_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "MAX_NAMES", 7)
    for number in range(50):
        (tmp_path / f"{number:02}.html").write_bytes(BODIES[0])
    (tmp_path / "25-more").mkdir()
    (tmp_path / "25-more" / "x.html").write_bytes(BODIES[0])
    names = [Path(one.path).name for one in inputs_of([str(tmp_path)])]
    assert names == [
        *(f"{n:02}.html" for n in range(25)),
        "x.html",
        *(f"{n:02}.html" for n in range(25, 50)),
    ]
