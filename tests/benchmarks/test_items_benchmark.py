"""The benchmark of items runs on a few pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from testing.benchmark_runs import run_module


def test_report_adds_up(tmp_path: Path) -> None:
    completed = run_module(
        tmp_path, "benchmarks.hostile.items", "--files", "items_kinds", "--pages", "6",
        "--news-pages", "2", "--items", "10", "--out-markdown", "r.md", "--json", "r.json",
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    figures = json.loads((tmp_path / "r.json").read_text())
    counts = [case["counts"] for case in figures["cases"]]
    yielded = sum(each["yielded"] for each in counts)
    text = (tmp_path / "r.md").read_text()
    assert f"{yielded} items yielded = {yielded} counted in exactly one state" in text
    (feed,) = figures["feeds"]
    parts = ("main_text", "text", "label", "kind", "probability", "xpath", "rest")
    assert sum(feed[name] for name in parts) == pytest.approx(feed["all"])
    assert (feed["items"], feed["xpath"]) == (18, 0)
    assert {row["spider"] for row in figures["held"]} == {"off", "replaced"}
