"""Fitting the labeler ``svm``: determinism, the paper's sets, Platt's sigmoid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, article, gold_page

pytest.importorskip("sklearn")
pytest.importorskip("rapidfuzz")

from sklearn.svm import SVC

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.classical import ClassicalSpec
from scrapy_boilernet.extractor.labelers.svm.labeler import Machine, SvmLabeler
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.training import svm
from scrapy_boilernet.lab.training.gold import GoldBlocks, gold_blocks
from scrapy_boilernet.lab.training.svm import SvmOptions, fit, platt

SPEC = ClassicalSpec("svm", "small", SvmLabeler.featurizer, "block", 0.5)


def quiet(_: str) -> None: ...


@pytest.fixture(scope="module")
def pages() -> list[GoldBlocks]:
    return [
        found
        for i in range(8)
        if (found := gold_blocks(gold_page(i, host=f"site{i}.org"), "block"))
    ]


def test_the_payload_depends_on_the_seed_alone(pages: list[GoldBlocks]) -> None:
    options = {"blocks": 60}
    payload = fit(pages, options, 3, quiet)
    assert payload == fit(pages, options, 3, quiet)
    assert payload != fit(pages, options, 4, quiet)


def test_a_page_that_did_not_train_is_labeled_correctly(pages: list[GoldBlocks]) -> None:
    html, gold = article(99)
    page = blockify(html)
    (found,) = SvmLabeler(SPEC, fit(pages, {}, 0, quiet)).probabilities([page])
    content = np.array([block.text in gold for block in page.blocks])
    assert ((found > 0.5) == content).mean() > 0.9


def test_numpy_gives_the_same_as_scikit_learn(
    pages: list[GoldBlocks], monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[tuple[SVC, svm._Drawn]] = []
    plain = svm._machine

    def noted(drawn: svm._Drawn, chosen: SvmOptions) -> SVC:
        fitted.append((plain(drawn, chosen), drawn))
        return fitted[-1][0]

    monkeypatch.setattr(svm, "_machine", noted)
    machine = Machine.from_bytes(fit(pages, {}, 0, quiet))
    library, drawn = fitted[-1]
    _, _, slope, offset = machine.numbers
    expected = slope * library.decision_function(drawn.features) + offset
    np.testing.assert_allclose(machine.log_odds(drawn.features), expected, atol=1e-3)


@pytest.mark.parametrize(
    ("sets", "width"), [(["text"], 7), (["text", "position"], 8), (["tokens", "text"], 7)]
)
def test_sets_choose_the_features(pages: list[GoldBlocks], sets: list[str], width: int) -> None:
    machine = Machine.from_bytes(fit(pages, {"sets": sets}, 0, quiet))
    assert machine.sets == tuple(sets)
    assert machine.support.shape[1] == width + len(machine.names)
    assert bool(machine.names) == ("tokens" in sets)


def test_the_names_mark_boilerplate(pages: list[GoldBlocks]) -> None:
    messages: list[str] = []
    machine = Machine.from_bytes(fit(pages, {}, 0, messages.append))
    assert {"menu", "sidebar"} <= set(machine.names)
    assert "post" not in machine.names
    assert any("menu" in line and "support vectors" in line for line in messages)


def test_blocks_are_drawn_evenly_up_to_the_limit() -> None:
    rng = np.random.default_rng(0)
    drawn = svm._draw([3, 50, 1000], 43, rng)
    assert [len(rows) for rows in drawn] == [3, 20, 20]
    assert all((np.diff(rows) > 0).all() for rows in drawn)
    assert [len(rows) for rows in svm._draw([3, 50], 1000, rng)] == [3, 50]
    assert [len(rows) for rows in svm._draw([3, 50], 1, rng)] == [1, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trees": 3}, "trees"),
        ({"sets": ["colour"]}, "colour"),
        ({"sets": []}, "no feature set"),
        ({"c": 0}, "option c is 0 and must be a number"),
        ({"gamma": "x"}, "option gamma is 'x' and must be a number"),
        ({"blocks": 1.5}, "option blocks is 1.5 and must be a whole number"),
        ({"gamma": -1.0}, "gamma"),
        ({"blocks": 0}, "blocks"),
    ],
)
def test_wrong_options_are_refused(
    pages: list[GoldBlocks], options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        fit(pages, options, 0, quiet)


def test_pages_of_one_class_are_refused(pages: list[GoldBlocks]) -> None:
    bare = gold_blocks(gold_page(1, html=b"<p>All of it.", gold="All of it."), "block")
    assert bare is not None
    with pytest.raises(DatasetError, match="training needs both classes"):
        fit([bare], {}, 0, quiet)


def test_the_set_of_names_alone_is_refused_if_there_are_no_names() -> None:
    html = b"<p>All of the text.<p>Menu"
    found = gold_blocks(gold_page(1, html=html, gold="All of the text."), "block")
    assert found is not None
    with pytest.raises(ValueError, match="0 features"):
        fit([found], {"sets": ["tokens"]}, 0, quiet)


def test_one_page_is_enough(pages: list[GoldBlocks]) -> None:
    (found,) = SvmLabeler(SPEC, fit(pages[:1], {}, 0, quiet)).probabilities([pages[0].page])
    assert ((found > 0.5) == pages[0].labels).mean() > 0.9


def test_platts_sigmoid_finds_the_true_log_odds() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=20_000) * 2
    labels = rng.random(20_000) < 1 / (1 + np.exp(-(1.5 * values - 0.7)))
    slope, offset = platt(values, labels)
    assert slope == pytest.approx(1.5, abs=0.08)
    assert offset == pytest.approx(-0.7, abs=0.08)


@QUICK
@given(st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=2, max_size=40))
def test_platts_sigmoid_is_finite_even_if_values_separate_the_classes(
    drawn: list[tuple[float, bool]],
) -> None:
    values = np.array([value for value, _ in drawn])
    for labels in (np.array([kept for _, kept in drawn]), values > 0):
        assert np.isfinite(platt(values, labels)).all()
