"""``scrapy boilernet extract``: its sources, output, options and messages."""

from __future__ import annotations

import argparse
import gzip
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from testing.crawling import run_python
from testing.loopback import ANSWERS, PARAGRAPHS, Answer, Site, html_page

from scrapy_boilernet import extract as package_extract
from scrapy_boilernet.commands import extract, sources
from scrapy_boilernet.extractor.html.encoding import decode

ARTICLE = ANSWERS["/article"].body
BLOCKS = ["Home", "The mill on the river", "Its wheel turned until 1911.", "Now it grinds again."]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture
def article(tmp_path: Path) -> Path:
    path = tmp_path / "article.html"
    path.write_bytes(ARTICLE)
    return path


PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"


def run(
    model: Path, *arguments: str, threshold: str = "0", settings: dict[str, Any] | None = None
) -> int:
    """Run the action in this process; every block is content."""
    parser = argparse.ArgumentParser()
    extract.add_arguments(parser)
    given = ["--model", str(model), "--engine", "numpy", "--threshold", threshold, *arguments]
    return extract.run(parser.parse_args(given), Settings(settings))


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_folder_gives_a_row_per_page_with_blocks_and_progress(
    tiny_model: Path, tmp_path: Path
) -> None:
    pages = tmp_path / "pages"
    (pages / "deep").mkdir(parents=True)
    for number in range(9):
        (pages / f"{number}.HTML").write_bytes(html_page(f"Page {number}", "Żółw.").encode())
    (pages / "deep" / "last.xhtml").write_bytes(ARTICLE)
    (pages / "notes.txt").write_text("no page")
    completed = run_python(
        "-m", "scrapy", "boilernet", "extract", "pages", "--model", str(tiny_model), "--engine",
        "numpy", "--threshold", "0", "--format", "jsonl", "--blocks",
        folder=tmp_path, environment={"PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr.decode()
    found = rows(completed.stdout.decode())
    sources = [*(f"{number}.HTML" for number in range(9)), "last.xhtml"]
    assert [Path(str(row["source"])).name for row in found] == sources
    assert found[0]["title"] == "Page 0"
    assert found[0]["main_text"] == "Home\nPage 0\nŻółw."
    assert found[0]["model"].startswith("tiny ")
    assert isinstance(found[0]["main_text_confidence"], float)
    labels = found[-1]["block_labels"]
    assert isinstance(labels, list)
    assert [row["text"] for row in labels] == BLOCKS
    assert set(labels[0]) == {"text", "label", "kind", "probability", "xpath"}
    assert [row["kind"] for row in labels] == ["main", "title", "main", "main"]
    assert found[0]["main_text_source"] == "model"
    left_out, *progress = completed.stderr.decode().splitlines()
    assert left_out.endswith("(left out: pages/notes.txt)")
    assert "10/10" in progress[-1]
    assert len(progress) == 10


def test_standard_input_gives_only_the_text(tiny_model: Path) -> None:
    completed = run_python(
        "-m", "scrapy", "boilernet", "extract", "--model", str(tiny_model), "--engine", "numpy",
        "--threshold", "0", input=ARTICLE,
    )  # fmt: skip
    assert completed.stdout.decode().splitlines() == BLOCKS
    assert completed.stderr == b""
    assert completed.returncode == 0


def test_a_threshold_outside_its_range_is_refused_without_a_traceback() -> None:
    completed = run_python("-m", "scrapy", "boilernet", "extract", "--threshold", "1.5")
    assert completed.returncode == 2
    text = (completed.stdout + completed.stderr).decode()
    assert "--threshold 1.5 is outside [0, 1]" in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["extract", "--formt", "text"], "unknown arguments: --formt; did you mean --format?"),
        (["bulk", "--wokers=2"], "unknown arguments: --wokers=2; did you mean --workers?"),
        (["train", "a", "--out", "b", "--epoch-count", "2"], "did you mean --epochs?"),
        (["extract", "a.html", "--zzz"], "unknown arguments: --zzz\n"),
        (
            ["train", "--form", "default", "--out", "m3", "pages"],
            "unknown arguments: --form; did you mean --from?",
        ),
        (["card", "my-model", "--overlap-wiht", "a", "b"], "unknown arguments: --overlap-wiht; "),
        (["export", "my-model", "other"], "unknown arguments: other\n"),
    ],
)
def test_a_misspelt_option_is_told_the_right_one(arguments: list[str], hint: str) -> None:
    completed = run_python("-m", "scrapy", "boilernet", *arguments)
    assert completed.returncode == 2
    assert hint in (completed.stdout + completed.stderr).decode()


