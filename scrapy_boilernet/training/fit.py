"""Fitting the network: batches, loss, epochs. What is fitted to what is the recipes' business."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from scrapy_boilernet.features import Features
from scrapy_boilernet.labelers.model_folder import Tensors
from scrapy_boilernet.labelers.network import BoilerNetNetwork


@dataclass(frozen=True)
class Example:
    """A page, or a window of one, to learn from."""

    features: Features
    targets: NDArray[np.float32]
    """Wanted P(content) per block, in [0, 1]: (blocks,)."""
    weights: NDArray[np.float32]
    """Weight per block in the loss, >= 0: (blocks,)."""


Loss = Callable[[list[Tensor], list[Tensor], list[Tensor]], Tensor]
"""(logits, targets, weights), each a list with a tensor (blocks,) per page -> a scalar."""


def initialize(network: BoilerNetNetwork) -> None:
    """Set weights as Keras does, which the paper used: Glorot uniform for inputs, orthogonal for
    recurrent matrices, zero biases, one for the forget gate.
    """
    for name, parameter in network.named_parameters():
        if name.startswith("bags."):
            bound = (6 / sum(parameter.shape)) ** 0.5
            nn.init.uniform_(parameter, -bound, bound)
        elif "weight_hh" in name:
            for gate in parameter.data.chunk(4):
                nn.init.orthogonal_(gate)
        elif "weight" in name:
            nn.init.xavier_uniform_(parameter)
        else:
            nn.init.zeros_(parameter)
            if "bias_ih" in name:  # gates in torch: input, forget, cell, output
                parameter.data.chunk(4)[1].fill_(1.0)


def run_epoch(
    network: BoilerNetNetwork,
    optimizer: torch.optim.Optimizer,
    batches: Iterator[list[Example]],
    loss: Loss,
    before_step: Callable[[], None] | None = None,
    after_step: Callable[[], None] | None = None,
) -> float:
    """Train on each batch once; return the mean loss."""
    network.train()
    losses = []
    for batch in batches:
        logits = network([example.features for example in batch])
        targets = [torch.from_numpy(example.targets) for example in batch]
        weights = [torch.from_numpy(example.weights) for example in batch]
        value = loss(logits, targets, weights)
        optimizer.zero_grad()
        torch.autograd.backward(value)
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        if before_step:
            before_step()
        optimizer.step()
        losses.append(float(value.detach()))
        if after_step:
            after_step()
    return float(np.mean(losses))


def shuffled_batches(
    examples: Sequence[Example], size: int, rng: np.random.Generator
) -> Iterator[list[Example]]:
    """Yield all examples once, in batches of at most ``size``, in a new order."""
    order = rng.permutation(len(examples))
    for begin in range(0, len(order), size):
        yield [examples[i] for i in order[begin : begin + size]]


def predict(network: BoilerNetNetwork, pages: Sequence[Features]) -> list[NDArray[np.float32]]:
    """Return P(content) per block of each page, a page at a time."""
    logits = predict_logits(network, pages)
    return [np.asarray(1 / (1 + np.exp(-found)), dtype=np.float32) for found in logits]


def predict_logits(
    network: BoilerNetNetwork, pages: Sequence[Features]
) -> list[NDArray[np.float32]]:
    """Return one logit per block of each page, a page at a time."""
    network.eval()
    with torch.inference_mode():
        return [network([page])[0].numpy() for page in pages]


def weighted_bce(logits: list[Tensor], targets: list[Tensor], weights: list[Tensor]) -> Tensor:
    """Weighted binary cross-entropy, the mean over all blocks of the batch."""
    return nn.functional.binary_cross_entropy_with_logits(
        torch.cat(logits), torch.cat(targets), torch.cat(weights)
    )


def tensors_of(network: nn.Module) -> Tensors:
    """Return a copy of the network's tensors as NumPy arrays."""
    return {name: t.detach().numpy().copy() for name, t in network.state_dict().items()}
