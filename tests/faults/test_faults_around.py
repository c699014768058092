"""Sites, middlewares, pipelines and callbacks that fail around the plugin.

Whatever they do, every item that reaches the plugin's pipeline goes on, and healthy pages are
labeled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from testing.crawling import REACTOR
from testing.faulty import (
    BOMB_BYTES,
    MADE_TEXT,
    MODES,
    Faulted,
    FaultySite,
    crawl_faults,
    page,
    settings,
    text_of,
)

LABELED = {
    "near request": None,
    "far request": None,
    "near response": MADE_TEXT,
    "far response": MADE_TEXT,  # what the callback got
    "no download": MADE_TEXT,
    "callback raises": None,
    "rescued": None,
    "input raises": None,  # the errback's item is of the page, too
    "copied before": None,
    "copied after": None,
    "copied in pipeline": None,
}
"""The text of these pages' items; None: the text of the page that the site sent."""
UNLABELED = ("near raises", "near ignores", "far raises", "far ignores")
LOST = ("dropped", "pipeline raises")
SENT = {
    "/zero": "",
    "/no-content": "",
    "/untyped": text_of("untyped"),
    "/charset-bytes": text_of("charset"),
    "/charset-unknown": text_of("charset"),
    "/odd-headers": text_of("odd"),
    "/unknown-coding": text_of("coded"),
    "/flaky": text_of("flaky"),
    "/moved": text_of("moved"),
    "/too-short": text_of("short"),
}
"""How these answers end, with any downloader."""
ANY = ("/image-as-html", "/two-types", "/cut-gzip", "/no-http", "/not-gzip")
"""Downloaders and versions of Scrapy differ on them."""
SKIPPED = {"/html-as-image": "content_type", "/html-as-json": "content_type",
           "/untyped-nothing": "content_type", "/broken": "status"}  # fmt: skip
FAILED = ("/bomb", "/reset", "/circle", "/late", "/too-long")
METAS: dict[str, dict[str, Any]] = {
    "/late": {"download_timeout": 0.5, "dont_retry": True},
    "/broken": {"handle_httpstatus_list": [500]},
}


def pages() -> list[dict[str, Any]]:
    """Return all pages, each after a healthy one."""
    sent = [*SENT, *ANY, *SKIPPED, *FAILED]
    around = [page(n, fault) for n, fault in enumerate((*LABELED, *UNLABELED, *LOST))]
    wrong = [{"path": path, "fault": path, "meta": METAS.get(path)} for path in sent]
    wrong += [
        {"path": "/reset?mended", "fault": "mended", "meta": {"dont_retry": True}},
        {"path": "/too-long?cut", "fault": "cut", "meta": {"download_fail_on_dataloss": False}},
        {"path": "/bomb?large", "fault": "large", "meta": {"download_maxsize": 0}},
    ]
    pairs = [[page(100 + n), each] for n, each in enumerate([*around, *wrong])]
    return [*chain.from_iterable(pairs)]


@pytest.fixture(scope="module", params=MODES)
def result(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulted]:
    given = settings(
        request.param,
        DOWNLOAD_MAXSIZE=BOMB_BYTES // 2,
        BOILERNET_MAX_BYTES=BOMB_BYTES // 2,
        BOILERNET_OVER_MAX_BYTES="skip",
        DOWNLOADER_MIDDLEWARES={"faults_around.Near": 545, "faults_around.Far": 100},
        SPIDER_MIDDLEWARES={"faults_around.CopyBefore": 500, "faults_around.CopyAfter": 5},
        ITEM_PIPELINES={"faults_around.Pipeline": 10},
    )
    folder = tmp_path_factory.mktemp("around")
    with FaultySite() as site:
        yield crawl_faults(site, folder, pages(), given, spiders="faults_around")


def test_what_was_yielded_came_out_or_was_dropped_by_others(result: Faulted) -> None:
    stats = result.stats
    more = 3  # second items of two pages, the rescued one
    assert stats["faults/in"] == len(pages()) + more
    assert stats["item_dropped_count"] == 1
    assert stats["item_scraped_count"] == len(result.crawl.items) == stats["faults/in"] - len(LOST)
    assert result.left == {"threads": [], "children": []}
    assert result.crawl.deprecations == []
    result.check_labeled()


def test_items_that_others_dropped_leave_no_page_in_memory(result: Faulted) -> None:
    assert result.stats["faults/ties"] == 0


@pytest.mark.parametrize("fault", LABELED)
def test_page_keeps_its_labels_among_others_that_fail(result: Faulted, fault: str) -> None:
    items = result.of(fault)
    assert items
    for item in items:
        assert item["main_text"] == (LABELED[fault] or text_of(item["n"]))
    assert len(items) == {"callback raises": 2, "rescued": 3}.get(fault, 1)


@pytest.mark.parametrize("fault", UNLABELED)
def test_item_without_its_page_goes_on_untouched(result: Faulted, fault: str) -> None:
    (item,) = result.of(fault)
    assert "main_text" not in item


@pytest.mark.parametrize("fault", SENT)
def test_odd_answer_is_labeled(result: Faulted, fault: str) -> None:
    (item,) = result.of(fault)
    if REACTOR == "none" and "failure" in item:
        pytest.skip(f"this downloader refuses it: {item['failure']}")
    assert item["main_text"] == SENT[fault]


@pytest.mark.parametrize("fault", ANY)
def test_answer_that_downloaders_read_in_their_own_ways_has_its_item(
    result: Faulted, fault: str
) -> None:
    (item,) = result.of(fault)
    assert ("main_text" in item) == item.get("labeled", False)


@pytest.mark.parametrize("fault", FAILED)
def test_failed_download_has_the_item_of_its_errback(result: Faulted, fault: str) -> None:
    (item,) = result.of(fault)
    assert item["failure"]
    assert "main_text" not in item


def test_page_that_broke_off_is_labeled_as_far_as_it_came(result: Faulted) -> None:
    (item,) = result.of("cut")
    assert item.get("failure") or item["main_text"] == text_of("long")


def test_what_is_skipped_is_counted_by_reason(result: Faulted) -> None:
    for fault in (*SKIPPED, "large"):
        (item,) = result.of(fault)
        assert "main_text" not in item
    counts = result.counts
    assert counts["skipped/too_large"] == 1
    assert counts["skipped/status"] >= 1
    assert counts["skipped/content_type"] >= 3
    assert not [name for name in counts if name.startswith("errors/")]
