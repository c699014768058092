"""Inputs of every kind, recognized by their contents: each gives the same pages."""

from __future__ import annotations

import base64
import gzip
import io
import json
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.extensions.httpcache import FilesystemCacheStorage
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler
from testing.packing import PACKERS
from testing.warcs import RESPONSE, TIME, warc_of, warc_record

from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import Entry, LeftOut, RawPage, Reading
from scrapy_boilernet.bulk.warc import Damage, Position
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.store import PageStore

PAGES = [
    (f"https://example.com/{n}", f"<html><p>Page {n}: {'tide ' * n}</html>".encode())
    for n in range(4)
]
BODIES = [body for _, body in PAGES]


def read(*names: Path | str, start: Position | None = None, **how: Any) -> list[Entry]:
    reading = Reading(**{"max_bytes": 10_000, **how})
    return [
        item
        for source in inputs_of([str(name) for name in names])
        for item in (
            OpenInput(source, reading, start) if start else OpenInput(source, reading)
        ).items()
    ]


def pages(items: list[Entry]) -> list[RawPage]:
    return [item for item in items if isinstance(item, RawPage)]


def lines_of(pages: list[tuple[str, bytes]]) -> bytes:
    rows = ({"url": url, "html": body.decode(), "status": 200} for url, body in pages)
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def zip_of(pages: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("pages")
        for number, (_, body) in enumerate(pages):
            archive.writestr(f"pages/{number}.html", body)
    return out.getvalue()


def tar_of(pages: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for number, (_, body) in enumerate(pages):
            member = tarfile.TarInfo(f"pages/{number}")
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return out.getvalue()


@pytest.mark.parametrize("pack", [bytes, *PACKERS.values()])
@pytest.mark.parametrize("make", [lambda p: gzip.decompress(warc_of(p)), lines_of, zip_of, tar_of])
def test_files_are_known_by_what_is_in_them(
    tmp_path: Path, make: Callable[[Any], bytes], pack: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "without-a-telling-name"
    file.write_bytes(pack(make(PAGES)))
    items = read(file)
    assert [page.body for page in pages(items)] == BODIES
    assert all(page.source.startswith(str(file)) for page in pages(items))
    for number, item in enumerate(items):
        assert read(file, start=item.position) == items[number:]


def test_a_warc_has_what_the_crawler_knew(tmp_path: Path) -> None:
    koi8 = b"HTTP/1.1 203 OK\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n"
    packed = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(BODIES[0])
    (tmp_path / "a.warc").write_bytes(
        warc_record("https://a.example/", b"software: x", "warcinfo", "application/warc-fields")
        + warc_record("https://a.example/", b"GET / HTTP/1.1", "request")
        + warc_record("<https://a.example/>", koi8 + BODIES[0])
        + warc_record("https://a.example/2", packed)
        + warc_record("https://a.example/3", BODIES[1], "resource", "text/html; charset=utf-16")
        + warc_record("dns:a.example", b"1.2.3.4", "response", "text/dns")
        + warc_record("https://a.example/4", b"no HTTP at all", "response")
        + warc_record("https://a.example/5", b"", "revisit")
    )
    first, second, third = pages(items := read(tmp_path / "a.warc"))
    assert (first.url, first.fetched, first.status) == ("https://a.example/", TIME, 203)
    assert (first.mime, first.charset, first.body) == ("text/html", "koi8-r", BODIES[0])
    assert second.codings == ("gzip",)
    assert (third.status, third.mime, third.charset) == (None, "text/html", "utf-16")
    assert [item.reason for item in items if isinstance(item, LeftOut)] == [
        "WARC warcinfo", "WARC request", "WARC response", "WARC revisit",
    ]  # fmt: skip
    (broken,) = (item for item in items if isinstance(item, Damage))
    assert broken.reason == "https://a.example/4: not an HTTP response"


@pytest.mark.parametrize("packed", [False, True])
def test_scrapys_http_cache_is_read_as_scrapy_writes_it(tmp_path: Path, packed: bool) -> None:
    settings = Settings({"HTTPCACHE_DIR": str(tmp_path / "cache"), "HTTPCACHE_GZIP": packed})
    storage, spider = FilesystemCacheStorage(settings), Spider.from_crawler(get_crawler(), "news")
    storage.open_spider(spider)
    for url, body in PAGES:
        headers = {"Content-Type": "text/html; charset=cp1251"}
        storage.store_response(spider, Request(url), HtmlResponse(url, 200, headers, body))
    found = pages(read(tmp_path))
    assert sorted((page.url, page.body) for page in found) == PAGES
    assert {(page.status, page.mime, page.charset) for page in found} == {
        (200, "text/html", "cp1251")
    }
    assert all(page.fetched and page.fetched.endswith("+00:00") for page in found)


def test_the_pickle_beside_a_cached_response_is_never_read(tmp_path: Path) -> None:
    folder = tmp_path / "news" / "ab" / "abcd"
    folder.mkdir(parents=True)
    (folder / "response_body").write_bytes(BODIES[0])
    (folder / "response_headers").write_bytes(b"")
    (folder / "meta").write_text("__import__('os').system('true')")
    (item,) = read(tmp_path)
    assert isinstance(item, Damage)
    assert "not a response of the HTTP cache" in item.reason


def test_pages_of_a_deferred_crawl(tmp_path: Path) -> None:
    jobs = [PageJob(body, url, LabelOptions(), charset="utf-8") for url, body in PAGES]
    PageStore(tmp_path).label([*jobs, jobs[0]])
    items = read(tmp_path)
    assert [(page.url, page.body) for page in pages(items)] == PAGES
    assert read(tmp_path, start=items[2].position) == items[2:]


def test_a_folder_is_searched_at_any_depth_in_the_same_order(tmp_path: Path) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "b" / "c" / "0.html").write_bytes(BODIES[0])
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(BODIES[1]))
    (tmp_path / "b" / "crawl.data").write_bytes(warc_of(PAGES[2:]))
    (tmp_path / "b" / "notes.txt").write_text("nothing that is a page")
    (tmp_path / "z.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    items = read(tmp_path)
    assert len(pages(items)) == 4
    assert [item.reason for item in items if isinstance(item, LeftOut)] == ["not a page"] * 2
    assert pages(items)[0].body == gzip.compress(BODIES[1])  # unpacked where it is labeled


def test_a_file_that_the_user_names_is_a_page_whatever_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("plain text &amp; more")
    (tmp_path / "page.htm").write_text("plain text")
    assert [page.body for page in pages(read(tmp_path / "page"))] == [b"plain text &amp; more"]
    assert [page.body for page in pages(read(tmp_path / "page.htm"))] == [b"plain text"]


@pytest.mark.parametrize(
    "row",
    [
        {"body": "<p>\u0447"}, {"browserHtml": "<p>\u0447"}, {"content": "<p>\u0447"},
        {"httpResponseBody": base64.b64encode("<p>\u0447".encode()).decode()},
    ],
)  # fmt: skip
def test_the_usual_fields_of_json_lines(tmp_path: Path, row: dict[str, str]) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"url": "https://a.example/", **row}) + "\n")
    (page,) = pages(read(tmp_path / "a.jsonl"))
    assert page.body.decode() == "<p>\u0447"
    assert page.url == "https://a.example/"


