"""A model goes on learning from a few pages: folds, steps, averaging, and what is gained."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")
pytest.importorskip("matplotlib")

from hypothesis import given
from hypothesis import strategies as st
from testing.learned import SMALL, learned
from testing.synthetic import QUICK

from scrapy_boilernet.evaluation.datasets import DatasetError
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.labelers.model_folder import load_model, save_model
from scrapy_boilernet.training.boilernet import train_default
from scrapy_boilernet.training.examples import WINDOW_BLOCKS
from scrapy_boilernet.training.finetune import (
    CONFIDENCE_PAGES,
    FOLDS,
    LEAST_PAGES,
    Choice,
    FineTuning,
    Start,
    averaged,
    choose,
    drawn_windows,
    fine_tuned,
    fold_numbers,
    open_start,
    taught,
)

PAGES = [learned(number) for number in range(40, 48)]


@cache
def knowing() -> Start:
    """A start that knows these pages' markup by heart."""
    train, validation = ([learned(n) for n in range(*span)] for span in ((0, 16), (16, 22)))
    return Start("0" * 64, *train_default("made", train, validation, SMALL, lambda _: None))


@cache
def ignorant() -> Start:
    """A start that has seen two pages once."""
    few = replace(SMALL, epochs=1, learning_rate=0.001)
    return Start("0" * 64, *train_default("made", PAGES[:2], PAGES[:2], few, lambda _: None))


@cache
def gaining() -> Choice:
    return choose(ignorant(), PAGES, FineTuning(), lambda _: None)


@cache
def gaining_nothing() -> Choice:
    return choose(knowing(), PAGES, FineTuning(), lambda _: None)


def test_what_is_new_to_the_start_is_a_gain() -> None:
    choice = gaining()
    before, after = choice.means
    assert after > before
    assert choice.interval[0] <= choice.gain <= choice.interval[1]
    assert choice.proven


def test_what_the_start_knows_is_none() -> None:
    choice = gaining_nothing()
    assert min(choice.means) > 0.99
    assert not choice.proven


def test_a_seed_gives_the_same_choice_and_the_same_weights() -> None:
    again = choose(ignorant(), PAGES, FineTuning(), lambda _: None)
    choice = gaining()
    assert (again.steps, again.calibration) == (choice.steps, choice.calibration)
    np.testing.assert_array_equal(again.after, choice.after)
    first, second = (taught(ignorant(), PAGES, choice, FineTuning()) for _ in range(2))
    for name, tensor in first[1].items():
        np.testing.assert_array_equal(tensor, second[1][name])


def test_without_a_share_of_the_new_weights_the_start_stays_as_it_is() -> None:
    start = knowing()
    kept = fine_tuned(start, PAGES, [3], FineTuning(share=0.0))[3]
    for name, tensor in start.tensors.items():
        np.testing.assert_array_equal(kept[name], tensor)


def test_the_share_lies_between_the_start_and_the_new_weights() -> None:
    start = knowing()
    new, half = (fine_tuned(start, PAGES, [3], FineTuning(share=s))[3] for s in (1.0, 0.5))
    assert any((new[name] != tensor).any() for name, tensor in start.tensors.items())
    for name, tensor in averaged(start.tensors, new, 0.5).items():
        np.testing.assert_allclose(half[name], tensor, atol=1e-6)


def test_every_number_of_steps_is_on_the_way_to_the_largest() -> None:
    several = fine_tuned(knowing(), PAGES, [2, 4], FineTuning())
    alone = fine_tuned(knowing(), PAGES, [2], FineTuning())
    assert several.keys() == {2, 4}
    for name, tensor in alone[2].items():
        np.testing.assert_array_equal(several[2][name], tensor)


def test_pages_beside_change_what_is_learned() -> None:
    beside = [learned(number, "other") for number in range(60, 64)]
    plain = fine_tuned(knowing(), PAGES, [2], FineTuning())[2]
    mixed = fine_tuned(knowing(), PAGES, [2], FineTuning(), beside)[2]
    assert any((plain[name] != mixed[name]).any() for name in plain)


def test_a_batch_has_at_most_one_window_of_a_page() -> None:
    drawn = drawn_windows(PAGES, 5, np.random.default_rng(0))
    assert len(drawn) == 5
    assert len(drawn_windows(PAGES, 50, np.random.default_rng(0))) == len(PAGES)
    assert all(0 < len(window.targets) <= WINDOW_BLOCKS for window in drawn)
    assert drawn_windows([], 5, np.random.default_rng(0)) == []


def test_few_pages_are_refused_with_how_many_there_are() -> None:
    with pytest.raises(DatasetError, match=f"5 pages .*{LEAST_PAGES} is the least"):
        choose(knowing(), PAGES[:5], FineTuning(), lambda _: None)


def test_copies_of_a_page_are_no_other_pages() -> None:
    copies = [*PAGES[:5], *PAGES[:5]]
    with pytest.raises(DatasetError, match="10 pages of 5 different texts"):
        choose(knowing(), copies, FineTuning(), lambda _: None)


def test_a_text_counts_once_however_many_pages_have_it() -> None:
    texts = np.array([0, 0, 0, 1])
    before, after = np.zeros(4), np.array([0.3, 0.3, 0.3, 0.1])
    choice = replace(gaining_nothing(), before=before, after=after, texts=texts)
    assert choice.gain == pytest.approx(0.2)


@QUICK
@given(st.lists(st.integers(0, 9), min_size=6, max_size=40), st.integers(0, 5))
def test_pages_of_one_text_are_never_on_both_sides(drawn: list[int], seed: int) -> None:
    texts = np.unique(drawn, return_inverse=True)[1]
    folds = fold_numbers(texts, seed)
    for text in set(texts.tolist()):
        assert len(set(folds[texts == text].tolist())) == 1
    assert set(folds.tolist()) == set(range(min(FOLDS, len(set(drawn)))))
    np.testing.assert_array_equal(folds, fold_numbers(texts, seed))


def test_the_confidence_stays_the_starts_with_few_pages() -> None:
    assert len(PAGES) < CONFIDENCE_PAGES
    spec, _ = taught(knowing(), PAGES, gaining_nothing(), FineTuning())
    assert spec.confidence == knowing().spec.confidence
    assert spec.threshold == knowing().spec.threshold


def test_a_start_is_read_from_its_folder(tmp_path: Path) -> None:
    save_model(tmp_path / "made", knowing().spec, knowing().tensors)
    start = open_start(str(tmp_path / "made"))
    assert start.spec.name == "made"
    assert start.calibration.floor == knowing().spec.threshold
    np.testing.assert_array_equal(
        start.tensors["out.bias"], load_model(tmp_path / "made")[1]["out.bias"]
    )


@pytest.mark.parametrize(
    ("model", "why"),
    [("tiny_model", "decides by fixed"), ("tiny_paper_model", "featurizer counts")],
)
def test_models_that_cannot_go_on_are_refused_by_name(
    model: str, why: str, request: pytest.FixtureRequest
) -> None:
    folder = str(request.getfixturevalue(model))
    with pytest.raises(ModelError, match=why) as caught:
        open_start(folder)
    assert folder in str(caught.value)
    assert "recipe default" in str(caught.value)


def test_a_missing_model_is_refused_by_name() -> None:
    with pytest.raises(ModelError, match="nowhere"):
        open_start("nowhere")
