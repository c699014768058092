"""The benchmarks of metadata and kinds of pages: what counts as right, and that they run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from testing.benchmark_runs import needs_shipped_model, run, run_module

from benchmarks.quality.metadata import is_right
from benchmarks.quality.near_duplicates import REPLACED_WORDS, changed, rows_of
from benchmarks.quality.page_kind import f1_per_kind

HTML = (
    "<html lang=en><title>Warm pools | The Shore</title><meta name=author content='Ann Lee'>"
    "<meta name=date content=2024-05-01><h1>Warm pools</h1>"
    "<p>Pools that the tide leaves behind warm up by several degrees before it comes back.</p>"
)


@pytest.mark.parametrize(
    ("field", "gold", "given", "right"),
    [
        ("title", "Warm – pools!", "warm pools", True),
        ("title", "Warm pools", "Warm pools | Shore", False),
        ("author", "Ann Lee and Bo Chan", "Ann Lee, Bo Chan", True),
        ("author", "Ann Lee", "", False),
        ("date", "2024-05-01", "2024-05-01T23:00:00+00:00", True),
        ("date", "2024-05", "2024-05-09", True),
        ("date", "2024-05-01T20:00:00.000Z", "2024-05-02", True),
        ("date", "2024-05-01T20:00:00.000Z", "2024-05-03", False),
        ("date", "2024-05-01", "", False),
    ],
)
def test_what_is_right(field: str, gold: str, given: str, right: bool) -> None:
    assert is_right(field, gold, given) == right


def test_f1_counts_both_mistakes() -> None:
    scores = f1_per_kind(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 1]))
    assert scores[:3].round(3).tolist() == [0.667, 0.5, 0.0]


@needs_shipped_model
def test_a_set_is_measured(tmp_path: Path) -> None:
    folder = tmp_path / "pools"
    (folder / "html").mkdir(parents=True)
    (folder / "extra").mkdir()
    gold = {"title": "Warm pools", "author": "Ann Lee", "date_published": "2024-05-01T08:00:00Z"}
    rows, pages = [], []
    for i in range(4):
        (folder / "html" / f"p{i}.html").write_text(HTML, encoding="utf-8")
        pages.append({"id": f"p{i}", "url": f"https://s{i}.example/news/pools", "lang": "en"})
        rows.append({"id": f"p{i}", **gold})
    for name, lines in (("pages.jsonl", pages), ("extra/metadata.jsonl", rows)):
        (folder / name).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    _, document = run(tmp_path, "benchmarks.quality.metadata", folder, plot=False)
    for field in ("title", "author", "date"):
        assert document[f"pools, {field}, scrapy-boilernet, all"]["right"] == 1


@pytest.mark.parametrize("module", ["metadata", "page_kind"])
def test_a_set_without_gold_is_refused(tmp_path: Path, module: str) -> None:
    (tmp_path / "bare" / "html").mkdir(parents=True)
    (tmp_path / "bare" / "html" / "a.html").write_text("<p>Pools", encoding="utf-8")
    completed = run_module(tmp_path, f"benchmarks.quality.{module}", tmp_path / "bare")
    assert completed.returncode != 0
    assert "bare has n" in completed.stderr


@pytest.mark.parametrize("in_a_row", [True, False])
@pytest.mark.parametrize("length", [0, 7, 200])
def test_a_near_duplicate_has_a_few_other_words(length: int, in_a_row: bool) -> None:
    words = [f"pool{i}" for i in range(length)]
    other = changed(words, in_a_row)
    places = [i for i, word in enumerate(words) if other[i] != word]
    assert len(other) == length
    assert len(places) == min(length, REPLACED_WORDS)
    assert other == changed(words, in_a_row)
    if in_a_row and places:
        assert places == [*range(places[0], places[-1] + 1)]


def test_near_duplicates_are_counted_by_length() -> None:
    texts = [[f"pool{i}" for i in range(length)] for length in (300, 5_000)]
    assert rows_of(texts) == [
        ["200 to 600", "1", rows_of(texts[:1])[0][2], rows_of(texts[:1])[0][3]],
        ["600 to 1500", "0", "-", "-"],
        ["1500 and more", "1", "1.00", "1.00"],
    ]


def test_near_duplicates_of_a_set_without_gold_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bare" / "html").mkdir(parents=True)
    (tmp_path / "bare" / "html" / "a.html").write_text("<p>Pools", encoding="utf-8")
    completed = run_module(tmp_path, "benchmarks.quality.near_duplicates", tmp_path / "bare")
    assert completed.returncode != 0
    assert "fewer than two gold texts" in completed.stderr
