"""The example project, crawled with the shipped model as its README says."""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from testing.benchmark_runs import ROOT, needs_shipped_model
from testing.crawling import REACTOR, REACTOR_SETTINGS, run_python

PROJECT = ROOT / "example_project"

pytestmark = needs_shipped_model


@pytest.fixture(scope="module", params=["onnx", "torch", "numpy"])
def output(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a crawl; one crawl per installed engine, NumPy if torch is not installed."""
    pytest.importorskip({"onnx": "onnxruntime"}.get(request.param, request.param))
    if request.param == "numpy" and find_spec("torch"):
        pytest.skip("torch is installed")
    folder = tmp_path_factory.mktemp("copy") / "example_project"
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("output", "__pycache__"))
    settings = {**REACTOR_SETTINGS[REACTOR], "BOILERNET_ENGINE": request.param}
    options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    completed = run_python("-m", "scrapy", "crawl", "pages", *options, folder=folder)
    assert completed.returncode == 0, completed.stderr.decode()
    return folder / "output"


@pytest.fixture(scope="module")
def pages(output: Path) -> dict[str, dict[str, Any]]:
    """The items of the crawl by the name of their page."""
    lines = (output / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    assert len({item["url"] for item in items}) == len(items)
    return {item["url"].rsplit("/", 1)[1]: item for item in items}


def share_found(pages: dict[str, dict[str, Any]], kind: str) -> float:
    """Return the share of the expected phrases of all pages that are in the main texts."""
    document = json.loads((PROJECT / "site" / "expected.json").read_text(encoding="utf-8"))
    found = [
        " ".join(phrase.split()) in " ".join(pages[name]["main_text"].split())
        for name, phrases in document.items()
        for phrase in phrases[kind]
    ]
    assert len(found) > 50
    return sum(found) / len(found)


def test_every_page_is_crawled_and_all_but_the_index_are_labeled(
    pages: dict[str, dict[str, Any]],
) -> None:
    assert set(pages) == {path.name for path in (PROJECT / "site").glob("*.html")}
    assert len(pages) == 18
    assert [name for name, item in pages.items() if not item["block_labels"]] == ["index.html"]


def test_pages_have_markdown_and_metadata(pages: dict[str, dict[str, Any]], output: Path) -> None:
    queue = pages["docs-queue.html"]
    assert "| `max_delay` | 900.0 |" in queue["main_text_markdown"]
    assert "```\nfrom ferrous import Consumer" in queue["main_text_markdown"]
    assert queue["metadata"]["page_kind"] == "documentation"
    bridge = pages["news-bridge.html"]
    assert bridge["main_text_markdown"].startswith("# ")
    assert bridge["main_text_markdown"][2:].startswith(bridge["metadata"]["title"])
    assert bridge["metadata"]["authors"]
    assert bridge["metadata"]["date_published"]
    file = (output / "markdown" / "news-bridge.md").read_text(encoding="utf-8")
    assert file.startswith('---\nurl: "http://127.0.0.1')
    assert bridge["main_text_markdown"] in file


def test_main_texts_hold_nine_of_ten_phrases_of_the_content(
    pages: dict[str, dict[str, Any]],
) -> None:
    assert share_found(pages, "keep") >= 0.9


def test_main_texts_hold_at_most_one_of_five_phrases_of_the_boilerplate(
    pages: dict[str, dict[str, Any]],
) -> None:
    assert share_found(pages, "drop") <= 0.2
