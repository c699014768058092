"""The default model's recipe: a small BiLSTM on the hashed featuriser, from gold texts.

Soft labels from the alignment; cross-entropy weighted by the square root of a block's tokens plus
a soft Dice loss per page, which is the word-F1 that pages are measured by; inputs dropped at
random; averaged weights; threshold and confidence from the validation pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from scrapy_boilernet.features import FEATURIZER_VERSION
from scrapy_boilernet.labelers.model_folder import Tensors
from scrapy_boilernet.labelers.network import BoilerNetNetwork
from scrapy_boilernet.labelers.spec import ModelSpec, hashed_architecture
from scrapy_boilernet.training.calibration import calibrate, token_f1
from scrapy_boilernet.training.examples import (
    WINDOW_BLOCKS,
    Augmentation,
    LearningPage,
    epoch_windows,
)
from scrapy_boilernet.training.fit import (
    initialize,
    predict,
    run_epoch,
    shuffled_batches,
    tensors_of,
)

DICE_WEIGHT = 0.3
AVERAGING = 0.998
"""Decay per step of the averaged weights: the last some 500 steps."""
MIN_STEPS = 20
"""Shortest learning-rate schedule: a shorter one has no room to rise and fall."""
REPORTED_THRESHOLD = 0.4


@dataclass(frozen=True)
class DefaultOptions:
    """Sizes and lengths of the recipe."""

    seed: int = 0
    epochs: int = 12
    batch_windows: int = 16
    learning_rate: float = 3e-3
    columns: dict[str, int] = field(
        default_factory=lambda: {"tags": 16, "classes": 32, "words": 32}
    )
    dense: int = 96
    hidden: int = 80
    layers: int = 2
    dropout: float = 0.4
    augmentation: Augmentation = field(default_factory=Augmentation)


def train_default(
    name: str,
    train: Sequence[LearningPage],
    validation: Sequence[LearningPage],
    options: DefaultOptions,
    report: Callable[[str], None],
) -> tuple[ModelSpec, Tensors]:
    """Return the model with its threshold and calibration; deterministic for a seed."""
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    architecture = hashed_architecture(
        options.columns, options.dense, options.hidden, options.layers
    )
    network = BoilerNetNetwork(architecture, dropout=options.dropout)
    initialize(network)
    averaged = deepcopy(network)
    probabilities: list[NDArray[np.float32]] = []
    for epoch, loss in _epochs(network, averaged, train, options, rng):
        probabilities = predict(averaged, [p.example.features for p in validation])
        f1 = np.mean(token_f1(validation, probabilities, REPORTED_THRESHOLD))
        report(f"epoch {epoch}: loss {loss:.4f}, validation word-F1 {f1:.4f}")
    threshold, confidence, scores = calibrate(validation, probabilities)
    spec = ModelSpec(
        name=name,
        architecture=architecture,
        featurizer={"kind": "hashed", "version": FEATURIZER_VERSION},
        units="block",
        threshold=threshold,
        confidence=confidence,
        training={"recipe": "default", "options": asdict(options), "validation": scores},
    )
    return spec, tensors_of(averaged)


def _epochs(
    network: BoilerNetNetwork,
    averaged: BoilerNetNetwork,
    train: Sequence[LearningPage],
    options: DefaultOptions,
    rng: np.random.Generator,
) -> Iterator[tuple[int, float]]:
    """Train ``network`` and keep its average in ``averaged``; yield (epoch, loss) after each."""
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.learning_rate, weight_decay=0.01)
    steps = max(MIN_STEPS, options.epochs * _steps_per_epoch(train, options.batch_windows))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, options.learning_rate, total_steps=steps, pct_start=0.1
    )

    def after_step() -> None:
        _average(averaged, network, schedule.last_epoch)
        if schedule.last_epoch < steps - 1:  # random cuts can make a window more than planned
            schedule.step()

    for epoch in range(1, options.epochs + 1):
        examples = epoch_windows(train, options.augmentation, rng)
        batches = shuffled_batches(examples, options.batch_windows, rng)
        yield epoch, run_epoch(network, optimizer, batches, page_loss, after_step)


def _steps_per_epoch(pages: Sequence[LearningPage], batch_windows: int) -> int:
    found = sum(1 + len(page.page.blocks) // WINDOW_BLOCKS for page in pages)
    return 1 + found // batch_windows


def _average(averaged: BoilerNetNetwork, network: BoilerNetNetwork, step: int) -> None:
    """Move the averaged weights towards the network's: much at first, then a little."""
    decay = min(AVERAGING, (1 + step) / (10 + step))
    with torch.no_grad():
        for kept, new in zip(averaged.parameters(), network.parameters(), strict=True):
            kept.lerp_(new, 1 - decay)


def page_loss(logits: list[Tensor], targets: list[Tensor], weights: list[Tensor]) -> Tensor:
    """Mean over pages of weighted cross-entropy plus soft Dice; every page weighs the same."""
    losses = []
    for logit, target, weight in zip(logits, targets, weights, strict=True):
        entropy = nn.functional.binary_cross_entropy_with_logits(logit, target, weight)
        kept = torch.sigmoid(logit)
        overlap = (weight * kept * target).sum()
        size = (weight * (kept + target)).sum()
        losses.append(entropy + DICE_WEIGHT * (1 - (2 * overlap + 1) / (size + 1)))
    return torch.stack(losses).mean()
