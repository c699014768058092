"""``scrapy boilernet bulk``, run as by a user."""

from __future__ import annotations

import argparse
import gzip
import io
import json
import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.settings import Settings
from testing.commanding import refusal, run, scrapy
from testing.foreign import FOREIGN, tar_of, zip_of
from testing.packing import BY_ENDING
from testing.warcs import RESPONSE, warc_of, warc_record

from scrapy_boilernet.commands import bulk, explain, extract
from scrapy_boilernet.extractor.labeling import extract as extract_page

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
    assert run(bulk, crawl, "-o", out, "--workers", "1", "--with", "markdown", *model) == 0
    found = rows(out)
    assert [row["url"] for row in found] == [url for url, _ in PAGES]
    expected = extract_page(PAGES[3][1], PAGES[3][0], model=model[1], engine="numpy")
    assert found[3]["main_text"] == expected.text
    assert "main_text_markdown" in found[3]
    err = capsys.readouterr().err
    assert f"wrote {out}: 12 records of 12 items" in err
    assert "100% " in err


SITES = {"shop.example": {"drop": ".ad"}}


@pytest.mark.parametrize("with_addresses", [True, False])
@pytest.mark.parametrize(
    ("words", "settings", "said"),
    [
        (["--join"], {}, ["--join joined no pages"]),
        ([], {"BOILERNET_SITES": SITES}, ["--sites or BOILERNET_SITES had no effect"]),
        (["--join"], {"BOILERNET_DOMAIN_THRESHOLDS": {"a.example": 0.3}},
         ["--join joined no pages", "BOILERNET_DOMAIN_THRESHOLDS had no effect"]),
        ([], {}, []),
    ],
)  # fmt: skip
def test_what_had_no_effect_since_no_page_has_an_address_is_said(
    tmp_path: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str],
    words: list[str], settings: dict[str, Any], said: list[str], with_addresses: bool,
) -> None:  # fmt: skip
    if with_addresses:
        source = tmp_path / "pages.jsonl"
        source.write_text('{"url": "http://b.example/", "html": "<p>A."}\n', encoding="utf-8")
    else:
        source = tmp_path / "pages"
        source.mkdir()
        (source / "a.html").write_text("<p>A.", encoding="utf-8")
    parser = argparse.ArgumentParser()
    bulk.add_arguments(parser)
    out, summary = tmp_path / "out.jsonl", tmp_path / "summary.json"
    given = [str(source), "-o", str(out), "--workers", "1", "--summary", str(summary), *words]
    assert bulk.run(parser.parse_args([*given, *map(str, model)]), Settings(settings)) == 0
    err = capsys.readouterr().err
    assert err.count("no page has an address") + err.count("none has an address") == (
        0 if with_addresses else len(said)
    )
    assert with_addresses or all(text in err for text in said)
    assert json.loads(summary.read_text())["pages_with_address"] == int(with_addresses)


def test_a_separate_process_can_be_resumed(crawl: Path, model: tuple[str, ...]) -> None:
    arguments = ("bulk", crawl.name, "-o", "out/pages.jsonl", "--workers", "2", *model)
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
    assert "standard input is a stored crawl: type scrapy boiler" in refusal(extract, "-", *model)
    out = crawl.with_name("pages.jsonl")
    assert run(bulk, "-", "-o", out, *model) == 0
    assert len(rows(out)) == 12


def test_pages_can_be_labeled_in_worker_processes(tmp_path: Path, model: tuple[str, ...]) -> None:
    pages, out = [tmp_path / "a.html", tmp_path / "b.html"], tmp_path / "page.jsonl.gz"
    for page in pages:
        page.write_bytes(PAGES[0][1])
    assert run(bulk, *pages, "-o", out, *model) == 0
    assert [row["source"] for row in rows(out)] == [*map(str, pages)]
    out = tmp_path / "one.jsonl.gz"
    assert run(bulk, pages[0], "-o", out, "--workers", "1", *model) == 0
    assert [row["source"] for row in rows(out)] == [str(pages[0])]


