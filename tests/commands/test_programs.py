"""Which program reads what, and the message if a user picks a wrong one."""

from __future__ import annotations

import argparse
import gzip
import io
import json
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from testing.commanding import refusal, run, scrapy
from testing.foreign import tar_of, zip_of
from testing.warcs import warc_of

from scrapy_boilernet.commands import ACTIONS, bulk, extract, fill
from scrapy_boilernet.commands.arguments import ARGUMENTS, EXAMPLES
from scrapy_boilernet.extractor.options import LabelOptions, Limits
from scrapy_boilernet.workers.jobs import DeferredPage, PageJob
from scrapy_boilernet.workers.store import PageStore

PROGRAMS = {"extract": extract, "bulk": bulk, "fill": fill}
PAGE = (
    b"<html lang=en><title>Tide pools</title><nav><a href=/>Home</a></nav>"
    b"<h1>Tide pools</h1><p>The pools warm up when the tide is low.</p>"
)
JAPANESE = (
    "<html lang=ja><meta charset=utf-8><title>潮だまり</title><p>潮だまりは温かい。</p>".encode()
)
GREEK = "<html lang=el><meta charset=utf-8><title>Λίμνες</title><p>Οι λίμνες είναι ζεστές.".encode()
URL, BUCKET = "https://example.com/pools", "s3://bucket/crawl/"


