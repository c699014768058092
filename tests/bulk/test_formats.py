"""What an input is, by its first bytes: formats that are not read are named, pages are pages."""

from __future__ import annotations

import gzip
import os
import random
import tarfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from testing.bulk_runs import items_of
from testing.foreign import FOREIGN, PAGES, READ, STORED, tar_of, zip_of
from testing.packing import BY_ENDING, zstandard
from testing.warcs import RESPONSE, warc_of, warc_record

from scrapy_boilernet.bulk.compression import zstd
from scrapy_boilernet.bulk.formats import Format, format_of_bytes, format_of_start
from scrapy_boilernet.bulk.inputs import refusal
from scrapy_boilernet.bulk.pages import LeftOut, RawPage
from scrapy_boilernet.bulk.warc import Damage

BODY = b"<html><p>The tide is low.</p></html>"
PACKERS = {"": bytes, **BY_ENDING}


def format_of(data: bytes, name: str = "file", *, named: bool = True) -> Format:
    return format_of_start(BytesIO(data), data[:4096], name, named=named)


CASES = [(name, data) for name, (_, files) in FOREIGN.items() for data in files]


@pytest.mark.parametrize(("name", "data"), CASES)
@pytest.mark.parametrize("pack", PACKERS)
def test_a_format_that_is_not_read_is_named_whatever_the_file_is_called(
    name: str, data: bytes, pack: str
) -> None:
    for called in ("file", "page.html", "crawl.warc.gz"):
        found = format_of(PACKERS[pack](data), called)
        assert (found.kind, found.name) == ("other", name)
        assert FOREIGN[name][0] in found.refusal
    assert format_of(PACKERS[pack](data), named=False).name == name


@pytest.mark.parametrize(
    ("kind", "data"), [(k, data) for k, files in READ.items() for data in files]
)
@pytest.mark.parametrize("pack", PACKERS)
def test_what_is_read_is_known_by_its_first_bytes(kind: str, data: bytes, pack: str) -> None:
    for name in ("file", "crawl.warc.gz", "a.csv") if kind != "csv" else ("file", "a.tsv"):
        found = format_of(PACKERS[pack](data), name)
        assert (found.kind, found.refusal) == (kind, "")


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("name", ["page", "page.html", "page.xml", "p.htm", "index.php", "\udcff"])
def test_a_page_is_a_page_whatever_it_begins_with(page: bytes, pack: str, name: str) -> None:
    assert format_of(PACKERS[pack](page), name + pack).kind == "page"


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("pack", PACKERS)
def test_a_page_in_a_folder_is_a_page_if_its_name_says_so(page: bytes, pack: str) -> None:
    assert format_of(PACKERS[pack](page), f"a.HTML{pack}", named=False).kind == "page"


@pytest.mark.parametrize("kind", STORED)
@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("name", ["page.html", "a.warc", "a.zip", "a.tar", "a.jsonl", "a.csv", "a"])
def test_what_is_read_is_known_by_what_is_in_it(kind: str, pack: str, name: str) -> None:
    assert format_of(PACKERS[pack](STORED[kind]), name + pack).kind == kind


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_archives_of_any_age_are_read(form: int) -> None:
    new = tar_of([("a.html", BODY)], form)
    old = bytearray(new[:257] + bytes(255) + new[512:])  # before 1988, without the name of a format
    old[148:156] = b" " * 8
    old[148:156] = b"%06o\0 " % sum(old[:512])
    assert format_of(new).kind == format_of(bytes(old)).kind == "tar"


