"""``scrapy boilernet adapt``: the action's arguments, output and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commanding import refusal, run
from synthetic import article

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


def test_a_set_is_written_and_told(
    site: Path, labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(adapt, site, "--labels", labels, "--out", out) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == ["0", "1", "2"]
    assert lines[-1].startswith("wrote 3 pages to")
    assert sorted(path.name for path in out.iterdir()) == [
        "gold",
        "html",
        "meta.json",
        "pages.jsonl",
    ]


def test_bad_input_is_refused_in_one_line(site: Path, labels: Path, tmp_path: Path) -> None:
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