def store(folder: Path, *pages: bytes) -> list[str]:
    """Store the pages as a deferred crawl does; return their keys."""
    jobs = [
        PageJob(body=page, url=f"{URL}/{n}", options=LabelOptions(), limits=Limits())
        for n, page in enumerate(pages)
    ]
    return [each.key for each in PageStore(folder).label(jobs) if isinstance(each, DeferredPage)]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an input of each kind, in which commands run."""
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_bytes(PAGE)
    Path("page.html.gz").write_bytes(gzip.compress(JAPANESE))
    Path("other.htm").write_bytes(GREEK)
    Path("crawl.warc.gz").write_bytes(warc_of([(f"{URL}/{n}", PAGE) for n in range(3)]))
    Path("site.zip").write_bytes(zip_of([("a.html", PAGE), ("b.html", GREEK)]))
    Path("site.tar").write_bytes(tar_of([("a.html", PAGE)]))
    Path("rows.jsonl").write_text(json.dumps({"url": URL, "html": PAGE.decode()}) + "\n")
    Path("items.jsonl").write_text('{"boilernet_page": "1"}\n')
    for folder in ("site", "cache/ab/cd", "empty", "mixed"):
        Path(folder).mkdir(parents=True)
    Path("site/index.html").write_bytes(PAGE)
    Path("site/el.html").write_bytes(GREEK)
    Path("cache/ab/cd/response_body").write_bytes(PAGE)
    Path("cache/ab/cd/response_headers").write_bytes(b"Content-Type: text/html\r\n")
    Path("cache/ab/cd/meta").write_text(f"{{'url': '{URL}', 'status': 200, 'timestamp': 1.0}}")
    Path("mixed/page.html").write_bytes(PAGE)
    Path("mixed/crawl.warc.gz").write_bytes(Path("crawl.warc.gz").read_bytes())
    store(Path("store"), PAGE, GREEK)
    store(Path("crawls/monday/store"), PAGE)
    store(Path("two/a"), PAGE)
    store(Path("two/b"), GREEK)
    return tmp_path


OUT = "-o pages.jsonl.gz"
PARQUET = "bulk page.html --format parquet -o pages.parquet"
STORE = "a folder with the pages of a deferred crawl"
ITEMS = "--items items.jsonl is for scrapy boilernet fill"
WRONG = [
    # what the user typed, the reason, and the command line to type
    ("extract crawl.warc.gz", "crawl.warc.gz is a stored crawl", f"bulk crawl.warc.gz {OUT}"),
    ("extract site.zip --blocks", "site.zip is a stored crawl", f"bulk site.zip --blocks {OUT}"),
    ("extract site.tar -o a.jsonl", "site.tar is a stored crawl", "bulk site.tar -o a.jsonl"),
    ("extract rows.jsonl", "rows.jsonl is a stored crawl", f"bulk rows.jsonl {OUT}"),
    ("extract cache", "cache is a stored crawl", f"bulk cache {OUT}"),
    ("extract cache/ab/cd", "cache/ab/cd is a stored crawl", f"bulk cache/ab/cd {OUT}"),
    ("extract mixed", "mixed is a stored crawl", f"bulk mixed {OUT}"),
    ("extract two", "two is a stored crawl", f"bulk two {OUT}"),
    ("extract page.html crawl.warc.gz", "crawl", f"bulk page.html crawl.warc.gz {OUT}"),
    (f"extract {URL} crawl.warc.gz", "crawl.warc.gz is a", f"bulk crawl.warc.gz {OUT}"),
    ("extract site.zip --format markdown", "site.zip is", f"bulk site.zip --with markdown {OUT}"),
    ("extract crawl.warc.gz --url https://a.example/", "crawl", f"bulk crawl.warc.gz {OUT}"),
    ("extract store", f"store is {STORE}", "fill store"),
    ("extract store --items items.jsonl", "store is", "fill store --items items.jsonl"),
    ("extract crawls -o a.jsonl", f"crawls is {STORE}", "fill crawls/monday/store -o a.jsonl"),
    ("extract store --workers 2", "store is", f"bulk store --workers 2 {OUT}"),
    ("extract page.html --workers 2", "--workers 2 is for", f"bulk page.html --workers 2 {OUT}"),
    ("extract site --resume -o a.jsonl", "--resume is for", "bulk site -o a.jsonl --resume"),
    ("extract site --limit 5", "--limit 5 is for", f"bulk site --limit 5 {OUT}"),
    ("extract site --match /pools", "--match /pools is for", f"bulk site --match /pools {OUT}"),
    ("extract site --statuses 200", "--statuses 200 is for", f"bulk site --statuses 200 {OUT}"),
    ("extract site --types text/html", "--types text/html", f"bulk site --types text/html {OUT}"),
    ("extract site --min-confidence .5", "--min-c", f"bulk site --min-confidence 0.5 {OUT}"),
    ("extract rows.jsonl --html-field h", "rows", f"bulk rows.jsonl --html-field h {OUT}"),
    ("extract page.html --format parquet", "--fo", PARQUET),
    ("extract page.html -o a.parquet", "-o a.parquet is for", "bulk page.html -o a.parquet"),
    ("extract site -o a.jsonl.zst", "-o a.jsonl.zst is for", "bulk site -o a.jsonl.zst"),
    ("extract --limit 5", "--limit 5 is for", f"bulk - --limit 5 {OUT}"),
    ("extract page.html --items items.jsonl", ITEMS, "extract page.html"),
    (f"extract {URL} --workers 2", "--workers 2 is for scrapy boilernet bulk", f"extract {URL}"),
    ("bulk page.html", "page.html is a page", "extract page.html"),
    ("bulk page.html.gz -o a.jsonl.gz", "page.h", "extract page.html.gz -o a.jsonl.gz"),
    ("bulk page.html --url http://a.pl/", "--url ht", "extract page.html --url http://a.pl/"),
    ("bulk site --format markdown", "--format markdown is for", "extract site --format markdown"),
    ("bulk page.html --format text", "--format text is for", "extract page.html --format text"),
    (
        "bulk site.zip --format html -o a.jsonl", "--format html is for scrapy boilernet extract",
        "bulk site.zip -o a.jsonl --with html",
    ),
    ("bulk store -o a.jsonl", f"store is {STORE}", "fill store -o a.jsonl"),
    ("bulk crawls/monday -o a.jsonl", STORE, "fill crawls/monday/store -o a.jsonl"),
    ("bulk store --items items.jsonl", "--items it", "fill store --items items.jsonl"),
    ("bulk site.zip --items items.jsonl -o a.jsonl", ITEMS, "bulk site.zip -o a.jsonl"),
    ("fill page.html", "page.html is a page", "extract page.html"),
    ("fill site --favor recall", "site is a folder of pages", "extract site --favor recall"),
    (f"extract {BUCKET}", f"{BUCKET} is an address", f"bulk {BUCKET} {OUT}"),
    (f"fill {URL}", f"{URL} is a URL", f"extract {URL}"),
    ("fill crawl.warc.gz", "crawl.warc.gz is a stored crawl", f"bulk crawl.warc.gz {OUT}"),
    ("fill cache --workers 2", "cache is a stored crawl", f"bulk cache --workers 2 {OUT}"),
    ("fill items.jsonl", "items.jsonl is a stored crawl", f"bulk items.jsonl {OUT}"),
    ("fill crawls", f"crawls is {STORE}", "fill crawls/monday/store"),
    ("fill store --workers 2", "--workers 2 is for", f"bulk store --workers 2 {OUT}"),
    ("fill store --format jsonl", "--format jsonl is for", f"bulk store --format jsonl {OUT}"),
    (
        "extract page.html --format markdown-files",
        "--format markdown-files is for",
        "bulk page.html --format markdown-files -o pages-md",
    ),
    ("fill store --items items.jsonl --limit 2", "--limit", "fill store --items items.jsonl"),
    ("fill store --url https://a.example/", "--url https://a.example/ is for", "fill store"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "reason", "right"), WRONG, ids=[case[0] for case in WRONG])
def test_a_wrong_pick_names_the_right_command_line(
    here: Path, typed: str, reason: str, right: str
) -> None:
    before = sorted(here.iterdir())
    program, *arguments = shlex.split(typed)
    message = refusal(PROGRAMS[program], *arguments)
    assert message.startswith(reason) or reason in message
    found = re.search(r": type scrapy boilernet (.*?)(, without|; add --workers N|$)", message)
    assert found is not None
    assert found[1] == right
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize("right", sorted({case[2] for case in WRONG}))
def test_the_command_line_of_the_message_is_right(
    here: Path, right: str, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not sent on to a third program, or back."""
    program, *arguments = shlex.split(right)
    if {URL, BUCKET} & {*arguments}:  # which is not downloaded
        return
    stdin = SimpleNamespace(
        buffer=io.BufferedReader(io.BytesIO(Path("crawl.warc.gz").read_bytes()))
    )
    monkeypatch.setattr(sys, "stdin", stdin)
    if "parquet" in right:
        pytest.importorskip("pyarrow")
    model = ("--model", str(tiny_model), "--engine", "numpy")
    no_record = ("items.jsonl", "--html-field", "--match", "--min-confidence", "a.jsonl.zst")
    if any(word in right for word in no_record):
        return
    assert run(PROGRAMS[program], *arguments, *model) == 0


