"""The benchmark of kinds counts blocks and characters by the gold that a set has."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from testing.benchmark_runs import needs_shipped_model, run, run_module

from benchmarks.quality.kinds import Counts, marked, marks_of
from scrapy_boilernet.extractor.html.blockify import blockify

HTML = (
    "<title>Warm pools</title><h1>Warm pools</h1><h1>Warm pools</h1>"
    "<p>Pools that the tide leaves behind warm up by several degrees before it comes back.</p>"
    "<figure><figcaption>A pool at night</figcaption></figure>"
    "<div class=comment><p>I have seen crabs in them at night, more than anywhere else.</p></div>"
)
ROW = {
    "id": "pools", "blocks": 5, "content": "2", "title": "0", "captions": "3", "comments": "4",
    "title_text": ["Warm pools"], "captions_text": ["A pool at night"], "comments_text": [],
}  # fmt: skip


def test_marks_of_ranges() -> None:
    page = blockify("<p>a<p>b<p>c<p>d<p>e")
    assert np.flatnonzero(marked(page, "0,2-4")).tolist() == [0, 2, 3, 4]
    assert not marked(page, "").any()


@pytest.mark.parametrize("blocks", [5, 6])
def test_a_page_with_other_blocks_is_matched_by_text(blocks: int) -> None:
    page = blockify(HTML)
    content, kinds = marks_of(page, page.blocks[2].text, ROW | {"blocks": blocks})
    assert np.flatnonzero(content).tolist() == [2]
    assert np.flatnonzero(kinds["title"]).tolist() == [0, 1]  # it stands twice, and is one
    assert np.flatnonzero(kinds["captions"]).tolist() == [3]


def test_scores_are_sums_over_pages() -> None:
    page = blockify("<p>abcd<p>ef<p>g")
    gold, found = np.array([True, True, False]), np.array([True, False, True])
    counts = Counts()
    for _ in range(2):
        counts.add(page, gold, found)
    assert counts.scores(0) == (0.5, 0.5, 0.5, (0.5, 0.5))
    assert counts.scores(1)[:3] == (4 / 5, 4 / 6, 8 / 11)


@needs_shipped_model
def test_the_report_has_a_row_per_kind(tmp_path: Path) -> None:
    folder = tmp_path / "pools"
    for part in ("html", "gold", "extra"):
        (folder / part).mkdir(parents=True)
    (folder / "html" / "pools.html").write_text(HTML, encoding="utf-8")
    (folder / "gold" / "pools.txt").write_text(blockify(HTML).blocks[2].text, encoding="utf-8")
    (folder / "extra" / "kinds.jsonl").write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    text, document = run(tmp_path, "benchmarks.quality.kinds", folder, plot=False)
    assert "1 pages, 1 with title, 1 with captions, 1 with comments in the gold." in text
    for kind in ("title", "captions", "comments"):
        assert document[f"pools, {kind}, by gold, all, blocks"]["f1"] == 1


def test_a_set_without_kinds_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bare" / "html").mkdir(parents=True)
    (tmp_path / "bare" / "html" / "a.html").write_text("<p>Pools", encoding="utf-8")
    completed = run_module(tmp_path, "benchmarks.quality.kinds", tmp_path / "bare")
    assert completed.returncode != 0
    assert "neither extra/kinds.jsonl nor extra/comments" in completed.stderr