def test_lines_without_a_page_are_failures_that_name_the_line(tmp_path: Path) -> None:
    rows = ['{"page": "<p>A"}', "", "{not json", '{"html": 3}', "[1]", '{"page": "<p>B"}']
    (tmp_path / "a.jsonl").write_text("\n".join(rows))
    items = read(tmp_path / "a.jsonl", html_field="page")
    assert [page.body for page in pages(items)] == [b"<p>A", b"<p>B"]
    reasons = [item.reason for item in items if isinstance(item, Damage)]
    assert [reason.partition(": ")[0][-6:] for reason in reasons] == ["line 3", "line 4", "line 5"]
    assert "no text in 'page'; name the field with --html-field" in reasons[1]


def test_a_large_page_is_read_up_to_its_limit(tmp_path: Path) -> None:
    big = [("https://a.example/", b"<p>" + b"x" * 50_000)]
    for make in (zip_of, tar_of):
        (tmp_path / "a").write_bytes(make(big))
        (page,) = pages(read(tmp_path / "a", max_bytes=1000))
        assert len(page.body) == 1001


@pytest.mark.parametrize("make", [warc_of, lines_of, zip_of, tar_of])
def test_standard_input_may_be_any_of_them(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[Any], bytes]
) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    pipe = SimpleNamespace(buffer=io.BufferedReader(Pipe(make(PAGES))))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "stdin", pipe)
    assert [page.body for page in pages(read("-"))] == BODIES


def test_a_name_without_a_file_is_refused() -> None:
    with pytest.raises(FileNotFoundError, match="no file or folder 'nowhere'; use -"):
        read("nowhere")


def test_a_file_that_goes_away_is_one_failure(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(BODIES[0])
    (source,) = inputs_of([str(tmp_path / "a.html")])
    (tmp_path / "a.html").unlink()
    (item,) = OpenInput(source, Reading(1000)).items()
    assert isinstance(item, Damage)
    assert "No such file" in item.reason


def test_warc_responses_are_capped(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(
        warc_record("https://a.example/", RESPONSE + b"x" * 3_000_000)
    )
    (page,) = pages(read(tmp_path / "a.warc", max_bytes=1000))
    assert 1000 < len(page.body) < 1_100_000


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"raw_html": "<p>A", "n": 1}, "'raw_html', 'n'"),
        ({"content_html": "<p>A"}, "'content_html'"),
        ({"response": {"body": "<p>A"}}, "'response'"),
        ({"html": None, "page": "<p>A"}, "'html', 'page'"),
        ({"html": ["<p>A"]}, "'html'"),
        ({"text": "A", "title": "B", "main_text": "C"}, "'text', 'title', 'main_text'"),
        ({"seite": "<p>A"}, "'seite'"),
        ({"\u043a\u043e\u0434": "<p>A"}, "'\u043a\u043e\u0434'"),
        ({"\u9801\u9762": "<p>A"}, "'\u9801\u9762'"),
        ({}, "none"),
        ({f"f{n}": n for n in range(30)}, ", ".join(f"'f{n}'" for n in range(20)) + " and 10 more"),
        ({"x" * 500: 1}, f"'{'x' * 40}'"),
        ({"a'b": 1, "": 2, "\ud800": 3}, "\"a'b\", '', '\\ud800'"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("field", [None, "other"])
def test_a_row_without_the_field_of_the_page_is_no_damage(
    tmp_path: Path, row: dict[str, Any], named: str, field: str | None
) -> None:
    good = {"other": "<p>B"} if field else {"html": "<p>B"}
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (row, good, row)))
    items = read(tmp_path / "a.jsonl", html_field=field)
    assert [page.body for page in pages(items)] == [b"<p>B"]
    failures = [item for item in items if isinstance(item, Damage)]
    assert [item.kind for item in failures] == ["NoHtmlField"] * 2
    assert f"name the field with --html-field, out of {named}" in failures[0].reason