def test_what_was_left_out_is_named(here: Path) -> None:
    message = refusal(extract, "crawl.warc.gz", "--url", URL, "--format", "text", "--limit", "2")
    assert message.endswith(f"--limit 2 -o pages.jsonl.gz, without --format text, --url {URL}")
    message = refusal(bulk, "store", "-o", "a.jsonl")
    assert message.endswith("; add --workers N to read it by bulk")
    names = "it's [one].html"
    Path(names).write_bytes(PAGE)
    assert f"type scrapy boilernet extract {shlex.quote(names)};" in refusal(bulk, names)


def test_settings_of_the_command_line_are_kept(here: Path) -> None:
    wrong = scrapy(here, "-s", "BOILERNET_FAVOR=recall", "extract", "crawl.warc.gz")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    right = f"scrapy boilernet -s BOILERNET_FAVOR=recall bulk crawl.warc.gz {OUT}\n"
    assert wrong.stderr.endswith(right)


def test_the_old_options_of_a_deferred_crawl_name_the_program(here: Path) -> None:
    wrong = scrapy(here, "extract", "--deferred", "store", "--items", "items.jsonl")
    assert wrong.returncode == 2
    assert "type scrapy boilernet fill FOLDER" in wrong.stderr


@pytest.mark.parametrize("kind", ["missing", "empty"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_no_program_reads_is_refused_by_the_one_that_was_picked(
    here: Path, kind: str, program: str
) -> None:
    message = refusal(PROGRAMS[program], kind, *(("-o", "a.jsonl") if program == "bulk" else ()))
    assert "type scrapy" not in message
    assert kind in message
    assert not Path("a.jsonl").exists()


def test_standard_input_is_told_by_its_bytes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for program, name, right in (
        ("bulk", "page.html", "extract -"), ("extract", "rows.jsonl", f"bulk - {OUT}"),
        ("bulk", "page.html.gz", "extract -"), ("extract", "site.zip", f"bulk - {OUT}"),
    ):  # fmt: skip
        stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(Path(name).read_bytes())))
        monkeypatch.setattr(sys, "stdin", stdin)
        message = refusal(PROGRAMS[program], "-")
        assert message.startswith("standard input is a ")
        assert f"type scrapy boilernet {right}" in message


