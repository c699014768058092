"""Fitting: padding does not reach real steps, losses fall, weights start as the paper's did."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, TINY, random_features

from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.lab.training.fit import (
    Example,
    initialize,
    predict,
    run_epoch,
    shuffled_batches,
    tensors_of,
    weighted_bce,
)


def network(seed: int = 0) -> BoilerNetNetwork:
    torch.manual_seed(seed)
    made = BoilerNetNetwork(TINY)
    initialize(made)
    return made


def examples(lengths: list[int], seed: int = 0) -> list[Example]:
    rng = np.random.default_rng(seed)
    return [
        Example(
            random_features(length, rng),
            (rng.random(length) < 0.5).astype(np.float32),
            np.ones(length, dtype=np.float32),
        )
        for length in lengths
    ]


@QUICK
@given(st.lists(st.integers(1, 300), min_size=2, max_size=4))
def test_padding_never_reaches_a_real_step(lengths: list[int]) -> None:
    made = network().eval()
    pages = [example.features for example in examples(lengths, seed=sum(lengths))]
    with torch.inference_mode():
        together = made(pages)
        for page, length, logits in zip(pages, lengths, together, strict=True):
            assert logits.shape == (length,)
            torch.testing.assert_close(logits, made([page])[0], rtol=0, atol=1e-5)


def test_gradients_do_not_depend_on_batch_neighbours() -> None:
    made = network()
    pages = [example.features for example in examples([7, 40, 11])]
    sum(logits.sum() for logits in made(pages)).backward()
    together = [parameter.grad.clone() for parameter in made.parameters()]
    made.zero_grad()
    for page in pages:
        made([page])[0].sum().backward()
    for parameter, expected in zip(made.parameters(), together, strict=True):
        torch.testing.assert_close(parameter.grad, expected, rtol=1e-4, atol=1e-4)


def test_three_pages_can_be_overfitted() -> None:
    made, pages = network(), examples([5, 9, 12])
    optimizer = torch.optim.Adam(made.parameters(), lr=0.02)
    losses = [run_epoch(made, optimizer, iter([pages]), weighted_bce) for _ in range(60)]
    assert losses[0] > 0.5
    assert losses[-1] < 0.05
    for page, found in zip(pages, predict(made, [p.features for p in pages]), strict=True):
        assert ((found > 0.5) == (page.targets > 0.5)).all()


def test_an_epoch_steps_once_per_batch_and_returns_the_mean_loss() -> None:
    made, pages = network(), examples([4, 6])
    frozen = torch.optim.SGD(made.parameters(), lr=0.0)
    steps: list[int] = []
    batches = iter([[pages[0]], [pages[1]]])
    mean = run_epoch(made, frozen, batches, weighted_bce, lambda: steps.append(1))
    single = [run_epoch(made, frozen, iter([[page]]), weighted_bce) for page in pages]
    assert len(steps) == 2
    assert mean == pytest.approx(np.mean(single))


def test_recurrent_matrices_start_orthogonal() -> None:
    found = [p for name, p in network().named_parameters() if "weight_hh" in name]
    assert len(found) == 2 * TINY.layers
    for parameter in found:
        for gate in parameter.detach().chunk(4):
            torch.testing.assert_close(gate @ gate.T, torch.eye(TINY.hidden))


def test_biases_start_at_0_except_the_forget_gate_at_1() -> None:
    hidden = TINY.hidden
    for name, parameter in network().named_parameters():
        if "bias" not in name:
            continue
        expected = torch.zeros_like(parameter)
        if "bias_ih" in name:
            expected[hidden : 2 * hidden] = 1
        assert torch.equal(parameter.detach(), expected), name


def test_other_weights_start_within_the_glorot_bound() -> None:
    for name, parameter in network().named_parameters():
        if "weight" in name and "weight_hh" not in name:
            bound = (6 / sum(parameter.shape)) ** 0.5
            assert 0.5 * bound < float(parameter.detach().abs().max()) <= bound, name


@QUICK
@given(st.integers(1, 30), st.integers(1, 8), st.integers(0, 99))
def test_batches_give_every_example_once(number: int, size: int, seed: int) -> None:
    made = examples([1] * number)
    batches = list(shuffled_batches(made, size, np.random.default_rng(seed)))
    assert sorted(id(e) for batch in batches for e in batch) == sorted(id(e) for e in made)
    assert all(1 <= len(batch) <= size for batch in batches)
    assert len(batches) == -(-number // size)


def test_batches_have_a_new_order_each_time() -> None:
    made, rng = examples([1] * 30), np.random.default_rng(0)
    first, second = (
        [id(e) for batch in shuffled_batches(made, 4, rng) for e in batch] for _ in range(2)
    )
    assert first != second


def test_predictions_are_probabilities_without_dropout() -> None:
    made = BoilerNetNetwork(TINY, dropout=0.9).train()
    page = examples([50])[0].features
    first, second = predict(made, [page]), predict(made, [page])
    assert first[0].shape == (50,)
    assert ((first[0] >= 0) & (first[0] <= 1)).all()
    assert np.array_equal(first[0], second[0])


def test_weighted_cross_entropy_is_the_mean_over_all_blocks() -> None:
    logits = [torch.tensor([0.0]), torch.tensor([2.0, -1.0])]
    targets = [torch.tensor([1.0]), torch.tensor([0.0, 0.5])]
    weights = [torch.tensor([1.0]), torch.tensor([3.0, 2.0])]
    p = 1 / (1 + np.exp(-np.array([0.0, 2.0, -1.0])))
    t, w = np.array([1, 0, 0.5]), np.array([1, 3, 2])
    expected = -(w * (t * np.log(p) + (1 - t) * np.log(1 - p))).sum() / 3
    assert float(weighted_bce(logits, targets, weights)) == pytest.approx(expected, rel=1e-5)


def test_tensors_are_copies_with_the_names_and_shapes_of_the_model_folder() -> None:
    made = network()
    found = tensors_of(made)
    assert {name: tensor.shape for name, tensor in found.items()} == TINY.shapes()
    found["out.bias"] += 1
    assert float(made.out.bias.detach()) == 0
