"""The benchmark of items runs through on a few pages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from testing.crawling import TIMEOUT_SECONDS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="no benchmarks beside the tests")


def test_report_adds_up(tmp_path: Path) -> None:
    pytest.importorskip("rapidfuzz")
    completed = subprocess.run(
        [sys.executable, str(BENCHMARKS / "items.py"), "--files", "items_kinds", "--pages", "6",
         "--news-pages", "2", "--items", "10", "--out-markdown", "r.md", "--json", "r.json"],
        cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT_SECONDS,
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
