"""An item that raises ``SystemExit`` or the like ends no crawl, and is not lost."""

from __future__ import annotations

import pytest
from testing.crawling import Crawl, crawl
from testing.item_crawls import SETTINGS, STATES
from testing.loopback import Site

ERRORS, PAGES = 7, 2
ITEMS = PAGES * (ERRORS * 7 + 1)


@pytest.fixture(scope="module")
def result(site: Site) -> Crawl:
    return crawl("raising_items", site.url, {**SETTINGS, "LOG_LEVEL": "INFO"})


def test_every_item_is_scraped_and_counted_once(result: Crawl) -> None:
    counts = result.counts("raising")
    assert len(result.items) == ITEMS
    assert sum(counts.get(f"items/{state}", 0) for state in STATES) == ITEMS
    assert result.stats["raising"]["finish_reason"] == "finished"


def test_an_item_keeps_the_values_that_it_takes(result: Crawl) -> None:
    items = [item["fields"] for item in result.items if item["class"] == "OneSetterItem"]
    assert len(items) == PAGES * ERRORS
    assert {("main_text" in item, len(item["block_labels"]) > 0) for item in items} == {
        (False, True)
    }


def test_the_log_names_each_class_once(result: Crawl) -> None:
    said = [line for line in result.log if "OneSetterItem items do not take" in line]
    assert len(said) == 1
