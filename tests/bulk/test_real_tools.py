"""Files made by the tools that people use: wget, warcio, pywb, cdxj-indexer."""

from __future__ import annotations

import functools
import gzip
import hashlib
import http.server
import io
import json
import shutil
import socket
import subprocess
import threading
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import pytest
from testing.bulk_runs import items_of
from testing.gates import wait_for

from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import RawPage, Reading
from scrapy_boilernet.bulk.warc import Damage

PAGES = {f"{n}.html": f"<html><p>Page {n}: {'tide ' * n}</html>".encode() for n in range(6)}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a server on this machine with the pages."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name, body in PAGES.items():
        (folder / name).write_bytes(body)
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def read(path: Path) -> dict[str, bytes]:
    items = items_of(path)
    assert not [item for item in items if isinstance(item, Damage)]
    # wget writes its log and its arguments as resources, which are texts.
    found = [item for item in items if isinstance(item, RawPage) and item.mime == "text/html"]
    assert len(found) == len(PAGES)
    return {str(item.url).rpartition("/")[2]: item.body for item in found}


def run(tool: str, *arguments: str, folder: Path) -> None:
    found = shutil.which(tool) or pytest.skip(f"{tool} is not installed")
    subprocess.run([found, *arguments], cwd=folder, check=True, timeout=60, capture_output=True)


def warc_by_wget(site: str, folder: Path, *options: str) -> None:
    addresses = [f"{site}/{name}" for name in PAGES]
    run("wget", "--no-proxy", "--warc-file=crawl", "-P", "files", *options, *addresses,
        folder=folder)  # fmt: skip


@pytest.mark.parametrize("options", [(), ("--no-warc-compression",), ("--warc-cdx",)])
def test_wget(site: str, tmp_path: Path, options: tuple[str, ...]) -> None:
    warc_by_wget(site, tmp_path, *options)
    (file,) = tmp_path.glob("crawl.warc*")
    assert read(file) == PAGES
    if "--warc-cdx" in options:  # wget's index has no lengths of records
        (source,) = inputs_of([str(tmp_path / "crawl.cdx")])
        _, *failures = OpenInput(source, Reading(10**6)).items()
        assert len(failures) >= len(PAGES)
        assert all(
            isinstance(one, Damage) and "no length" in one.reason and "name the WARC" in one.reason
            for one in failures
        )


@pytest.mark.parametrize("is_gzip", [True, False])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_warcio(tmp_path: Path, is_gzip: bool, version: str) -> None:
    writers = pytest.importorskip("warcio.warcwriter")
    headers = pytest.importorskip("warcio.statusandheaders").StatusAndHeaders
    with (tmp_path / "a").open("wb") as out:
        writer = writers.WARCWriter(out, gzip=is_gzip, warc_version=version)
        writer.write_record(writer.create_warcinfo_record("a", {"software": "warcio"}))
        for name, body in PAGES.items():
            http_headers = headers("200 OK", [("Content-Type", "text/html")], "HTTP/1.1")
            writer.write_record(writer.create_warc_record(
                f"https://example.com/{name}", "response", io.BytesIO(body),
                http_headers=http_headers,
            ))  # fmt: skip
    assert read(tmp_path / "a") == PAGES


def test_pywb_records_a_site_and_indexes_it(site: str, tmp_path: Path) -> None:
    """pywb is a proxy that records what it is asked for, with the server's own HTTP version."""
    server = shutil.which("wayback") or pytest.skip("pywb is not installed")
    run("wb-manager", "init", "crawl", folder=tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [server, "--live", "--record", "--bind", "127.0.0.1", "--port", str(port)]
    recorder = subprocess.Popen(command, cwd=tmp_path, stdout=DEVNULL, stderr=DEVNULL)
    try:
        wait_for(lambda: _is_open(port))
        for name in PAGES:
            address = f"http://127.0.0.1:{port}/crawl/record/mp_/{site}/{name}"
            with urllib.request.urlopen(address) as answer:
                assert answer.status == 200
        archive = tmp_path / "collections/crawl/archive"
        wait_for(lambda: sum(isinstance(one, RawPage) for one in items_of(archive)) == len(PAGES))
    finally:
        recorder.terminate()
        recorder.wait()
    assert read(archive) == PAGES
    run("cdx-indexer", "-j", "-o", "index.cdxj", *map(str, archive.iterdir()), folder=tmp_path)
    (tmp_path / "index.cdxj").rename(archive / "index.cdxj")
    assert read(archive / "index.cdxj") == PAGES


def _is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_cdxj_indexer(site: str, tmp_path: Path) -> None:
    warc_by_wget(site, tmp_path)
    run("cdxj-indexer", "-o", "index.cdxj", "crawl.warc.gz", folder=tmp_path)
    assert read(tmp_path / "index.cdxj") == PAGES


def test_a_wacz_after_its_specification(site: str, tmp_path: Path) -> None:
    """Its parts are those of WACZ 1.1.1, as Browsertrix writes them."""
    warc_by_wget(site, tmp_path)
    data = (tmp_path / "crawl.warc.gz").read_bytes()
    listed = [{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}]
    listed += [{"id": name, "url": f"{site}/{name}", "title": name} for name in PAGES]
    parts = {
        "archive/crawl.warc.gz": data,
        "indexes/index.cdx.gz": gzip.compress(b""),
        "indexes/index.idx": b'!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}\n',
        "logs/crawl.log": b'{"logLevel":"info","message":"<html> in a log"}\n',
        "pages/pages.jsonl": "".join(json.dumps(one) + "\n" for one in listed).encode(),
        "pages/extraPages.jsonl": b'{"format": "json-pages-1.0", "id": "extra-pages"}\n',
    }
    resources = [
        {"name": name.rpartition("/")[2], "path": name, "bytes": len(part),
         "hash": f"sha256:{hashlib.sha256(part).hexdigest()}"}
        for name, part in parts.items()
    ]  # fmt: skip
    package = {"profile": "data-package", "wacz_version": "1.1.1", "resources": resources}
    parts["datapackage.json"] = json.dumps(package).encode()
    digest = f"sha256:{hashlib.sha256(parts['datapackage.json']).hexdigest()}"
    parts["datapackage-digest.json"] = json.dumps(
        {"path": "datapackage.json", "hash": digest}
    ).encode()
    with zipfile.ZipFile(tmp_path / "crawl.wacz", "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    assert read(tmp_path / "crawl.wacz") == PAGES
