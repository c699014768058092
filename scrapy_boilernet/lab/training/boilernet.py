"""The default model's recipe: a small BiLSTM on the hashed featurizer, from gold texts and votes.

The labels are soft, from the alignment with the gold text. The loss is cross-entropy, weighted by
the square root of a block's tokens; every page has the same weight. Inputs are dropped at random,
and some pages are read in other markup. The model has the moving average of the weights, at the
epoch that is best on the validation pages, or at the last one. Then it is calibrated, for decisions
by expected word-F1.

Inputs that the augmentation always drops get no gradient, so their weights would keep their random
initial values. The dense layer therefore starts with zeros for them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from scrapy_boilernet.extractor.decide.pooling import pooled_logits
from scrapy_boilernet.extractor.decide.threshold import Decision
from scrapy_boilernet.extractor.features.hashed import FEATURIZER
from scrapy_boilernet.extractor.features.numbers import GROUPS
from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.extractor.labelers.model_folder import Tensors
from scrapy_boilernet.extractor.labelers.spec import Architecture, ModelSpec, hashed_architecture
from scrapy_boilernet.lab.training.augment import Augmentation
from scrapy_boilernet.lab.training.calibration import (
    Calibration,
    calibrate,
    calibrated,
    confidence_points,
    decided_f1,
)
from scrapy_boilernet.lab.training.examples import WINDOW_BLOCKS, LearningPage, epoch_windows
from scrapy_boilernet.lab.training.fit import (
    TrainingState,
    initialize,
    predict_logits,
    restore_state,
    run_digest,
    run_epoch,
    save_state,
    shuffled_batches,
    tensors_of,
)
from scrapy_boilernet.lab.training.varied import Variations

_Options = TypeVar("_Options")


@dataclass(frozen=True)
class DefaultOptions:
    """The options of the recipe."""

    seed: int = 0
    epochs: int = 9
    validation: int = 1
    """1: the validation pages choose the epoch and calibrate. 0: they train, too; all epochs are
    done, and the pages that cross-validated models did not see calibrate."""
    patience: int = 3
    """Training stops after so many epochs without a better one."""
    batch_windows: int = 16
    learning_rate: float = 3e-3
    columns: dict[str, int] = field(
        default_factory=lambda: {"tags": 16, "classes": 32, "words": 0, "page": 16}
    )
    """Embedding columns per bag. A bag with 0 is not read, such as words of the text, which would
    take time."""
    dense: int = 64
    hidden: int = 48
    layers: int = 2
    dropout: float = 0.4
    template_share: float = 0.8
    """The share of the way that pooling moves a block's log-odds to its template's mean."""
    repeat: dict[str, int] = field(default_factory=dict)
    """How often a page trains per epoch, by the name of its set; 1 for other sets."""
    augmentation: Augmentation = field(default_factory=Augmentation)
    varied: Variations = field(default_factory=Variations)
    """What is added to some pages, which then train a second time."""

    def architecture(self) -> Architecture:
        """Return the network's shape."""
        return hashed_architecture(self.columns, self.dense, self.hidden, self.layers)


def with_changes(options: _Options, changes: Sequence[str]) -> _Options:
    """Return the options with changes such as ``"augmentation.restyled=0"``, for ablations.

    Raises ``ValueError`` for an unknown name, or a value of another type.
    """
    for change in changes:
        path, _, text = change.partition("=")
        try:
            options = _changed(options, path.split("."), json.loads(text))
        except json.JSONDecodeError:
            raise ValueError(_refused(change, f"{text!r} is not a number")) from None
        except (ValueError, TypeError) as error:
            raise ValueError(_refused(change, str(error))) from None
    return options


def _refused(change: str, why: str) -> str:
    remedy = "write it as NAME=NUMBER, such as hidden=64 or augmentation.restyled=0"
    return f"option {change!r}: {why}; {remedy}"


