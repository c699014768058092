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

from scrapy_boilernet.extractor.decide.threshold import DECISIONS
from scrapy_boilernet.extractor.labelers.classical import (
    ClassicalLabeler,
    ClassicalSpec,
    save_classical,
)
from scrapy_boilernet.extractor.labelers.registry import CLASSICAL
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.evaluation.provenance import (
    TRAINING_DISTRIBUTIONS,
    by_gold,
    command_line,
    versions,
)
from scrapy_boilernet.lab.evaluation.splits import Part, assign
from scrapy_boilernet.lab.training.calibration import calibrate, confidence_points
from scrapy_boilernet.lab.training.card_files import write_card
from scrapy_boilernet.lab.training.folds import chosen_runs, train_runs, write_folds, written_folds
from scrapy_boilernet.lab.training.gold import (
    ALL_PARTS,
    GoldBlocks,
    Sets,
    all_gold_blocks,
    chosen_pages,
    dataset_record,
    need_both_classes,
    need_learned,
    need_parts,
    open_all,
    read_sets,
    used_and_left_out,
)
from scrapy_boilernet.lab.training.recipes import Recipe
from scrapy_boilernet.lab.training.record import tested_pages, trained_overlap, validation_scores
from scrapy_boilernet.workers.progress import say, use_it, word_f1, written

LIBRARIES = {"crf": "python-crfsuite", "svm": "scikit-learn", "gbdt": "lightgbm"}
"""The distribution of the library that fits each labeler."""
_BOILERNET_OPTIONS = (
    "voted", "votes", "calibrate_on", "epochs", "unknown_overwrites", "unmasked_padding",
)  # fmt: skip
"""Command line options of BoilerNet's recipes only."""
Fit = Callable[[Sequence[GoldBlocks], dict[str, Any], int, Callable[[str], None]], bytes]
Kept = dict[str, list[GoldBlocks]]
"""The pages of the parts ``"train"`` and ``"validation"``."""


@dataclass(frozen=True)
class Prepared:
    """A checked recipe, with its labeler's class and training function."""

    name: str
    labeler: type[ClassicalLabeler]
    fit: Fit
    options: dict[str, Any]
    """The options of the labeler's training function."""
    threshold: float | None
    """The threshold of a fixed decision; None for a decision calibrated on validation pages."""
    seed: int

    @property
    def validates(self) -> bool:
        """Whether the recipe needs validation pages."""
        return self.threshold is None


def run_classical(options: argparse.Namespace, recipe: Recipe) -> None:
    """Train on the training parts of the sets; write the model and its card."""
    prepared = prepare(options, recipe)
    open_all(options.overlap_with, options.cache)
    sets = read_sets(options)
    parts = assign(sets.pages, prepared.validates)
    needed: list[Part] = ["train", "validation"] if prepared.validates else ["train"]
    need_parts(sets.pages, parts, sets.folders, needed)
    kept: Kept = {"train": [], "validation": []}
    chosen = [(p, part) for p, part in zip(sets.pages, parts, strict=True) if part in kept]
    aligned = [page for page, _ in chosen]
    gold_pages = all_gold_blocks(aligned, prepared.labeler.units_read)
    verbs = {part: ALL_PARTS[part] for part in (*needed, "test")}
    for line in used_and_left_out((sets.folders, sets.pages), parts, gold_pages, verbs):
        say(line)
    for page, (_, part) in zip(gold_pages, chosen, strict=True):
        if page is not None:
            kept[part].append(page)
    need_learned({part: kept[part] for part in needed}, sets.folders)
    name = options.name or options.out.name
    record = _provenance("train", sets, kept, prepared)
    learned = [by_gold(page.source) for part_pages in kept.values() for page in part_pages]
    record["chosen"] = chosen_pages(options)
    record["overlap"] = trained_overlap(tested_pages(sets.pages, parts), options, learned, [])
    spec, payload = train_model(name, kept["train"], kept["validation"], prepared)
    spec = replace(spec, training={**spec.training, **record})
    save_classical(options.out, spec, payload, prepared.labeler)
    write_card(options.out)
    scores = validation_scores(spec.training, kept["validation"])
    say(written(options.out, word_f1(scores, "validation page"), use_it(options.out)))


