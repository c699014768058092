"""``scrapy boilernet train`` and ``crossvalidate`` with the default recipe."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch

from scrapy_boilernet.extractor.labelers.model_folder import save_model
from scrapy_boilernet.lab.evaluation.datasets import DatasetError, GoldPage
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
from scrapy_boilernet.lab.training.card_files import write_card
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
    ALL_PARTS,
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
from scrapy_boilernet.lab.training.unseen import (
    calibrate_all,
    calibrated_on,
    check_folders,
    need_unseen,
)
from scrapy_boilernet.lab.training.varied import Variations
from scrapy_boilernet.workers.progress import counted, say, use_it, word_f1, written

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
    check_folders(options.calibrate_on)  # before hours of training
    open_all(options.overlap_with, options.cache)
    settings = _settings(options, recipe)
    if not (settings.validation or options.calibrate_on):
        raise DatasetError(
            "--option validation=0: no page is left to calibrate on; give --calibrate-on FOLDER"
        )
    material = _read(options)
    _need_repeated(settings, material)
    parts = assign(material.pages, bool(settings.validation))
    kept = _kept(material, parts, settings)
    need_unseen(options.calibrate_on, kept)
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
        learned = [*kept["train"], *kept["validation"]]
        missing = _missing_pages(learned, material, settings)
        spec, tensors, quality = calibrated_on(
            options.calibrate_on, spec, tensors, learned, missing, options.out
        )
    save_model(options.out, replace(spec, training={**spec.training, **record}), tensors)
    remove_state(options.out)
    write_card(options.out)
    say(written(options.out, quality, use_it(options.out)))


def _kept(
    material: _Material, parts: Sequence[Part], settings: DefaultOptions
) -> dict[str, list[LearningPage]]:
    """Return the pages that train and validate, and say what becomes of each page."""
    needed: list[Part] = ["train", "validation"] if settings.validation else ["train"]
    need_parts(material.pages, parts, material.folders, needed)
    kept: dict[str, list[LearningPage]] = {"train": [], "validation": []}
    chosen = [(p, part) for p, part in zip(material.pages, parts, strict=True) if part in kept]
    aligned = [page for page, _ in chosen]
    learned = learning_pages(aligned)
    verbs = {part: ALL_PARTS[part] for part in (*needed, "test")}
    for line in used_and_left_out((material.folders, material.pages), parts, learned, verbs):
        say(line)
    for page, (_, part) in zip(learned, chosen, strict=True):
        if page is not None:
            kept[part].append(page)
    need_learned({part: kept[part] for part in needed}, material.folders)
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
    """Train a model per fold or per group of sets left out; skip existing models.

    At the end, all are calibrated on the pages that they did not see; not with ``--only``, since
    other processes may still train.
    """
    settings = _settings(options, recipe)
    material = _read(options)
    _need_repeated(settings, material)
    learnable, runs, wanted = chosen_runs(
        material.pages, options, bool(material.voted), bool(settings.validation)
    )
    if len(runs) < 2 and not settings.validation:
        raise DatasetError(
            "--option validation=0: one model has no others to calibrate it with; give more "
            "--leave-out, or leave this option out"
        )
    prepared = learning_pages([material.pages[i] for i in learnable])
    learned = dict(zip(learnable, prepared, strict=True))
    scores = train_default_runs(
        options.out, material.pages, learned, material.voted_pages, wanted, settings, say
    )
    number = write_folds(options.out, material.pages, runs)
    if options.only is None:
        found = [page for page in prepared if page is not None]
        calibrate_all(options.out, found, _missing_pages(found, material, settings), say)
    say(written_folds(options.out, number, scores))


def _missing_pages(
    learned: Sequence[LearningPage], material: _Material, settings: DefaultOptions
) -> list[LearningPage]:
    """Return pages without content, as many as there are in training, for the confidence."""
    only = Variations(missing=settings.varied.missing)
    return varied_pages(learned, material.pages, only, settings.seed)


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
    return train_runs(
        *(folder, pages, learned, runs, train_one, say, recipe),
        voted=len(voted),
        validates=bool(options.validation),
    )


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
