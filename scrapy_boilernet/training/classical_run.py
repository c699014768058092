"""``scrapy boilernet train`` and ``crossvalidate`` with a classical labeler's recipe."""

from __future__ import annotations

import argparse
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

from scrapy_boilernet.evaluation.overlap import by_gold
from scrapy_boilernet.evaluation.provenance import TRAINING_DISTRIBUTIONS, command_line, versions
from scrapy_boilernet.evaluation.splits import Part, assign
from scrapy_boilernet.labelers.classical import save_classical
from scrapy_boilernet.progress import say
from scrapy_boilernet.training.card_file import write_card
from scrapy_boilernet.training.classical_fit import Prepared, prepare, train_model
from scrapy_boilernet.training.gold_blocks import GoldBlocks, all_gold_blocks
from scrapy_boilernet.training.recipes import Recipe
from scrapy_boilernet.training.record import tested_pages, trained_overlap
from scrapy_boilernet.training.run_folder import train_runs, write_folds
from scrapy_boilernet.training.runs import chosen_runs
from scrapy_boilernet.training.sets import (
    Sets,
    chosen_pages,
    dataset_record,
    need_learned,
    need_parts,
    open_all,
    read_sets,
)

LIBRARIES = {"crf": "python-crfsuite", "svm": "scikit-learn", "gbdt": "lightgbm"}
"""What fits each labeler, by the name of its distribution."""
Kept = dict[str, list[GoldBlocks]]
"""Pages by the parts ``"train"`` and ``"validation"``."""


def run_classical(options: argparse.Namespace, recipe: Recipe) -> None:
    """Train on the training parts of the sets; write the model and its card."""
    prepared = prepare(options, recipe)
    open_all(options.overlap_with, options.cache)
    sets = read_sets(options)
    parts = assign(sets.pages)
    needed: list[Part] = ["train", "validation"] if prepared.validates else ["train"]
    need_parts(sets.pages, parts, sets.folders, needed)
    kept: Kept = {"train": [], "validation": []}
    chosen = [(p, part) for p, part in zip(sets.pages, parts, strict=True) if part in kept]
    found = all_gold_blocks([page for page, _ in chosen], prepared.labeler.units_read)
    for page, (_, part) in zip(found, chosen, strict=True):
        if page is not None:
            kept[part].append(page)
    need_learned({part: kept[part] for part in needed}, sets.folders)
    name = options.name or options.out.name
    record = _provenance("train", sets, kept, prepared)
    learned = [by_gold(page.source) for found in kept.values() for page in found]
    record["chosen"] = chosen_pages(options)
    record["overlap"] = trained_overlap(tested_pages(sets.pages, parts), options, learned, [])
    spec, payload = train_model(name, kept["train"], kept["validation"], prepared)
    spec = replace(spec, training={**spec.training, **record})
    save_classical(options.out, spec, payload, prepared.labeler)
    write_card(options.out)


def run_classical_crossvalidation(options: argparse.Namespace, recipe: Recipe) -> None:
    """Train a model per fold or per group of sets left out, those that are not there yet."""
    prepared = prepare(options, recipe)
    sets = read_sets(options)
    learnable, runs, wanted = chosen_runs(sets.pages, options, validates=prepared.validates)
    units = prepared.labeler.units_read
    found = all_gold_blocks([sets.pages[i] for i in learnable], units)

    def train_one(
        name: str, train: list[GoldBlocks], validation: list[GoldBlocks], out: Path
    ) -> None:
        spec, payload = train_model(name, train, validation, prepared)
        kept = {"train": train, "validation": validation}
        record = _provenance("crossvalidate", sets, kept, prepared)
        spec = replace(spec, training={**spec.training, **record})
        save_classical(out, spec, payload, prepared.labeler)

    identity = [
        prepared.labeler.labeler, dict(prepared.labeler.featurizer), prepared.options,
        prepared.threshold, prepared.seed,
    ]  # fmt: skip
    learned = dict(zip(learnable, found, strict=True))
    train_runs(
        options.out, sets.pages, learned, wanted, train_one, say, identity,
        validates=prepared.validates,
    )  # fmt: skip
    write_folds(options.out, sets.pages, runs)


def _provenance(action: str, sets: Sets, kept: Kept, recipe: Prepared) -> dict[str, Any]:
    """What the card says of command, versions and pages."""
    library = LIBRARIES[recipe.labeler.labeler]
    if not recipe.validates:
        kept = {"train": [*kept["train"], *kept["validation"]], "validation": []}
    return {
        "command": command_line(action),
        "versions": versions(*TRAINING_DISTRIBUTIONS) | {library: metadata.version(library)},
        "datasets": {folder.name: dataset_record(folder, **kept) for folder in sets.folders},
    }