def help_of(action: str) -> tuple[str, argparse.ArgumentParser]:
    parser = argparse.ArgumentParser(action)
    module = import_module(f"scrapy_boilernet.commands.{action}")
    module.add_arguments(parser)
    return parser.format_help(), parser


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_help_lists_only_the_programs_options_and_an_example(program: str) -> None:
    text, parser = help_of(program)
    listed = {*re.findall(r"(?<![\w-])--[a-z0-9-]+(?:=anyway)?", text)}
    own = {one.flags[-1] for one in ARGUMENTS if program in one.programs} - {"sources"}
    assert listed - {"--help"} == own
    assert f"Example: scrapy boilernet {program} {EXAMPLES[program]}" in " ".join(text.split())
    parser.parse_args(shlex.split(EXAMPLES[program]))
    assert all(one.help for one in parser._actions)


def test_each_program_has_its_options_only() -> None:
    own = {name: {one.flags[-1] for one in ARGUMENTS if name in one.programs} for name in PROGRAMS}
    assert own["extract"] - own["bulk"] == {"--url"}
    assert own["fill"] - own["bulk"] == {"--items"}
    assert own["extract"] - own["fill"] == {"--format", "--url"}
    assert own["bulk"] - own["extract"] == {
        "--workers", "--resume", "--limit", "--match", "--statuses", "--types",
        "--min-confidence", "--min-words", "--language", "--dedupe", "--join",
        "--html-field", "--url-field", "--charset-field", "--base64", "--keep", "--index-base",
        "--from-list", "--resume=anyway", "--shard-pages", "--partition-by", "--progress",
        "--summary",
    }  # fmt: skip


def test_the_other_actions_take_no_options_of_the_programs(here: Path) -> None:
    assert [*PROGRAMS] == [*ACTIONS[:3]]
    text, parser = help_of("explain")
    assert "--workers" not in text
    assert parser.parse_known_args(["page.html", "--workers", "2"])[1] == ["--workers", "2"]


def rows(name: str) -> list[dict[str, Any]]:
    data = Path(name).read_bytes()
    text = gzip.decompress(data) if name.endswith(".gz") else data
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def model(tiny_model: Path) -> tuple[str, ...]:
    return ("--model", str(tiny_model), "--engine", "numpy", "--threshold", "0")


