"""Outputs in shards: JSON lines, Parquet and Markdown, by host or language, also at addresses."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from testing.bulk_runs import Stopped, carried_out
from testing.every_input import csv_of, parquet_of
from testing.warcs import warc_of

from scrapy_boilernet.bulk.compression import zstd
from scrapy_boilernet.bulk.inputs import refusal
from scrapy_boilernet.bulk.pages import Reading
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.records import RecordOptions
from scrapy_boilernet.bulk.shards import NO_VALUE
from scrapy_boilernet.bulk.task import Run, RunError
from scrapy_boilernet.settings.config import Config

PAGES = [
    (f"https://h{n % 3}.example/{n}", f"<title>Title {n}</title><p>Text {n} is here.</p>".encode())
    for n in range(40)
]
URLS = [url for url, _ in PAGES]


@pytest.fixture(scope="module")
def config(tiny_model: Path) -> Config:
    return Config(
        model=str(tiny_model), engine="numpy", mode="process", workers=1, cache_blocks=0,
        threshold=0.0,
    )  # fmt: skip


@pytest.fixture
def crawl(tmp_path: Path) -> str:
    (tmp_path / "crawl.warc.gz").write_bytes(warc_of(PAGES))
    return str(tmp_path / "crawl.warc.gz")


def records(folder: Path) -> list[dict[str, Any]]:
    found = []
    for file in sorted(folder.rglob("part-*")):
        if file.name.endswith(".parquet"):
            found += pytest.importorskip("pyarrow.parquet").read_table(file).to_pylist()
        elif file.name.endswith(".md"):
            for page in sorted(file.iterdir()):
                _, facts, text = page.read_text(encoding="utf-8").split("---\n")
                row = {name: json.loads(value) for name, _, value in
                       (line.partition(": ") for line in facts.splitlines())}  # fmt: skip
                found.append({**row, "markdown": text})
        else:
            data = file.read_bytes()
            unpack = gzip.decompress if file.name.endswith(".gz") else zstd().decompress
            found += map(json.loads, unpack(data).splitlines())
    return found


KINDS: dict[str, dict[str, Any]] = {
    "pages.jsonl.gz": {"format": "jsonl"},
    "pages": {"format": "jsonl"},
    "pages.parquet": {"format": "parquet"},
    "pages-as-markdown": {"format": "markdown-files", "wanted": RecordOptions(("markdown",))},
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("partition", [None, "host"])
@pytest.mark.parametrize("seed", range(3))
def test_no_stop_loses_or_doubles_a_record(
    tmp_path: Path, crawl: str, config: Config, pool: Pool, name: str, partition: Any, seed: int
) -> None:
    if name == "pages.parquet":
        pytest.importorskip("pyarrow")
    run = Run((crawl,), tmp_path / name, shard_pages=7, partition=partition, **KINDS[name])
    draw, resume = random.Random(seed), "no"
    for _ in range(6):
        with suppress(Stopped):
            carried_out(run, config, pool, resume, draw.randrange(1, 25))
        (tmp_path / name / "part-00099.jsonl.gz").write_bytes(b"of a run that was killed")
        (tmp_path / name / "part-00003.jsonl.zst.unfinished").write_bytes(b"half")
        resume = "same"
    files = carried_out(run, config, pool, "same")
    assert files.summary.written == len(PAGES)
    found = records(tmp_path / name)
    assert Counter(row["url"] for row in found) == Counter(URLS)
    if partition is None:
        assert [row["url"] for row in found] == URLS
        assert {one.name.partition(".")[0] for one in (tmp_path / name).iterdir()} == {
            f"part-{n:05}" for n in range(1, 7)
        }
    else:
        assert {one.name for one in (tmp_path / name).iterdir()} == {
            f"host=h{n}.example" for n in range(3)
        }
    if name == "pages-as-markdown":
        assert found[0]["title"].startswith("Title")
        assert all("Text" in row["markdown"] for row in found)


def test_records_without_a_host_are_a_partition(tmp_path: Path, config: Config, pool: Pool) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"html": "<p>A"}\n{"html": "<p>B", "url": "https://[a/"}\n'
        '{"html": "<p>C", "url": "https://\u6d77.example/../x"}\n'
    )
    run = Run((str(tmp_path / "a.jsonl"),), tmp_path / "out", "jsonl", partition="host")
    carried_out(run, config, pool)
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == [
        "host=%E6%B5%B7.example", f"host={NO_VALUE}",
    ]  # fmt: skip


@pytest.mark.parametrize("host", ["a" * 300, "\u6d77" * 30, "a." * 130 + "example"])
def test_a_host_too_long_for_a_folder_is_none(
    tmp_path: Path, config: Config, pool: Pool, host: str
) -> None:
    rows = [{"html": "<p>A", "url": f"https://{host}/"}, {"html": "<p>B", "url": "https://b.c/"}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run = Run((str(tmp_path / "a.jsonl"),), tmp_path / "out", "jsonl", partition="host")
    carried_out(run, config, pool)
    names = {one.name for one in (tmp_path / "out").iterdir()}
    assert names == {"host=b.c", f"host={NO_VALUE}"}
    assert len(records(tmp_path / "out")) == 2


def test_shards_at_an_address(tmp_path: Path, crawl: str, config: Config, pool: Pool) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    run = Run((crawl,), tmp_path / "out", "jsonl", shard_pages=9, address="memory://shards/out")
    with pytest.raises(Stopped):
        carried_out(run, config, pool, stop_after=21)
    carried_out(run, config, pool, "same")
    names = sorted(memory.ls("/shards/out", detail=False))
    assert [one.rpartition("/")[2] for one in names] == [
        f"part-{n:05}.jsonl.zst" for n in range(1, 6)
    ]
    lines = [line for one in names for line in zstd().decompress(memory.cat(one)).splitlines()]
    assert [json.loads(line)["url"] for line in lines] == URLS
    assert [*(tmp_path / "out").iterdir()] == []
    again = Run(("memory://shards/out/part-00001.jsonl.zst",), tmp_path / "b", "jsonl",
                address="memory://shards")  # fmt: skip
    with pytest.raises(RunError, match="the input memory://shards/out/part-00001"):
        carried_out(again, config, pool)
    memory.rm("/shards", recursive=True)


def test_kept_fields_are_columns(tmp_path: Path, config: Config, pool: Pool) -> None:
    arrow = pytest.importorskip("pyarrow.parquet")
    for name, make in (("a.csv", csv_of), ("a.parquet", parquet_of)):
        (tmp_path / name).write_bytes(make(PAGES))
        rows = Reading(0, keep=(("id", "number"), ("gone", "gone")))
        run = Run((str(tmp_path / name),), tmp_path / f"{name}.out", "parquet", rows=rows)
        carried_out(run, config, pool)
        table = arrow.read_table(tmp_path / f"{name}.out")
        assert table["number"].to_pylist() == [str(n) for n in range(len(PAGES))]
        assert table["gone"].to_pylist() == [None] * len(PAGES)
        assert str(table.schema.field("status").type) == "int16"


def test_a_changed_run_says_what_changed_and_goes_on_only_if_it_must(
    tmp_path: Path, crawl: str, config: Config, pool: Pool
) -> None:
    run = Run((crawl,), tmp_path / "out.jsonl", "jsonl")
    with pytest.raises(Stopped):
        carried_out(run, config, pool, stop_after=5)
    other = Run((crawl,), tmp_path / "out.jsonl", "jsonl", url_pattern="h")
    with pytest.raises(RunError, match=r"--match \(None, now h\).*--resume=anyway"):
        carried_out(other, config, pool, "same")
    data = Path(crawl).read_bytes()
    facts = Path(crawl).stat()
    Path(crawl).write_bytes(data[:-4] + b"abcd")
    os.utime(crawl, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    with pytest.raises(RunError, match=r"crawl\.warc\.gz.*changed since that run began"):
        carried_out(run, config, pool, "same")
    Path(crawl).write_bytes(data)
    assert carried_out(other, config, pool, "anyway").summary.written == len(PAGES)


def test_odd_names_are_one_line_in_messages(tmp_path: Path, config: Config, pool: Pool) -> None:
    folder = tmp_path / "odd folder"
    folder.mkdir()
    for name in ("a\nb.avro", "\x1b[31mred.avro", "a\u202eb.avro"):
        (folder / name).write_bytes(b"Obj\x01")
    (folder / "\r c.html").write_bytes(b"<p>Tide")
    (folder / "\n.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    run = Run((str(folder),), tmp_path / "out.jsonl", "jsonl")
    files = carried_out(run, config, pool)
    assert files.summary.written == 1
    assert json.loads((tmp_path / "out.jsonl").read_bytes())["source"].endswith("\r c.html")
    failures = (tmp_path / "out.jsonl.failures.jsonl").read_text().splitlines()
    reasons = [json.loads(line)["reason"] for line in failures]
    assert len(reasons) == 3
    for text in (*reasons, *files.first_failures.values(), *files.left_out_names):
        assert text.isprintable()
    assert refusal([str(folder / "a\nb.avro")]).startswith(f"{folder}/a\\nb.avro is an Avro")
