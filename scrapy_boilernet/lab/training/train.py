"""``scrapy boilernet train`` and ``crossvalidate`` with the default recipe."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from scrapy_boilernet.extractor.labelers.boilernet.scoring import ModelLabeler
from scrapy_boilernet.extractor.labelers.model_folder import Tensors, read_json, save_model
from scrapy_boilernet.extractor.labelers.spec import ModelSpec
from scrapy_boilernet.lab.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.lab.evaluation.floors import read_folds
from scrapy_boilernet.lab.evaluation.provenance import (
    TRAINING_DISTRIBUTIONS,
    Compared,
    by_gold,
    by_text,
    command_line,
    versions,
)
from scrapy_boilernet.lab.evaluation.splits import Part, assign
from scrapy_boilernet.lab.training.boilernet import DefaultOptions, train_default, with_changes
from scrapy_boilernet.lab.training.calibration import (
    Calibration,
    calibrate,
    calibrated,
    confidence_points,
    decided_f1,
    expected_scores,
    recalibrated,
    scores_of,
    write_calibration_plot,
)
from scrapy_boilernet.lab.training.card_files import write_card
from scrapy_boilernet.lab.training.cards import CALIBRATION_PLOT
from scrapy_boilernet.lab.training.examples import (
    LearningPage,
    VotedSet,
    learning_pages,
    varied_pages,
    voted_set,
)
from scrapy_boilernet.lab.training.fit import remove_state
from scrapy_boilernet.lab.training.folds import (
    Run,
    chosen_runs,
    train_runs,
    write_folds,
    written_folds,
)
from scrapy_boilernet.lab.training.gold import (
    chosen_pages,
    dataset_record,
    need_both_classes,
    need_learned,
    need_parts,
    open_all,
    pages_without,
    read_sets,
    used_and_left_out,
)
from scrapy_boilernet.lab.training.recipes import Recipe, changes_of
from scrapy_boilernet.lab.training.record import (
    steps_before,
    tested_pages,
    trained_overlap,
    validation_scores,
    voted_record,
)
from scrapy_boilernet.workers.progress import counted, progress, say, use_it, word_f1, written

ALL_PARTS: dict[Part, str] = {"train": "train", "validation": "validate", "test": "test"}
"""What the pages of each part do."""
FEW_PAGES = 500
"""With fewer pages a model trained from scratch is likely to be worse than ``default``."""


@dataclass(frozen=True)
class _Material:
    """The data of a training command."""

    folders: list[Path]
    pages: list[GoldPage]
    voted: list[VotedSet]

    @property
    def voted_pages(self) -> list[LearningPage]:
        return [page for dataset in self.voted for page in dataset.pages]


def run_default(options: argparse.Namespace, recipe: Recipe) -> None:
    """Train on the training parts of the sets; write the model and its card.

    With ``--calibrate-on``, the decision and the confidence are fitted to the pages that the
    cross-validated models in those folders did not see.
    """
    _check_folders(options.calibrate_on)  # before hours of training
    open_all(options.overlap_with, options.cache)
    settings = _settings(options, recipe)
    material = _read(options)
    _need_repeated(settings, material)
    parts = assign(material.pages)
    kept = _kept(material, parts)
    _need_unseen(options.calibrate_on, kept)
    name = options.name or options.out.name
    train = [*kept["train"], *material.voted_pages]
    need_both_classes(train)
    if warning := few_pages_warning(len(train)):
        say(warning)
    record = _provenance(options, material, kept)
    record["overlap"] = _overlap(options, tested_pages(material.pages, parts), material, kept)
    train += varied_pages(kept["train"], material.pages, settings.varied, settings.seed)
    spec, tensors = train_default(name, train, kept["validation"], settings, say, options.out)
    scores = validation_scores(spec.training, kept["validation"])
    quality = word_f1(scores, "validation page")
    if options.calibrate_on:
        spec, tensors, quality = _calibrated_on(
            options.calibrate_on, spec, tensors, kept, options.out
        )
    save_model(options.out, replace(spec, training={**spec.training, **record}), tensors)
    remove_state(options.out)
    write_card(options.out)
    say(written(options.out, quality, use_it(options.out)))


def _kept(material: _Material, parts: Sequence[Part]) -> dict[str, list[LearningPage]]:
    """Return the pages that train and validate, and say what becomes of each page."""
    need_parts(material.pages, parts, material.folders)
    kept: dict[str, list[LearningPage]] = {"train": [], "validation": []}
    chosen = [(p, part) for p, part in zip(material.pages, parts, strict=True) if part in kept]
    aligned = [page for page, _ in chosen]
    learned = learning_pages(aligned)
    for line in used_and_left_out((material.folders, material.pages), parts, learned, ALL_PARTS):
        say(line)
    for page, (_, part) in zip(learned, chosen, strict=True):
        if page is not None:
            kept[part].append(page)
    need_learned(kept, material.folders)
    return kept


def few_pages_warning(pages: int) -> str:
    """Return a warning if too few pages train; "" if they are enough."""
    if pages >= FEW_PAGES:
        return ""
    return (
        f"warning: {counted(pages, 'page')} to train on, which is few: with fewer than about "
        f"{FEW_PAGES} a model trained from scratch is likely to be worse than 'default'; "
        "add pages, or start from the shipped weights: scrapy boilernet train --from default"
    )


def run_crossvalidation(options: argparse.Namespace, recipe: Recipe) -> None:
    """Train a model per fold or per group of sets left out; skip existing models."""
    settings = _settings(options, recipe)
    material = _read(options)
    _need_repeated(settings, material)
    learnable, runs, wanted = chosen_runs(material.pages, options, voted=bool(material.voted))
    prepared = learning_pages([material.pages[i] for i in learnable])
    learned = dict(zip(learnable, prepared, strict=True))
    scores = train_default_runs(
        options.out, material.pages, learned, material.voted_pages, wanted, settings, say
    )
    say(written_folds(options.out, write_folds(options.out, material.pages, runs), scores))


def train_default_runs(
    folder: Path,
    pages: Sequence[GoldPage],
    learned: Mapping[int, LearningPage | None],
    voted: Sequence[LearningPage],
    runs: Sequence[Run],
    options: DefaultOptions,
    say: Callable[[str], None],
) -> list[list[float]]:
    """Train the runs whose models do not exist yet; return the word-F1 that each run measured.

    ``learned``: the prepared pages by index; ``voted``: pages that train by votes in all runs.
    """

    def train_one(
        name: str, train: list[LearningPage], validation: list[LearningPage], out: Path
    ) -> list[float]:
        more = varied_pages(train, pages, options.varied, options.seed)
        spec, tensors = train_default(
            name, [*train, *voted, *more], validation, options, lambda line: say(f"  {line}"), out
        )
        save_model(out, spec, tensors)
        remove_state(out)
        return validation_scores(spec.training, validation)

    seen = [[page.source.dataset, page.source.id] for page in voted]
    recipe = {"recipe": "default", "options": asdict(options), "voted": seen}
    return train_runs(folder, pages, learned, runs, train_one, say, recipe, len(voted))


def unseen_logits(
    folder: Path, pages: Sequence[LearningPage]
) -> tuple[list[LearningPage], list[NDArray[np.float32]]]:
    """Return the pages that a fold's model did not see, and its logits before calibration."""
    models = read_folds(folder)
    unseen, logits = [], []
    for page in progress(pages, len(pages), f"label with {folder.name}"):
        if (page.source.dataset, page.source.id) in models.model_of:
            labeler = models.labeler_for(page.source)
            if not isinstance(labeler, ModelLabeler) or "calibration" not in labeler.spec.training:
                raise _not_calibrated(folder)
            calibration = Calibration(**labeler.spec.training["calibration"])
            probabilities = labeler.probabilities([page.page])[0]
            unseen.append(page)
            logits.append(calibration.raw_logits(probabilities))
    if not unseen:
        raise _none_unseen(folder)
    return unseen, logits


