"""``scrapy boilernet``: what it reads, writes and says when something is wrong."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import run_python
from loopback import ANSWERS, PARAGRAPHS, Site, html_page
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from scrapy_boilernet import extract as package_extract
from scrapy_boilernet.commands import extract

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


def run(model: Path, *arguments: str, threshold: str = "0") -> int:
    """Run the action in this process; every block is content."""
    parser = argparse.ArgumentParser()
    extract.add_arguments(parser)
    given = ["--model", str(model), "--engine", "numpy", "--threshold", threshold, *arguments]
    return extract.run(parser.parse_args(given))


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_folder_gives_a_row_per_page_with_blocks_and_progress(
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
    assert found[0]["model"] == "tiny"
    assert isinstance(found[0]["main_text_confidence"], float)
    labels = found[-1]["block_labels"]
    assert isinstance(labels, list)
    assert [row["text"] for row in labels] == BLOCKS
    assert set(labels[0]) == {"text", "label", "kind", "probability", "xpath"}
    assert [row["kind"] for row in labels] == ["main", "title", "main", "main"]
    assert found[0]["main_text_source"] == "model"
    progress = completed.stderr.decode().splitlines()
    assert "10/10" in progress[-1]
    assert len(progress) == 10


def test_standard_input_gives_the_text_and_nothing_else(tiny_model: Path) -> None:
    completed = run_python(
        "-m", "scrapy", "boilernet", "extract", "--model", str(tiny_model), "--engine", "numpy",
        "--threshold", "0", input=ARTICLE,
    )  # fmt: skip
    assert completed.stdout.decode().splitlines() == BLOCKS
    assert completed.stderr == b""
    assert completed.returncode == 0


def test_threshold_outside_its_range_is_refused_without_a_traceback() -> None:
    completed = run_python("-m", "scrapy", "boilernet", "extract", "--threshold", "1.5")
    assert completed.returncode == 2
    text = (completed.stdout + completed.stderr).decode()
    assert "--threshold 1.5 is outside [0, 1]" in text
    assert "Traceback" not in text


def test_help_lists_the_actions() -> None:
    completed = run_python("-m", "scrapy", "boilernet", "--help")
    assert completed.returncode == 0
    text = completed.stdout.decode()
    assert "boilernet" in text
    for action in ("extract", "train", "evaluate"):
        assert action in text


@pytest.mark.parametrize("command", [["list"], ["boilernet", "extract", "--help"]])
def test_torch_is_not_imported_by_commands_that_label_nothing(
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
def test_threshold_must_be_a_probability(tiny_model: Path, value: str) -> None:
    with pytest.raises(UsageError, match=r"outside \[0, 1\]"):
        run(tiny_model, threshold=value)


def test_threshold_decides_what_is_kept(
    tiny_model: Path, article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model, str(article), threshold="1") == 0
    assert capsys.readouterr().out == "\n"


def test_an_empty_text_is_told_on_standard_error(
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


def test_favor_moves_the_models_own_threshold(
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


def test_several_files_are_told_apart_by_headings(
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


def test_encoding_option_ranks_above_what_the_page_declares(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a.html"
    page.write_bytes("<meta charset=utf-8><p>Żółw</p>".encode("iso-8859-2"))
    assert run(tiny_model, str(page), "--encoding", "iso-8859-2") == 0
    assert capsys.readouterr().out == "Żółw\n"


def test_url_is_fetched(tiny_model: Path, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny_model, f"{site.url}/redirect") == 0
    assert capsys.readouterr().out.splitlines() == BLOCKS


def test_sources_that_cannot_be_read_are_told_and_the_others_extracted(
    tiny_model: Path, article: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    with_space = f"{site.url}/a page"
    assert run(tiny_model, f"{site.url}/missing", with_space, "http://", str(article)) == 1
    out, err = capsys.readouterr()
    assert "404" in err
    assert f"cannot read {with_space}: " in err
    assert "cannot read http://: " in err
    assert out.splitlines()[1:-1] == BLOCKS


def test_missing_file_is_refused_before_any_work(tiny_model: Path, article: Path) -> None:
    with pytest.raises(UsageError, match=r"no file, folder or http\(s\) URL 'nowhere\.html'"):
        run(tiny_model, str(article), "nowhere.html")


def test_unknown_model_is_refused_with_the_remedy(article: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no model"):
        run(tmp_path / "no-model", str(article))


def test_output_that_cannot_be_written_is_refused(
    tiny_model: Path, article: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="no-such-folder"):
        run(tiny_model, str(article), "-o", str(tmp_path / "no-such-folder" / "out.txt"))


def test_standard_output_that_lacks_a_character_does_not_stop_the_run(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, written = tmp_path / "a.html", io.BytesIO()
    page.write_bytes("<meta charset=utf-8><p>東京 town</p>".encode())
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    assert run(tiny_model, str(page)) == 0
    sys.stdout.flush()
    assert b"town" in written.getvalue()


def test_empty_folder_gives_nothing(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert run(tiny_model, str(tmp_path / "empty")) == 0
    assert capsys.readouterr().out == ""


def test_settings_of_the_project_hold_where_no_option_is_given(
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
