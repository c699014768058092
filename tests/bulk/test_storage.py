"""Inputs at addresses: S3, HTTP with and without ranges, and storage that fails now and then."""

from __future__ import annotations

import gzip
import http.server
import json
import threading
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from testing import buckets
from testing.bulk_runs import carried_out
from testing.every_input import EVERY, index_of, lines_of, wacz_of
from testing.warcs import warc_of

from scrapy_boilernet.bulk import storage
from scrapy_boilernet.bulk.binding import fingerprints
from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import Entry, RawPage, Reading
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.storage import StorageError, is_address, shown
from scrapy_boilernet.bulk.task import Run
from scrapy_boilernet.bulk.warc import START, Position
from scrapy_boilernet.commands.bulk import report
from scrapy_boilernet.settings.config import Config

fsspec = pytest.importorskip("fsspec")
PAGES = [(f"https://example.com/{n}", f"<p>Page {n} {'tide ' * n}".encode()) for n in range(8)]


def read(name: str, start: Position = START, **how: Any) -> list[Entry]:
    reading = Reading(**{"max_bytes": 100_000, **how})
    return [item for one in inputs_of([name]) for item in OpenInput(one, reading, start).items()]


def pages(items: list[Entry]) -> list[tuple[str | None, bytes]]:
    return [(item.url, item.body) for item in items if isinstance(item, RawPage)]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "FIRST_WAIT_SECONDS", 0.01)


class Handler(http.server.SimpleHTTPRequestHandler):
    ranges = True
    failures = 0

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        asked = self.headers.get("Range")
        if type(self).failures > 0:
            type(self).failures -= 1
            self.send_error(503)
            return
        if not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        if self.ranges and asked:
            first, _, last = asked.removeprefix("bytes=").partition("-")
            end = min(int(last or len(data) - 1), len(data) - 1)
            part = data[int(first) : end + 1]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{end}/{len(data)}")
        else:
            part = data
            self.send_response(200)
        if self.ranges:
            self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(part)

    do_HEAD = do_GET

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    pytest.importorskip("aiohttp")
    Handler.ranges, Handler.failures = True, 0
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Handler, directory=str(tmp_path))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.parametrize("kind", EVERY)
def test_every_input_is_read_over_http(tmp_path: Path, site: str, kind: str, ranges: bool) -> None:
    (tmp_path / "a").write_bytes(EVERY[kind](PAGES, tmp_path))
    Handler.ranges = ranges
    if not ranges and kind.startswith("CDX"):
        pytest.skip("a server without ranges")
    items = read(f"{site}/a")
    assert pages(items) == PAGES
    if ranges:
        assert pages(read(f"{site}/a", items[4].position)) == pages(items[4:])


def test_failures_of_a_server_are_tried_again(tmp_path: Path, site: str) -> None:
    (tmp_path / "a").write_bytes(index_of(PAGES, tmp_path))
    assert len(pages(read(f"{site}/a"))) == len(PAGES)
    (source,) = inputs_of([f"{site}/a"])
    Handler.failures = 3
    assert pages([*OpenInput(source, Reading(1_000)).items()]) == PAGES
    Handler.failures = 10**6
    with pytest.raises(StorageError, match=r"127\.0\.0\.1"):
        [*OpenInput(source, Reading(1_000)).items()]
    Handler.failures = 0
    with pytest.raises(StorageError, match="gone"):
        read(f"{site}/gone")


def test_addresses_of_a_file_system_in_memory() -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe("/crawl/a/1.jsonl", lines_of(PAGES[:4]))
    memory.pipe("/crawl/b.wacz", wacz_of(PAGES[4:]))
    memory.pipe("/crawl/c.png", b"\x89PNG\r\n\x1a\n")
    found = [one.path for one in inputs_of(["memory://crawl"])]
    assert found == ["memory:///crawl/b.wacz", "memory:///crawl/c.png", "memory:///crawl/a/1.jsonl"]
    assert sorted(pages(read("memory://crawl"))) == PAGES
    assert pages(read("memory://crawl/*.wacz")) == PAGES[4:]
    before = fingerprints(["memory://crawl"])
    assert before == fingerprints(["memory://crawl"])
    memory.pipe("/crawl/c.png", b"\x89PNG\r\n\x1a\n1")
    assert before != fingerprints(["memory://crawl"])
    with pytest.raises(StorageError, match="no file matches"):
        read("memory://crawl/*.arc")
    memory.rm("/crawl", recursive=True)


bucket = pytest.fixture(buckets.bucket)


