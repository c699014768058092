"""Linear chains: compared with all paths one by one and with crfsuite, and extreme weights."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.counting import calls_of
from testing.synthetic import QUICK, gold_page

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.crf.labeler import (
    Array,
    best_path,
    log_marginals,
    log_sum,
    marginals,
)
from scrapy_boilernet.extractor.labelers.crf.segments import LABELS, without_orphans
from scrapy_boilernet.extractor.labelers.crf.victor_features import victor_attributes

SEEDS = st.integers(0, 10_000)


def chain(seed: int, places: int, labels: int = 5, spread: float = 3.0) -> tuple[Array, Array]:
    """Return random scores and transitions."""
    rng = np.random.default_rng(seed)
    return rng.normal(0, spread, (places, labels)), rng.normal(0, spread, (labels, labels))


def by_force(scores: Array, transitions: Array) -> tuple[Array, list[int]]:
    """Return the marginals and the most probable path, computed from every path."""
    paths = list(product(range(scores.shape[1]), repeat=len(scores)))
    weights = np.array([
        sum(scores[i, label] for i, label in enumerate(path))
        + sum(transitions[pair] for pair in pairwise(path))
        for path in paths
    ])  # fmt: skip
    shares = np.exp(weights - weights.max())
    found = np.zeros(scores.shape)
    for path, share in zip(paths, shares / shares.sum(), strict=True):
        found[range(len(path)), path] += share
    return found, list(paths[int(weights.argmax())])


@QUICK
@given(SEEDS, st.integers(1, 5), st.integers(1, 4))
def test_marginals_and_path_are_those_of_all_paths(seed: int, places: int, labels: int) -> None:
    scores, transitions = chain(seed, places, labels)
    wanted, path = by_force(scores, transitions)
    np.testing.assert_allclose(marginals(scores, transitions), wanted, atol=1e-12)
    assert best_path(scores, transitions).tolist() == path


@QUICK
@given(SEEDS, st.integers(2, 5))
def test_an_excluded_label_changes_nothing_for_the_others(seed: int, places: int) -> None:
    scores, transitions = chain(seed, places, 4)
    scores[:, 1] = -np.inf
    kept = [0, 2, 3]
    fewer = scores[:, kept], transitions[np.ix_(kept, kept)]
    found = marginals(scores, transitions)
    assert (found[:, 1] == 0).all()
    np.testing.assert_allclose(found[:, kept], marginals(*fewer), atol=1e-12)
    assert best_path(scores, transitions).tolist() == np.take(kept, best_path(*fewer)).tolist()


@QUICK
@given(SEEDS, st.integers(0, 60), st.floats(-1e6, 1e6))
def test_rows_sum_to_one_and_a_shift_of_a_place_changes_nothing(
    seed: int, places: int, shift: float
) -> None:
    scores, transitions = chain(seed, places)
    found = marginals(scores, transitions)
    assert found.shape == scores.shape
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    moved = scores + shift * np.arange(places)[:, np.newaxis] / 60
    np.testing.assert_allclose(marginals(moved, transitions), found, atol=1e-8)


@QUICK
@given(SEEDS, st.integers(1, 20))
def test_a_reversed_chain_has_the_same_marginals(seed: int, places: int) -> None:
    scores, transitions = chain(seed, places)
    found = marginals(scores[::-1], transitions.T)[::-1]
    np.testing.assert_allclose(found, marginals(scores, transitions), atol=1e-12)


@pytest.mark.parametrize("spread", [1e3, 1e6, 1e30])
def test_very_large_weights_give_probabilities(spread: float) -> None:
    scores, transitions = chain(0, 50, spread=spread)
    logs = log_marginals(scores, transitions)
    assert np.isfinite(logs).all()
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1)
    assert np.isfinite(log_sum(logs)).all()


def test_the_arguments_are_not_changed() -> None:
    scores, transitions = chain(0, 6)
    copies = scores.copy(), transitions.copy()
    marginals(scores, transitions)
    best_path(scores, transitions)
    assert np.array_equal(scores, copies[0])
    assert np.array_equal(transitions, copies[1])


def test_a_chain_without_places_has_empty_results() -> None:
    scores, transitions = chain(0, 0)
    assert marginals(scores, transitions).shape == (0, 5)
    assert best_path(scores, transitions).shape == (0,)


@pytest.mark.parametrize("function", [marginals, best_path])
def test_work_is_linear_in_the_length_of_the_chain(
    function: Callable[[Array, Array], np.ndarray],
) -> None:
    short, long = chain(0, 500), chain(0, 5000)
    assert len(function(*long)) == 5000
    few = calls_of(lambda: function(*short))
    assert calls_of(lambda: function(*long)) < 11 * few
    assert few < 10 * 500


@pytest.mark.parametrize("name", ["article.html", "forum.html", "japanese.html"])
def test_crfsuite_gives_the_same_results(name: str, read_page: Callable[[str], bytes]) -> None:
    pycrfsuite = pytest.importorskip("pycrfsuite")
    pytest.importorskip("rapidfuzz")
    from scrapy_boilernet.extractor.labelers.classical import ClassicalSpec
    from scrapy_boilernet.extractor.labelers.crf.labeler import CrfLabeler
    from scrapy_boilernet.lab.training.crf import CrfOptions, crfsuite_model, payload_of
    from scrapy_boilernet.lab.training.gold import gold_blocks

    pages = [page for n in range(8) if (page := gold_blocks(gold_page(n), "leaf"))]
    chosen = CrfOptions(max_iterations=30, min_frequency=0, c1=0.1)
    model = crfsuite_model(pages, chosen, lambda _: None)
    spec = ClassicalSpec("crf", "crf", CrfLabeler.featurizer, "leaf", 0.5)
    labeler = CrfLabeler(spec, payload_of(model))
    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    page = blockify(read_page(name), units="leaf")
    assert page.blocks
    tagger.set(pycrfsuite.ItemSequence(victor_attributes(page)))
    known = tagger.labels()
    wanted = [
        [tagger.marginal(label, i) if label in known else 0.0 for label in LABELS]
        for i in range(len(page.blocks))
    ]
    np.testing.assert_allclose(labeler.marginals(page), wanted, atol=1e-4)
    assert labeler.segment_labels(page) == without_orphans(tagger.tag())
