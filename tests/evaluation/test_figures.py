"""Figures over the pages of a set against cases counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.evaluation.summary import figures, ratio


def values(rows: list[dict[str, float]]) -> dict[str, float]:
    return {name: found["value"] for name, found in figures(rows).items()}


def test_means_are_over_the_pages_that_have_a_metric() -> None:
    assert values([{"exact": 1.0, "x": 0.5}, {"exact": 0.0}]) == {"exact": 0.5, "x": 0.5}


def test_empty_pages_are_counted() -> None:
    assert values([{"empty": 1.0}, {"empty": 0.0}, {"empty": 1.0}, {}])["empty"] == 2


def test_the_f1_of_shingles_is_the_harmonic_mean_of_two_means() -> None:
    rows = [
        {"shingle_precision": 1.0, "shingle_recall": 0.5},
        {"shingle_recall": 0.1},
        {"shingle_precision": 0.5, "shingle_recall": 0.0},
    ]
    found = values(rows)
    assert found["shingle_precision"] == 0.75
    assert found["shingle_recall"] == pytest.approx(0.2)
    assert found["shingle_f1"] == pytest.approx(2 * 0.75 * 0.2 / 0.95)


def test_label_counts_are_pooled_before_scores_are_made_of_them() -> None:
    counts = {"block_hits": 3.0, "block_extra": 1.0, "block_missed": 2.0, "block_right": 4.0}
    other = {"block_hits": 1.0, "block_extra": 0.0, "block_missed": 0.0, "block_right": 0.0}
    found = values([counts, other, {}])
    assert found == {
        "block_content_precision": 4 / 5,
        "block_content_recall": 4 / 6,
        "block_content_f1": 8 / 11,
        "block_boilerplate_precision": 4 / 6,
        "block_boilerplate_recall": 4 / 5,
        "block_boilerplate_f1": 8 / 11,
        "block_accuracy": 8 / 11,
    }


def test_snippets_have_accuracy() -> None:
    counts = {
        "snippet_hits": 3.0, "snippet_extra": 1.0, "snippet_missed": 2.0, "snippet_right": 4.0
    }  # fmt: skip
    assert values([counts]) == {
        "snippet_precision": 3 / 4,
        "snippet_recall": 3 / 5,
        "snippet_f1": 6 / 9,
        "snippet_accuracy": 7 / 10,
    }


def test_nothing_found_is_a_score_of_0() -> None:
    counts = dict.fromkeys(("leaf_hits", "leaf_extra", "leaf_missed", "leaf_right"), 0.0)
    assert set(values([counts]).values()) == {0.0}


def test_the_interval_is_that_of_the_mean() -> None:
    drawn = np.random.default_rng(0).random(200)
    low, high = figures([{"x": float(value)} for value in drawn])["x"]["interval"]
    assert low < drawn.mean() < high
    assert high - low == pytest.approx(2 * 1.96 * drawn.std() / 200**0.5, rel=0.15)


def test_a_ratio_to_nothing_is_0() -> None:
    assert ratio(np.array([1.0, 1.0]), np.array([0.0, 2.0])).tolist() == [0, 0.5]


@QUICK
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=1, max_size=6))
def test_pooled_figures_lie_between_0_and_1(pages: list[tuple[int, ...]]) -> None:
    names = ("leaf_hits", "leaf_extra", "leaf_missed", "leaf_right")
    rows = [dict(zip(names, map(float, page), strict=True)) for page in pages]
    for found in figures(rows).values():
        low, high = found["interval"]
        assert 0 <= low <= high <= 1
        assert 0 <= found["value"] <= 1
