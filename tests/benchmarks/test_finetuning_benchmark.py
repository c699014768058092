"""The benchmark of fine-tuning runs on a small set and a small model."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")
pytest.importorskip("scipy")

from testing.benchmark_runs import run
from testing.models import write_fold_models
from testing.synthetic import LONG_MENU, article, write_set


def test_a_site_before_and_after(tmp_path: Path, tiny_own_model: Path) -> None:
    names = [f"p{n}" for n in range(15)]
    rows = [{"id": name, "url": f"https://one.com/{name}"} for name in names]
    site = {name: article(n, 3, LONG_MENU) for n, name in enumerate(names)}
    write_set(tmp_path / "made", site, rows)
    write_set(tmp_path / "world", {f"w{n}": article(60 + n) for n in range(4)})
    write_set(tmp_path / "beside", {f"b{n}": article(80 + n) for n in range(8)})
    models = {
        "fold-0": [*(["made", name] for name in names), *(["world", f"w{n}"] for n in range(4))],
        "fold-1": [["beside", f"b{n}"] for n in range(8)],
    }
    folds = write_fold_models(tmp_path / "folds", tiny_own_model, models)
    text, document = run(
        tmp_path, "benchmarks.quality.finetuning", "--model", folds, "--part", "all",
        "--sites", tmp_path / "made", "--world", tmp_path / "world", "--beside",
        tmp_path / "beside", "--ways", "gold", "mixed", "labels", "--pages", "6", "12",
    )  # fmt: skip
    plain, mixed, spread = document["rows"]  # with twelve pages too few are left to measure on
    assert (plain["site"], plain["taught_by"], plain["tested"]) == ("made: one.com", 6, 9)
    assert [row["way"] for row in document["rows"]] == ["gold", "mixed", "labels"]
    assert plain["before"] == mixed["before"] == spread["before"]
    assert "| made: one.com | 6 | gold | 9 |" in text