@pytest.mark.parametrize("size", [5_000, 100_000, 900_000, 1_500_000])
@pytest.mark.parametrize("pack", PACKERS)
def test_packed_files_of_any_size_are_known(tmp_path: Path, size: int, pack: str) -> None:
    noise = random.Random(size).randbytes(size // 2).hex().encode()
    record = warc_record("https://a.example/", RESPONSE + b"<p>" + noise)
    (tmp_path / "a").write_bytes(PACKERS[pack](record))
    (page,) = items_of(tmp_path / "a")
    assert isinstance(page, RawPage)
    assert page.url == "https://a.example/"


@pytest.mark.parametrize(
    "table",
    ["id,address,page\n1,https://a/,<p>Tide\n", "id;page\r\n1;<p>Tide\r\n", "id\tthe page\n1\t<p>T",
     "no|page|x\n1|<p>Tide|2\n", '"id","a page"\n"1","<p>Tide, pool"\n', "\ufeffid,seite\n1,<p>T",
     "n\u00famero,p\u00e1gina\n1,<p>Tide"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["-", "a", "a.txt", "a.gz"])
def test_a_table_whose_columns_have_any_names_is_no_page(table: str, name: str) -> None:
    assert format_of_bytes(table.encode(), name, named=True).kind == "csv"
    assert format_of_bytes(table.encode("utf-16"), name, named=True).kind == "csv"
    assert format_of_bytes(table.encode(), "a.html", named=True).kind == "page"
    assert format_of_bytes(table.encode(), name, named=False).kind == "unknown"


@pytest.mark.parametrize(
    "page",
    ["Tide, pool\n<p>Tide, pool", "Tide,pool\n<p>Tide", "tide\n<p>Tide, pool", "a,b<p>\nc,d<p>",
     "Tide pools\tare warm.\n<p>in summer"],
)  # fmt: skip
def test_a_page_that_begins_with_a_text_is_no_table(page: str) -> None:
    assert format_of_bytes(page.encode(), "-", named=True).kind == "page"


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".CSV", ".csv.gz", ".tsv.bz2"])
def test_a_table_without_a_header_is_known_by_its_name(ending: str) -> None:
    data = b"https://a.example/,Das Meer\n"
    pack = next((p for p in PACKERS if p and ending.endswith(p)), "")
    assert format_of(PACKERS[pack](data), f"a{ending}").name == "a CSV file"
    assert format_of(PACKERS[pack](BODY), f"a{ending}").kind == "page"


@pytest.mark.parametrize("line", [b"", b"\n", b"{not json\n", b"[1]\n", b"null\n", b'"text"\n'])
@pytest.mark.parametrize("name", ["a.jsonl", "a.JSONL.gz", "a.ndjson", "a.jsonl.zst"])
def test_json_lines_whose_first_line_is_none_are_known_by_their_name(
    line: bytes, name: str
) -> None:
    assert format_of(line + STORED["lines"], name).kind == "lines"


@pytest.mark.parametrize("first", PACKERS)
@pytest.mark.parametrize("second", [*PACKERS][1:])
def test_what_was_packed_twice(tmp_path: Path, first: str, second: str) -> None:
    pack = PACKERS[second]
    twice = "a file that was compressed twice"
    for kind, data in STORED.items():
        found = format_of(pack(PACKERS[first](data)))
        assert (found.kind, found.name) == (("other", twice) if first else (kind, found.name))
    noise = random.Random(1).randbytes(20_000).hex().encode()
    for body in (BODY, BODY + noise):
        (tmp_path / "a").write_bytes(pack(PACKERS[first](body)))
        (item,) = items_of(tmp_path / "a")
        if first in ("", ".gz"):  # some archives compress again what a server sent compressed
            assert isinstance(item, RawPage)
        else:
            assert isinstance(item, Damage)
            assert twice in item.reason


def _dictionary() -> tuple[bytes, Callable[[bytes], bytes]]:
    try:
        module = zstd()
    except ImportError:
        pytest.skip("no Zstandard")
    samples = [f"WARC/1.0\r\nWARC-Type: response {n} tide {n * 7}".encode() * 3 for n in range(200)]
    one = module.train_dict(samples, 1024)
    return one.dict_content, lambda data: bytes(module.compress(data, zstd_dict=one))


@pytest.mark.parametrize("kind", [*STORED, "page"])
def test_zstandard_with_a_dictionary_is_read_if_it_begins_with_it(kind: str) -> None:
    data = STORED.get(kind, BODY)
    content, pack = _dictionary()
    frame = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    for packed in (frame + pack(data), frame + zstandard(data)):
        assert format_of(packed, "crawl.zst").kind == kind
    without = format_of(pack(data), "crawl.warc.zst")
    assert without.name == "a Zstandard file that needs a dictionary"


