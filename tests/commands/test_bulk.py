"""``scrapy boilernet extract`` for stored crawls, run as by a user."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from testing.commanding import refusal, run, scrapy
from testing.warcs import warc_of

from scrapy_boilernet.commands import extract
from scrapy_boilernet.labeling import extract as extract_page

PAGES = [
    (f"https://example.com/{n}", f"<nav>Menu</nav><p>Text {n} is here.</p>".encode())
    for n in range(12)
]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    (tmp_path / "my_crawl.warc.gz").write_bytes(warc_of(PAGES))
    return tmp_path / "my_crawl.warc.gz"


@pytest.fixture
def model(tiny_model: Path) -> tuple[str, ...]:
    return ("--model", str(tiny_model), "--engine", "numpy")


def rows(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    return [json.loads(line) for line in text.splitlines()]


def test_a_stored_crawl_becomes_records(
    crawl: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    out = crawl.with_name("pages.jsonl.gz")
    assert run(extract, crawl, "-o", out, "--workers", "1", "--with", "markdown", *model) == 0
    found = rows(out)
    assert [row["url"] for row in found] == [url for url, _ in PAGES]
    expected = extract_page(PAGES[3][1], PAGES[3][0], model=model[1], engine="numpy")
    assert found[3]["main_text"] == expected.text
    assert "main_text_markdown" in found[3]
    err = capsys.readouterr().err
    assert f"wrote {out}: 12 records of 12 items" in err
    assert "100% " in err


def test_a_separate_process_can_be_resumed(crawl: Path, model: tuple[str, ...]) -> None:
    arguments = ("extract", crawl.name, "-o", "out/pages.jsonl", "--workers", "2", *model)
    first = scrapy(crawl.parent, *arguments, "--limit", "5")
    assert (first.returncode, "stopped by --limit" in first.stderr) == (0, True)
    again = scrapy(crawl.parent, *arguments)
    assert again.returncode == 2
    assert "out/pages.jsonl exists: add --resume" in again.stderr
    rest = scrapy(crawl.parent, *arguments, "--resume")
    assert (rest.returncode, "continuing out/pages.jsonl after" in rest.stderr) == (0, True)
    assert len(rows(crawl.parent / "out" / "pages.jsonl")) == 12
    before = (crawl.parent / "out" / "pages.jsonl").read_bytes()
    nothing_left = scrapy(crawl.parent, *arguments, "--resume")
    assert nothing_left.returncode == 0
    assert "nothing is left to do: all inputs were read before" in nothing_left.stderr
    assert "wrote" not in nothing_left.stderr
    assert (crawl.parent / "out" / "pages.jsonl").read_bytes() == before


@pytest.mark.parametrize("packed", [True, False])
def test_a_stored_crawl_on_standard_input_is_found_by_its_bytes(
    crawl: Path, model: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, *, packed: bool
) -> None:
    data = crawl.read_bytes() if packed else gzip.decompress(crawl.read_bytes())
    stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(data)))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert "standard input is a stored crawl: name the file" in refusal(extract, "-", *model)
    out = crawl.with_name("pages.jsonl")
    assert run(extract, "-", "-o", out, *model) == 0
    assert len(rows(out)) == 12


def test_a_packed_output_makes_records_of_pages_and_is_not_for_urls(
    tmp_path: Path, model: tuple[str, ...]
) -> None:
    page, out = tmp_path / "page.html", tmp_path / "page.jsonl.gz"
    page.write_bytes(PAGES[0][1])
    assert run(extract, page, "-o", out, *model) == 0
    assert [row["source"] for row in rows(out)] == [str(page)]
    message = refusal(extract, "https://example.com/", "-o", tmp_path / "other.jsonl.gz", *model)
    assert "other.jsonl.gz is for stored crawls: give files and folders, not URLs" in message


def test_failures_are_written_and_counted(
    crawl: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    data = crawl.read_bytes()
    crawl.write_bytes(data[: len(data) - 20])
    out = crawl.with_name("a.jsonl")
    assert run(extract, crawl, "-o", out, *model, "--match", "/1[01]?$") == 0
    err = capsys.readouterr().err
    assert f"1 failed, see {out}.failures.jsonl: 1 Damage" in err
    assert "9 left out: 9 URL" in err
    (failure,) = rows(out.with_name("a.jsonl.failures.jsonl"))
    assert failure["reason"] == "gzip data is cut off"


def test_a_run_that_writes_nothing_fails(
    crawl: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    out = crawl.with_name("a.jsonl")
    assert run(extract, crawl, "-o", out, *model, "--statuses", "404") == 1
    assert "no page has a record" in capsys.readouterr().err


def test_folders_of_pages_can_be_labeled_in_worker_processes(
    tmp_path: Path, model: tuple[str, ...]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, (_, body) in enumerate(PAGES):
        (folder / f"{number:02}.html").write_bytes(body)
    out = tmp_path / "out.jsonl"
    assert run(extract, folder, "-o", out, *model, "--workers", "1") == 0
    assert [Path(row["source"]).name for row in rows(out)] == [f"{n:02}.html" for n in range(12)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "is a stored crawl: name the file to write by -o"),
        (("-o", "out"), "give --format jsonl or parquet, or a name such as out.jsonl.gz"),
        (
            ("-o", "a.jsonl", "--format", "markdown"),
            "my_crawl.warc.gz is a stored crawl, which cannot be written with --format markdown",
        ),
        (("-o", "a.jsonl", "--url", "https://a.example/"), "--url is the address of a single page"),
        (("-o", "a.jsonl", "--workers", "0"), "--workers 0: must be at least 1"),
        (("-o", "a.jsonl", "--limit", "0"), "--limit 0: must be at least 1"),
        (("-o", "a.jsonl", "--min-confidence", "2"), "--min-confidence 2.0 is outside [0, 1]"),
        (("-o", "a.jsonl", "--match", "("), "--match (: "),
        (("-o", "a.jsonl", "--statuses", "many"), "--statuses = 'many'"),
        (("-o", "a.jsonl", "--with", "pdf"), "--with pdf: "),
        (("-o", "a.jsonl", "--model", "no-such-model"), "no-such-model"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(
    crawl: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(crawl.parent)
    assert message in refusal(extract, crawl, *arguments)


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("--min-confidence", "0.5"), "--min-confidence"),
        (("--format", "parquet"), "--format parquet"),
    ],
)
def test_options_of_stored_crawls_need_a_file_to_write(
    arguments: tuple[str, ...], option: str
) -> None:
    message = refusal(extract, "-", *arguments)
    assert message.startswith(f"{option} is for stored crawls: name the file to write by -o")


def test_standard_input_cannot_be_resumed() -> None:
    message = refusal(extract, "-", "--resume", "-o", "a.jsonl")
    assert "--resume cannot continue with standard input" in message


def test_a_missing_input_is_named() -> None:
    message = refusal(extract, "nowhere.warc.gz", "-o", "a.jsonl", "--workers", "1")
    assert "no file or folder 'nowhere.warc.gz'" in message


def test_options_of_stored_crawls_are_refused_with_deferred(tmp_path: Path) -> None:
    message = refusal(extract, "--deferred", tmp_path, "--workers", "2")
    assert "--workers has no effect on --deferred" in message
