"""``scrapy boilernet train`` and ``crossvalidate`` with a classical labeler's recipe."""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any, cast

import numpy as np

from scrapy_boilernet.evaluation.datasets import DatasetError
from scrapy_boilernet.evaluation.provenance import command_line, versions
from scrapy_boilernet.evaluation.splits import assign
from scrapy_boilernet.labelers.classical import ClassicalLabeler, ClassicalSpec, save_classical
from scrapy_boilernet.labelers.model_folder import CARD_FILE
from scrapy_boilernet.labelers.registry import CLASSICAL
from scrapy_boilernet.progress import say
from scrapy_boilernet.training.calibration import calibrate
from scrapy_boilernet.training.classical_card import classical_card
from scrapy_boilernet.training.gold_blocks import GoldBlocks, all_gold_blocks, need_both_classes
from scrapy_boilernet.training.recipes import Recipe
from scrapy_boilernet.training.runs import chosen_runs, train_runs, write_folds
from scrapy_boilernet.training.sets import (
    Sets,
    dataset_record,
    need_learned,
    need_parts,
    read_sets,
)

LIBRARIES = {"crf": "python-crfsuite", "svm": "scikit-learn", "gbdt": "lightgbm"}
"""What fits each labeler, by the name of its distribution."""
Fit = Callable[[Sequence[GoldBlocks], dict[str, Any], int, Callable[[str], None]], bytes]


@dataclass(frozen=True)
class _Kind:
    """What makes and what reads a labeler's models."""

    labeler: type[ClassicalLabeler]
    fit: Fit


def run_classical(options: argparse.Namespace, recipe: Recipe) -> None:
    """Train on the training parts of the sets; write the model and its card."""
    recipe, kind = _prepared(options, recipe)
    sets = read_sets(options)
    parts = assign(sets.pages)
    need_parts(sets.pages, parts, sets.folders)
    kept: dict[str, list[GoldBlocks]] = {"train": [], "validation": []}
    chosen = [(p, part) for p, part in zip(sets.pages, parts, strict=True) if part in kept]
    found = all_gold_blocks([page for page, _ in chosen], kind.labeler.units_read)
    for page, (_, part) in zip(found, chosen, strict=True):
        if page is not None:
            kept[part].append(page)
    need_learned(kept, sets.folders)
    name = options.name or options.out.name
    spec, payload = _train(name, kept["train"], kept["validation"], recipe, kind, options.seed)
    provenance = _provenance("train", LIBRARIES[recipe.labeler], sets, kept)
    spec = replace(spec, training={**spec.training, **provenance})
    save_classical(options.out, spec, payload, kind.labeler)
    (options.out / CARD_FILE).write_text(classical_card(spec, len(payload)), encoding="utf-8")


def run_classical_crossvalidation(options: argparse.Namespace, recipe: Recipe) -> None:
    """Train a model per fold or per group of sets left out, those that are not there yet."""
    recipe, kind = _prepared(options, recipe)
    pages = read_sets(options).pages
    learnable, runs, wanted = chosen_runs(pages, options)
    found = all_gold_blocks([pages[i] for i in learnable], kind.labeler.units_read)

    def train_one(
        name: str, train: list[GoldBlocks], validation: list[GoldBlocks], out: Path
    ) -> None:
        spec, payload = _train(name, train, validation, recipe, kind, options.seed)
        save_classical(out, spec, payload, kind.labeler)

    learned = dict(zip(learnable, found, strict=True))
    train_runs(options.out, pages, learned, wanted, train_one, say)
    write_folds(options.out, pages, runs)


def _prepared(options: argparse.Namespace, recipe: Recipe) -> tuple[Recipe, _Kind]:
    """The recipe with the command line's changes, and its labeler; refuses what it cannot use."""
    for name in ("voted", "calibrate_on"):
        if getattr(options, name, None):
            raise DatasetError(
                f"--{name.replace('_', '-')} is for BoilerNet's default recipe; leave it out with "
                f"--recipe {recipe.name}"
            )
    changed = {**recipe.options, **dict(map(_change, options.option))}
    module, name = CLASSICAL[recipe.labeler]
    labeler = cast("type[ClassicalLabeler]", getattr(importlib.import_module(module), name))
    training = importlib.import_module(f"scrapy_boilernet.training.{recipe.labeler}")
    return replace(recipe, options=changed), _Kind(labeler, training.fit)


def _change(option: str) -> tuple[str, Any]:
    name, _, text = option.partition("=")
    try:
        return name, json.loads(text)
    except ValueError:
        raise DatasetError(
            f"option {option!r}: {text!r} is no JSON; write it as NAME=VALUE, such as "
            'c2=0.1 or groups=["markup"]'
        ) from None


def _train(
    name: str,
    train: Sequence[GoldBlocks],
    validation: Sequence[GoldBlocks],
    recipe: Recipe,
    kind: _Kind,
    seed: int,
) -> tuple[ClassicalSpec, bytes]:
    """Return the model: calibrated on the validation pages, or with a fixed threshold.

    A recipe with ``decision = "fixed"`` trains on all pages and takes its ``threshold``, 0.5 if it
    has none: for experiments on so few pages that a tenth of them tells nothing.
    """
    options = dict(recipe.options)
    fixed = options.pop("decision", "expected-f") == "fixed"
    threshold = float(options.pop("threshold", 0.5))
    pages = [*train, *validation] if fixed else train
    need_both_classes(pages)
    try:
        payload = kind.fit(pages, options, seed, say)
    except ValueError as error:
        raise DatasetError(f"the recipe {recipe.name!r} cannot train: {error}") from error
    plain = ClassicalSpec(
        labeler=recipe.labeler,
        name=name,
        featurizer=dict(kind.labeler.featurizer),
        units=kind.labeler.units_read,
        threshold=threshold,
        options=options,
        training={"recipe": recipe.name, "seed": seed},
    )
    return (
        plain if fixed else _calibrated(plain, kind.labeler(plain, payload), validation)
    ), payload


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


def _provenance(
    action: str, library: str, sets: Sets, kept: dict[str, list[GoldBlocks]]
) -> dict[str, object]:
    return {
        "command": command_line(action),
        "versions": {**versions(), library: metadata.version(library)},
        "datasets": {folder.name: dataset_record(folder, **kept) for folder in sets.folders},
    }
