"""Fitting the network: batches, loss, epochs, and checkpoints to continue a stopped run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from scrapy_boilernet.extractor.features.hashed import Features
from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.extractor.labelers.model_folder import Tensors

STATE_FILE = "checkpoint.safetensors"


@dataclass(frozen=True)
class Example:
    """A page, or a window of a page, to train on."""

    features: Features
    targets: NDArray[np.float32]
    """P(content) to learn per block, in [0, 1]: (blocks,)."""
    weights: NDArray[np.float32]
    """Weight per block in the loss, >= 0: (blocks,)."""


Loss = Callable[[list[Tensor], list[Tensor], list[Tensor]], Tensor]
"""From (logits, targets, weights), each a list with a tensor (blocks,) per page, to a scalar."""


@dataclass
class TrainingState:
    """Everything that the next epoch depends on."""

    network: BoilerNetNetwork
    averaged: BoilerNetNetwork
    """The network with the moving average of the weights, which becomes the model."""
    optimizer: torch.optim.Optimizer
    rng: np.random.Generator
    epoch: int = 0
    """Finished epochs."""
    step: int = 0
    best_epoch: int = 0
    best_f1: float = -1.0
    best: dict[str, Tensor] = field(default_factory=dict)
    """Averaged weights after the best epoch so far."""

    def remember_if_best(self, f1: float) -> None:
        """Keep the averaged weights if ``f1`` is the best so far."""
        if f1 > self.best_f1:
            self.best_f1 = f1
            self.remember()

    def remember(self) -> None:
        """Keep the averaged weights."""
        self.best_epoch = self.epoch
        self.best = deepcopy(self.averaged.state_dict())


def initialize(network: BoilerNetNetwork) -> None:
    """Initialize the weights as Keras does, which the paper used.

    Weights of inputs are Glorot uniform, recurrent matrices are orthogonal. Biases are zero, but
    one for the forget gate.
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


def shuffled_batches(
    examples: Sequence[Example], size: int, rng: np.random.Generator
) -> Iterator[list[Example]]:
    """Yield all examples once, in batches of at most ``size``, in random order."""
    order = rng.permutation(len(examples))
    for begin in range(0, len(order), size):
        yield [examples[i] for i in order[begin : begin + size]]


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


def weighted_bce(logits: list[Tensor], targets: list[Tensor], weights: list[Tensor]) -> Tensor:
    """Return the weighted binary cross-entropy, the mean over all blocks of the batch."""
    return nn.functional.binary_cross_entropy_with_logits(
        torch.cat(logits), torch.cat(targets), torch.cat(weights)
    )


def predict(network: BoilerNetNetwork, pages: Sequence[Features]) -> list[NDArray[np.float32]]:
    """Return P(content) per page, float32 of shape (blocks,); runs one page at a time."""
    logits = predict_logits(network, pages)
    return [np.asarray(1 / (1 + np.exp(-page_logits)), dtype=np.float32) for page_logits in logits]


def predict_logits(
    network: BoilerNetNetwork, pages: Sequence[Features]
) -> list[NDArray[np.float32]]:
    """Return the logits per page, float32 of shape (blocks,); runs one page at a time."""
    network.eval()
    with torch.inference_mode():
        return [network([page])[0].numpy() for page in pages]


def tensors_of(network: nn.Module) -> Tensors:
    """Return a copy of the network's tensors as NumPy arrays."""
    return {name: t.detach().numpy().copy() for name, t in network.state_dict().items()}


def run_digest(facts: Any) -> str:
    """Return the SHA-256 of everything that a run depends on, to recognize its checkpoint."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()


def save_state(state: TrainingState, folder: Path, digest: str) -> None:
    """Write the checkpoint atomically."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {"rng": torch.get_rng_state()}
    for prefix, part in (
        ("network.", state.network.state_dict()),
        ("averaged.", state.averaged.state_dict()),
        ("best.", state.best),
        ("optimizer.", _optimizer_tensors(state.optimizer)),
    ):
        tensors |= {prefix + name: tensor.contiguous().clone() for name, tensor in part.items()}
    facts = {
        "digest": digest,
        "epoch": state.epoch,
        "step": state.step,
        "best_epoch": state.best_epoch,
        "best_f1": state.best_f1,
        "rng": state.rng.bit_generator.state,
    }
    temporary = folder / f"{STATE_FILE}.part"
    save_file(tensors, temporary, metadata={"facts": json.dumps(facts)})
    temporary.replace(folder / STATE_FILE)


def restore_state(state: TrainingState, folder: Path, digest: str) -> bool:
    """Load the checkpoint into ``state`` if it is of the same run; return whether it was."""
    file = folder / STATE_FILE
    if not file.is_file():
        return False
    facts = _facts(file)
    if facts.get("digest") != digest:
        return False
    try:
        tensors = load_file(file)
    except SafetensorError:
        return False
    state.network.load_state_dict(_part(tensors, "network."))
    state.averaged.load_state_dict(_part(tensors, "averaged."))
    state.best = _part(tensors, "best.")
    _restore_optimizer(state.optimizer, _part(tensors, "optimizer."))
    torch.set_rng_state(tensors["rng"])
    state.rng.bit_generator.state = facts["rng"]
    state.epoch, state.step = facts["epoch"], facts["step"]
    state.best_epoch, state.best_f1 = facts["best_epoch"], facts["best_f1"]
    return True


def remove_state(folder: Path) -> None:
    """Remove the checkpoint of a finished run."""
    (folder / STATE_FILE).unlink(missing_ok=True)


def _facts(file: Path) -> dict[str, Any]:
    """Return the checkpoint's metadata; empty if it cannot be read."""
    try:
        with file.open("rb") as opened:
            length = int.from_bytes(opened.read(8), "little")
            header = json.loads(opened.read(min(length, 1 << 24)))
        facts: dict[str, Any] = json.loads(header["__metadata__"]["facts"])
    except (OSError, RecursionError, ValueError, KeyError, TypeError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}


def _optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    state = optimizer.state_dict()["state"]
    return {
        f"{number}.{name}": t
        for number, parameter_state in state.items()
        for name, t in parameter_state.items()
    }


def _restore_optimizer(optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    document = optimizer.state_dict()
    state: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        number, _, name = key.partition(".")
        state.setdefault(int(number), {})[name] = tensor
    document["state"] = state
    optimizer.load_state_dict(document)
