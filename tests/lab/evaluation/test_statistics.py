"""Intervals and calibration against cases counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.lab.evaluation.statistics import (
    bootstrap_interval,
    calibration_error,
    interval_of,
    resamples,
)

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


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


def test_a_resample_draws_as_many_pages_as_there_are() -> None:
    drawn = resamples(7, seed=1, draws=50)
    assert drawn.shape == (50, 7)
    assert set(drawn.sum(axis=1)) == {7}
    assert (drawn != resamples(7, seed=2, draws=50)).any()


def test_an_interval_is_the_middle_95_of_100() -> None:
    assert interval_of(np.arange(1001) / 1000) == pytest.approx((0.025, 0.975))
