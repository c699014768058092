"""Rows that are odd: each is a page or a failure, and the rows beside it are read."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import Entry, RawPage, Reading
from scrapy_boilernet.bulk.warc import Damage

MAX_BYTES = 10_000
ROWS = [{"url": f"https://example.com/{n}", "html": f"<p>Page {n}"} for n in range(9)]


def read(name: Path | str, **how: Any) -> list[Entry]:
    reading = Reading(MAX_BYTES, **how)
    return [item for one in inputs_of([str(name)]) for item in OpenInput(one, reading).items()]


def bodies(items: list[Entry]) -> list[bytes]:
    return [item.body for item in items if isinstance(item, RawPage)]


def reasons(items: list[Entry]) -> list[str]:
    return [item.reason for item in items if isinstance(item, Damage)]


@pytest.mark.parametrize("depth", [300, 700, 5_000, 100_000])
@pytest.mark.parametrize(("begin", "end"), [('{"a":', "}"), ("[", "]"), ('[{"a":', "}]")])
def test_a_field_that_is_nested_deep_is_one_failure_at_most(
    tmp_path: Path, depth: int, begin: str, end: str
) -> None:
    lines = [json.dumps(row) for row in ROWS]
    deep = begin * depth + "1" + end * depth
    lines[4] = f'{{"url": "https://example.com/4", "html": "<p>Page 4", "x": {deep}}}'
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    items = read(tmp_path / "a.jsonl", keep=(("x", "x"),))
    assert len(items) == len(ROWS)
    others = [body for body in bodies(items) if body != b"<p>Page 4"]
    assert others == [row["html"].encode() for row in ROWS if not row["html"].endswith("4")]
    assert len(reasons(items)) <= 1


@pytest.mark.parametrize("names", ["filename,offset,length", "warc"])
@pytest.mark.parametrize("field", ["html", "body", "content", "httpResponseBody"])
def test_a_row_with_its_page_points_nowhere(tmp_path: Path, names: str, field: str) -> None:
    pointing = ("warc_filename", "warc_record_offset", "warc_record_length")
    named = pointing if names == "warc" else tuple(names.split(","))
    page = "PHA+UGFnZQ==" if field == "httpResponseBody" else "<p>Page"
    row = {**dict(zip(named, ("a.html", 0, 100), strict=True)), field: page}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    assert bodies(read(tmp_path / "a.jsonl")) == [b"<p>Page"]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("begin", ["url,html,", 'url,"html', "\t"])
def test_a_first_row_without_an_end_is_one_failure(
    tmp_path: Path, packed: bool, begin: str
) -> None:
    data = (begin + "a" * (2 * 4 * MAX_BYTES + 2_000_000)).encode()
    file = tmp_path / ("a.csv.gz" if packed else "a.csv")
    file.write_bytes(gzip.compress(data) if packed else data)
    (reason,) = reasons(read(file))
    assert "characters" in reason or "names of fields" in reason or "no text in" in reason


def test_a_table_with_an_endless_first_row_does_not_stop_the_files_behind_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.csv").write_text("url,html," + "a" * 9_000_000)
    with (tmp_path / "b.csv").open("w") as file:
        csv.writer(file).writerows([["url", "html"], ["https://example.com/", "<p>Page"]])
    items = read(tmp_path)
    assert len(reasons(items)) == 1
    assert bodies(items) == [b"<p>Page"]


def test_only_fields_of_the_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,link,page\n1,https://example.com/,<p>Page\n")
    (reason,) = reasons(read(tmp_path / "a.csv"))
    assert "out of 'id', 'link', 'page'" in reason
    assert "status" not in reason


@pytest.mark.parametrize("zone", [None, "UTC"])
def test_times_of_nanoseconds_lose_no_row(tmp_path: Path, zone: str | None) -> None:
    arrow = pytest.importorskip("pyarrow")
    stamps = [1_700_000_000_000_000_000 + n for n in range(len(ROWS))]
    columns = {
        "url": [row["url"] for row in ROWS],
        "html": [row["html"] for row in ROWS],
        "timestamp": arrow.array(stamps, arrow.timestamp("ns", zone)),
        "clock": arrow.array([n * 1_000_000_001 for n in range(len(ROWS))], arrow.time64("ns")),
        "took": arrow.array([n * 1_000_000_001 for n in range(len(ROWS))], arrow.duration("ns")),
    }
    arrow.parquet = pytest.importorskip("pyarrow.parquet")
    arrow.parquet.write_table(arrow.table(columns), tmp_path / "a.parquet")
    items = read(tmp_path / "a.parquet", keep=(("clock", "clock"), ("took", "took")))
    assert bodies(items) == [row["html"].encode() for row in ROWS]
    page = items[1]
    assert isinstance(page, RawPage)
    moment = dt.datetime.fromisoformat(page.fetched or "")
    assert moment.replace(tzinfo=dt.UTC).timestamp() == stamps[0] / 10**9
    assert dict(page.kept)["clock"] == "00:00:01"


@pytest.mark.parametrize("end", ["", ";", " -- all of them", " /* all */ ;\n"])
def test_a_query_may_end_with_a_comment(tmp_path: Path, end: str) -> None:
    with sqlite3.connect(tmp_path / "a.db") as base:
        base.execute("CREATE TABLE pages (url TEXT, html TEXT)")
        base.executemany("INSERT INTO pages VALUES (:url, :html)", ROWS)
    base.close()
    query = "query=SELECT url, html FROM pages"
    items = read(f"sqlite:///{tmp_path}/a.db?{query}{end}")
    assert bodies(items) == [row["html"].encode() for row in ROWS]