def _changed(options: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError("its value is not a number")
        if not isinstance(options, int | float):
            raise TypeError("it is not a single number")
        if type(options)(value) != value:
            raise TypeError("it must be a whole number")
        return type(options)(value)
    name, *rest = path
    if name == "repeat" and rest and name in _field_names(options):
        times = {".".join(rest): _at_least_one(_changed(1, [], value))}
        return replace(options, repeat=options.repeat | times)
    known = list(options) if isinstance(options, dict) else _field_names(options)
    if name not in known:
        raise ValueError(
            f"there is no {name!r}, known are {', '.join(known)}"
            if known
            else f"a number has no part {name!r}"
        )
    if isinstance(options, dict):
        return options | {name: _changed(options[name], rest, value)}
    return replace(options, **{name: _changed(getattr(options, name), rest, value)})


def _at_least_one(times: int) -> int:
    if times < 1:
        raise ValueError("it must be at least 1")
    return times


def _field_names(options: Any) -> list[str]:
    return [entry.name for entry in fields(options)] if is_dataclass(options) else []


def dropped_inputs(options: DefaultOptions) -> list[slice]:
    """Return the columns of the dense layer's input that the augmentation always drops."""
    drops = options.augmentation
    dropped, begin = [], 0
    for name, columns in options.architecture().inputs().items():
        if name == "numbers":
            groups = [GROUPS[group] for group, share in drops.numbers_all.items() if share >= 1]
            dropped += [slice(begin + group.start, begin + group.stop) for group in groups]
        elif _always_dropped(drops, name):
            dropped.append(slice(begin, begin + columns))
        begin += columns
    return dropped


def _always_dropped(drops: Augmentation, name: str) -> bool:
    shares = {
        "words": drops.words_all,
        "classes": drops.classes_all,
        "page": min(drops.head_all, drops.url_all),
    }
    return shares.get(name, 0.0) >= 1


def zero_weights(network: BoilerNetNetwork, inputs: list[slice]) -> None:
    """Set the dense layer's weights of these inputs to zero."""
    weight = network.dense.weight
    if weight is None:
        return
    with torch.no_grad():
        for columns in inputs:
            weight[:, columns] = 0


AVERAGING = 0.998
"""Decay per step of the averaged weights: an average over about the last 500 steps."""
WARM_UP = 0.1
"""Share of the steps in which the learning rate rises; then it falls as a cosine."""
DECISION: Decision = "correlated-f"
REPORTED = Calibration(temperature=1.0, bias=0.0, floor=0.1)
"""The calibration with which epochs are compared."""


def train_default(
    name: str,
    train: Sequence[LearningPage],
    validation: Sequence[LearningPage],
    options: DefaultOptions,
    report: Callable[[str], None],
    checkpoint: Path | None = None,
) -> tuple[ModelSpec, Tensors]:
    """Return the model with its decision and calibration; deterministic for a seed.

    Without ``validation`` pages it is the model after the last epoch, not calibrated.
    ``checkpoint``: the folder where the state is saved after each epoch, and from which a stopped
    run continues. The caller removes the state once the model is saved.
    """
    torch.manual_seed(options.seed)
    state = _fresh_state(options)
    train = [page for page in train for _ in range(options.repeat.get(page.source.dataset, 1))]
    _run(state, train, validation, options, report, checkpoint)
    state.averaged.load_state_dict(state.best)
    logits = pooled_predictions(state.averaged, validation, options.template_share)
    chosen, scores = (
        calibrate(validation, logits, DECISION)
        if validation
        else (replace(REPORTED, decision=DECISION), {})
    )
    spec = ModelSpec(
        name=name,
        architecture=options.architecture(),
        featurizer=FEATURIZER,
        units="block",
        threshold=chosen.floor,
        decision=DECISION,
        judges_comments=True,
        confidence=confidence_points(validation, logits, chosen, judges_comments=True),
        template_share=options.template_share,
        training={
            "recipe": "default",
            "options": asdict(options),
            "best_epoch": state.best_epoch,
            "calibration": asdict(chosen),
            **({"validation": scores} if validation else {}),
        },
    )
    return spec, calibrated(tensors_of(state.averaged), chosen)


def pooled_predictions(
    network: BoilerNetNetwork, pages: Sequence[LearningPage], share: float
) -> list[NDArray[np.float32]]:
    """Return the network's logits per page, pooled by templates: float32 of shape (blocks,)."""
    logits = predict_logits(network, [page.example.features for page in pages])
    return [
        pooled_logits(page.page, page_logits, share).astype(np.float32)
        for page, page_logits in zip(pages, logits, strict=True)
    ]


def _fresh_state(options: DefaultOptions) -> TrainingState:
    network = BoilerNetNetwork(options.architecture(), dropout=options.dropout)
    initialize(network)
    zero_weights(network, dropped_inputs(options))
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.learning_rate, weight_decay=0.01)
    rng = np.random.default_rng(options.seed)
    return TrainingState(network, deepcopy(network), optimizer, rng)


