"""``scrapy boilernet adapt``: the action's arguments, output and refusals."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from testing.commanding import refusal, run
from testing.synthetic import article

pytest.importorskip("scipy")

from scrapy_boilernet.commands import adapt


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.html").write_bytes(article(number)[0])
    return folder


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({"text": "Most read", "label": "boilerplate"}) + "\n")
    return path


def test_a_set_is_written_and_reported(
    site: Path, labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(adapt, site, "--labels", labels, "--out", out) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == ["0", "1", "2"]
    assert lines[-1].startswith(f"wrote {out}: 3 pages, ")
    assert sorted(path.name for path in out.iterdir()) == [
        "gold",
        "html",
        "meta.json",
        "pages.jsonl",
    ]


def test_wrong_input_is_refused_in_one_line(site: Path, labels: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("--labels", labels, "--out", out)
    assert "--no-rules" in refusal(adapt, site, *arguments, "--no-rules")
    assert "nowhere" in refusal(adapt, tmp_path / "nowhere", *arguments)
    labels.write_text("label: content\n")
    assert "line 1 is not JSON" in refusal(adapt, site, *arguments)
    assert "none.jsonl" in refusal(adapt, site, "--labels", tmp_path / "none.jsonl", "--out", out)
    assert not out.exists()


def test_a_folder_that_cannot_be_written_is_refused(
    site: Path, labels: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    assert "file" in refusal(adapt, site, "--labels", labels, "--out", tmp_path / "file" / "out")


def test_files_that_are_not_html_are_refused_with_their_kinds(
    site: Path, labels: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (site / "report.html").write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    (site / "photo.html.gz").write_bytes(gzip.compress(b"\x89PNG\r\n\x1a\n"))
    message = refusal(adapt, site, "--labels", labels, "--out", out)
    assert message == (
        f"2 of 5 files are not HTML: {site}/photo.html.gz (a PNG image), {site}/report.html "
        "(a PDF document); leave them out"
    )
    assert not out.exists()
    (tmp_path / "empty").mkdir()
    assert ".html.gz" in refusal(adapt, tmp_path / "empty", "--labels", labels, "--out", out)


def test_gzip_files_are_adapted_and_written_unpacked(
    site: Path, labels: Path, tmp_path: Path
) -> None:
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    assert run(adapt, site, "--labels", labels, "--out", plain) == 0
    for file in [*site.iterdir()]:
        (site / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert run(adapt, site, "--labels", labels, "--out", packed) == 0
    files = sorted(path.relative_to(plain) for path in plain.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(packed) for path in packed.rglob("*") if path.is_file())
    assert len(files) == 8
    for file in files:
        assert (plain / file).read_bytes() == (packed / file).read_bytes()
