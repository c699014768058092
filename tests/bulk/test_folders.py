"""Folders of inputs: what is found, what is left out, and names that are not UTF-8."""

from __future__ import annotations

import gzip
import json
import os
import socket
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from testing.foreign import STORED, tar_of, zip_of
from testing.warcs import warc_of

from scrapy_boilernet.bulk import compression
from scrapy_boilernet.bulk.binding import fingerprints
from scrapy_boilernet.bulk.inputs import Input, OpenInput, inputs_of, kind_of
from scrapy_boilernet.bulk.pages import Entry, LeftOut, RawPage, Reading
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.records import RecordOptions
from scrapy_boilernet.bulk.run import carry_out
from scrapy_boilernet.bulk.run_files import Files
from scrapy_boilernet.bulk.task import Run
from scrapy_boilernet.bulk.warc import Damage
from scrapy_boilernet.settings.config import Config

BODY = b"<html><p>The tide is low.</p></html>"
posix = pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")


def items_of(*paths: Path | str) -> list[Entry]:
    sources = inputs_of([str(path) for path in paths])
    return [item for one in sources for item in OpenInput(one, Reading(10**6)).items()]


def sources_of(items: list[Entry]) -> list[str]:
    return [item.source for item in items if isinstance(item, RawPage)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "folder" / "b").mkdir(parents=True)
    (tmp_path / "folder" / "a.html").write_bytes(BODY)
    (tmp_path / "folder" / "b" / "b.html").write_bytes(BODY)
    (tmp_path / "folder" / "c.html").write_bytes(BODY)
    return tmp_path / "folder"


def _to_itself(folder: Path) -> None:
    (folder / "b" / "loop").symlink_to(folder)


def _to_its_parent(folder: Path) -> None:
    (folder / "b" / "loop").symlink_to("..")


def _to_a_sibling(folder: Path) -> None:
    (folder / "z").symlink_to("b")


def _around_a_corner(folder: Path) -> None:
    (folder / "y").symlink_to("z")
    (folder / "z").symlink_to("b")


def _to_each_other(folder: Path) -> None:
    for name, other in (("m", "n"), ("n", "m")):
        (folder / "b" / name).mkdir()
        (folder / "b" / name / "link").symlink_to(f"../{other}")


def _outside(folder: Path) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "d.html").write_bytes(BODY)
    for name in ("d", "e", "f"):
        (folder / name).symlink_to(other)


@posix
@pytest.mark.parametrize(
    "link",
    [_to_itself, _to_its_parent, _to_a_sibling, _around_a_corner, _to_each_other, _outside],
)
@pytest.mark.parametrize("absolute", [True, False])
def test_folders_behind_symbolic_links_are_read_once(
    folder: Path, link: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch, *, absolute: bool
) -> None:
    link(folder)
    monkeypatch.chdir(folder.parent)
    items = items_of(folder if absolute else "folder")
    names = [Path(source).name for source in sources_of(items)]
    assert sorted(names) == sorted({*names})
    assert {*names} == {"a.html", "b.html", "c.html"} | ({"d.html"} if link is _outside else set())
    assert len(items) == len(names)
    assert fingerprints([str(folder)])[0]["files"] == len(names)


@posix
def test_a_named_folder_behind_a_symbolic_link_is_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    assert len(sources_of(items_of(tmp_path / "link"))) == 3
    assert len(sources_of(items_of(folder, folder))) == 6  # named twice


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def _circular(path: Path) -> None:
    path.symlink_to(path.name)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY)  # the name of a socket may have 100 characters
    socket.socket(socket.AF_UNIX).bind(f"/proc/self/fd/{here}/{path.name}")


@posix
@pytest.mark.parametrize("make", [_dangling, _circular, _pipe, _socket])
@pytest.mark.parametrize("name", ["0.html", "bb.warc.gz", "z"])
def test_what_is_no_file_is_a_failure_and_nothing_waits_for_it(
    folder: Path, make: Callable[[Path], None], name: str
) -> None:
    if make is _socket and not Path("/proc/self/fd").exists():
        pytest.skip("no /proc")
    make(folder / name)
    items = items_of(folder)
    assert len(sources_of(items)) == 3
    (failure,) = (item for item in items if isinstance(item, Damage))
    assert (failure.kind, failure.reason[: len(str(folder / name))]) == (
        "Unreadable", str(folder / name),
    )  # fmt: skip
    assert fingerprints([str(folder)])[0]["files"] == 3
    assert [kind_of(one) for one in inputs_of([str(folder)])].count("page") == 3


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_folder_that_cannot_be_listed_is_a_failure(folder: Path) -> None:
    (folder / "b").chmod(0)
    try:
        items = items_of(folder)
    finally:
        (folder / "b").chmod(0o700)
    assert [type(item) for item in items] == [RawPage, Damage, RawPage]


