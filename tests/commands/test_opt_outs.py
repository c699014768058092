"""What the headers of a page that ``extract`` fetches state against the use in training."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from testing.commanding import run
from testing.loopback import ANSWERS, PARAGRAPHS, Answer, Site, html_page

from scrapy_boilernet.commands import extract

PAGE = html_page("The mill", *PARAGRAPHS)
POLICY = "https://mill.example/policy.json"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as served:
        yield served


def metadata_of(source: str | Path, model: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    assert run(extract, source, "--model", model, "--engine", "numpy", "--with", "metadata") == 0
    return json.loads(capsys.readouterr().out)["metadata"]


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"X-Robots-Tag": "noai"}, ["noai"]),
        ({"x-robots-tag": "noindex, NOAI, noimageai"}, ["noai", "noimageai"]),
        ({"X-ROBOTS-TAG": "max-snippet: 20, noai"}, ["noai"]),
        ({"X-Robots-Tag": "noarchive", "x-robots-tag": "noimageai"}, ["noimageai"]),
        ({"TDM-Reservation": "1"}, ["tdm-reservation"]),
        ({"tdm-reservation": " 1 "}, ["tdm-reservation"]),
        ({"TDM-Policy": POLICY}, [f"tdm-policy={POLICY}"]),
        (
            {"TDM-Policy": POLICY, "TDM-Reservation": "1", "X-Robots-Tag": "noai"},
            ["noai", "tdm-reservation", f"tdm-policy={POLICY}"],
        ),
        ({"TDM-Reservation": "0"}, []),
        ({"X-Robots-Tag": "somebot: noai"}, []),
        ({"X-Robots-Tag": "noindex, nofollow"}, []),
        ({"X-Robots-Tag": "\xe9 noai \xff", "TDM-Policy": "javascript:alert(1)"}, []),
        ({}, []),
    ],
)
def test_headers_of_a_url_are_read(
    headers: dict[str, str], expected: list[str], site: Site, tiny_model: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setitem(ANSWERS, "/opted", Answer(PAGE.encode(), headers=headers))
    found = metadata_of(f"{site.url}/opted", tiny_model, capsys)
    assert (found.get("training_opt_out") or []) == expected
    assert found["sources"].get("training_opt_out") == ("header" if expected else None)


def test_headers_are_those_of_the_last_response_and_the_page_adds_its_own(
    site: Site, tiny_model: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    away = Answer(b"", status=302, headers={"Location": "/opted", "TDM-Reservation": "1"})
    page = PAGE.replace("<title>", "<meta name=robots content=noimageai><title>")
    monkeypatch.setitem(ANSWERS, "/away", away)
    monkeypatch.setitem(ANSWERS, "/opted", Answer(page.encode(), headers={"X-Robots-Tag": "noai"}))
    found = metadata_of(f"{site.url}/away", tiny_model, capsys)
    assert found["training_opt_out"] == ["noimageai", "noai"]
    assert found["sources"]["training_opt_out"] == "meta, header"


def test_a_file_states_only_what_is_in_it(
    tmp_path: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mill.html"
    file.write_text(PAGE, encoding="utf-8")
    assert "training_opt_out" not in metadata_of(file, tiny_model, capsys)["sources"]
