"""The rules of sites that no page of a crawl used are counted and logged at its end."""

from __future__ import annotations

import logging

import pytest
from testing.standins import counts, new_runtime

from scrapy_boilernet.crawl.unused_rules import MAX_NAMED, UnusedRules
from scrapy_boilernet.extractor.sites.rules import SiteRules

DROP = {"drop": ".ad"}


def rules_of(*keys: str) -> SiteRules | None:
    return SiteRules.of(dict.fromkeys(keys, DROP))


@pytest.mark.parametrize(
    ("keys", "urls", "unused"),
    [
        (["a.example", "b.exmaple"], ["http://a.example/", "http://www.b.example/"], ["b.exmaple"]),
        (["a.example"], ["http://www.a.example:80/x"], []),
        (["http://localhost/"], ["http://localhost:8000/"], ["http://localhost/"]),
        (["a.example", "/shop/"], ["http://a.example/shop/1"], ["a.example"]),
        (["a.example", "/shop/"], ["http://a.example/shop/1", "http://a.example/"], []),
        (["a.example"], [], []),
        ([], ["http://a.example/"], []),
    ],
)
def test_rules_that_are_for_no_labeled_page_are_unused(
    keys: list[str], urls: list[str], unused: list[str]
) -> None:
    rules = UnusedRules(rules_of(*keys))
    for url in urls:
        rules.see(url)
    assert rules.number == len(unused)
    assert rules.is_any_used == (bool(urls) and len(unused) < len(keys))
    assert all(repr(key) in rules.message for key in unused)


def test_without_rules_nothing_is_unused() -> None:
    rules = UnusedRules(None)
    rules.see("http://a.example/")
    assert rules.number == 0


@pytest.mark.parametrize("number", [1, MAX_NAMED, MAX_NAMED + 1, 2_000])
def test_at_most_ten_are_named(number: int) -> None:
    rules = UnusedRules(rules_of(*(f"a{n}.example" for n in range(number))))
    rules.see("http://b.example/")
    named = [n for n in range(number) if f"'a{n}.example'" in rules.message]
    assert named == [*range(min(number, MAX_NAMED))]
    assert f"{number:,} of {number:,} rules" in rules.message
    assert (f"and {number - MAX_NAMED:,} more" in rules.message) == (number > MAX_NAMED)


@pytest.mark.parametrize(
    ("url", "level"), [("http://a.example/", logging.INFO), ("http://c.example/", logging.WARNING)]
)
def test_a_crawl_counts_and_logs_them_once_at_its_end(
    url: str, level: int, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = new_runtime(sites=rules_of("a.example", "b.example"))
    runtime.unused_rules.see(url)
    with caplog.at_level(logging.INFO):
        runtime.close()
    (record,) = [one for one in caplog.records if "BOILERNET_SITES" in one.getMessage()]
    assert record.levelno == level
    assert counts(runtime)["sites/unused"] == (1 if level == logging.INFO else 2)


@pytest.mark.parametrize("keys", [[], ["a.example"]])
def test_a_crawl_without_labeled_pages_or_rules_logs_nothing(
    keys: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    runtime = new_runtime(sites=rules_of(*keys) if keys else None)
    if not keys:
        runtime.unused_rules.see("http://a.example/")
    runtime.close()
    assert "sites/unused" not in counts(runtime)
    assert not caplog.records
