"""Shingles against cases counted by hand after the benchmark's definition."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.lab.evaluation.metrics import shingle_metrics, shingles

TEXT = st.text(alphabet="aAb \n.", max_size=40)


def test_shingles_are_runs_of_four_tokens() -> None:
    assert shingles("a b c d e".split()) == Counter(
        {("a", "b", "c", "d"): 1, ("b", "c", "d", "e"): 1}
    )
    assert shingles(["a", "b"]) == Counter({("a", "b"): 1})
    assert shingles([]) == Counter()


def test_repeated_shingles_count_as_often_as_both_have_them() -> None:
    # The text's runs are abab baba abab baba, those of the gold abab baba.
    found = shingle_metrics("a b a b a b a", "a b a b a")
    assert found == {"shingle_precision": 2 / 4, "shingle_recall": 1, "exact": 0}


def test_letter_case_counts_and_punctuation_does_not() -> None:
    same = shingle_metrics("One, two: three four!", "One two three four")
    assert same == {"shingle_precision": 1, "shingle_recall": 1, "exact": 1}
    other = shingle_metrics("one two three four", "One two three four")
    assert other == {"shingle_precision": 0, "shingle_recall": 0, "exact": 0}


def test_a_short_text_is_one_shingle_that_matches_nothing_longer() -> None:
    found = shingle_metrics("a b c", "a b c d")
    assert found == {"shingle_precision": 0, "shingle_recall": 0, "exact": 0}


def test_empty_texts_are_left_out_of_means_with_a_zero_divisor() -> None:
    assert shingle_metrics("", "") == {"exact": 1}
    assert shingle_metrics("", "a") == {"shingle_recall": 0, "exact": 0}
    assert shingle_metrics("a", "..") == {"shingle_precision": 0, "exact": 0}


@QUICK
@given(TEXT, TEXT)
def test_metrics_lie_between_0_and_1_and_swap_with_the_texts(text: str, gold: str) -> None:
    one, other = shingle_metrics(text, gold), shingle_metrics(gold, text)
    assert all(0 <= value <= 1 for value in one.values())
    assert one.get("shingle_precision") == other.get("shingle_recall")
    assert set(shingle_metrics(text, text).values()) == {1}
