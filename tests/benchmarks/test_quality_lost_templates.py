"""The benchmark of lost templates: crawls are drawn from the templates of a set's pages."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from testing.benchmark_runs import needs_shipped_model, run, run_module
from testing.synthetic import harbour_set

from benchmarks.quality.lost_templates import STABLE, main_template, warned_at, without

PAGES = [(7, 9, -3), (9, 7, -3), (9, -3), (9, 7)]


def test_a_crawl_is_warned_of_at_the_page_with_which_a_template_is_lost() -> None:
    assert warned_at(PAGES * 100) == 0
    assert warned_at([*PAGES * 25, *without(PAGES * 25, 9)]) == 116


@pytest.mark.parametrize("name", STABLE)
def test_crawls_of_stable_domains_are_as_long_as_asked(name: str) -> None:
    crawl = STABLE[name](PAGES, 130, Random(1))
    assert len(crawl) == 130
    assert {*crawl} <= {*PAGES}


def test_the_main_template_is_kept_on_nearly_all_pages() -> None:
    assert main_template(PAGES) == 9
    assert main_template([*PAGES, (7, -9)]) == 0
    assert main_template([(-3,)]) == 0
    assert [*without(PAGES, 7)] == [(-7, 9, -3), (9, -7, -3), (9, -3), (9, -7)]


@needs_shipped_model
def test_the_report_says_how_many_are_found(tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "benchmarks.quality.lost_templates", harbour_set(tmp_path, 5), "--domains", "5",
        "--pages", "200", plot=False,
    )  # fmt: skip
    assert (document["domains"], document["pages"]) == (1, 5)
    assert document["false, as they are"] == 0
    assert document["lost"]["found"] == 1
    assert "| 1 | 5 | 0 | 5 | 16 |" in text


@needs_shipped_model
def test_a_set_without_domains_of_enough_pages_is_refused(tmp_path: Path) -> None:
    folder = harbour_set(tmp_path, 4)
    completed = run_module(tmp_path, "benchmarks.quality.lost_templates", folder)
    assert completed.returncode != 0
    assert "no domain has 5 pages" in completed.stderr
