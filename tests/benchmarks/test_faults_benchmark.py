"""The benchmark of faults runs through on a few pages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from testing.faulty import WAIT_SECONDS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="no benchmarks beside the tests")


def test_report_counts_what_went_in_and_came_out(tmp_path: Path) -> None:
    completed = subprocess.run(
        [sys.executable, str(BENCHMARKS / "faults.py"), "--pages", "6", "--only", "gives no prob",
         "--modes", "thread", "--out-markdown", "r.md", "--json", "r.json"],
        cwd=tmp_path, capture_output=True, text=True, timeout=WAIT_SECONDS,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    assert "In all 6 pages, 6 items in, 6 items out." in (tmp_path / "r.md").read_text()
    (crawl,) = json.loads((tmp_path / "r.json").read_text())["crawls"]
    assert (crawl["items in"], crawl["items out"], crawl["labeled"]) == (6, 6, 4)
    assert crawl["left over"] == "none"
