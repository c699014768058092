"""Stored crawls among faults: no page is lost, none is doubled, and every item is accounted for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from testing.bulk_faults import (
    DAMAGE,
    HARMLESS,
    Came,
    crawl_of,
    damaged,
    disk_full,
    killed,
    workers_killed,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def check(came: Came) -> None:
    assert (came.lost, came.doubled) == (0, 0)
    assert came.items == came.records + came.failures + came.left_out
    assert came.faults


def test_a_run_that_is_killed_goes_on(tmp_path: Path, tiny_model: Path) -> None:
    check(came := killed(crawl_of(tmp_path, tiny_model, 6_000), kills=3))
    assert (came.records, came.failures) == (6_000, 0)


def test_workers_that_are_killed_are_replaced(tmp_path: Path, tiny_model: Path) -> None:
    check(came := workers_killed(crawl_of(tmp_path, tiny_model, 4_000), kills=4))
    assert (came.records, came.failures) == (4_000, 0)


def test_a_full_disk_ends_the_run_which_goes_on_later(tmp_path: Path, tiny_model: Path) -> None:
    check(came := disk_full(crawl_of(tmp_path, tiny_model, 2_000), times=2))
    assert (came.records, came.failures) == (2_000, 0)


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_costs_what_is_damaged(tmp_path: Path, tiny_model: Path, kind: str) -> None:
    check(came := damaged(tmp_path, tiny_model, 60, kind))
    counted = "left_out" if "404" in kind else "records" if kind in HARMLESS else "failures"
    assert getattr(came, counted) >= came.faults
    assert came.records >= 60 - came.faults
