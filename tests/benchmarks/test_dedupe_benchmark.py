"""The benchmarks of copies and near-duplicates, on few texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from testing.benchmark_runs import run
from testing.synthetic import article, write_set


def test_copies_are_found_among_drawn_fingerprints(tmp_path: Path) -> None:
    text, document = run(tmp_path, "benchmarks.bulk.dedupe", "--texts", "3000", plot=False)
    assert "| 30 of 30 | 30 of 30 | 0 |" in text
    assert document["memory_mb"] > 0


def test_pairs_of_texts_are_counted_by_bits(tmp_path: Path) -> None:
    pages: Any = {f"p{n}": article(n, 20) for n in range(4)}
    folder = write_set(tmp_path / "set", pages)
    text, _ = run(tmp_path, "benchmarks.quality.near_duplicates", folder, plot=False)
    assert "| 0 | " in text