def test_pages_and_stored_crawls_of_a_folder_are_read_in_their_order(folder: Path) -> None:
    for kind, data in STORED.items():
        (folder / f"a.{kind}").write_bytes(data)
    (folder / "b" / "crawl.warc.gz").write_bytes(
        warc_of([(f"https://a.example/{n}", BODY) for n in range(3)])
    )
    names = [source[len(str(folder)) + 1 :] for source in sources_of(items_of(folder))]
    assert names == [
        "a.html", "a.lines", "a.tar/a.html", "a.warc", "a.zip/a.html", "b/b.html",
        "b/crawl.warc.gz", "b/crawl.warc.gz", "b/crawl.warc.gz", "c.html",
    ]  # fmt: skip


def test_folders_in_an_archive_are_not_named(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for name, kind in (("b", tarfile.DIRTYPE), ("c", tarfile.SYMTYPE), ("d", tarfile.LNKTYPE)):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "b"
            archive.addfile(member)
    left_out = [item.name for item in items_of(tmp_path / "a.tar") if isinstance(item, LeftOut)]
    assert left_out == ["", f"{tmp_path}/a.tar/c", f"{tmp_path}/a.tar/d"]


def test_what_is_left_out_has_its_name(folder: Path) -> None:
    (folder / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "b" / "notes.txt").write_text("No page.")
    (folder / "d.zip").write_bytes(zip_of([("a.css", b"p {}"), ("b.html", BODY)]))
    (folder / "e.tar").write_bytes(tar_of([("a.js", b"0"), ("b.html", BODY)]))
    left_out = [item.name for item in items_of(folder) if isinstance(item, LeftOut)]
    assert left_out == [
        f"{folder}/{name}" for name in ("a.png", "b/notes.txt", "d.zip/a.css", "e.tar/a.js")
    ]


NAMES = [
    b"caf\xe9.html", b"\xff\xfe.htm", b"\xd0\xcf\xf0.xhtml", b"a\xed\xa0\x80b.html",
    b"\x80.html.gz", b"\xb2\xe2\xca\xd4.html", b"\xa4\xa2.HTML", b"\xc0\xaf.html",
    b"a\xf8\x88b.html", b"\xe2\x82.html",
]  # fmt: skip
"""Names in Latin-1, GBK, Shift JIS and KOI8-R, and bytes that no encoding has."""


@pytest.fixture(scope="module")
def config(tiny_model: Path) -> Config:
    return Config(model=str(tiny_model), engine="numpy", mode="process", workers=1, cache_blocks=0)


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode")
@pytest.mark.parametrize("how", ["folder", "named", "in a folder", "tar", "left out"])
def test_names_that_are_not_utf8_work(tmp_path: Path, config: Config, pool: Pool, how: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    body = BODY if how != "left out" else b"No page."
    for name in NAMES:
        file = folder / os.fsdecode(name if how != "left out" else name + b".txt")
        if how == "in a folder":
            file.mkdir()
            file /= "a.html"
        file.write_bytes(gzip.compress(body) if file.suffix == ".gz" else body)
    inputs = [str(folder)]
    if how == "named":
        inputs = [str(folder / os.fsdecode(name)) for name in NAMES]
    elif how == "tar":
        (tmp_path / "a.tar").write_bytes(tar_of((os.fsdecode(name), BODY) for name in NAMES))
        inputs = [str(tmp_path / "a.tar")]
    run = Run(tuple(inputs), tmp_path / "out.jsonl", "jsonl", RecordOptions())
    with Files(run, run.asked(config), resume=False) as files:
        carry_out(run, config, pool, files, lambda *_: None)
        summary, names = files.summary, files.left_out_names
    with Files(run, run.asked(config), resume=True) as files:
        assert files.summary == summary
    if how == "left out":
        assert summary.left_out == {"not a page": len(NAMES)}
        assert len(names) == 5
        return
    assert (summary.written, summary.failures) == (len(NAMES), 0)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert len({row["source"] for row in rows}) == len(NAMES)
    for row in rows:
        row["source"].encode("utf-8")
        assert "\\x" in row["source"]


@pytest.mark.parametrize("name", ["a.html", "a.jsonl", "crawl.warc", "a.tar"])
def test_without_the_package_of_zstandard_the_message_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / f"{name}.zst").write_bytes(compression.ZSTD + bytes(40))

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(compression, "import_module", missing)
    path = str(tmp_path / f"{name}.zst")
    with pytest.raises(ImportError, match=r"Zstandard needs .* pip install backports\.zstd"):
        kind_of(Input(path, "file", named=True, size_bytes=0))
    with pytest.raises(ImportError, match=r"pip install backports\.zstd"):
        items_of(path)
    (found,) = inputs_of([str(tmp_path)])
    assert kind_of(found) == "unknown"
