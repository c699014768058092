"""Stored crawls with faults: no page is lost, none is doubled, and every item is accounted for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from testing import buckets
from testing.bulk_faults import (
    DAMAGE,
    HARMLESS,
    Outcome,
    crawl_of,
    crawl_of_articles,
    crawl_with_copies,
    damaged,
    disk_full,
    killed,
    workers_killed,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

bucket = pytest.fixture(buckets.bucket)


def check(outcome: Outcome) -> None:
    assert (outcome.lost, outcome.doubled) == (0, 0)
    assert outcome.items == outcome.records + outcome.failures + outcome.left_out
    assert outcome.faults


def test_a_run_that_is_killed_goes_on(tmp_path: Path, tiny_model: Path) -> None:
    check(outcome := killed(crawl_of(tmp_path, tiny_model, 6_000), kills=3))
    assert (outcome.records, outcome.failures) == (6_000, 0)


@pytest.mark.parametrize(
    ("out", "options"),
    [
        ("shards", ("--format", "jsonl", "--shard-pages", "400")),
        ("out.parquet", ("--shard-pages", "400")),
        ("out.parquet", ("--shard-pages", "400", "--partition-by", "host")),
    ],
)
def test_shards_survive_any_kill(
    tmp_path: Path, tiny_model: Path, out: str, options: tuple[str, ...]
) -> None:
    pytest.importorskip("pyarrow")
    crawl = crawl_of(tmp_path, tiny_model, 6_000, options, out)
    check(outcome := killed(crawl, kills=3))
    assert (outcome.records, outcome.failures) == (6_000, 0)
    assert not [*crawl.out.rglob("*.unfinished")]


def test_shards_in_a_bucket_survive_any_kill(tmp_path: Path, tiny_model: Path, bucket: str) -> None:
    options = ("--format", "jsonl", "--shard-pages", "400")
    crawl = crawl_of(tmp_path, tiny_model, 4_000, options, f"{bucket}/shards")
    check(outcome := killed(crawl, kills=3))
    assert (outcome.records, outcome.failures) == (4_000, 0)
    assert not [*crawl.out.iterdir()]


def test_copies_are_left_out_after_any_kill(tmp_path: Path, tiny_model: Path) -> None:
    check(outcome := killed(crawl_with_copies(tmp_path, tiny_model, 4_000), kills=4))
    assert (outcome.records, outcome.failures, outcome.left_out) == (4_000, 0, 3_950)


def test_pages_are_joined_after_any_kill(tmp_path: Path, tiny_model: Path) -> None:
    check(outcome := killed(crawl_of_articles(tmp_path, tiny_model, 2_000), kills=5))
    assert (outcome.records, outcome.failures, outcome.left_out) == (2_000, 0, 2_000)


def test_workers_that_are_killed_are_replaced(tmp_path: Path, tiny_model: Path) -> None:
    check(outcome := workers_killed(crawl_of(tmp_path, tiny_model, 4_000), kills=4))
    assert (outcome.records, outcome.failures) == (4_000, 0)


def test_a_full_disk_ends_the_run_which_goes_on_later(tmp_path: Path, tiny_model: Path) -> None:
    check(outcome := disk_full(crawl_of(tmp_path, tiny_model, 2_000), times=2))
    assert (outcome.records, outcome.failures) == (2_000, 0)


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_costs_what_is_damaged(tmp_path: Path, tiny_model: Path, kind: str) -> None:
    check(outcome := damaged(tmp_path, tiny_model, 60, kind))
    counted = "left_out" if "404" in kind else "records" if kind in HARMLESS else "failures"
    assert getattr(outcome, counted) >= outcome.faults
    assert outcome.records >= 60 - outcome.faults