def run_classical_crossvalidation(options: argparse.Namespace, recipe: Recipe) -> None:
    """Train a model per fold or per group of sets left out; skip existing models."""
    prepared = prepare(options, recipe)
    sets = read_sets(options)
    learnable, runs, wanted = chosen_runs(sets.pages, options, validates=prepared.validates)
    units = prepared.labeler.units_read
    gold_pages = all_gold_blocks([sets.pages[i] for i in learnable], units)

    def train_one(
        name: str, train: list[GoldBlocks], validation: list[GoldBlocks], out: Path
    ) -> list[float]:
        spec, payload = train_model(name, train, validation, prepared)
        kept = {"train": train, "validation": validation}
        record = _provenance("crossvalidate", sets, kept, prepared)
        spec = replace(spec, training={**spec.training, **record})
        save_classical(out, spec, payload, prepared.labeler)
        return validation_scores(spec.training, validation)

    identity = [
        prepared.labeler.labeler, dict(prepared.labeler.featurizer), prepared.options,
        prepared.threshold, prepared.seed,
    ]  # fmt: skip
    learned = dict(zip(learnable, gold_pages, strict=True))
    scores = train_runs(
        options.out, sets.pages, learned, wanted, train_one, say, identity,
        validates=prepared.validates,
    )  # fmt: skip
    say(written_folds(options.out, write_folds(options.out, sets.pages, runs), scores))


def prepare(options: argparse.Namespace, recipe: Recipe) -> Prepared:
    """Return the recipe; options of the command line override its own.

    Raises ``DatasetError`` for options that it cannot use, ``ImportError`` for a missing library.
    """
    for name in _BOILERNET_OPTIONS:
        if getattr(options, name, None):
            raise DatasetError(
                f"--{name.replace('_', '-')} is for BoilerNet's recipes; leave it out with "
                f"--recipe {recipe.name}"
            )
    own = {**recipe.options, **dict(map(_change, options.option))}
    decision = own.pop("decision", "expected-f")
    if decision not in DECISIONS:
        raise DatasetError(
            f"recipe {recipe.name!r}: decision {decision!r} must be one of {', '.join(DECISIONS)}"
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
    training = importlib.import_module(f"scrapy_boilernet.lab.training.{recipe.labeler}")
    return Prepared(recipe.name, labeler, training.fit, own, threshold, options.seed)


def train_model(
    name: str, train: Sequence[GoldBlocks], validation: Sequence[GoldBlocks], recipe: Prepared
) -> tuple[ClassicalSpec, bytes]:
    """Return (spec, weights) of a model, calibrated on the validation pages.

    A recipe with ``decision = "fixed"`` has none of these and uses its ``threshold``, by default
    0.5. It is for experiments on so few pages that a tenth of them is too few to calibrate on.
    """
    need_both_classes(train)
    try:
        payload = recipe.fit(train, recipe.options, recipe.seed, say)
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


def _change(option: str) -> tuple[str, Any]:
    name, _, text = option.partition("=")
    try:
        return name, json.loads(text)
    except ValueError:
        raise DatasetError(
            f"option {option!r}: {text!r} is not JSON; write it as NAME=VALUE, such as "
            'c2=0.1 or groups=["markup"]'
        ) from None


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _calibrated(
    spec: ClassicalSpec, labeler: ClassicalLabeler, validation: Sequence[GoldBlocks]
) -> ClassicalSpec:
    """Return the spec with the decision by expected F, fitted to the validation pages."""
    logits = [np.asarray(labeler.logits(page.page), dtype=np.float32) for page in validation]
    chosen, scores = calibrate(validation, logits)
    each = [scores[page.source.dataset] for page in validation]
    say(f"{spec.name}: {word_f1(each, 'validation page')}")
    return replace(
        spec,
        threshold=chosen.floor,
        decision="expected-f",
        temperature=chosen.temperature,
        bias=chosen.bias,
        confidence=confidence_points(validation, logits, chosen, judges_comments=False),
        training={**spec.training, "validation": scores},
    )


def _provenance(action: str, sets: Sets, kept: Kept, recipe: Prepared) -> dict[str, Any]:
    """Return the record of command, versions and data sets, for the card."""
    library = LIBRARIES[recipe.labeler.labeler]
    return {
        "command": command_line(action),
        "versions": versions(*TRAINING_DISTRIBUTIONS) | {library: metadata.version(library)},
        "datasets": {folder.name: dataset_record(folder, **kept) for folder in sets.folders},
    }
