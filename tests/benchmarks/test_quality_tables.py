"""The benchmark of tables counts how much of the gold's tables is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from testing.benchmark_runs import needs_shipped_model, run, run_module
from testing.synthetic import write_set

from benchmarks.quality.tables import Table, mean_f1, tables_of
from scrapy_boilernet.extractor.html.blockify import blockify

TEXT = "Pools that the tide leaves behind warm up by several degrees before it comes back."
TABLE = "<table><tr><td>Upper<td>warm</tr><tr><td>Lower<td>cold</tr></table>"
HTML = f"<title>Pools</title><h1>Pools</h1><p>{TEXT}</p>{TABLE}<p>All rights reserved.</p>"
GOLD = f"{TEXT}\nUpper | warm\nLower | cold"


@pytest.mark.parametrize(
    ("kept", "outcome", "f1"),
    [
        ({"Upper", "warm", "Lower", "cold"}, "in full", 1.0),
        ({"Upper", "warm", "Lower"}, "in part", 6 / 7),
        ({TEXT}, "lost", 0.0),
    ],
)
def test_a_table_is_kept_in_full_in_part_or_lost(kept: set[str], outcome: str, f1: float) -> None:
    page = blockify(HTML)
    marks = np.array([block.text in kept for block in page.blocks])
    assert tables_of(page, GOLD, marks, 7) == [Table(7, True, outcome, pytest.approx(f1))]


def test_a_table_that_the_gold_leaves_out_is_counted_separately() -> None:
    page = blockify(HTML)
    (table,) = tables_of(page, TEXT, np.ones(len(page.blocks), dtype=np.bool_))
    assert (table.in_gold, table.outcome) == (False, "in full")


def test_a_cell_that_the_gold_lacks_does_not_count() -> None:
    page = blockify(HTML)
    marks = np.array([block.text in ("Upper", "warm", "Lower") for block in page.blocks])
    (table,) = tables_of(page, f"{TEXT}\nUpper warm Lower", marks)
    assert table == Table(0, True, "in full", 1.0)


def test_the_mean_is_over_tables() -> None:
    tables = [Table(0, True, "in full", 1.0)] * 3 + [Table(4, True, "lost", 0.0)]
    mean, (low, high) = mean_f1(tables)
    assert mean == 0.75
    assert (low, high) == (0.0, 1.0)
    assert mean_f1([]) == (0.0, (0.0, 0.0))


@needs_shipped_model
def test_the_report_compares_two_decisions(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "pools", {"pools": (HTML.encode(), GOLD)})
    text, document = run(tmp_path, "benchmarks.quality.tables", folder, plot=False)
    assert "1 pages." in text
    assert document["default, block by block"]["tables"] == 1
    bare = write_set(tmp_path / "bare", {"bare": (f"<p>{TEXT}</p>".encode(), TEXT)})
    completed = run_module(tmp_path, "benchmarks.quality.tables", bare)
    assert completed.returncode != 0
    assert "no data table on 1 pages" in completed.stderr
