"""An item of ``start()`` or of an errback never gets the text of a page that has an equal item."""

from __future__ import annotations

from typing import Any

import pytest
import scrapy
from testing.crawling import Crawl, crawl
from testing.item_crawls import SETTINGS
from testing.loopback import Site

EXACT = {"page/text": 1}
"""The page's item has its text, and the other item has none."""
ERRBACK = {**EXACT, "errback/nothing": 1}
START = {**EXACT, "start/nothing": 1}
ERRBACK_CASES = {
    "errback": ERRBACK, "errback dataclass": ERRBACK, "errback item": ERRBACK,
    "errback status": ERRBACK, "errback ignored": ERRBACK, "errback other values": ERRBACK,
    "errback, no pipeline before": ERRBACK,
    # Nothing tells copies of equal items apart.
    "errback copied": {"page/nothing": 1, "errback/nothing": 1},
    "copied errback": {"page/nothing": 1, "errback/nothing": 1},
}  # fmt: skip
START_CASES = {
    "start": START, "start dataclass": START, "start, no pipeline before": START,
    "start copied": {"page/nothing": 1, "start/nothing": 1},
}  # fmt: skip


@pytest.fixture(scope="module")
def result(site: Site) -> Crawl:
    given = {"RETRY_ENABLED": False, "STRANGERS_ITEMS": 2, "BOILERNET_LABELS_FIELD": None}
    return crawl("strangers", site.url, {**SETTINGS, **given})


def origins(result: Crawl, name: str) -> dict[str, Any]:
    stats = result.stats[name]
    return {key[7:]: stats[key] for key in stats if key.startswith("origin/")}


@pytest.mark.parametrize("name", ERRBACK_CASES)
def test_item_of_an_errback_has_no_text(result: Crawl, name: str) -> None:
    assert origins(result, name) == ERRBACK_CASES[name]


@pytest.mark.skipif(scrapy.version_info < (2, 13), reason="items of start() are newer")
@pytest.mark.parametrize("name", START_CASES)
def test_item_of_start_has_no_text(result: Crawl, name: str) -> None:
    assert origins(result, name) == START_CASES[name]
