"""The benchmark of expensive inputs of stored crawls runs on small ones."""

from __future__ import annotations

import json
from pathlib import Path

from testing.benchmark_runs import run_module

from benchmarks.hostile.stored_inputs import INPUTS


def test_report_has_every_input(tmp_path: Path) -> None:
    completed = run_module(
        tmp_path, "benchmarks.hostile.stored", "--share", "0.01",
        "--out-markdown", "r.md", "--json", "r.json",
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    figures = json.loads((tmp_path / "r.json").read_text())
    for name in INPUTS:
        assert f"| {name} |" in (tmp_path / "r.md").read_text()
        assert figures[name]["pages"] + figures[name]["failures"] > 0
