"""The recipe of the guide that joins the pages of an article in a crawl."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from testing.crawling import SPIDERS, crawl
from testing.loopback import ANSWERS, Answer, Site

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "retrieval.md"


def answer(name: str, number: int, after: str, before: str) -> Answer:
    links = f"<link rel=next href={after}>" if after else ""
    links += f"<link rel=prev href={before}>" if before else ""
    return Answer(
        f"<title>The mill</title>{links}<h1>The mill</h1><p>Text {number} of {name} is here, on a "
        f"page of its own, number {number}.".encode()
    )


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three articles: three pages; two that lead to each other; one whose second is missing."""
    answers = {
        "/whole": answer("whole", 1, "/whole/2", ""),
        "/whole/2": answer("whole", 2, "/whole/3", "/whole"),
        "/whole/3": answer("whole", 3, "", "/whole/2"),
        "/circle": answer("circle", 1, "/circle/2", ""),
        "/circle/2": answer("circle", 2, "/circle", "/circle"),
        "/gap": answer("gap", 1, "/gap/2", ""),
    }
    for path, one in answers.items():
        monkeypatch.setitem(ANSWERS, path, one)


def test_the_recipe_joins_the_pages_of_an_article(
    pages: None, site: Site, tiny_model: Path
) -> None:
    settings = {
        "ENABLED": True, "ENGINE": "numpy", "MODEL": str(tiny_model), "THRESHOLD": 0,
        "LABELS_FIELD": None, "METADATA_FIELD": "metadata", "CHUNKS_FIELD": "chunks",
    }  # fmt: skip
    result = crawl(
        "joined", site.url, {f"BOILERNET_{name}": each for name, each in settings.items()}
    )
    items = {item["url"].removeprefix(f"{site.url}/"): item for item in result.fields()}
    assert {name: len(re.findall(r"Text \d", one["main_text"])) for name, one in items.items()} == {
        "whole": 3, "circle": 2, "gap": 1,
    }  # fmt: skip
    whole = items["whole"]
    assert whole["main_text"].count("The mill") == 1
    assert [re.sub(r".*/whole|#.*", "", one["text_url"]) for one in whole["chunks"]] == [
        "", "/2", "/3",
    ]  # fmt: skip


def test_the_recipe_is_the_spider_of_this_test_and_is_short() -> None:
    guide = re.search(r"```python\n(def parse\(self.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert guide
    lines = [line.strip() for line in guide[1].splitlines() if line.strip()]
    assert len(lines) <= 10
    source = (SPIDERS / "joined.py").read_text(encoding="utf-8")
    plain = re.sub(r": Any| -> Any|  # type: ignore\[override\]|  # noqa.*", "", source)
    found = [line.strip() for line in plain.replace(" = ()", "=()").splitlines() if line.strip()]
    at = found.index(lines[0])
    assert found[at : at + len(lines)] == lines
