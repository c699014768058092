"""The benchmark of faults runs on a few pages."""

from __future__ import annotations

import json
from pathlib import Path

from testing.benchmark_runs import run_module


def test_report_counts_what_went_in_and_came_out(tmp_path: Path) -> None:
    completed = run_module(
        tmp_path, "benchmarks.hostile.faults", "--pages", "6", "--only", "gives no prob",
        "--modes", "thread", "--out-markdown", "r.md", "--json", "r.json",
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    assert "In all 6 pages, 6 items in, 6 items out." in (tmp_path / "r.md").read_text()
    (crawl,) = json.loads((tmp_path / "r.json").read_text())["crawls"]
    assert (crawl["items in"], crawl["items out"], crawl["labeled"]) == (6, 6, 4)
    assert crawl["left over"] == "none"
