"""Real crawls that follow every item from its callback to the feed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from scrapy.utils.spider import iter_spider_classes
from testing import crawling, item_crawls
from testing.item_crawls import FILES, PAGES, STATES, Outcome
from testing.loopback import Site

NEWS_PAGES, MAX_LOG_RATIO = 60, 1.32
HELD_PAGES, MAX_HELD = 100, 16
"""``MAX_HELD``: twice as many as a worker takes at a time."""


def cases_of(file: str) -> list[str]:
    return [
        case.name
        for case in iter_spider_classes(crawling.module_of(crawling.SPIDERS / f"{file}.py"))
    ]


CASES = [(file, case) for file in FILES for case in cases_of(file)]


@pytest.fixture(scope="module")
def outcomes(site: Site) -> dict[str, Outcome]:
    """The outcome of each case, by the name of its spider."""
    with ThreadPoolExecutor() as pool:  # each waits for a process
        found = pool.map(lambda file: item_crawls.run(file, site.url), FILES)
        return {outcome.name: outcome for each in found for outcome in each}


@pytest.mark.parametrize("name", [case for _, case in CASES])
def test_every_item_is_counted_once_and_has_the_text_of_its_page(
    outcomes: dict[str, Outcome], name: str
) -> None:
    outcome = outcomes[name]
    assert outcome.counts == outcome.expected
    assert "wrong" not in outcome.texts
    assert outcome.held == 0


@pytest.mark.parametrize("name", [case for _, case in CASES])
def test_items_with_a_text_are_those_that_were_labeled(
    outcomes: dict[str, Outcome], name: str
) -> None:
    outcome = outcomes[name]
    labeled = outcome.counts.get("labeled", 0)
    gone = outcome.counts["yielded"] - outcome.counts["fed"]
    texts = outcome.texts.get("right", 0) + outcome.texts.get("own", 0)
    unread = outcome.counts.get("kept", 0)  # the spider's own values, or its page's by fill_item
    assert labeled + unread - gone <= texts <= labeled + unread
    assert outcome.texts.get("key", 0) == outcome.counts.get("stored", 0)
    assert sum(outcome.texts.values()) == outcome.counts["fed"]


def test_spiders_own_text_is_replaced_where_a_setting_says_so_and_nowhere_else(
    outcomes: dict[str, Outcome],
) -> None:
    assert outcomes["kept"].texts == {"own": 5 * PAGES}
    assert outcomes["kept_text"].texts == {"own": 2 * PAGES}
    assert outcomes["overwritten"].texts == {"right": 5 * PAGES}


def test_no_item_is_counted_while_the_pipeline_is_off(outcomes: dict[str, Outcome]) -> None:
    for name in ("off", "off_replaced"):
        assert not [state for state in STATES if f"items/{state}" in outcomes[name].stats]


def test_pages_that_are_not_labeled_are_counted_by_why(outcomes: dict[str, Outcome]) -> None:
    skipped = {
        name: {key: count for key, count in outcomes[name].stats.items() if "skipped/" in key}
        for name in ("requested", "nothing_requested", "patterns", "forbidden", "head")
    }
    assert skipped == {
        "requested": {"skipped/not_requested": 2},
        "nothing_requested": {"skipped/not_requested": 6},
        "patterns": {"skipped/not_requested": 2, "skipped/off": 1},
        "forbidden": {"skipped/off": 3},
        "head": {"skipped/head": 6},
    }


def test_a_log_with_all_items_is_little_longer_than_without_the_plugin(site: Site) -> None:
    paths = [f"/news?{n}" for n in range(NEWS_PAGES)]
    without, _ = item_crawls.sizes(site.url, paths, {"BOILERNET_ENABLED": False})
    log, feed = item_crawls.sizes(site.url, paths, {})
    assert len(feed) > NEWS_PAGES * 10_000  # the feed has the texts and all rows
    assert log <= MAX_LOG_RATIO * without


def test_pages_are_held_only_while_their_items_are_in_flight(site: Site) -> None:
    alive = item_crawls.alive(site.url, HELD_PAGES, stat="without_response")
    assert set(alive) == {"off", "replaced"}
    for counts in alive.values():
        assert counts
        assert max(counts) <= MAX_HELD
