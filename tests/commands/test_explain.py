"""``scrapy boilernet explain``: its output, options and refusals."""

from __future__ import annotations

import argparse
import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lxml import html as lxml_html
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from testing.commanding import refusal, run
from testing.crawling import run_python
from testing.loopback import ANSWERS, Answer, Site
from testing.models import PAGES
from testing.standins import Half

from scrapy_boilernet import extract
from scrapy_boilernet.commands import explain
from scrapy_boilernet.commands import extract as extract_pages
from scrapy_boilernet.extractor.explain.explanation import NO_REASONS

ARTICLE = PAGES / "article.html"
MODELS = ("tiny_model", "tiny_own_model", "tiny_paper_model")


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Path:
    return Path(request.getfixturevalue(request.param))


def run_with(settings: dict[str, Any], model: Path, *arguments: str | Path) -> int:
    """Run the action with these settings of a project."""
    parser = argparse.ArgumentParser()
    explain.add_arguments(parser)
    given = ["--model", str(model), "--engine", "numpy", *map(str, arguments)]
    return explain.run(parser.parse_args(given), Settings(settings))


def shown(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def block_lines(lines: list[str]) -> list[str]:
    return [line for line in lines if line[:4].strip().isdigit()]


@pytest.mark.parametrize("name", ["article.html", "forum.html", "japanese.html"])
def test_each_block_is_shown_with_the_label_of_extract(
    model: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(explain, PAGES / name, "--model", model, "--engine", "numpy") == 0
    lines = shown(capsys)
    wanted = extract((PAGES / name).read_bytes(), model=str(model), engine="numpy")
    assert lines[0] == wanted.page.title
    assert f"threshold:  {wanted.threshold:.2f}" in lines
    found = block_lines(lines)
    assert len(found) == len(wanted.labels)
    for line, row in zip(found, wanted.block_labels(), strict=True):
        kind = f" {row['kind']}" if row["label"] == "content" else ""
        assert line[5:].startswith(f"{row['label']}{kind} ")
    assert sum(line.lstrip()[0] in "+-" for line in lines if line.strip()) >= 3 * len(found) / 2


def test_an_html_page_is_written_with_all_blocks(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.html"
    given = [ARTICLE, "--model", model, "--engine", "numpy", "--only", "content", "--top", "2"]
    assert run(explain, *given, "--html", out) == 0
    root = lxml_html.document_fromstring(out.read_text(encoding="utf-8"))
    wanted = extract(ARTICLE.read_bytes(), model=str(model), engine="numpy")
    blocks = root.findall(".//ol/li")
    assert [each.get("class") for each in blocks] == [f"block {each}" for each in wanted.labels]
    assert max(len(each.findall(".//ul/li")) for each in blocks) == 2
    assert len(block_lines(shown(capsys))) == wanted.labels.count("content")


def test_blocks_can_be_chosen_by_label_and_text(
    tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [ARTICLE, "--model", tiny_model, "--engine", "numpy", "--threshold", "0"]
    assert run(explain, *given, "--grep", "TIDE POOLS") == 0
    assert [line[30:] for line in block_lines(shown(capsys))] == ["Why tide pools warm at night"]
    assert run(explain, *given, "--only", "boilerplate") == 0
    lines = shown(capsys)
    assert all("[dropped by: hidden (" in line for line in block_lines(lines))
    assert run(explain, *given, "--only", "boilerplate", "--grep", "no such words") == 0
    lines = shown(capsys)
    assert block_lines(lines) == []
    assert any(line.startswith("0 of ") for line in lines)


def test_reasons_can_be_left_out(tiny_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(explain, ARTICLE, "--model", tiny_model, "--engine", "numpy", "--top", "0") == 0
    assert not any(line.lstrip().startswith(("+", "-")) for line in shown(capsys))


def test_favor_and_threshold_have_the_same_effect_as_in_extract(
    tiny_own_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [ARTICLE, "--model", tiny_own_model, "--engine", "numpy"]
    for options, keywords in (
        (["--favor", "recall"], {"favor": "recall"}),
        (["--favor", "precision"], {"favor": "precision"}),
        (["--threshold", "0.25"], {"threshold": 0.25}),
    ):
        assert run(explain, *given, *options) == 0
        wanted = extract(
            ARTICLE.read_bytes(), model=str(tiny_own_model), engine="numpy",
            **keywords,
        )  # fmt: skip
        lines = shown(capsys)
        kept = [line[5:12] == "content" for line in block_lines(lines)]
        assert kept == [label == "content" for label in wanted.labels]


@pytest.mark.parametrize(
    ("option", "choice", "changed"),
    [
        ("title", "drop", ["Tide pools warm at night"]),
        ("comments", "drop", ["I have seen this too."]),
        ("captions", "drop", ["The pools at low tide"]),
        ("hidden", "model", ["Read our other stories"]),
    ],
)
def test_options_on_kinds_and_hidden_text_have_the_same_effect_as_in_extract(
    tmp_path: Path,
    tiny_model: Path,
    option: str,
    choice: Any,
    changed: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = tmp_path / "pools.html"
    page.write_text(
        "<title>Tide pools warm at night</title><h1>Tide pools warm at night</h1>"
        f"<p>{'The water in the pools stays warm until the morning comes. ' * 5}</p>"
        "<p hidden>Read our other stories</p>"
        "<figure><figcaption>The pools at low tide</figcaption></figure>"
        "<div class=comments><p>I have seen this too.</p></div>"
    )
    given = [page, "--model", tiny_model, "--engine", "numpy", "--threshold", "0"]
    assert run(explain, *given) == 0
    before = block_lines(shown(capsys))
    assert run(explain, *given, f"--{option}", choice) == 0
    after = block_lines(shown(capsys))
    chosen = {option: choice}
    wanted = extract(
        page.read_bytes(), model=str(tiny_model), engine="numpy", threshold=0, **chosen
    )
    assert [line[5:12] == "content" for line in after] == [
        label == "content" for label in wanted.labels
    ]
    blocks = [block.text for block in wanted.page.blocks]
    pairs = zip(blocks, before, after, strict=True)
    assert [text for text, one, other in pairs if one[5:12] != other[5:12]] == changed


def test_standard_input_is_read_in_the_given_encoding(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    body = "<meta charset=utf-8><p>Żółw</p>".encode("iso-8859-2")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(body)))
    given = ["--model", tiny_model, "--engine", "numpy", "--encoding", "iso-8859-2"]
    assert run(explain, *given) == 0
    lines = shown(capsys)
    assert lines[0] == "standard input"
    assert block_lines(lines)[0].endswith("Żółw")


def test_settings_of_the_project_are_used_if_no_option_is_given(
    tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    explain.add_arguments(parser)
    settings = Settings(
        {
            "BOILERNET_MODEL": str(tiny_model),
            "BOILERNET_ENGINE": "numpy",
            "BOILERNET_THRESHOLD": 0.0,
            "BOILERNET_TITLE": "drop",
        }
    )
    assert explain.run(parser.parse_args([str(ARTICLE)]), settings) == 0
    lines = shown(capsys)
    assert "model:      tiny (numpy)" in lines
    dropped = [line for line in block_lines(lines) if "boilerplate" in line]
    (title,) = [line for line in dropped if "[dropped by: hidden (" not in line]
    assert "boilerplate title   " in title
    assert "[dropped by: title] Why tide pools warm" in title
    wrong = Settings({"BOILERNET_FAVOR": "luck"})
    with pytest.raises(UsageError, match="BOILERNET_FAVOR"):
        explain.run(parser.parse_args([str(ARTICLE)]), wrong)


def test_labels_of_a_labeler_without_reasons_are_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(explain, "load_labeler", lambda *_: Half())
    out = tmp_path / "out.html"
    assert run(explain, ARTICLE, "--html", out) == 0
    lines = shown(capsys)
    assert NO_REASONS in lines
    assert "model:      half" in lines
    assert NO_REASONS in out.read_text(encoding="utf-8")


def test_a_url_is_fetched_and_an_http_error_is_reported(
    tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Site() as site:
        given = ["--model", tiny_model, "--engine", "numpy"]
        assert run(explain, f"{site.url}/article", *given) == 0
        assert any("The mill on the river" in line for line in shown(capsys))
        assert run(explain, f"{site.url}/missing", *given) == 1
        out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"cannot read {site.url}/missing: ")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_standard_output_may_have_any_encoding(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    page = PAGES / "japanese.html"
    assert run(explain, page, "--model", tiny_model, "--engine", "numpy") == 0
    sys.stdout.flush()
    text = written.getvalue().decode(encoding)
    assert ("█" in text) == (encoding == "utf-8")
    assert "\x1b" not in text


def test_wrong_arguments_are_refused_with_value_and_remedy(
    tiny_model: Path, tmp_path: Path
) -> None:
    given = ["--model", tiny_model, "--engine", "numpy"]
    assert "--threshold 1.5 is outside [0, 1]" in refusal(explain, ARTICLE, "--threshold", "1.5")
    assert "--threshold nan is outside" in refusal(explain, ARTICLE, "--threshold", "nan")
    assert "--top -1: give 0 or more" in refusal(explain, ARTICLE, "--top", "-1")
    assert f"{tmp_path} is a folder" in refusal(explain, tmp_path)
    assert "'nowhere.html'" in refusal(explain, "nowhere.html")
    assert "no model" in refusal(explain, ARTICLE, "--model", tmp_path / "none")
    missing = tmp_path / "no-such-folder" / "out.html"
    assert f"cannot write {missing}" in refusal(explain, ARTICLE, *given, "--html", missing)


def test_a_wrong_number_of_reasons_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Broken(Half):
        def reasons(self, page: object) -> list[object]:
            return []

    monkeypatch.setattr(explain, "load_labeler", lambda *_: Broken())
    assert "'half' gives reasons for 0 blocks" in refusal(explain, ARTICLE)


def test_it_is_an_action_of_scrapy_boilernet(tiny_model: Path) -> None:
    completed = run_python(
        "-m", "scrapy", "boilernet", "explain", str(ARTICLE), "--model", str(tiny_model),
        "--engine", "numpy", environment={"PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr.decode()
    assert completed.stderr == b""
    lines = completed.stdout.decode().splitlines()
    assert "model:      tiny (numpy)" in lines
    assert "\x1b" not in completed.stdout.decode()


@pytest.mark.parametrize(
    ("settings", "blocks", "message"),
    [
        (
            {"BOILERNET_MAX_BYTES": 20, "BOILERNET_OVER_MAX_BYTES": "skip"},
            None,
            "cannot explain PAGE: more than BOILERNET_MAX_BYTES",
        ),
        ({"BOILERNET_MAX_BYTES": 20}, 2, "PAGE: cut off after BOILERNET_MAX_BYTES = 20 bytes"),
        (
            {"BOILERNET_MAX_BLOCKS": 2, "BOILERNET_OVER_MAX_BLOCKS": "skip"},
            None,
            "cannot explain PAGE: more blocks or elements than BOILERNET_MAX_BLOCKS = 2",
        ),
        ({"BOILERNET_MAX_BLOCKS": 2}, 2, "PAGE: cut off, since it has more blocks or elements"),
        ({}, 3, ""),
    ],
)
def test_the_limits_of_the_project_are_used(
    tiny_model: Path,
    tmp_path: Path,
    settings: dict[str, Any],
    blocks: int | None,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(b"<p>One</p><p>Two</p><p>Three</p>")
    assert run_with(settings, tiny_model, page) == (blocks is None)
    out, err = capsys.readouterr()
    assert len(block_lines(out.splitlines())) == (blocks or 0)
    assert err.startswith(message.replace("PAGE", str(page)))
    assert len(err.splitlines()) == bool(message)


def test_other_files_are_refused_and_gzip_is_unpacked(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, page = tmp_path / "report.html", tmp_path / "page.html.gz"
    report.write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    page.write_bytes(gzip.compress(ARTICLE.read_bytes()))
    with pytest.raises(UsageError, match=r"report\.html is a PDF document, which is not read"):
        run_with({}, tiny_model, report)
    assert run_with({}, tiny_model, page) == 0
    found = block_lines(shown(capsys))
    assert run_with({}, tiny_model, ARTICLE) == 0
    assert found == block_lines(shown(capsys))


def test_the_url_chooses_the_threshold_and_a_wrong_header_is_overruled(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"BOILERNET_DOMAIN_THRESHOLDS": {"example.com": 0.25}, "BOILERNET_THRESHOLD": 0.75}
    assert run_with(settings, tiny_model, ARTICLE) == 0
    assert "threshold:  0.75" in shown(capsys)
    assert run_with(settings, tiny_model, ARTICLE, "--url", "https://www.example.com/") == 0
    assert "threshold:  0.25" in shown(capsys)
    with pytest.raises(UsageError, match="give the whole address"):
        run_with({}, tiny_model, ARTICLE, "--url", "example.com")
    body = "<p>Żółw i gęś, łódź i koń".encode()
    monkeypatch.setitem(ANSWERS, "/wrong", Answer(body, "text/html; charset=iso-8859-2"))
    with Site() as site:
        assert run_with({}, tiny_model, f"{site.url}/wrong") == 0
    assert block_lines(shown(capsys))[0].endswith("Żółw i gęś, łódź i koń")


@pytest.mark.parametrize("with_url", [True, False])
@pytest.mark.parametrize(
    ("settings", "needing"),
    [
        ({"BOILERNET_SITES": {"shop.example": {"drop": ".ad"}}}, "--sites or BOILERNET_SITES"),
        ({"BOILERNET_DOMAIN_THRESHOLDS": {"a.example": 0.3}}, "BOILERNET_DOMAIN_THRESHOLDS"),
        ({}, ""),
    ],
)
def test_settings_that_need_an_address_say_so(
    tiny_model: Path, settings: dict[str, Any], needing: str, with_url: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    url = ["--url", "http://shop.example/1"] if with_url else []
    assert run_with(settings, tiny_model, ARTICLE, *url) == 0
    out, err = capsys.readouterr()
    wanted = f"{ARTICLE}: no address is known, so {needing} had no effect; give it by --url"
    assert (wanted in err) == (bool(needing) and not with_url)
    assert ("rule:  " in out) == ("SITES" in needing)


def test_extract_says_of_how_many_pages_no_address_is_known(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sites = tmp_path / "sites.toml"
    sites.write_text("['shop.example']\ndrop = '.ad'\n", encoding="utf-8")
    given = ["--sites", sites, "--model", tiny_model, "--engine", "numpy"]
    assert run(extract_pages, ARTICLE, PAGES / "forum.html", *given) == 0
    said = "2 of 2 pages: no address is known, so --sites or BOILERNET_SITES had no effect"
    assert capsys.readouterr().err.count(said) == 1
    assert run(extract_pages, ARTICLE, "--url", "http://a.example/", *given) == 0
    assert "no address" not in capsys.readouterr().err