def _check_folders(folders: Sequence[Path]) -> None:
    """Raise ``DatasetError`` or ``ModelError`` for folders that cannot calibrate."""
    for folder in folders:
        for name in sorted(set(read_folds(folder).model_of.values())):
            if "calibration" not in (read_json(folder / name).get("training") or {}):
                raise _not_calibrated(folder)
    if len({folder.name for folder in folders}) < len(folders):
        raise DatasetError("--calibrate-on: two folders have the same name; rename one")


def _need_unseen(folders: Sequence[Path], kept: Mapping[str, Sequence[LearningPage]]) -> None:
    """Raise ``DatasetError`` for a folder in which no model has left out a page of ``kept``."""
    keys = {(page.source.dataset, page.source.id) for pages in kept.values() for page in pages}
    for folder in folders:
        if keys.isdisjoint(read_folds(folder).model_of):
            raise _none_unseen(folder)


def _not_calibrated(folder: Path) -> DatasetError:
    return DatasetError(
        f"{folder} has models of another labeler or without a calibration; cross-validate again"
    )


def _none_unseen(folder: Path) -> DatasetError:
    return DatasetError(f"no model in {folder} left one of these pages out; cross-validate again")


def _read(options: argparse.Namespace) -> _Material:
    torch.set_num_threads(1)
    sets = read_sets(options)
    if options.voted and not options.votes:
        raise DatasetError("--voted needs --votes FOLDER; make the folder by scrapy boilernet vote")
    voted = [
        voted_set(folder, pages_without(folder, options), options.votes, sets.gold_keys)
        for folder in open_all(options.voted, options.cache)
    ]
    for dataset in voted:
        if dataset.beside_gold:
            say(
                f"{dataset.folder.name}: {dataset.beside_gold} pages with votes left out, since a "
                "set with gold has them"
            )
    return _Material(sets.folders, sets.pages, voted)


