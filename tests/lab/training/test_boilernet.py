"""The default recipe: its loss, its learning rate, and models of a few pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

import torch
from hypothesis import given
from hypothesis import strategies as st
from testing.learned import SMALL, learned, prepared
from testing.synthetic import QUICK, gold_page

from scrapy_boilernet.extractor.labelers.model_folder import Tensors, load_model, save_model
from scrapy_boilernet.extractor.labelers.spec import ModelSpec
from scrapy_boilernet.lab.training import boilernet as default
from scrapy_boilernet.lab.training.boilernet import (
    DefaultOptions,
    learning_rate_share,
    page_loss,
    train_default,
)
from scrapy_boilernet.lab.training.calibration import (
    BIASES,
    FLOORS,
    TEMPERATURES,
    Calibration,
    decided_f1,
)

TRAIN, VALIDATION = range(12), range(100, 106)


def fitted(options: DefaultOptions, pages: range = TRAIN) -> tuple[ModelSpec, Tensors, list[str]]:
    lines: list[str] = []
    validation = [learned(n) for n in VALIDATION]
    spec, tensors = train_default(
        "mine", [learned(n) for n in pages], validation, options, lines.append
    )
    return spec, tensors, lines


def test_keeping_everything_has_a_low_score_on_the_made_up_pages() -> None:
    pages = [learned(n) for n in VALIDATION]
    everything = [np.full(len(page.tokens), 9, dtype=np.float32) for page in pages]
    assert decided_f1(pages, everything, Calibration(1, 0, 0.1)).mean() < 0.75


def test_a_dozen_pages_are_enough_to_learn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default, "AVERAGING", 0.8)
    spec, _, lines = fitted(SMALL)
    assert spec.training["validation"]["made"] > 0.8
    assert (spec.name, spec.decision) == ("mine", "correlated-f")
    chosen = spec.training["calibration"]
    assert chosen["temperature"] in TEMPERATURES
    assert chosen["bias"] in BIASES
    assert chosen["floor"] == spec.threshold in FLOORS
    assert len(lines) == SMALL.epochs


def test_a_seed_gives_the_same_model() -> None:
    short = replace(SMALL, epochs=3)
    (spec, tensors, lines), (again, same, same_lines) = fitted(short), fitted(short)
    assert spec == again
    assert lines == same_lines
    assert all(np.array_equal(tensors[name], same[name]) for name in tensors)
    other = fitted(replace(short, seed=1))[1]
    assert not np.array_equal(tensors["out.weight"], other["out.weight"])


def test_repeating_a_set_is_the_same_as_giving_its_pages_twice() -> None:
    short = replace(SMALL, epochs=1)
    validation, pages = [learned(n) for n in VALIDATION], [learned(n) for n in TRAIN]
    dataset = pages[0].source.dataset
    twice = [page for page in pages for _ in range(2)]
    _, given_twice = train_default("mine", twice, validation, short, lambda _: None)
    repeated = fitted(replace(short, repeat={dataset: 2, "another": 9}))[1]
    assert all(np.array_equal(given_twice[name], repeated[name]) for name in repeated)


def test_the_model_can_be_saved_and_loaded(tmp_path: Path) -> None:
    spec, tensors, _ = fitted(replace(SMALL, epochs=1))
    save_model(tmp_path, spec, tensors)
    loaded, found = load_model(tmp_path)
    assert (loaded.threshold, loaded.confidence) == (spec.threshold, spec.confidence)
    assert found.keys() == tensors.keys()
    assert loaded.training["options"]["hidden"] == SMALL.hidden


@pytest.mark.parametrize("epochs", [1, 2, 5])
def test_any_number_of_epochs_can_be_trained(epochs: int) -> None:
    options = replace(SMALL, epochs=epochs, batch_windows=16)
    assert len(fitted(options, range(2))[2]) == epochs


def test_training_stops_if_epochs_are_not_better() -> None:
    options = replace(SMALL, epochs=20, patience=2, learning_rate=0.0)
    spec, _, lines = fitted(options, range(2))
    assert spec.training["best_epoch"] == 1
    assert len(lines) == 3


def test_without_validation_pages_all_epochs_are_done_and_nothing_is_calibrated() -> None:
    options = replace(SMALL, epochs=4, patience=2, validation=0)
    lines: list[str] = []
    pages = [learned(n) for n in TRAIN]
    spec, tensors = train_default("mine", pages, [], options, lines.append)
    assert [line.partition(": loss ")[0] for line in lines] == [f"epoch {n}" for n in (1, 2, 3, 4)]
    assert "validation" not in " ".join(lines)
    assert "validation" not in spec.training
    assert spec.training["best_epoch"] == 4
    assert (spec.decision, spec.threshold) == ("correlated-f", 0.1)
    assert spec.training["calibration"]["temperature"] == 1
    assert spec.confidence == ((0.0, 0.0), (1.0, 1.0))
    assert all(np.isfinite(tensor).all() for tensor in tensors.values())


@pytest.mark.parametrize("seed", range(3))
def test_later_epochs_may_cut_long_pages_into_more_windows(seed: int) -> None:
    html = b"<p>one</p>" * 400 + b"<p>two</p>"
    long = prepared(gold_page(1, html=html, gold="one " * 400))
    assert long is not None
    options = replace(SMALL, epochs=4, batch_windows=5, seed=seed, dense=4, hidden=2)
    train_default("mine", [long, long], [learned(100)], options, lambda _: None)


@QUICK
@given(st.integers(1, 5000), st.integers(0, 6000))
def test_the_learning_rate_rises_once_and_falls_once(steps: int, step: int) -> None:
    here, there = learning_rate_share(step, steps), learning_rate_share(step + 1, steps)
    assert 0.001 <= here <= 1
    assert there >= here if step + 1 < default.WARM_UP * steps else True
    assert there <= here if step >= max(1, default.WARM_UP * steps) else True


def test_the_page_loss_equals_a_computation_by_hand() -> None:
    logits = [torch.tensor([0.0, 2.0]), torch.tensor([-1.0])]
    targets = [torch.tensor([1.0, 0.5]), torch.tensor([0.0])]
    weights = [torch.tensor([1.5, 0.5]), torch.tensor([1.0])]
    p, q = 1 / (1 + np.exp(-2.0)), 1 / (1 + np.exp(1.0))
    first = (1.5 * np.log(2) - 0.5 * (0.5 * np.log(p) + 0.5 * np.log(1 - p))) / 2
    second = -np.log(1 - q)
    assert float(page_loss(logits, targets, weights)) == pytest.approx((first + second) / 2)


def test_the_page_loss_gives_pages_of_any_length_the_same_weight() -> None:
    short, long = torch.tensor([1.0]), torch.tensor([-2.0] * 50)
    each = [page_loss([x], [torch.ones_like(x)], [torch.ones_like(x)]) for x in (short, long)]
    ones = [torch.ones_like(short), torch.ones_like(long)]
    assert float(page_loss([short, long], ones, ones)) == pytest.approx(float(sum(each) / 2))
