"""The decision rule: the best expected F-beta of all prefixes, as brute force finds it."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.threshold import choose_threshold, moved_threshold
from scrapy_boilernet.extractor.options import FAVORS, Favor

BETAS = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
blocks = st.lists(
    st.tuples(st.integers(0, 1000).map(lambda n: n / 1000), st.integers(1, 6000)), max_size=30
)
floors = st.integers(0, 1000).map(lambda n: n / 1000)
favors = st.sampled_from(FAVORS)
Blocks = list[tuple[float, int]]


def arrays(found: Blocks) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    probabilities = np.array([p for p, _ in found], dtype=np.float32)
    return probabilities, np.array([n / 6 for _, n in found], dtype=np.float64)


def kept(found: Blocks, floor: float, favor: Favor = "balanced") -> NDArray[np.bool_]:
    probabilities, words = arrays(found)
    threshold = choose_threshold(probabilities, words, floor, favor)
    return probabilities.astype(np.float64) >= threshold


def expected(found: Blocks, keep: NDArray[np.bool_], favor: Favor) -> float:
    """E[F-beta] of keeping these blocks, as its definition says."""
    p, words = arrays(found)
    weight = BETAS[favor] ** 2
    hits = sum(float(w) * float(q) for q, w, k in zip(p, words, keep, strict=True) if k)
    gold = sum(float(w) * float(q) for q, w in zip(p, words, strict=True))
    return (1 + weight) * hits / (weight * gold + float(words[keep].sum()))


@given(blocks, floors, favors)
def test_no_prefix_above_the_floor_is_better(found: Blocks, floor: float, favor: Favor) -> None:
    p = arrays(found)[0].astype(np.float64)
    rivals = [p >= level for level in set(p.tolist()) if level >= floor]
    chosen = kept(found, floor, favor)
    assert chosen.any() == bool(rivals)
    if rivals:
        best = max(expected(found, rival, favor) for rival in rivals)
        assert expected(found, chosen, favor) == pytest.approx(best, rel=1e-9)


@given(blocks)
def test_no_set_at_all_is_better(found: Blocks) -> None:
    few = found[:7]
    if not few:
        return
    sets = ((np.arange(2 ** len(few))[:, None] >> np.arange(len(few))) & 1).astype(np.bool_)
    best = max(expected(few, one, "balanced") for one in sets[1:])
    assert expected(few, kept(few, 0.0), "balanced") == pytest.approx(best, rel=1e-9)


@given(blocks, floors)
def test_recall_keeps_all_that_balanced_keeps_and_precision_no_more(
    found: Blocks, floor: float
) -> None:
    precision, balanced, recall = (kept(found, floor, favor) for favor in FAVORS)
    assert not (precision & ~balanced).any()
    assert not (balanced & ~recall).any()


@given(blocks, floors, floors, favors)
def test_a_higher_floor_never_keeps_more(
    found: Blocks, one: float, other: float, favor: Favor
) -> None:
    low, high = sorted((one, other))
    assert not (kept(found, high, favor) & ~kept(found, low, favor)).any()


@given(blocks, floors, favors)
def test_the_threshold_is_the_least_probability_kept_or_the_floor(
    found: Blocks, floor: float, favor: Favor
) -> None:
    p, words = arrays(found)
    threshold = choose_threshold(p, words, floor, favor)
    assert type(threshold) is float
    assert 0 <= threshold <= 1
    kept_ones = [q for q in p.astype(np.float64).tolist() if q >= threshold]
    assert threshold == (min(kept_ones) if kept_ones else floor)
    assert all(q >= floor for q in kept_ones)


def test_a_page_without_blocks_or_with_all_below_the_floor_keeps_nothing() -> None:
    assert choose_threshold(np.zeros(0, np.float32), np.zeros(0), 0.1, "balanced") == 0.1
    assert not kept([(0.09, 600), (0.01, 6)], 0.1).any()


def test_long_blocks_weigh_more_than_short_ones() -> None:
    assert kept([(0.9, 600), (0.3, 60)], 0.1).tolist() == [True, False]
    assert kept([(0.9, 6), (0.3, 60)], 0.1).tolist() == [True, True]


@pytest.mark.parametrize("threshold", [0.0, 0.05, 0.5, 0.9, 1.0])
def test_a_fixed_threshold_moves_by_log_3_and_stays_in_its_range(threshold: float) -> None:
    assert moved_threshold(threshold, "balanced") == threshold
    up, down = moved_threshold(threshold, "precision"), moved_threshold(threshold, "recall")
    assert 0 <= down <= threshold <= up <= 1
    if 0 < threshold < 1:
        logits = [np.log(t / (1 - t)) for t in (down, threshold, up)]
        assert np.diff(logits) == pytest.approx(np.log(3))
    else:
        assert up == down == threshold


@given(blocks, floors, favors)
def test_a_correlated_decision_is_the_best_prefix_over_the_factors_of_a_page(
    found: Blocks, floor: float, favor: Favor
) -> None:
    """With SciPy-free numbers: a fine grid of factors, and the normal distribution by erfc."""
    p, words = arrays(found)
    chosen = choose_threshold(p, words, floor, favor, "correlated-f")
    levels = sorted({*p.astype(np.float64).tolist()}, reverse=True)
    allowed = [level for level in levels if level >= floor]
    if not allowed:
        assert chosen == floor
        return
    factors = np.arange(-6, 6.01, 0.1)
    density = np.exp(-(factors**2) / 2)
    normal = NormalDist()
    by_factor = np.array(
        [
            [normal.cdf((behind(q) + 0.6**0.5 * z) / 0.4**0.5) for z in factors]
            for q in p.astype(np.float64)
        ]
    )
    weight = BETAS[favor] ** 2
    gold = words @ by_factor

    def worth(level: float) -> float:
        keep = p.astype(np.float64) >= level
        each = (1 + weight) * (words * keep) @ by_factor / (weight * gold + (words * keep).sum())
        return float((each * density).sum() / density.sum())

    assert worth(chosen) >= max(map(worth, allowed)) - 2e-3


def behind(probability: float) -> float:
    """The normal variable behind a probability, cut off where the table ends."""
    return NormalDist().inv_cdf(min(max(probability, 1e-15), 1 - 1e-15))


def test_blocks_that_are_wrong_together_are_dropped_together() -> None:
    """A short article that the model is sure of, and four long teasers of which it is not."""
    p = np.array([0.9, 0.9, 0.36, 0.36, 0.36, 0.36], dtype=np.float32)
    words = np.array([30.0, 30, 40, 40, 40, 40])
    together = choose_threshold(p, words, 0.1, "balanced", "correlated-f")
    alone = choose_threshold(p, words, 0.1, "balanced", "expected-f")
    assert alone < 0.5 < together
