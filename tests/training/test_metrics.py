"""Scores against cases counted by hand, and what holds for any text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.training.metrics import (
    Score,
    bootstrap_interval,
    calibration_error,
    label_scores,
    word_score,
)

from .synthetic import QUICK

TEXT = st.text(alphabet="ab c東京,\n", max_size=30)
SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("text", "gold", "precision", "recall", "f1"),
    [
        ("a b c", "a b c", 1, 1, 1),
        ("c B a!", "A, b: C", 1, 1, 1),
        ("a b", "a b c d", 1, 1 / 2, 2 / 3),
        ("a b c d", "a b", 1 / 2, 1, 2 / 3),
        ("a a a b", "a b b", 2 / 4, 2 / 3, 4 / 7),
        ("a b", "c d", 0, 0, 0),
        ("東京都", "京都", 2 / 3, 1, 4 / 5),
        ("ภาษา", "ภา", 2 / 4, 1, 2 / 3),
        ("한국 사람", "한국", 1 / 2, 1, 2 / 3),
    ],
)
def test_words_are_counted_as_a_bag(
    text: str, gold: str, precision: float, recall: float, f1: float
) -> None:
    assert vars(word_score(text, gold)) == pytest.approx(vars(Score(precision, recall, f1)))


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [("", "", 1), ("...", " ", 1), ("a", "", 0), ("", "a", 0), ("-", "a", 0)],
)
def test_empty_gold_wants_an_empty_text(text: str, gold: str, expected: float) -> None:
    assert word_score(text, gold) == Score(expected, expected, expected)


@QUICK
@given(TEXT, TEXT)
def test_scores_lie_between_0_and_1_and_swap_with_the_texts(text: str, gold: str) -> None:
    one, other = word_score(text, gold), word_score(gold, text)
    assert all(0 <= value <= 1 for value in vars(one).values())
    assert (one.precision, one.recall) == (other.recall, other.precision)
    assert one.f1 == other.f1
    assert min(one.precision, one.recall) - 1e-12 <= one.f1
    assert one.f1 <= max(one.precision, one.recall) + 1e-12


def test_label_scores_are_of_both_classes() -> None:
    labels = np.array([1, 1, 1, 0, 0, 0, 0], dtype=bool)
    gold = np.array([1, 0, 0, 1, 0, 0, 0], dtype=bool)
    content, boilerplate = label_scores(labels, gold)
    assert content == Score(1 / 3, 1 / 2, 2 / 5)
    assert boilerplate == Score(3 / 4, 3 / 5, 6 / 9)


def test_labels_that_are_all_right_score_1() -> None:
    gold = np.array([True, False, True])
    assert label_scores(gold, gold) == (Score(1, 1, 1), Score(1, 1, 1))


def test_a_class_that_does_not_occur_scores_0() -> None:
    gold = np.array([True, True])
    assert label_scores(gold, gold)[1] == Score(0, 0, 0)


@QUICK
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20))
def test_classes_swap_when_labels_are_turned_round(pairs: list[tuple[bool, bool]]) -> None:
    both = np.array(pairs, dtype=bool).reshape(-1, 2)
    content, boilerplate = label_scores(both[:, 0], both[:, 1])
    assert label_scores(~both[:, 0], ~both[:, 1]) == (boilerplate, content)


def test_the_bootstrap_interval_is_the_same_every_time() -> None:
    values = np.random.default_rng(1).random(30).tolist()
    assert bootstrap_interval(values) == bootstrap_interval(values)
    assert bootstrap_interval(values) != bootstrap_interval(values, seed=1)


def test_the_bootstrap_interval_narrows_with_the_sample() -> None:
    values = np.random.default_rng(1).random(1000)
    low, high = bootstrap_interval(values.tolist())
    assert high - low == pytest.approx(2 * 1.96 * values.std() / 1000**0.5, rel=0.1)
    few_low, few_high = bootstrap_interval(values[:20].tolist())
    assert few_high - few_low > 3 * (high - low)


def test_the_bootstrap_interval_of_equal_values_is_a_point() -> None:
    assert bootstrap_interval([0.25, 0.25, 0.25]) == (0.25, 0.25)
    assert bootstrap_interval([]) == (0.0, 0.0)


@QUICK
@given(SHARES)
def test_the_bootstrap_interval_lies_within_the_values(values: list[float]) -> None:
    low, high = bootstrap_interval(values, draws=200)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_the_bootstrap_interval_covers_the_mean() -> None:
    for seed in range(20):
        values = np.random.default_rng(seed).random(50)
        low, high = bootstrap_interval(values.tolist())
        assert low < values.mean() < high


@QUICK
@given(SHARES)
def test_confidence_that_is_the_truth_has_no_error(values: list[float]) -> None:
    assert calibration_error(values, values) == 0


def test_the_calibration_error_is_the_mean_gap_of_equal_bins() -> None:
    confidences = [0.9, 0.1, 0.8, 0.2]
    truths = [0.6, 0.1, 0.5, 0.4]
    # low bin (.1, .2): .15 against .25; high bin (.8, .9): .85 against .55
    assert calibration_error(confidences, truths, bins=2) == pytest.approx((0.1 + 0.3) / 2)
    assert calibration_error(confidences, truths, bins=1) == pytest.approx(0.5 - 0.4)


def test_bins_of_unequal_size_weigh_by_their_pages() -> None:
    # bins of 2 and 1 page with gaps .1 and .4
    assert calibration_error([0.1, 0.3, 0.9], [0.2, 0.4, 0.5], bins=2) == pytest.approx(0.2)


def test_fewer_pages_than_bins_are_their_own_bins() -> None:
    assert calibration_error([0.5, 0.7], [0.6, 0.6]) == pytest.approx(0.1)
    assert calibration_error([], []) == 0