def _need_repeated(settings: DefaultOptions, material: _Material) -> None:
    names = {folder.name for folder in material.folders}
    names |= {dataset.folder.name for dataset in material.voted}
    for dataset in settings.repeat.keys() - names:
        raise DatasetError(
            f"--option repeat.{dataset}: no set {dataset!r} among {', '.join(sorted(names))}"
        )


def _settings(options: argparse.Namespace, recipe: Recipe) -> DefaultOptions:
    """Return the recipe's options; options of the command line override them."""
    settings = DefaultOptions(seed=options.seed)
    try:
        settings = with_changes(settings, changes_of(recipe.options))
        settings = replace(settings, epochs=options.epochs or settings.epochs)
        return with_changes(settings, options.option)
    except ValueError as error:
        raise DatasetError(str(error)) from error


def _calibrated_on(
    folders: Sequence[Path],
    spec: ModelSpec,
    tensors: Tensors,
    kept: dict[str, list[LearningPage]],
    out: Path,
) -> tuple[ModelSpec, Tensors, str]:
    """Return the model calibrated on the pages of cross-validated models, and their quality there.

    The confidence is fitted to the pages of the last folder. This should be the folder with sets
    left out, since users' pages are also from other sources.
    """
    learned = [*kept["train"], *kept["validation"]]
    unseen = {folder.name: unseen_logits(folder, learned) for folder in folders}
    pages = [page for folder_pages, _ in unseen.values() for page in folder_pages]
    logits = [logit for _, folder_logits in unseen.values() for logit in folder_logits]
    chosen, _, _ = calibrate(pages, logits, spec.decision)
    points = confidence_points(*unseen[folders[-1].name], chosen)
    expected = expected_scores(pages, logits, chosen)
    confidences = np.interp(
        expected, [0.0, *(x for x, _ in points)], [0.0, *(y for _, y in points)]
    )
    out.mkdir(parents=True, exist_ok=True)
    truths = decided_f1(pages, logits, chosen)
    write_calibration_plot(out / CALIBRATION_PLOT, confidences, truths)
    training = {
        **spec.training,
        "calibration": asdict(chosen),
        "calibrated_on": f"{len(pages)} pages of {' and '.join(unseen)}",
        "confident_on": folders[-1].name,
        "cross_validation": {
            name: scores_of(*pages_and_logits, chosen) for name, pages_and_logits in unseen.items()
        },
    }
    tensors = calibrated(tensors, recalibrated(spec.training["calibration"], chosen))
    spec = replace(spec, threshold=chosen.floor, confidence=points, training=training)
    measured = word_f1(truths.tolist(), "page")
    return spec, tensors, f"{measured} that cross-validated models had not seen"


def _provenance(
    options: argparse.Namespace, material: _Material, kept: dict[str, list[LearningPage]]
) -> dict[str, object]:
    """Return the record of commands, versions and data sets, for the card."""
    voted = {
        dataset.folder.name: voted_record(
            dataset.folder, dataset.pages, options.votes, dataset.beside_gold
        )
        for dataset in material.voted
    }
    return {
        "command": command_line("train"),
        "versions": versions(*TRAINING_DISTRIBUTIONS),
        "steps": steps_before(voted, options.calibrate_on),
        "chosen": chosen_pages(options),
        "datasets": {folder.name: dataset_record(folder, **kept) for folder in material.folders},
        "voted": voted,
    }


def _overlap(
    options: argparse.Namespace,
    tested: dict[str, list[Compared]],
    material: _Material,
    kept: dict[str, list[LearningPage]],
) -> dict[str, object]:
    """Return the record of test pages that are close to pages that trained."""
    return trained_overlap(
        tested,
        options,
        [by_gold(page.source) for part_pages in kept.values() for page in part_pages],
        [by_text(page.source, page.page) for page in material.voted_pages],
    )
