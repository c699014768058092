"""No result of a page goes into a queue on disk with a request that has a copy of its meta."""

from __future__ import annotations

import pytest
from testing.crawling import Crawl, crawl
from testing.item_crawls import SETTINGS
from testing.loopback import Site

ARTICLE = "Home\nThe mill on the river\nIts wheel turned until 1911.\nNow it grinds again."
CASES = (
    "middleware copy", "middleware itself", "middleware deep copy", "replaced", "copied", "meta",
    "dict", "deep copy", "followed", "retried", "in cb_kwargs", "by the engine",
)  # fmt: skip
MAX_CHARACTERS = 500
"""A labeled page's meta would have 3,300 with its result and config."""


@pytest.fixture(scope="module")
def result(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    folder = tmp_path_factory.mktemp("job")
    return crawl("queued", site.url, {**SETTINGS, "JOBDIR": str(folder)})


@pytest.mark.parametrize("case", [*CASES, "itself"])
def test_little_is_stored_and_every_item_has_its_text(result: Crawl, case: str) -> None:
    stats = result.stats["queued"]
    assert stats[f"queued/{case}/meta"] <= MAX_CHARACTERS
    assert stats[f"queued/{case}/cb_kwargs"] <= MAX_CHARACTERS
    items = result.fields(case=case)
    assert {(item["main_text"], item["in_callback"]) for item in items} == {(ARTICLE, ARTICLE)}
    assert len(items) == 1 if case.startswith("middleware") else 4


@pytest.mark.parametrize("case", CASES)
def test_nothing_of_the_result_is_stored(result: Crawl, case: str) -> None:
    assert result.stats["queued"][f"queued/{case}/result in the meta"] == len("False")


def test_every_request_was_on_disk(result: Crawl) -> None:
    stats = result.stats["queued"]
    assert "scheduler/enqueued/memory" not in stats
    assert stats["scheduler/enqueued/disk"] > 2 * len(CASES)
