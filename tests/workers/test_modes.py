"""Whole crawls in every mode: every item comes, and the labels do not depend on the mode."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any

import pytest
from testing.crawling import Crawl, crawl
from testing.loopback import Site
from testing.spiders.many_pages import PAGES

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
ITEMS = PAGES + 2


@pytest.fixture(scope="module")
def run(site: Site, tiny_model: Path) -> Any:
    """Crawl in a mode; a crawl of the same settings runs once."""

    @functools.cache
    def crawled(spiders: str, mode: str, misdeed: str = "", **settings: Any) -> Crawl:
        given = {
            "BOILERNET_ENABLED": True,
            "BOILERNET_ENGINE": "numpy",
            "BOILERNET_MODEL": str(tiny_model),
            "BOILERNET_THRESHOLD": 0.4,
            "BOILERNET_MODE": mode,
            **{f"BOILERNET_{name}": value for name, value in settings.items()},
        }
        return crawl(spiders, site.url, given, {"MISDEED": misdeed})

    return crawled


def texts(result: Crawl) -> dict[str, tuple[str, int]]:
    return {item["path"]: (item["text"], item["blocks"]) for item in result.fields(labeled=True)}


@pytest.mark.parametrize(
    ("mode", "settings"),
    [
        ("thread", {}),
        ("thread", {"BATCH_PAGES": 1, "QUEUE_PAGES": 1}),
        ("process", {}),
        ("process", {"WORKERS": 2, "BATCH_PAGES": 2, "QUEUE_PAGES": 2, "LABELS_FIELD": None}),
        ("process", {"CACHE_BLOCKS": 0, "TIMEOUT": None}),
    ],
)
def test_every_item_comes_with_the_labels_of_the_inline_mode(
    run: Any, mode: str, settings: dict[str, Any]
) -> None:
    inline, result = run("many_pages", "inline"), run("many_pages", mode, **settings)
    assert len(result.items) == len(inline.items) == ITEMS
    assert texts(result) == texts(inline)
    assert len(texts(result)) == ITEMS
    assert result.counts("many")["items/labeled"] == ITEMS
    assert [line for line in result.log if " ERROR: " in line] == []


def test_undeclared_encoding_is_found_alike_in_every_mode(run: Any) -> None:
    found = {texts(run("many_pages", mode))["/undeclared"] for mode in ("inline", "process")}
    assert len(found) == 1


@pytest.mark.parametrize("mode", ["process", "inline"])
def test_every_kind_of_page_and_item_has_the_result_of_the_thread_mode(run: Any, mode: str) -> None:
    thread, other = run("every_page", "thread"), run("every_page", mode)

    def items(result: Crawl) -> list[str]:
        return sorted(map(repr, result.items))

    def counts(result: Crawl) -> dict[str, Any]:
        return result.counts("every_page")

    assert items(other) == items(thread)
    assert counts(other) == counts(thread)
    seen = [key for key in thread.stats["every_page"] if key.startswith("seen/")]
    assert seen
    for key in seen:
        assert other.stats["every_page"][key] == thread.stats["every_page"][key]
    assert other.deprecations == []


def test_batches_and_the_queue_are_counted(run: Any) -> None:
    stats = run("many_pages", "thread", BATCH_PAGES=1, QUEUE_PAGES=1).stats["many"]
    assert stats["boilernet/batches"] == ITEMS
    assert stats["boilernet/batch/pages_max"] == stats["boilernet/queue/max"] == 1
    stats = run("many_pages", "process").stats["many"]
    assert 1 <= stats["boilernet/batches"] <= ITEMS


def test_main_process_of_the_process_mode_loads_no_engine(run: Any) -> None:
    assert run("many_pages", "process").stats["many"]["loaded"] == []


@POSIX
def test_killed_worker_costs_no_item_and_no_label(run: Any) -> None:
    result = run("many_pages", "process", "kill", WORKERS=2)
    assert texts(result) == texts(run("many_pages", "inline"))
    assert 1 <= result.counts("many")["workers/restarted"] <= 2
    assert "errors/WorkerDied" not in result.counts("many")


@POSIX
@pytest.mark.parametrize("mode", ["thread", "process"])
@pytest.mark.parametrize(("misdeed", "reason"), [("interrupt", "shutdown"), ("close", "enough")])
def test_crawl_that_is_ended_early_labels_every_page_that_it_has_downloaded(
    run: Any, mode: str, misdeed: str, reason: str
) -> None:
    result = run("many_pages", mode, misdeed)
    stats, counts = result.stats["many"], result.counts("many")
    assert stats["finish_reason"] == reason
    assert counts["pages"] == stats["response_received_count"]
    left_out = misdeed == "close"  # the item of the callback that raised
    assert len(result.items) == counts["items/labeled"] == counts["pages"] - left_out
    assert len(result.fields(labeled=True)) == len(result.items)
    assert not [name for name in counts if name.startswith("errors/")]
    assert "workers/restarted" not in counts