def test_extract_writes_pages_of_three_languages(
    here: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(extract, "page.html", "page.html.gz", "other.htm", *model) == 0
    out = capsys.readouterr().out
    assert "The pools warm up" in out
    assert "潮だまりは温かい。" in out
    assert "Οι λίμνες" in out
    assert run(extract, "site", "--with", "markdown", "-o", "a.jsonl.gz", *model) == 0
    found = rows("a.jsonl.gz")
    assert [row["source"] for row in found] == ["site/el.html", "site/index.html"]
    assert all("main_text_markdown" in row for row in found)
    assert not Path("a.jsonl.gz.progress.json").exists()


@pytest.mark.parametrize(
    ("name", "number"),
    [("crawl.warc.gz", 3), ("site.zip", 2), ("site.tar", 1), ("rows.jsonl", 1), ("cache", 1),
     ("site", 2), ("mixed", 4), ("two", 2)],
)  # fmt: skip
def test_bulk_writes_records_of_each_kind(
    here: Path, model: tuple[str, ...], name: str, number: int
) -> None:
    assert run(bulk, name, "-o", "a.jsonl", "--workers", "1", *model) == 0
    found = rows("a.jsonl")
    assert len(found) == number
    assert all(row["main_text"] and row["digest"] for row in found)
    assert Path("a.jsonl.progress.json").exists()


def test_fill_writes_items_or_records(here: Path, model: tuple[str, ...]) -> None:
    keys = store(Path("third"), PAGE, JAPANESE, GREEK)
    items = [{"boilernet_page": key, "number": n} for n, key in enumerate(keys)]
    Path("wanted.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    assert run(fill, "third", "--items", "wanted.jsonl", "-o", "filled.jsonl", *model) == 0
    filled = rows("filled.jsonl")
    assert [item["number"] for item in filled] == [0, 1, 2]
    assert "潮だまりは温かい。" in filled[1]["main_text"]
    assert run(fill, "third", "--blocks", "-o", "rows.jsonl.gz", *model) == 0
    assert [row["boilernet_page"] for row in rows("rows.jsonl.gz")] == keys
    assert all(row["block_labels"] for row in rows("rows.jsonl.gz"))


def test_a_stored_page_that_is_not_html_is_skipped(
    here: Path, model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    keys = store(Path("fourth"), PAGE, b"%PDF-1.7\n1 0 obj")
    assert run(fill, "fourth", "-o", "rows.jsonl", *model) == 0
    assert "a PDF document, not HTML" in capsys.readouterr().err
    assert [row["boilernet_page"] for row in rows("rows.jsonl")] == keys[:1]
    store(Path("fifth"), b"%PDF-1.7\n1 0 obj")
    assert run(fill, "fifth", "-o", "none.jsonl", *model) == 1


@pytest.mark.parametrize("option", [("--blocks",), ("--with", "markdown")])
def test_options_of_records_have_no_effect_on_items(here: Path, option: tuple[str, ...]) -> None:
    message = refusal(fill, "store", "--items", "items.jsonl", *option)
    assert message.startswith(f"{option[0]} has no effect on --items")


@pytest.mark.parametrize("action", PROGRAMS)
def test_an_unknown_encoding_is_refused(action: str, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/page.html").write_bytes(PAGE)
    store(tmp_path / "store", PAGE)
    source = tmp_path / ("store" if action == "fill" else "site")
    out = tmp_path / "out.jsonl"
    message = refusal(PROGRAMS[action], source, "--encoding", "utf-99", "-o", out)
    assert "encoding 'utf-99' is not known to Python" in message
    assert not out.exists()


@pytest.mark.parametrize("action", ["extract", "fill"])
def test_a_language_without_metadata_is_refused(action: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    (tmp_path / "items.jsonl").write_text("{}\n")
    store(tmp_path / "store", PAGE)
    source = tmp_path / ("store" if action == "fill" else "page.html")
    message = refusal(PROGRAMS[action], source, "--detect-language")
    assert "--detect-language needs --with metadata" in message
    if action == "extract":
        assert "metadata" in refusal(extract, source, "--detect-language", "--format", "jsonl")
    else:
        more = ("--items", tmp_path / "items.jsonl")
        message = refusal(fill, source, "--detect-language", *more)
        assert "--detect-language needs the setting BOILERNET_METADATA_FIELD" in message


def test_the_language_is_a_part_of_the_metadata(tiny_model: Path, tmp_path: Path) -> None:
    pytest.importorskip("py3langid")
    page, out = tmp_path / "page.html", tmp_path / "out.jsonl"
    page.write_bytes(PAGE.replace(b"lang=en", b"lang=de"))
    wanted = ("--with", "metadata", "--detect-language", "--no-fallback", "--threshold", "0")
    model = ("--model", tiny_model, "--engine", "numpy")
    assert run(extract, page, *wanted, *model, "-o", out) == 0
    assert json.loads(out.read_text("utf-8"))["metadata"]["language"] == "en"


def test_all_programs_name_the_model_alike(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    store(tmp_path / "store", PAGE)
    model = ("--model", tiny_model, "--engine", "numpy", "--threshold", "0")
    found = set()
    for number, more in enumerate([(), ("--chunks", "50")]):
        out = [tmp_path / f"{program}{number}.jsonl" for program in PROGRAMS]
        assert run(extract, tmp_path / "page.html", *model, *more, "-o", out[0]) == 0
        assert run(bulk, tmp_path / "page.html", *model, *more, "--workers", "1", "-o", out[1]) == 0
        assert run(fill, tmp_path / "store", *model, *more, "-o", out[2]) == 0
        found |= {json.loads(line)["model"] for one in out for line in one.open(encoding="utf-8")}
    (name,) = found
    assert re.fullmatch(r"\S+ \S+ [0-9a-f]{12}", name)
