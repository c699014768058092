"""``scrapy boilernet testbed``, without a browser: labelers in Python and the random field."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("selenium")

from testing.commanding import refusal, run
from testing.museum import museum_page
from testing.sidecars import sidecar, write_sidecar

from scrapy_boilernet.commands import testbed
from scrapy_boilernet.lab.annotations.testbed import Judged, scored


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(3):
        html = museum_page(number).encode()
        url = f"https://museum.example/object/{number}"
        document = sidecar(
            html, lambda text: ("main" if len(text) > 60 else "boilerplate", "human"), url=url
        )
        write_sidecar(tmp_path / "in", f"page{number}", html, document)
    return tmp_path / "in"


@pytest.mark.parametrize(
    ("judged", "figures"),
    [
        ([(True, True), (False, True), (True, False), (False, False)], (0.5, 0.5, 0.5, 0.5)),
        ([(False, False)] * 3, (1, 1, 1, 1)),
        ([(True, False)] * 3, (1, 0, 0, 0)),
        ([], (1, 1, 1, 1)),
    ],
)
def test_figures_are_counted_over_blocks(
    judged: list[tuple[bool, bool]], figures: tuple[float, ...]
) -> None:
    score = scored("", "", [Judged(*pair) for pair in judged])
    assert (score.precision, score.recall, score.f1, score.accuracy) == figures


def test_labelers_and_the_field_are_measured_on_each_page(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.html"
    given = ["--no-browser", "--labeler", "default", "--labeler", "grf", "--share", "0.2"]
    assert run(testbed, folder, *given, "--html", report) == 0
    rows = [row.split(" | ") for row in capsys.readouterr().out.splitlines()[2:]]
    assert [row[1] for row in rows] == ["default", "grf", "grf, 20% given"] * 4
    assert all(row[0].startswith("| mean of 3 pages") for row in rows[-3:])
    text = report.read_text(encoding="utf-8")
    assert text.count("<section>") == 3
    assert "default-src &#39;none&#39;" in text or "default-src 'none'" in text
    assert run(testbed, folder, *given) == 0
    again = [row.split(" | ") for row in capsys.readouterr().out.splitlines()[2:]]
    assert again == rows


def test_without_a_browser_the_extensions_model_is_not_exported(folder: Path) -> None:
    given = ["--no-browser", "--labeler", "default", "--model", "grf"]
    assert run(testbed, folder, *given) == 0


def test_the_labels_that_are_given_to_the_field_do_not_depend_on_the_pages_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = museum_page(1).encode()
    found = []
    for port in range(8000, 8004):
        document = sidecar(
            html, lambda text: ("main" if len(text) > 60 else "boilerplate", "human"),
            url=f"http://127.0.0.1:{port}/object/1",
        )  # fmt: skip
        write_sidecar(tmp_path / str(port), "one", html, document)
        assert run(testbed, tmp_path / str(port), "--no-browser", "--share", "0.2") == 0
        found.append(capsys.readouterr().out.replace(str(port), "port"))
    assert len(set(found)) == 1


def test_what_is_missing_is_named(folder: Path, tmp_path: Path) -> None:
    assert "above 0 and below 1" in refusal(testbed, folder, "--share", "2")
    assert "leaves nothing to test" in refusal(testbed, folder, "--no-browser")
    assert "'no-model'" in refusal(testbed, folder, "--no-browser", "--labeler", "no-model")
    message = refusal(testbed, folder, "--extension", tmp_path)
    assert "npm run build -- --test" in message