@pytest.mark.parametrize("size", [0, 4, 4_000, 90_000])
def test_zstandard_frames_without_data_are_skipped(tmp_path: Path, size: int) -> None:
    skipped = b"\x50\x2a\x4d\x18" + size.to_bytes(4, "little") + bytes(size)
    records = [warc_record(f"https://a.example/{n}", RESPONSE + BODY) for n in range(3)]
    (tmp_path / "a").write_bytes(b"".join(skipped + zstandard(record) for record in records))
    assert [page.body for page in items_of(tmp_path / "a") if isinstance(page, RawPage)] == [
        BODY
    ] * 3


@pytest.mark.parametrize("head", [b"", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"])
@pytest.mark.parametrize("name", ["a.pkl", "a.pickle", "page.html", "crawl.warc", "pickled_meta"])
def test_no_pickle_is_ever_loaded(tmp_path: Path, head: bytes, name: str) -> None:
    trap = tmp_path / "trap"
    data = head + b"cos\nmkdir\n(V%s\ntR." % os.fsencode(trap)  # makes a folder if it is loaded
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / name).write_bytes(data)
    (folder / "a.zip").write_bytes(zip_of([(name, data)]))
    (folder / "a.tar").write_bytes(tar_of([(name, data)]))
    assert [isinstance(item, Damage) for item in items_of(folder)] == [True] * 3
    assert not trap.exists()


@pytest.mark.parametrize("make", [zip_of, tar_of])
@pytest.mark.parametrize("pack", PACKERS)
def test_stored_crawls_in_an_archive_are_failures_and_the_pages_are_read(
    tmp_path: Path, make: Callable[..., bytes], pack: str
) -> None:
    members = [(f"{kind}.data", PACKERS[pack](data)) for kind, data in STORED.items()]
    foreign = [
        (f"other-{number}.html", PACKERS[pack](files[0]))
        for number, (_, files) in enumerate(FOREIGN.values())
    ]
    pages = [(f"{n}.html{pack}", PACKERS[pack](BODY)) for n in range(2)]
    (tmp_path / "a").write_bytes(
        make([pages[0], *members, *foreign, ("a.png", b"\x89P"), pages[1]])
    )
    items = items_of(tmp_path / "a")
    read = [item for item in items if isinstance(item, RawPage)]
    bodies = [p.body for p in read if not p.source.endswith("warc.data")]
    assert [gzip.decompress(body) if pack == ".gz" else body for body in bodies] == [BODY] * 2
    assert len(read) == 3  # of the WARC file, as in a WACZ file
    failures = [item for item in items if isinstance(item, Damage)]
    assert {item.kind for item in failures} == {"UnreadFormat"}
    assert len(failures) == len(members) - 1 + len(foreign)
    assert f"{tmp_path / 'a'}/zip.data is a zip in an archive: unpack" in failures[0].reason
    (left_out,) = (item for item in items if isinstance(item, LeftOut))
    assert left_out.name == f"{tmp_path / 'a'}/a.png"


@pytest.mark.parametrize(("name", "data"), CASES)
def test_a_file_in_a_folder_that_is_not_read_is_a_failure(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / "a.html").write_bytes(BODY)
    (tmp_path / "b.data").write_bytes(data)
    (tmp_path / "c.warc.gz").write_bytes(warc_of([("https://a.example/", BODY)]))
    first, failure, last = items_of(tmp_path)
    assert isinstance(first, RawPage)
    assert isinstance(last, RawPage)
    assert isinstance(failure, Damage)
    assert failure.kind == "UnreadFormat"
    assert failure.reason.startswith(f"{tmp_path / 'b.data'} is {name}, which is not read: ")
    assert refusal([str(tmp_path / "b.data")]) == failure.reason
    assert refusal([str(tmp_path / "b.data"), str(tmp_path / "a.html")]) == ""
    assert refusal([str(tmp_path)]) == ""


@pytest.mark.parametrize(
    "start", [b"[" * 4096, b")" * 4096, b"a)" * 2048, b'["' + b"\\" * 4094, b"<?xml" + b"<?" * 2000,
              b"a: b\n" * 800, b"a: b\n" + b" c\n" * 1300, b"a," * 2000, b"<!--" * 1000],
)  # fmt: skip
def test_hostile_beginnings_are_of_some_kind(start: bytes) -> None:
    assert format_of(start).kind in ("page", "other", "json")
    assert format_of(b"<?xml ?>" + start).kind in ("page", "other")
