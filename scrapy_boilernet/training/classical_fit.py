"""One classical model: its recipe checked, fitted, and its decision chosen."""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from scrapy_boilernet.evaluation.datasets import DatasetError
from scrapy_boilernet.labelers.classical import ClassicalLabeler, ClassicalSpec
from scrapy_boilernet.labelers.registry import CLASSICAL
from scrapy_boilernet.labelers.spec import DECISIONS
from scrapy_boilernet.progress import say
from scrapy_boilernet.training.calibration import calibrate
from scrapy_boilernet.training.gold_blocks import GoldBlocks, need_both_classes
from scrapy_boilernet.training.recipes import Recipe

Fit = Callable[[Sequence[GoldBlocks], dict[str, Any], int, Callable[[str], None]], bytes]
_OTHERS = (
    "voted", "votes", "calibrate_on", "epochs", "unknown_overwrites", "unmasked_padding",
)  # fmt: skip
"""Options of the command line that BoilerNet's recipes alone take."""


@dataclass(frozen=True)
class Prepared:
    """A recipe that can be trained."""

    name: str
    labeler: type[ClassicalLabeler]
    fit: Fit
    options: dict[str, Any]
    """What the labeler's own training reads."""
    threshold: float | None
    """Of a fixed decision; None: the decision is calibrated on validation pages."""
    seed: int

    @property
    def validates(self) -> bool:
        """Whether pages are needed that do not train."""
        return self.threshold is None


def prepare(options: argparse.Namespace, recipe: Recipe) -> Prepared:
    """Return the recipe with the command line's changes.

    Raises ``DatasetError`` for what it cannot use, ``ImportError`` for a missing library.
    """
    for name in _OTHERS:
        if getattr(options, name, None):
            raise DatasetError(
                f"--{name.replace('_', '-')} is for BoilerNet's recipes; leave it out with "
                f"--recipe {recipe.name}"
            )
    own = {**recipe.options, **dict(map(_change, options.option))}
    decision = own.pop("decision", "expected-f")
    if decision not in DECISIONS:
        raise DatasetError(
            f"recipe {recipe.name!r}: decision {decision!r} is none of {', '.join(DECISIONS)}"
        )
    threshold = own.pop("threshold", 0.5) if decision == "fixed" else None
    if "threshold" in own:
        raise DatasetError(
            f'recipe {recipe.name!r}: a threshold needs decision = "fixed"; add it, or leave the '
            "threshold out"
        )
    if threshold is not None and not _is_share(threshold):
        raise DatasetError(
            f"recipe {recipe.name!r}: threshold {threshold!r} must be a number in [0, 1]"
        )
    module, name = CLASSICAL[recipe.labeler]
    labeler = cast("type[ClassicalLabeler]", getattr(importlib.import_module(module), name))
    training = importlib.import_module(f"scrapy_boilernet.training.{recipe.labeler}")
    return Prepared(recipe.name, labeler, training.fit, own, threshold, options.seed)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _change(option: str) -> tuple[str, Any]:
    name, _, text = option.partition("=")
    try:
        return name, json.loads(text)
    except ValueError:
        raise DatasetError(
            f"option {option!r}: {text!r} is no JSON; write it as NAME=VALUE, such as "
            'c2=0.1 or groups=["markup"]'
        ) from None


def train_model(
    name: str, train: Sequence[GoldBlocks], validation: Sequence[GoldBlocks], recipe: Prepared
) -> tuple[ClassicalSpec, bytes]:
    """Return the model: calibrated on the validation pages, or with the recipe's threshold.

    A recipe with ``decision = "fixed"`` trains on all pages and takes its ``threshold``, 0.5 if it
    has none: for experiments on so few pages that a tenth of them tells nothing.
    """
    pages = train if recipe.validates else [*train, *validation]
    need_both_classes(pages)
    try:
        payload = recipe.fit(pages, recipe.options, recipe.seed, say)
    except (ValueError, TypeError) as error:
        raise DatasetError(f"the recipe {recipe.name!r} cannot train: {error}") from error
    spec = ClassicalSpec(
        labeler=recipe.labeler.labeler,
        name=name,
        featurizer=dict(recipe.labeler.featurizer),
        units=recipe.labeler.units_read,
        threshold=0.5 if recipe.threshold is None else float(recipe.threshold),
        options=recipe.options,
        training={"recipe": recipe.name, "seed": recipe.seed},
    )
    if not recipe.validates:
        return spec, payload
    return _calibrated(spec, recipe.labeler(spec, payload), validation), payload


def _calibrated(
    spec: ClassicalSpec, labeler: ClassicalLabeler, validation: Sequence[GoldBlocks]
) -> ClassicalSpec:
    """The model deciding by expected F, as the validation pages say."""
    logits = [np.asarray(labeler.logits(page.page), dtype=np.float32) for page in validation]
    chosen, points, scores = calibrate(validation, logits)
    say(f"{spec.name}: word-F1 of the validation pages: {scores}")
    return replace(
        spec,
        threshold=chosen.floor,
        decision="expected-f",
        temperature=chosen.temperature,
        bias=chosen.bias,
        confidence=points,
        training={**spec.training, "validation": scores},
    )
