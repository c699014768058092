"""The benchmark of warnings: crawls are drawn from the confidences of a set's pages."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from testing.benchmark_runs import needs_shipped_model, run, run_module
from testing.synthetic import harbour_set

from benchmarks.quality.health import (
    CHANGES,
    RUN_KINDS,
    RUN_PAGES,
    STABLE,
    delays_of,
    in_runs,
    lower,
    warned_at,
)


def test_a_crawl_is_warned_of_at_the_page_that_makes_it_bad() -> None:
    assert warned_at([0.95] * 500) == 0
    assert 40 < warned_at([0.95] * 40 + [None] * 100) <= 60


@pytest.mark.parametrize("name", STABLE)
def test_crawls_of_stable_domains_are_as_long_as_asked(name: str) -> None:
    pages = [0.9, 0.92, 0.94, 0.96, 0.98]
    crawl = STABLE[name](pages, 130, Random(1))
    assert len(crawl) == 130
    assert {*crawl} <= {*pages, None}


def test_a_run_has_few_of_the_pages() -> None:
    crawl = in_runs([n / 10 for n in range(10)], 4 * RUN_PAGES, Random(1))
    for begin in range(0, len(crawl), RUN_PAGES):
        assert len({*crawl[begin : begin + RUN_PAGES]}) <= RUN_KINDS


def test_a_lower_confidence_is_one_still() -> None:
    assert lower(0.9, 0.25) == pytest.approx(0.65)
    assert lower(0.1, 0.25) == 0
    assert lower(None, 0.25) is None


def test_delays_are_counted_from_the_change() -> None:
    _, change = CHANGES["every page is empty"]
    delays, early = delays_of([[0.95] * 5], 3, 100, 50, change, Random(1))
    assert early == 0
    assert delays == [delays[0]] * 3
    assert 0 < delays[0] <= 20


@needs_shipped_model
def test_the_report_has_a_row_per_case(tmp_path: Path) -> None:
    folder = harbour_set(tmp_path, 5)
    text, document = run(
        tmp_path, "benchmarks.quality.health", folder, "--domains", "5", "--pages", "120",
        plot=False,
    )  # fmt: skip
    assert (document["domains"], document["pages"]) == (1, 5)
    assert [f"false, {name}" in document for name in STABLE] == [True] * len(STABLE)
    assert document["every page is empty"]["found"] == 1
    assert "| every page is empty | 5 | 0 | 5 |" in text


@needs_shipped_model
def test_a_set_without_domains_of_enough_pages_is_refused(tmp_path: Path) -> None:
    completed = run_module(tmp_path, "benchmarks.quality.health", harbour_set(tmp_path, 4))
    assert completed.returncode != 0
    assert "no domain has 5 pages" in completed.stderr