def test_a_bucket_is_read_like_a_folder(tmp_path: Path, bucket: str) -> None:
    fs = fsspec.filesystem("s3")
    fs.pipe_file(f"{bucket}/2026/a.warc.gz", warc_of(PAGES[:5]))
    fs.pipe_file(f"{bucket}/2026/b/b.csv", b"url,html\nhttps://b.example/,<p>B\n")
    items = read(f"{bucket}/2026")
    assert pages(items) == [*PAGES[:5], ("https://b.example/", b"<p>B")]
    index = index_of(PAGES, tmp_path)
    fs.pipe_file(f"{bucket}/index.cdxj", index)
    fs.pipe_file(f"{bucket}/data.warc.gz", (tmp_path / "data.warc.gz").read_bytes())
    assert pages(read(f"{bucket}/index.cdxj")) == PAGES
    local = tmp_path / "index"
    local.write_bytes(gzip.compress(index))
    assert pages(read(str(local), base=bucket)) == PAGES
    with pytest.raises(StorageError, match="/gone"):
        read(f"{bucket}/gone.warc.gz")


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("s3://a/b", True), ("https://a.example/", True), ("hf://datasets/a", True), ("a", False),
     ("/a/b://c", False), ("sqlite:///a.db?table=b", False), ("C:\\a", False), ("list:a", False)],
)  # fmt: skip
def test_what_is_an_address(name: str, is_one: bool) -> None:
    assert is_address(name) == is_one


@pytest.mark.parametrize(
    "text",
    ["https://me:hidden@a.example/x", "https://a.example/?page=1&X-Amz-Signature=hidden&n=2",
     "error in 'https://a.example/?token=hidden'", "https://a/?sig=hidden https://hidden@b/",
     "abfs://c@a.example/?sv=1&sig=hidden", "https://a/?AWSAccessKeyId=hidden&Policy=hidden"],
)  # fmt: skip
def test_credentials_are_not_shown(text: str) -> None:
    assert "hidden" not in shown(text)
    assert "..." in shown(text)


def test_credentials_are_in_no_item_and_no_state(tmp_path: Path, site: str) -> None:
    (tmp_path / "a").write_bytes(lines_of(PAGES) + b"{no row\n")
    secret = f"{site}/a?token=hidden"
    items = read(secret)
    assert len(pages(items)) == len(PAGES)
    assert "hidden" not in repr(items)
    assert "hidden" not in json.dumps(fingerprints([secret]))
    (tmp_path / "a").unlink()
    with pytest.raises(StorageError) as failure:
        read(secret)
    assert "hidden" not in str(failure.value)


def test_credentials_are_in_no_file_of_a_run_and_in_no_message(
    tmp_path: Path, site: str, tiny_model: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a").write_bytes(lines_of(PAGES) + b'{"no": "page"}\n{no row\n')
    config = Config(model=str(tiny_model), engine="numpy", mode="process", workers=1)
    run = Run((f"{site.replace('//', '//me:hunter2@')}/a?token=hunter2",), tmp_path / "o", "jsonl")
    with Pool(config) as pool:
        files = carried_out(run, config, pool)
    assert files.summary.written == len(PAGES)
    assert files.summary.failures == 2
    written = [one.read_text() for one in tmp_path.iterdir() if one.name.startswith("o")]
    for said in (*written, caplog.text, *files.first_failures.values(), *report(run, files)):
        assert "hunter2" not in said
    assert site.partition("//")[2] in "".join(files.first_failures.values())


@pytest.mark.parametrize("name", ["crawl[1].jsonl", "a*.jsonl", "what?.jsonl", "[a-b]*.jsonl"])
def test_names_with_signs_of_patterns(name: str) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe({f"/odd/{name}": lines_of(PAGES), "/odd/b.csv": b"url,html\nb,<p>B\n"})
    assert pages(read("memory://odd/*.jsonl")) == PAGES
    assert sorted(pages(read("memory://odd"))) == sorted([("b", b"<p>B"), *PAGES])
    memory.rm("/odd", recursive=True)


def test_the_message_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StorageError, match="nothing://a"):
        read("nothing://a")
    monkeypatch.setitem(
        import_module("fsspec.registry").known_implementations,
        "lost",
        {"class": "no_such_package.FileSystem", "err": "Install lostfs"},
    )
    with pytest.raises(ImportError, match="Install lostfs"):
        read("lost://a")
    monkeypatch.setattr(storage, "import_module", _missing)
    with pytest.raises(ImportError, match="fsspec: pip install fsspec"):
        read("s3://a")


def _missing(name: str) -> Any:
    raise ImportError(name)
