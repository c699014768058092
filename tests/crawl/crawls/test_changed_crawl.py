"""A response that a later downloader middleware changes has the labels of what it became."""

from __future__ import annotations

from pathlib import Path

import pytest
from testing.crawling import Crawl, crawl
from testing.loopback import Site

ARTICLE = "Home\nThe mill on the river\nIts wheel turned until 1911.\nNow it grinds again."
CHANGED = "Changed\nThe text after the change."


@pytest.fixture(scope="module")
def result(site: Site, tiny_model: Path) -> Crawl:
    settings = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "numpy",
        "BOILERNET_MODEL": str(tiny_model),
        "BOILERNET_THRESHOLD": 0,  # every block is content, so that the texts are known
    }
    return crawl("changed", site.url, settings)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *[(name, CHANGED) for name in ("543", "1", "-5000", "545", "async", "html", "missing",
                                       "own request", "renders", "listed", "process")],
        *[(name, ARTICLE) for name in ("same", "flags", "retries")],
        ("pl", "Zażółć gęślą jaźń\nTekst po zmianie."),
        ("ja", "変更後の本文です。\n潮だまりは夜に温かくなる。"),
        ("ar", "النص بعد التغيير\nنص جديد."),
        ("text", None), ("header", None),
    ],
)  # fmt: skip
def test_item_and_callback_have_the_text_of_the_response_that_the_callback_gets(
    result: Crawl, name: str, text: str | None
) -> None:
    (item,) = result.fields(name=name)
    assert (item.get("main_text"), item["in_callback"]) == (text, text)


@pytest.mark.parametrize(
    ("name", "pages", "again"),
    [("543", 2, 1), ("545", 1, 0), ("same", 1, 0), ("flags", 1, 0), ("retries", 2, 0),
     ("html", 1, 1), ("text", 1, 1), ("listed", 2, 1), ("process", 2, 1)],
)  # fmt: skip
def test_only_a_page_that_was_changed_is_labeled_again(
    result: Crawl, name: str, pages: int, again: int
) -> None:
    counts = result.counts(name)
    assert (counts["pages"], counts.get("relabeled", 0)) == (pages, again)


def test_nothing_is_said_of_it_in_the_log(result: Crawl) -> None:
    assert result.deprecations == []
    assert not [line for line in result.log if "ERROR" in line or (line.startswith("scrapy_boiler")
                and "WARNING" in line)]  # fmt: skip