def test_failures_are_written_and_counted(
    crawl: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    data = crawl.read_bytes()
    crawl.write_bytes(data[: len(data) - 20])
    out = crawl.with_name("a.jsonl")
    assert run(bulk, crawl, "-o", out, *model, "--match", "/1[01]?$") == 0
    err = capsys.readouterr().err
    assert f"1 failed, see {out}.failures.jsonl: 1 Damage" in err
    assert "9 left out: 9 URL" in err
    (failure,) = rows(out.with_name("a.jsonl.failures.jsonl"))
    assert failure["reason"] == "gzip data is cut off"


def test_a_run_that_writes_nothing_fails(
    crawl: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    out = crawl.with_name("a.jsonl")
    assert run(bulk, crawl, "-o", out, *model, "--statuses", "404") == 1
    assert "no page has a record" in capsys.readouterr().err


def test_folders_of_pages_can_be_labeled_in_worker_processes(
    tmp_path: Path, model: tuple[str, ...]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, (_, body) in enumerate(PAGES):
        (folder / f"{number:02}.html").write_bytes(body)
    out = tmp_path / "out.jsonl"
    assert run(bulk, folder, "-o", out, *model, "--workers", "1") == 0
    assert [Path(row["source"]).name for row in rows(out)] == [f"{n:02}.html" for n in range(12)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name the file to write by -o, such as -o pages.jsonl.gz"),
        (
            ("-o", "out"),
            "give --format jsonl or parquet or markdown-files, or a name such as out.jsonl.gz",
        ),
        (("-o", "a.jsonl", "--workers", "0"), "--workers 0: must be at least 1"),
        (("-o", "a.jsonl", "--limit", "0"), "--limit 0: must be at least 1"),
        (("-o", "a.jsonl", "--min-confidence", "2"), "--min-confidence 2.0 is outside [0, 1]"),
        (("-o", "a.jsonl", "--match", "("), "--match (: "),
        (("-o", "a.jsonl", "--statuses", "many"), "--statuses = 'many'"),
        (("-o", "a.jsonl", "--with", "pdf"), "--with pdf: "),
        (("-o", "a.jsonl", "--model", "no-such-model"), "no-such-model"),
        (("-o", "a.jsonl", "--language", "en;de"), "--language en;de: 'en;de' has no ISO 639-1"),
        (("-o", "a.jsonl", "--language", "en,xx"), "--language en,xx: no text is detected as 'xx'"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(
    crawl: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(crawl.parent)
    assert message in refusal(bulk, crawl, *arguments)


def test_standard_input_cannot_be_resumed() -> None:
    message = refusal(bulk, "-", "--resume", "-o", "a.jsonl")
    assert "--resume cannot continue with standard input" in message


def test_a_missing_input_is_named() -> None:
    message = refusal(bulk, "nowhere.warc.gz", "-o", "a.jsonl", "--workers", "1")
    assert "no file or folder 'nowhere.warc.gz'" in message


CASES = [(name, files[0]) for name, (_, files) in FOREIGN.items()]


@pytest.mark.parametrize(("name", "data"), CASES)
def test_what_cannot_be_read_is_refused_before_anything_is_written(
    tmp_path: Path, model: tuple[str, ...], name: str, data: bytes
) -> None:
    file, out = tmp_path / "input", tmp_path / "out.jsonl"
    file.write_bytes(data)
    for action, given in (
        (extract, ()), (extract, ("-o", out.with_suffix(".md"))), (bulk, ("-o", out)),
        (bulk, ("-o", out, "--workers", "1")),
    ):  # fmt: skip
        message = refusal(action, file, *given, *model)
        assert message.startswith(f"{file} is {name}, which is not read: ")
    assert message == refusal(explain, file, *model)
    assert [*tmp_path.iterdir()] == [file]
    (tmp_path / "second").write_bytes(data)
    message = refusal(bulk, file, tmp_path / "second", "-o", out, *model)
    assert message.endswith(" (and 1 more files that are not read)")


@pytest.mark.parametrize(("name", "data"), CASES)
def test_standard_input_that_cannot_be_read_is_refused(
    model: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, name: str, data: bytes
) -> None:
    stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(data)))
    monkeypatch.setattr(sys, "stdin", stdin)
    message = refusal(extract, "-", *model)
    assert message.startswith(f"standard input is {name}, which is not read: ")


def test_the_other_files_are_read_and_the_failure_has_the_remedy(
    tmp_path: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    table, page, out = tmp_path / "a.orc", tmp_path / "b.html", tmp_path / "out.jsonl"
    table.write_bytes(b"ORC\x11\x00\x00\n\x06")
    page.write_bytes(PAGES[0][1])
    assert run(bulk, table, page, "-o", out, "--workers", "1", *model) == 0
    err = capsys.readouterr().err
    assert f"the first UnreadFormat: {table} is an ORC file, which is not read: write its" in err
    assert [row["source"] for row in rows(out)] == [str(page)]
    (failure,) = rows(out.with_name("out.jsonl.failures.jsonl"))
    assert (failure["error"], failure["source"]) == ("UnreadFormat", str(table))
    assert run(extract, table, page, "--threshold", "0", *model) == 1  # to standard output
    out_text, err = capsys.readouterr()
    assert "Text 0 is here." in out_text
    assert f"cannot read {table}: an ORC file, which is not read" in err


@pytest.mark.parametrize("ending", BY_ENDING)
def test_a_packed_page_is_a_page(
    tmp_path: Path, model: tuple[str, ...], ending: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    body = PAGES[0][1]
    data = BY_ENDING[ending](body[:30]) + BY_ENDING[ending](body[30:])
    (tmp_path / f"a.html{ending}").write_bytes(data)
    (tmp_path / "notes").write_bytes(data)
    expected = extract_page(body, model=model[1], engine="numpy", threshold=0).text
    model = (*model, "--threshold", "0")
    for source in (tmp_path / f"a.html{ending}", tmp_path / "notes"):
        assert run(extract, source, *model) == 0
        assert capsys.readouterr().out.strip() == expected
    assert run(extract, tmp_path, *model) == 0
    out, err = capsys.readouterr()
    assert out.strip() == expected
    assert f"(left out: {tmp_path / 'notes'})\n" in err
    stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(data)))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert run(extract, "-", *model) == 0
    assert capsys.readouterr().out.strip() == expected


@pytest.mark.parametrize("ending", BY_ENDING)
def test_a_packed_page_that_is_cut_off_ends_nothing(
    tmp_path: Path, model: tuple[str, ...], ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = BY_ENDING[ending](PAGES[0][1] * 50)
    (tmp_path / f"a.html{ending}").write_bytes(data[: len(data) // 2])
    (tmp_path / "b.html").write_bytes(PAGES[1][1])
    status = run(extract, tmp_path, "--threshold", "0", *model)
    out, err = capsys.readouterr()
    assert "Text 1 is here." in out
    assert status == (0 if ending == ".gz" else 1)  # of gzip, the first part is read
    assert ("data is cut off" in err) == (ending != ".gz")


@pytest.mark.parametrize("number", [1, 150])
def test_a_folder_of_pages_and_stored_crawls_is_read_as_both(
    crawl: Path, tmp_path: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str],
    number: int,
) -> None:  # fmt: skip
    folder = tmp_path / "folder"
    folder.mkdir()
    for page in range(number):
        (folder / f"{page:03}.html").write_bytes(PAGES[0][1])
    crawl.rename(folder / "z.warc.gz")
    (folder / "a.orc").write_bytes(b"ORC\x11\x00\x00\n\x06")
    for name in ("a.css", "b.css", "c.js", "d.png", "e.txt", "f.ico", "g.\x1b[31m.woff"):
        (folder / name).write_bytes(b"\x00\x01")
    assert f"{folder} is a stored crawl: type scrapy boi" in refusal(extract, folder, *model)
    out = tmp_path / "out.jsonl"
    assert run(bulk, folder, "-o", out, "--workers", "1", *model) == 0
    assert len(rows(out)) == number + 12
    err = capsys.readouterr().err
    listed = ", ".join(f"{folder}/{name}" for name in ("a.css", "b.css", "c.js", "d.png", "e.txt"))
    assert f"  not a page: {listed} and 2 more\n" in err
    assert "1 failed, see" in err


def test_a_summary_takes_the_place_of_no_other_file(crawl: Path, model: tuple[str, ...]) -> None:
    folder, out = crawl.parent, crawl.with_name("out.jsonl")
    before = crawl.read_bytes()
    wrong = {
        crawl: f"{crawl} is the input",
        folder / "." / crawl.name: f"{crawl} is the input",
        out: f"--summary {out} is the output",
        folder / "none" / "s.json": f"there is no folder {folder / 'none'}",
    }
    for summary, why in wrong.items():
        message = refusal(bulk, crawl, "-o", out, "--summary", summary, "--workers", "1", *model)
        assert why in message
    assert crawl.read_bytes() == before
    assert not out.exists()
    summary = folder / "s.json"
    given = ("-o", out, "--summary", summary, "--workers", "1", *model)
    assert run(bulk, crawl, *given) == 0
    assert json.loads(summary.read_text())["records"] == len(PAGES)


def test_rows_without_the_field_of_the_page_have_the_remedy_in_the_summary(
    tmp_path: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    lines, out = tmp_path / "a.jsonl", tmp_path / "out.jsonl"
    lines.write_text('{"url": "https://a.example/", "raw_html": "<p>Text"}\n' * 3)
    assert run(bulk, lines, "-o", out, "--workers", "1", *model) == 1
    err = capsys.readouterr().err
    assert "3 NoHtmlField" in err
    assert "Damage" not in err
    assert "name the field with --html-field, out of 'url', 'raw_html'\n" in err
    out = tmp_path / "again.jsonl"
    given = ("--workers", "1", "--html-field", "raw_html")
    assert run(bulk, lines, "-o", out, *given, *model) == 0


@pytest.mark.parametrize(
    ("kind", "media", "name", "why"),
    [("conversion", "text/plain", "WET", "it has text already"),
     ("metadata", "application/json", "WAT", "it has no pages")],
)  # fmt: skip
def test_a_file_about_pages_is_named_with_the_remedy(
    tmp_path: Path, model: tuple[str, ...], kind: str, media: str, name: str, why: str
) -> None:
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(gzip.compress(warc_record("https://a.example/", b"Text", kind, media)))
    message = refusal(bulk, file, "-o", tmp_path / "out.jsonl", "--workers", "1", *model)
    assert message.startswith(f"{file} is a {name} file, which is not read: {why}")
    assert "read the WARC file" in message


@pytest.mark.parametrize("ending", BY_ENDING)
@pytest.mark.parametrize("limit", [3, 5])
def test_damaged_inputs_end_nothing_and_the_run_can_be_resumed(
    tmp_path: Path, model: tuple[str, ...], ending: str, limit: int
) -> None:
    pack = BY_ENDING[ending]
    whole = b"".join(pack(warc_record(url, RESPONSE + body)) for url, body in PAGES[:3])
    files = {
        "a.warc": whole[:-20],
        "b.zip": zip_of([("a.html", PAGES[3][1])])[:-30],
        "c.zip": pack(zip_of([("a.html", PAGES[3][1])]))[:-30],
        "d.tar": tar_of([("a.html", PAGES[4][1]), ("b.html", PAGES[5][1])])[:1_550],
        "e.jsonl": pack(b'{"html": "<p>A"}\n' * 9)[:-9],
        "f.html": PAGES[6][1],
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    out = tmp_path / "out.jsonl"
    given = (*(tmp_path / name for name in files), "-o", out, "--workers", "1", *model)
    run(bulk, *given, "--limit", str(limit))
    run(bulk, *given, "--limit", str(limit + 1), "--resume")
    assert run(bulk, *given, "--resume") == 0
    failed = rows(out.with_name("out.jsonl.failures.jsonl"))
    assert [Path(row["source"]).name for row in failed] == [*files][:-1]
    assert rows(out)[-1]["source"] == str(tmp_path / "f.html")


def test_a_list_of_inputs_and_the_address_of_a_database_are_read(
    tmp_path: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [tmp_path / f"{name}.html" for name in ("a", "b ü")]
    for page in pages:
        page.write_bytes(PAGES[0][1])
    database = sqlite3.connect(tmp_path / "c.db")
    database.execute("create table kept (url, html)")
    database.execute("insert into kept values (?, ?)", (PAGES[0][0], PAGES[0][1].decode()))
    database.commit()
    database.close()
    address = f"sqlite:///{tmp_path}/c.db?table=kept"
    (tmp_path / "list.txt").write_text(f"{pages[0]}\n\n# more\n{pages[1]}\n{address}\n")
    out = tmp_path / "out.jsonl"
    given = ("-o", out, "--workers", "1", *model)
    assert run(bulk, "--from-list", tmp_path / "list.txt", *given) == 0
    assert len({row["main_text"] for row in rows(out)}) == 1
    assert [row["source"] for row in rows(out)][:2] == [str(page) for page in pages]
    assert rows(out)[2]["url"] == PAGES[0][0]
    capsys.readouterr()
    assert "name the files to read" in refusal(bulk, "-o", tmp_path / "none.jsonl", *model)
    missing = refusal(bulk, "--from-list", tmp_path / "missing", "-o", tmp_path / "none.jsonl")
    assert "missing" in missing