def _run(
    state: TrainingState,
    train: Sequence[LearningPage],
    validation: Sequence[LearningPage],
    options: DefaultOptions,
    report: Callable[[str], None],
    checkpoint: Path | None,
) -> None:
    """Train until all epochs are done, or ``patience`` epochs were not better."""
    pages = [
        (p.source.dataset, p.source.id, round(float(p.example.targets.sum()), 2))
        for p in (*train, *validation)
    ]
    digest = run_digest([FEATURIZER, asdict(options), pages])
    if checkpoint and restore_state(state, checkpoint, digest):
        report(f"continuing after epoch {state.epoch} of {options.epochs}")
    steps = options.epochs * _steps_per_epoch(train, options.batch_windows)
    while state.epoch < options.epochs and state.epoch - state.best_epoch < options.patience:
        loss = _epoch(state, train, options, steps)
        state.epoch += 1
        line = f"epoch {state.epoch}: loss {loss:.4f}"
        if validation:
            f1 = _validation_f1(state.averaged, validation, options)
            state.remember_if_best(f1)
            line += f", validation word-F1 {f1:.4f}"
        else:
            state.remember()
        if checkpoint:
            save_state(state, checkpoint, digest)
        report(line)


def _validation_f1(
    network: BoilerNetNetwork, pages: Sequence[LearningPage], options: DefaultOptions
) -> float:
    logits = pooled_predictions(network, pages, options.template_share)
    return float(np.mean(decided_f1(pages, logits, REPORTED)))


def _epoch(
    state: TrainingState, train: Sequence[LearningPage], options: DefaultOptions, steps: int
) -> float:
    def before_step() -> None:
        for group in state.optimizer.param_groups:
            group["lr"] = options.learning_rate * learning_rate_share(state.step, steps)

    def after_step() -> None:
        state.step += 1
        _average(state.averaged, state.network, state.step)

    examples = epoch_windows(train, options.augmentation, state.rng)
    batches = shuffled_batches(examples, options.batch_windows, state.rng)
    return run_epoch(state.network, state.optimizer, batches, page_loss, before_step, after_step)


def learning_rate_share(step: int, steps: int) -> float:
    """Return the learning rate at a step as a share of its peak, in [0.001, 1]."""
    warm = max(1.0, WARM_UP * steps)
    if step < warm:
        return max(0.04, step / warm)
    progress = min(1.0, (step - warm) / max(1.0, steps - warm))
    return max(0.001, 0.5 * (1 + math.cos(math.pi * progress)))


def _steps_per_epoch(pages: Sequence[LearningPage], batch_windows: int) -> int:
    windows = sum(1 + len(page.page.blocks) // WINDOW_BLOCKS for page in pages)
    return 1 + windows // batch_windows


def _average(averaged: BoilerNetNetwork, network: BoilerNetNetwork, step: int) -> None:
    """Move the averaged weights towards the network's, by less with each of the first steps."""
    decay = min(AVERAGING, (1 + step) / (10 + step))
    with torch.no_grad():
        for kept, new in zip(averaged.parameters(), network.parameters(), strict=True):
            kept.lerp_(new, 1 - decay)


def page_loss(logits: list[Tensor], targets: list[Tensor], weights: list[Tensor]) -> Tensor:
    """Return the weighted cross-entropy, averaged over pages; every page weighs the same.

    There is no Dice term, since it makes probabilities too extreme, and the decision by expected
    F1 needs true ones.
    """
    losses = [
        nn.functional.binary_cross_entropy_with_logits(logit, target, weight)
        for logit, target, weight in zip(logits, targets, weights, strict=True)
    ]
    return torch.stack(losses).mean()
