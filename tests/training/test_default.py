"""The default recipe: its loss by hand, its calibration, and what it learns of a few pages."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

import torch

from scrapy_boilernet.labelers.model_folder import load_model, save_model
from scrapy_boilernet.tokens import tokens
from scrapy_boilernet.training import calibration, default
from scrapy_boilernet.training.calibration import THRESHOLDS
from scrapy_boilernet.training.default import (
    DICE_WEIGHT,
    DefaultOptions,
    calibrate,
    page_loss,
    train_default,
)
from scrapy_boilernet.training.examples import LearningPage, learning_page
from scrapy_boilernet.training.fit import Example

from .synthetic import LONG_MENU, article, gold_page, page_of, random_features

SMALL = DefaultOptions(
    epochs=12,
    batch_windows=3,
    learning_rate=0.02,
    columns={"tags": 4, "classes": 4, "words": 4},
    dense=12,
    hidden=8,
    layers=1,
    dropout=0.1,
)


@cache
def learn(number: int, dataset: str = "made", paragraphs: int = 3) -> LearningPage:
    html, gold = article(number, paragraphs, LONG_MENU)
    found = learning_page(gold_page(number, dataset, html=html, gold=gold), len(tokens(gold)))
    assert found is not None
    return found


TRAIN, VALIDATION = range(12), range(100, 106)


def fitted(options: DefaultOptions, pages: range = TRAIN) -> tuple:  # type: ignore[type-arg]
    lines: list[str] = []
    spec, tensors = train_default(
        "mine", [learn(n) for n in pages], [learn(n) for n in VALIDATION], options, lines.append
    )
    return spec, tensors, lines


def test_keeping_everything_is_no_solution_of_the_made_up_pages() -> None:
    everything = [np.ones(len(learn(n).tokens), dtype=np.float32) for n in VALIDATION]
    assert calibrate([learn(n) for n in VALIDATION], everything)[2]["made"] < 0.75


def test_a_dozen_pages_teach_content_from_boilerplate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default, "AVERAGING", 0.8)
    spec, _, lines = fitted(SMALL)
    assert spec.training["validation"]["made"] > 0.8
    assert spec.threshold in THRESHOLDS
    assert spec.name == "mine"
    assert len(lines) == SMALL.epochs


def test_a_dozen_pages_suffice_for_the_recipe_as_it_stands() -> None:
    assert fitted(DefaultOptions())[0].training["validation"]["made"] > 0.8


def test_a_seed_gives_the_same_model() -> None:
    short = replace(SMALL, epochs=3)
    (spec, tensors, lines), (again, same, same_lines) = fitted(short), fitted(short)
    assert spec == again
    assert lines == same_lines
    assert all(np.array_equal(tensors[name], same[name]) for name in tensors)
    other = fitted(replace(short, seed=1))[1]
    assert not np.array_equal(tensors["out.weight"], other["out.weight"])


def test_the_model_can_be_saved_and_loaded(tmp_path: Path) -> None:
    spec, tensors, _ = fitted(replace(SMALL, epochs=1))
    save_model(tmp_path, spec, tensors)
    loaded, found = load_model(tmp_path)
    assert (loaded.threshold, loaded.confidence) == (spec.threshold, spec.confidence)
    assert found.keys() == tensors.keys()
    assert loaded.training["options"]["hidden"] == SMALL.hidden


@pytest.mark.parametrize("epochs", [1, 2, 5, 10, 20])
def test_any_number_of_epochs_can_be_trained(epochs: int) -> None:
    options = replace(SMALL, epochs=epochs, batch_windows=16)
    assert len(fitted(options, range(2))[2]) == epochs


@pytest.mark.parametrize("seed", range(4))
def test_epochs_may_cut_long_pages_into_more_windows_than_the_first(seed: int) -> None:
    long = learning_page(
        gold_page(1, html=b"<p>one</p>" * 400 + b"<p>two</p>", gold="one " * 400), 400
    )
    assert long is not None
    options = replace(SMALL, epochs=6, batch_windows=5, seed=seed, dense=4, hidden=2)
    train_default("mine", [long, long], [learn(100)], options, lambda _: None)


def test_the_page_loss_is_that_of_a_hand_computation() -> None:
    logits = [torch.tensor([0.0, 2.0]), torch.tensor([-1.0])]
    targets = [torch.tensor([1.0, 0.5]), torch.tensor([0.0])]
    weights = [torch.tensor([1.5, 0.5]), torch.tensor([1.0])]
    p = 1 / (1 + np.exp(-2.0))
    entropy = (1.5 * np.log(2) - 0.5 * (0.5 * np.log(p) + 0.5 * np.log(1 - p))) / 2
    overlap = 1.5 * 0.5 + 0.5 * p * 0.5
    size = 1.5 * (0.5 + 1) + 0.5 * (p + 0.5)
    first = entropy + DICE_WEIGHT * (1 - (2 * overlap + 1) / (size + 1))
    q = 1 / (1 + np.exp(1.0))
    second = -np.log(1 - q) + DICE_WEIGHT * (1 - 1 / (q + 1))
    assert float(page_loss(logits, targets, weights)) == pytest.approx((first + second) / 2)


def test_the_page_loss_weighs_pages_alike_whatever_their_length() -> None:
    short, long = torch.tensor([1.0]), torch.tensor([-2.0] * 50)
    each = [page_loss([x], [torch.ones_like(x)], [torch.ones_like(x)]) for x in (short, long)]
    ones = [torch.ones_like(short), torch.ones_like(long)]
    assert float(page_loss([short, long], ones, ones)) == pytest.approx(float(sum(each) / 2))


def toy(dataset: str, targets: list[float]) -> LearningPage:
    """A page with ten tokens per block."""
    wanted = np.array(targets, dtype=np.float32)
    features = random_features(len(targets), np.random.default_rng(0))
    example = Example(features, wanted, np.ones_like(wanted))
    sizes = np.full(len(targets), 10, dtype=np.float32)
    source = gold_page(1, dataset)
    return LearningPage(
        source, page_of(["x"] * len(targets)), example, sizes, int(10 * sum(targets))
    )


def scores(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def test_the_threshold_is_the_best_one_and_the_scores_are_those_at_it() -> None:
    pages = [toy("a", [1, 1, 0, 0]), toy("a", [1, 0])]
    threshold, _, found = calibrate(pages, [scores(0.9, 0.5, 0.45, 0.1), scores(0.7, 0.3)])
    assert 0.45 < threshold <= 0.5
    assert found == {"a": 1.0}


def test_a_large_set_does_not_outvote_the_others() -> None:
    large = [toy("large", [1, 1, 1, 1, 0])] * 9  # a low threshold gains a little
    small = [toy("small", [1, 0, 0, 0])]  # a high one gains much
    probabilities = [scores(0.9, 0.9, 0.9, 0.3, 0.1)] * 9 + [scores(0.9, 0.3, 0.3, 0.3)]
    assert calibrate(large, probabilities[:9])[0] <= 0.3
    assert calibrate(large + small, probabilities)[0] > 0.3


def test_a_single_page_of_a_set_does_not_decide_for_many() -> None:
    large = [toy("large", [1, 1, 1, 1, 0])] * 100
    small = [toy("small", [1, 0, 0, 0])]
    probabilities = [scores(0.9, 0.9, 0.9, 0.3, 0.1)] * 100 + [scores(0.9, 0.3, 0.3, 0.3)]
    assert calibrate(large + small, probabilities)[0] <= 0.3


def test_confidence_points_rise() -> None:
    rng = np.random.default_rng(5)
    pages = [toy("a", (rng.random(12) < 0.5).astype(float).tolist()) for _ in range(40)]
    _, points, _ = calibrate(pages, [rng.random(12).astype(np.float32) for _ in pages])
    expected, true = zip(*points, strict=True)
    assert 1 <= len(points) <= calibration.CALIBRATION_POINTS
    assert list(expected) == sorted(expected)
    assert list(true) == sorted(true)
    assert all(0 <= value <= 1 for value in (*expected, *true))


def test_scores_come_in_the_same_order_in_every_process() -> None:
    names = [f"set{n}" for n in range(10)]
    found = calibrate([toy(name, [1, 0]) for name in names], [scores(0.9, 0.1)] * 10)[2]
    assert list(found) == names
