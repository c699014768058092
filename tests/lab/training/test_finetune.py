"""Fine-tuning on a few pages: folds, steps, averaging, and the gain."""

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

from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.extractor.labelers.model_folder import load_model, save_model
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.training.boilernet import train_default
from scrapy_boilernet.lab.training.examples import WINDOW_BLOCKS, LearningPage
from scrapy_boilernet.lab.training.finetune import (
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
def trained() -> Start:
    """Return a start that was trained on pages with the same markup."""
    train, validation = ([learned(n) for n in range(*span)] for span in ((0, 16), (16, 22)))
    return Start("0" * 64, *train_default("made", train, validation, SMALL, lambda _: None))


@cache
def untrained() -> Start:
    """Return a start that was trained on two pages for one epoch."""
    few = replace(SMALL, epochs=1, learning_rate=0.001)
    return Start("0" * 64, *train_default("made", PAGES[:2], PAGES[:2], few, lambda _: None))


@cache
def gaining() -> Choice:
    return choose(untrained(), PAGES, FineTuning(), lambda _: None)


@cache
def gaining_nothing() -> Choice:
    return choose(trained(), PAGES, FineTuning(), lambda _: None)


def test_an_untrained_start_gains() -> None:
    choice = gaining()
    before, after = choice.means
    assert after > before
    assert choice.interval[0] <= choice.gain <= choice.interval[1]
    assert choice.proven


def test_a_trained_start_does_not_gain() -> None:
    choice = gaining_nothing()
    assert min(choice.means) > 0.99
    assert not choice.proven


def test_a_seed_gives_the_same_choice_and_the_same_weights() -> None:
    again = choose(untrained(), PAGES, FineTuning(), lambda _: None)
    choice = gaining()
    assert (again.steps, again.calibration) == (choice.steps, choice.calibration)
    np.testing.assert_array_equal(again.after, choice.after)
    first, second = (taught(untrained(), PAGES, choice, FineTuning()) for _ in range(2))
    for name, tensor in first[1].items():
        np.testing.assert_array_equal(tensor, second[1][name])


def test_with_a_share_of_0_the_weights_do_not_change() -> None:
    start = trained()
    kept = fine_tuned(start, PAGES, [3], FineTuning(share=0.0))[3]
    for name, tensor in start.tensors.items():
        np.testing.assert_array_equal(kept[name], tensor)


def test_the_weights_are_an_average_of_start_and_new_ones() -> None:
    start = trained()
    new, half = (fine_tuned(start, PAGES, [3], FineTuning(share=s))[3] for s in (1.0, 0.5))
    assert any((new[name] != tensor).any() for name, tensor in start.tensors.items())
    for name, tensor in averaged(start.tensors, new, 0.5).items():
        np.testing.assert_allclose(half[name], tensor, atol=1e-6)


def test_a_smaller_number_of_steps_gives_the_same_alone_and_with_a_larger_one() -> None:
    several = fine_tuned(trained(), PAGES, [2, 4], FineTuning())
    alone = fine_tuned(trained(), PAGES, [2], FineTuning())
    assert several.keys() == {2, 4}
    for name, tensor in alone[2].items():
        np.testing.assert_array_equal(several[2][name], tensor)


def test_pages_beside_change_the_weights() -> None:
    beside = [learned(number, "other") for number in range(60, 64)]
    plain = fine_tuned(trained(), PAGES, [2], FineTuning())[2]
    mixed = fine_tuned(trained(), PAGES, [2], FineTuning(), beside)[2]
    assert any((plain[name] != mixed[name]).any() for name in plain)


def test_a_batch_has_at_most_one_window_of_a_page() -> None:
    drawn = drawn_windows(PAGES, 5, np.random.default_rng(0))
    assert len(drawn) == 5
    assert len(drawn_windows(PAGES, 50, np.random.default_rng(0))) == len(PAGES)
    assert all(0 < len(window.targets) <= WINDOW_BLOCKS for window in drawn)
    assert drawn_windows([], 5, np.random.default_rng(0)) == []


def test_few_pages_are_refused_with_their_number() -> None:
    with pytest.raises(DatasetError, match=f"5 pages .*at least {LEAST_PAGES} are needed"):
        choose(trained(), PAGES[:5], FineTuning(), lambda _: None)


def test_copies_of_a_page_count_as_one_text() -> None:
    copies = [*PAGES[:5], *PAGES[:5]]
    with pytest.raises(DatasetError, match="10 pages of 5 different texts that show"):
        choose(trained(), copies, FineTuning(), lambda _: None)


@pytest.mark.parametrize(
    ("pages", "begin"),
    [
        ([], "0 pages that show their gold text are too few"),
        (PAGES[:1], "1 page that shows its gold text is too few"),
        (PAGES[:1] * 8, "8 pages of the same text that show their gold text are too few"),
    ],
)
def test_few_pages_are_counted_in_plain_english(pages: list[LearningPage], begin: str) -> None:
    with pytest.raises(DatasetError, match=begin):
        choose(trained(), pages, FineTuning(), lambda _: None)


def test_a_text_on_several_pages_counts_once() -> None:
    texts = np.array([0, 0, 0, 1])
    before, after = np.zeros(4), np.array([0.3, 0.3, 0.3, 0.1])
    choice = replace(gaining_nothing(), before=before, after=after, texts=texts)
    assert choice.gain == pytest.approx(0.2)


@QUICK
@given(st.lists(st.integers(0, 9), min_size=6, max_size=40), st.integers(0, 5))
def test_pages_with_the_same_text_are_in_the_same_fold(drawn: list[int], seed: int) -> None:
    texts = np.unique(drawn, return_inverse=True)[1]
    folds = fold_numbers(texts, seed)
    for text in set(texts.tolist()):
        assert len(set(folds[texts == text].tolist())) == 1
    assert set(folds.tolist()) == set(range(min(FOLDS, len(set(drawn)))))
    np.testing.assert_array_equal(folds, fold_numbers(texts, seed))


def test_with_few_pages_the_confidence_does_not_change() -> None:
    assert len(PAGES) < CONFIDENCE_PAGES
    spec, _ = taught(trained(), PAGES, gaining_nothing(), FineTuning())
    assert spec.confidence == trained().spec.confidence
    assert spec.threshold == trained().spec.threshold


def test_a_start_is_read_from_its_folder(tmp_path: Path) -> None:
    save_model(tmp_path / "made", trained().spec, trained().tensors)
    start = open_start(str(tmp_path / "made"))
    assert start.spec.name == "made"
    assert start.calibration.floor == trained().spec.threshold
    np.testing.assert_array_equal(
        start.tensors["out.bias"], load_model(tmp_path / "made")[1]["out.bias"]
    )


@pytest.mark.parametrize(
    ("model", "why"),
    [("tiny_model", "the decision fixed"), ("tiny_paper_model", "featurizer counts")],
)
def test_models_that_cannot_be_fine_tuned_are_refused_by_name(
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
