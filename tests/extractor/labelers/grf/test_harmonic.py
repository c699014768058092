"""The harmonic solution: its properties on any graph, and the strongest sources."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

sparse = pytest.importorskip("scipy.sparse")

from scrapy_boilernet.extractor.labelers.grf import harmonic  # noqa: E402
from scrapy_boilernet.extractor.labelers.grf.harmonic import class_mass, spread, strongest_sources  # noqa: E402

SEEDS = st.integers(0, 10_000)


def random_graph(seed: int, nodes: int = 30):  # type: ignore[no-untyped-def]
    """Return (weights, labels, known) of a sparse graph, perhaps in several parts."""
    rng = np.random.default_rng(seed)
    dense = rng.random((nodes, nodes)) * (rng.random((nodes, nodes)) < 0.08)
    dense = np.triu(dense, 1)
    known = rng.random(nodes) < 0.3
    return sparse.csr_array(dense + dense.T), rng.random(nodes), known


def chain(nodes: int):  # type: ignore[no-untyped-def]
    ones = np.ones(nodes - 1)
    return sparse.csr_array(sparse.diags_array([ones, ones], offsets=[-1, 1]))


def test_a_chain_between_two_labels_is_a_straight_line() -> None:
    labels = np.array([0.0, 9, 9, 9, 1.0])
    known = np.array([True, False, False, False, True])
    np.testing.assert_allclose(spread(chain(5), labels, known, 0.5), [0, 0.25, 0.5, 0.75, 1])


@QUICK
@given(SEEDS)
def test_known_labels_stay_and_others_are_within_their_range(seed: int) -> None:
    weights, labels, known = random_graph(seed)
    found = spread(weights, labels, known, 0.5)
    assert np.array_equal(found[known], labels[known])
    given_labels = labels[known]
    low, high = (given_labels.min(), given_labels.max()) if known.any() else (0.5, 0.5)
    assert ((found >= min(low, 0.5)) & (found <= max(high, 0.5))).all()


@QUICK
@given(SEEDS)
def test_a_new_label_is_the_mean_of_its_neighbours(seed: int) -> None:
    weights, labels, known = random_graph(seed)
    found = spread(weights, labels, known, 0.5)
    degrees = np.asarray(weights.sum(axis=1)).ravel()
    free = ~known & (degrees > 0)
    np.testing.assert_allclose(((weights @ found)[free] / degrees[free]), found[free], atol=1e-6)


@QUICK
@given(SEEDS)
def test_swapped_labels_give_swapped_results(seed: int) -> None:
    weights, labels, known = random_graph(seed)
    one, other = spread(weights, labels, known, 0.2), spread(weights, 1 - labels, known, 0.8)
    np.testing.assert_allclose(one, 1 - other, atol=1e-9)


def test_a_part_without_labels_gets_the_prior() -> None:
    weights = sparse.block_diag([chain(3), chain(2)], format="csr")
    known = np.array([True, False, False, False, False])
    assert spread(weights, np.ones(5), known, 0.3).tolist() == pytest.approx([1, 1, 1, 0.3, 0.3])
    assert spread(weights, np.ones(5), np.zeros(5, bool), 0.3).tolist() == [0.3] * 5


def test_an_empty_graph_and_a_graph_with_only_known_labels() -> None:
    none = sparse.csr_array((0, 0))
    assert spread(none, np.zeros(0), np.zeros(0, bool), 0.5).shape == (0,)
    assert spread(chain(2), np.array([0.0, 1.0]), np.ones(2, bool), 0.5).tolist() == [0.0, 1.0]


def test_conjugate_gradients_give_the_same_as_elimination(monkeypatch: pytest.MonkeyPatch) -> None:
    weights, labels, known = random_graph(3, nodes=200)
    direct = spread(weights, labels, known, 0.5)
    monkeypatch.setattr(harmonic, "_MAX_DIRECT", 0)
    iterated = spread(weights, labels, known, 0.5)
    np.testing.assert_allclose(iterated, direct, atol=1e-5)
    assert np.array_equal(iterated, spread(weights, labels, known, 0.5))


@QUICK
@given(SEEDS, st.floats(0.05, 0.95))
def test_class_mass_keeps_the_order_and_gives_the_share(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    labels, free = rng.uniform(0.01, 0.99, size=20), rng.random(20) < 0.7
    found = class_mass(labels, free, share)
    assert np.array_equal(found[~free], labels[~free])
    assert ((found >= 0) & (found <= 1)).all()
    assert np.array_equal(np.argsort(found[free]), np.argsort(labels[free]))
    swapped = class_mass(1 - labels, free, 1 - share)
    np.testing.assert_allclose(found, 1 - swapped)


def test_class_mass_returns_labels_of_one_class_unchanged() -> None:
    labels = np.zeros(3)
    assert class_mass(labels, np.ones(3, bool), 0.5) is labels


@pytest.mark.parametrize("exact", [True, False])
def test_sources_come_with_their_shares_the_greatest_first(
    exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not exact:
        monkeypatch.setattr(harmonic, "_MAX_DIRECT", 0)
    known = np.array([True, False, False, False, True])
    sources, shares = strongest_sources(chain(5), known, 3)
    assert sources[1, 0] == 0
    assert sources[3, 0] == 4
    assert sources[0, 0] == 0
    assert shares[0].tolist() == [1.0, 0.0, 0.0]
    if exact:
        np.testing.assert_allclose(shares[:, :2].sum(axis=1), 1)
        np.testing.assert_allclose(shares[1, :2], [0.75, 0.25])
    assert (shares.sum(axis=1) <= 1 + 1e-9).all()


@QUICK
@given(SEEDS)
def test_the_shares_of_all_sources_give_the_label(seed: int) -> None:
    weights, labels, known = random_graph(seed, nodes=20)
    sources, shares = strongest_sources(weights, known, int(known.sum()) or 1)
    reached = shares.sum(axis=1) > 0.5
    found = spread(weights, labels, known, 0.5)
    np.testing.assert_allclose((shares * labels[sources]).sum(axis=1)[reached], found[reached])