def test_help_lists_the_actions() -> None:
    completed = run_python("-m", "scrapy", "boilernet", "--help")
    assert completed.returncode == 0
    text = completed.stdout.decode()
    assert "boilernet" in text
    for action in ("extract", "train", "evaluate"):
        assert action in text


@pytest.mark.parametrize("command", [["list"], ["boilernet", "extract", "--help"]])
def test_commands_that_label_nothing_do_not_import_torch(
    command: list[str], tmp_path: Path
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = mine\n")
    (tmp_path / "mine.py").write_text(
        "ADDONS = {'scrapy_boilernet.Addon': 500}\nBOILERNET_ENABLED = True\n"
    )
    script = (
        "import sys; from scrapy.cmdline import execute\n"
        f"try: execute(['scrapy', *{command!r}])\n"
        "except SystemExit as end: print('exit', end.code)\n"
        "print('torch' in sys.modules, 'scrapy_boilernet.commands' in sys.modules)"
    )
    completed = run_python("-c", script, folder=tmp_path)
    assert completed.stdout.decode().splitlines()[-2:] == ["exit 0", "False True"]


@pytest.mark.parametrize("value", ["-0.1", "1.01", "nan", "inf"])
def test_the_threshold_must_be_a_probability(tiny_model: Path, value: str) -> None:
    with pytest.raises(UsageError, match=r"outside \[0, 1\]"):
        run(tiny_model, threshold=value)


def test_the_threshold_chooses_the_blocks(
    tiny_model: Path, article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model, str(article), threshold="1") == 0
    assert capsys.readouterr().out == "\n"


def test_an_empty_text_is_reported_on_standard_error(
    tiny_model: Path, article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model, str(article), "--format", "jsonl", threshold="1") == 0
    out, err = capsys.readouterr()
    assert rows(out)[0]["main_text_source"] == "nothing"
    assert err == f"{article}: no main text found\n"


def test_fallback_title_and_comments_have_options(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text(html_page("Pools", *PARAGRAPHS, f"</p><div id=comments><p>{PARAGRAPHS[0]}"))
    source = [str(page), "--format", "jsonl"]
    lines = [*PARAGRAPHS, PARAGRAPHS[0]]
    for options, threshold, found_by, text in (
        ([], "1", "main-element", lines),
        (["--no-fallback"], "1", "nothing", []),
        (["--comments", "drop"], "1", "main-element", PARAGRAPHS),
        (["--title", "keep"], "1", "main-element", ["Pools", *lines]),
        (["--title", "drop"], "0", "model", ["Home", *lines]),
    ):
        assert run(tiny_model, *source, *options, threshold=threshold) == 0
        (row,) = rows(capsys.readouterr().out)
        assert row["main_text_source"] == found_by
        assert str(row["main_text"]).splitlines() == text


def test_favor_changes_the_models_threshold(
    tiny_model: Path, article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    extract.add_arguments(parser)
    given = [str(article), "--model", str(tiny_model), "--engine", "numpy", "--no-fallback"]
    kept = []
    for favor in ("precision", "balanced", "recall"):
        assert extract.run(parser.parse_args([*given, "--favor", favor])) == 0
        kept.append(set(capsys.readouterr().out.strip().splitlines()))
        wanted = package_extract(
            ARTICLE, model=str(tiny_model), engine="numpy", favor=favor, fallback=False
        )
        assert kept[-1] == set(wanted.text.splitlines())
    assert kept[0] <= kept[1] <= kept[2]


def test_several_files_have_headings(
    tiny_model: Path, article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model, str(article), str(article)) == 0
    part = f"==> {article} <==\n" + "\n".join(BLOCKS) + "\n\n"
    assert capsys.readouterr().out == part * 2


def test_output_file_is_written_in_utf8(tiny_model: Path, tmp_path: Path) -> None:
    page, out = tmp_path / "a.html", tmp_path / "out.jsonl"
    page.write_bytes("<meta charset=utf-8><p>Żółw 東京</p>".encode())
    assert run(tiny_model, str(page), "--format", "jsonl", "-o", str(out)) == 0
    (row,) = rows(out.read_text(encoding="utf-8"))
    assert row["main_text"] == "Żółw 東京"
    assert "block_labels" not in row


def test_the_option_encoding_overrides_the_page(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a.html"
    page.write_bytes("<meta charset=utf-8><p>Żółw</p>".encode("iso-8859-2"))
    assert run(tiny_model, str(page), "--encoding", "iso-8859-2") == 0
    assert capsys.readouterr().out == "Żółw\n"


def test_a_url_is_fetched(tiny_model: Path, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny_model, f"{site.url}/redirect") == 0
    assert capsys.readouterr().out.splitlines() == BLOCKS


def test_sources_that_cannot_be_read_are_reported_and_others_are_extracted(
    tiny_model: Path, article: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    with_space = f"{site.url}/a page"
    assert run(tiny_model, f"{site.url}/missing", with_space, "http://", str(article)) == 1
    out, err = capsys.readouterr()
    assert "404" in err
    assert f"cannot read {with_space}: " in err
    assert "cannot read http://: " in err
    assert out.splitlines()[1:-1] == BLOCKS


def test_a_missing_file_is_refused_before_any_page_is_extracted(
    tiny_model: Path, article: Path
) -> None:
    with pytest.raises(UsageError, match=r"no file, folder or http\(s\) URL 'nowhere\.html'"):
        run(tiny_model, str(article), "nowhere.html")


def test_an_unknown_model_is_refused_with_the_remedy(article: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no model .*; give --model one of them"):
        run(tmp_path / "no-model", str(article))


def test_an_output_that_cannot_be_written_is_refused(
    tiny_model: Path, article: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="no-such-folder"):
        run(tiny_model, str(article), "-o", str(tmp_path / "no-such-folder" / "out.txt"))


def test_characters_that_standard_output_cannot_encode_are_escaped(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, written = tmp_path / "a.html", io.BytesIO()
    page.write_bytes("<meta charset=utf-8><p>東京 town</p>".encode())
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    assert run(tiny_model, str(page)) == 0
    sys.stdout.flush()
    assert b"town" in written.getvalue()


def test_a_folder_without_pages_is_refused_with_the_endings_of_pages(
    tiny_model: Path, article: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "no pages"
    for content in ("", "notes.txt"):
        folder.mkdir(exist_ok=True)
        if content:
            (folder / content).write_text("no page")
        with pytest.raises(UsageError, match=r"no pages: .*\.html, \.htm, \.xhtml, \.html\.gz"):
            run(tiny_model, str(article), str(folder))


def test_settings_of_the_project_are_used_if_no_option_is_given(
    tiny_model: Path, article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(
        {
            "BOILERNET_MODEL": str(tiny_model),
            "BOILERNET_ENGINE": "numpy",
            "BOILERNET_THRESHOLD": 0.0,
        }
    )
    parser = argparse.ArgumentParser()
    extract.add_arguments(parser)
    assert extract.run(parser.parse_args([str(article)]), settings) == 0
    assert capsys.readouterr().out.splitlines() == BLOCKS
    assert extract.run(parser.parse_args([str(article), "--threshold", "1"]), settings) == 0
    assert capsys.readouterr().out.strip() == ""


LIMITED = b"<p>One</p><p>Two</p><p>Three</p>"
UP_TO_THREE = LIMITED.index(b"<p>Three")


@pytest.mark.parametrize(
    ("settings", "kept", "message"),
    [
        (
            {"BOILERNET_MAX_BYTES": UP_TO_THREE, "BOILERNET_OVER_MAX_BYTES": "skip"},
            None,
            f"cannot extract PAGE: more than BOILERNET_MAX_BYTES = {UP_TO_THREE} bytes; raise it, "
            "or set BOILERNET_OVER_MAX_BYTES = 'cut'\n",
        ),
        (
            {"BOILERNET_MAX_BYTES": UP_TO_THREE},
            "One\nTwo",
            f"PAGE: cut off after BOILERNET_MAX_BYTES = {UP_TO_THREE} bytes; raise it to read "
            "more\n",
        ),
        (
            {"BOILERNET_MAX_BLOCKS": 2, "BOILERNET_OVER_MAX_BLOCKS": "skip"},
            None,
            "cannot extract PAGE: more blocks or elements than BOILERNET_MAX_BLOCKS = 2 allows; "
            "raise it, or set BOILERNET_OVER_MAX_BLOCKS = 'cut'\n",
        ),
        (
            {"BOILERNET_MAX_BLOCKS": 2},
            "One\nTwo",
            "PAGE: cut off, since it has more blocks or elements than BOILERNET_MAX_BLOCKS = 2 "
            "allows; raise it to read more\n",
        ),
        ({"BOILERNET_MAX_BYTES": len(LIMITED), "BOILERNET_MAX_BLOCKS": 3}, "One\nTwo\nThree", ""),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_pages_over_a_limit_are_reported_and_others_are_extracted(
    tiny_model: Path,
    tmp_path: Path,
    settings: dict[str, Any],
    kept: str | None,
    message: str,
    packed: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page, short = tmp_path / "page.html", tmp_path / "short.html"
    page.write_bytes(gzip.compress(LIMITED, mtime=0) if packed else LIMITED)
    short.write_bytes(b"<p>Short")
    given = [str(page), str(short), "--format", "jsonl"]
    status = run(tiny_model, *given, settings=settings)
    out, err = capsys.readouterr()
    assert [row["main_text"] for row in rows(out)] == [*([kept] if kept else []), "Short"]
    assert err == message.replace("PAGE", str(page))
    assert status == (kept is None)


def test_limits_can_be_set_on_the_command_line(tiny_model: Path, article: Path) -> None:
    given = ("extract", str(article), "--model", str(tiny_model), "--engine", "numpy")
    limits = ("-s", "BOILERNET_MAX_BYTES=99", "-s", "BOILERNET_OVER_MAX_BYTES=skip")
    completed = run_python("-m", "scrapy", "boilernet", *limits, *given)
    assert completed.returncode == 1
    assert b"more than BOILERNET_MAX_BYTES = 99 bytes" in completed.stderr
    assert completed.stdout == b""


def test_a_file_is_read_up_to_the_limit(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "large.html"
    with page.open("wb") as file:
        file.write(b"<p>Begin")
        file.truncate(2**40)  # a sparse file, larger than any memory
    settings = {"BOILERNET_MAX_BYTES": 1000, "BOILERNET_OVER_MAX_BYTES": "cut"}
    assert run(tiny_model, str(page), settings=settings) == 0
    assert capsys.readouterr().out == "Begin\n"


def test_standard_input_and_urls_are_read_up_to_the_limit(
    tiny_model: Path,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = {"BOILERNET_MAX_BYTES": len(ARTICLE), "BOILERNET_OVER_MAX_BYTES": "cut"}
    body = io.BytesIO(ARTICLE + b"<p>more" * 1_000_000)
    monkeypatch.setitem(ANSWERS, "/longer", Answer(body.getvalue()))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=body))
    assert run(tiny_model, settings=settings) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == BLOCKS
    assert err.startswith("standard input: cut off after BOILERNET_MAX_BYTES")
    assert body.tell() <= 1 << 20  # what is read to recognize it
    assert run(tiny_model, f"{site.url}/longer", settings=settings) == 0
    assert "/longer: cut off after BOILERNET_MAX_BYTES" in capsys.readouterr().err
    monkeypatch.setattr(sources, "MAX_DOWNLOAD_BYTES", 1000)
    assert run(tiny_model, f"{site.url}/longer") == 1
    assert "more than 1000 bytes; download it to a file first" in capsys.readouterr().err


def test_pages_that_are_not_html_are_reported_and_others_are_extracted(
    tiny_model: Path,
    article: Path,
    tmp_path: Path,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(ANSWERS, "/report", Answer(PDF, "application/pdf"))
    (tmp_path / "report.html").write_bytes(PDF)
    (tmp_path / "photo.html.gz").write_bytes(gzip.compress(b"\x89PNG\r\n\x1a\n" + bytes(99)))
    (tmp_path / "damaged.html.gz").write_bytes(b"\x1f\x8b\x08 damaged")
    names = [str(tmp_path), f"{site.url}/report", f"{site.url}/image"]
    assert run(tiny_model, *names) == 1
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        f"cannot extract {tmp_path}/damaged.html.gz: damaged gzip data, not HTML",
        f"cannot read {tmp_path}/photo.html.gz: a PNG image, which is not read: save the page "
        "as HTML",
        f"cannot read {tmp_path}/report.html: a PDF document, which is not read: save the page "
        "as HTML",
        f"cannot read {site.url}/report: a PDF document, which is not read: save the page as HTML",
        f"cannot read {site.url}/image: a PNG image, which is not read: save the page as HTML",
    ]
    assert out.splitlines() == [f"==> {article} <==", *BLOCKS, ""]


def test_html_is_extracted_whatever_its_content_type_is(
    tiny_model: Path,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(ANSWERS, "/called-text", Answer(ARTICLE, "text/plain"))
    monkeypatch.setitem(ANSWERS, "/called-pdf", Answer(ARTICLE, "application/pdf"))
    for path in ("/called-text", "/called-pdf"):
        assert run(tiny_model, f"{site.url}{path}") == 0
        assert capsys.readouterr().out.splitlines() == BLOCKS


@pytest.mark.parametrize("name", ["a.html.gz", "b.HTM.GZ", "c.xhtml.gz"])
def test_gzip_files_in_a_folder_are_read(
    tiny_model: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(gzip.compress(ARTICLE))
    (tmp_path / "archive.tar.gz").write_bytes(gzip.compress(b"no page"))
    assert run(tiny_model, str(tmp_path)) == 0
    assert capsys.readouterr().out.splitlines() == BLOCKS


def test_a_gzip_file_may_be_larger_than_the_limit_of_its_content(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a.html.gz"
    page.write_bytes(gzip.compress(b"<p>Two") + gzip.compress(b" parts"))
    size = len(b"<p>Two parts")
    assert page.stat().st_size > size
    assert run(tiny_model, str(page), settings={"BOILERNET_MAX_BYTES": size}) == 0
    assert capsys.readouterr().out == "Two parts\n"


def test_markdown_and_html_are_written_as_text_and_in_rows(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text("<h2>Pools</h2><p>They <b>warm</b>.")
    wanted = (str(page), "--threshold", "0")
    markdown, html = (
        "## Pools\n\nThey **warm**.",
        "<h2>Pools</h2>\n<p>They <strong>warm</strong>.</p>",
    )
    assert run(tiny_model, *wanted, "--format", "markdown") == 0
    assert capsys.readouterr().out == f"{markdown}\n"
    assert run(tiny_model, *wanted, "--format", "html") == 0
    assert capsys.readouterr().out == f"{html}\n"
    assert run(tiny_model, *wanted, "--format", "jsonl", "--with", "markdown,html") == 0
    (row,) = rows(capsys.readouterr().out)
    assert (row["main_text_markdown"], row["main_text_html"]) == (markdown, html)
    assert run(tiny_model, *wanted, "--format", "jsonl") == 0
    (row,) = rows(capsys.readouterr().out)
    assert not {"main_text_markdown", "main_text_html"} & {*row}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "text", "--with", "html"], "--with needs --format jsonl, not text"),
        (["--format", "jsonl", "--with", "docx"], "must be a list of markdown, html"),
    ],
)
def test_the_error_for_a_wrong_format_names_it(
    tiny_model: Path, article: Path, arguments: list[str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        run(tiny_model, str(article), *arguments)


@pytest.mark.parametrize("option", [["--with", "html"], ["--blocks"], ["-o", "OUT"]])
def test_options_that_need_rows_choose_the_format(
    tiny_model: Path,
    article: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    option: list[str],
) -> None:
    out = tmp_path / "out.jsonl"
    chosen = [str(out) if word == "OUT" else word for word in option]
    assert run(tiny_model, str(article), *chosen) == 0
    written = out.read_text(encoding="utf-8") if out.exists() else capsys.readouterr().out
    (row,) = rows(written)
    assert "mill on the river" in row["main_text"]


@pytest.mark.parametrize("form", ["text", "cleaneval"])
def test_blocks_need_the_format_jsonl(tiny_model: Path, article: Path, form: str) -> None:
    with pytest.raises(UsageError, match=r"--blocks needs --format jsonl.*add --format jsonl"):
        run(tiny_model, str(article), "--blocks", "--format", form)


def test_the_option_url_is_written_and_chooses_the_threshold(
    tiny_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(ARTICLE)
    parser = argparse.ArgumentParser()
    extract.add_arguments(parser)
    settings = Settings(
        {
            "BOILERNET_MODEL": str(tiny_model),
            "BOILERNET_ENGINE": "numpy",
            "BOILERNET_FALLBACK": [],
            "BOILERNET_THRESHOLD": 1.0,
            "BOILERNET_DOMAIN_THRESHOLDS": {"example.com": 0.0},
        }
    )
    for url, text in (
        ("https://news.example.com/1", "\n".join(BLOCKS)),
        ("https://example.org/1", ""),
        (None, ""),
    ):
        for source in (str(page), "-"):
            monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(ARTICLE)))
            given = [source, "--format", "jsonl", *(["--url", url] if url else [])]
            assert extract.run(parser.parse_args(given), settings) == 0
            (row,) = rows(capsys.readouterr().out)
            assert row.get("url") == url
            assert list(row)[:2] == ["source", "url" if url else "title"]
            assert row["main_text"] == text


def test_the_url_helps_to_find_the_encoding(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_bytes("<p>Имя".encode("cp1251"))
    texts = []
    for url in ("https://example.ru/", "https://example.gr/"):
        assert run(tiny_model, str(page), "--url", url) == 0
        texts.append(capsys.readouterr().out)
        assert texts[-1] == decode(page.read_bytes(), url=url)[3:] + "\n"
    assert texts[0] == "Имя\n" != texts[1]


def test_the_final_url_of_a_download_is_written(
    tiny_model: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model, f"{site.url}/redirect", "--format", "jsonl") == 0
    (row,) = rows(capsys.readouterr().out)
    assert (row["source"], row["url"]) == (f"{site.url}/redirect", f"{site.url}/article")


def test_a_wrong_header_is_overruled_and_the_option_is_not(
    tiny_model: Path,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    body = "<p>Żółw i gęś, łódź i koń".encode()
    monkeypatch.setitem(ANSWERS, "/wrong", Answer(body, "text/html; charset=iso-8859-2"))
    assert run(tiny_model, f"{site.url}/wrong") == 0
    assert capsys.readouterr().out == "Żółw i gęś, łódź i koń\n"
    assert run(tiny_model, f"{site.url}/wrong", "--encoding", "iso-8859-2") == 0
    assert capsys.readouterr().out == body[3:].decode("iso-8859-2").replace("\x85", " ") + "\n"


def test_an_invalid_url_or_one_for_several_pages_is_refused(
    tiny_model: Path, article: Path, tmp_path: Path
) -> None:
    url = ("--url", "https://example.com/1")
    for names in ([article, article], [tmp_path], [article, "-"]):
        with pytest.raises(UsageError, match="is the address of one page, but several are given"):
            run(tiny_model, *map(str, names), *url)
    for wrong in ("example.com/1", "", "http://[::1"):
        with pytest.raises(UsageError, match="give the whole address, such as https://"):
            run(tiny_model, str(article), "--url", wrong)
