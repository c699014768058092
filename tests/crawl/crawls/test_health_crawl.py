"""Crawls of a site that gets a new template, during a crawl and between two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from testing.benchmark_runs import needs_shipped_model
from testing.crawling import Crawl, crawl
from testing.loopback import Site

pytestmark = needs_shipped_model


def run(site: Site, good: int, bad: int, **settings: Any) -> Crawl:
    pages = {"GOOD_PAGES": good, "BAD_PAGES": bad, "BOILERNET_ENABLED": True}
    return crawl("redesigned", site.url, {**pages, "BOILERNET_ENGINE": "numpy", **settings})


def warnings_of(result: Crawl) -> list[str]:
    return [line for line in result.log if "turned bad" in line]


@pytest.mark.parametrize("mode", ["thread", "process"])
def test_a_redesign_is_logged_once_and_the_stats_count_empty_pages(site: Site, mode: str) -> None:
    result = run(site, 40, 30, BOILERNET_MODE=mode, BOILERNET_METADATA_FIELD="metadata")
    counts = result.counts("redesigned")
    assert counts["domain/127.0.0.1/pages"] == counts["pages"] == 70
    assert counts["domain/127.0.0.1/empty_share"] == round(30 / 70, 3)
    assert counts["domain/127.0.0.1/mean_confidence"] > 0.5
    assert counts["needs_rendering/script"] == counts["pages_without_content"] == 30
    assert counts["domains_turned_bad"] == 1
    (warning,) = warnings_of(result)
    assert warning.startswith(
        "scrapy_boilernet.crawl.runtime WARNING: 127.0.0.1 turned bad: its last 20"
    )
    assert f"look at {site.url}/app?" in warning


def test_a_redesign_between_two_crawls_is_logged_in_the_second(site: Site, tmp_path: Path) -> None:
    file = {"BOILERNET_HEALTH_FILE": str(tmp_path / "kept" / "health.json")}
    first, second = run(site, 40, 0, **file), run(site, 0, 20, **file)
    assert warnings_of(first) == []
    assert "domains_turned_bad" not in first.counts("redesigned")
    assert len(warnings_of(second)) == 1
    assert second.counts("redesigned")["domain/127.0.0.1/pages"] == 20
    assert warnings_of(run(site, 0, 20)) == []
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["health.json"]
