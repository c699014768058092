"""``scrapy boilernet train --from MODEL``: fine-tune a model on a user's pages, if that helps."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from scrapy_boilernet.extractor.labelers.model_folder import model_folder, save_model
from scrapy_boilernet.lab.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.lab.evaluation.provenance import (
    TRAINING_DISTRIBUTIONS,
    by_gold,
    command_line,
    versions,
)
from scrapy_boilernet.lab.evaluation.splits import (
    BROKEN_PAGES,
    TEST_ONLY,
    Part,
    assign,
    drawn,
    without_leaks,
)
from scrapy_boilernet.lab.training.card_files import write_card
from scrapy_boilernet.lab.training.examples import LearningPage, learning_pages
from scrapy_boilernet.lab.training.finetune import (
    Choice,
    FineTuning,
    Start,
    choose,
    different_texts,
    open_start,
    taught,
)
from scrapy_boilernet.lab.training.gold import (
    ALL_PAGES,
    SPREAD,
    chosen_pages,
    dataset_record,
    need_both_classes,
    open_all,
    read_sets,
    used_and_left_out,
)
from scrapy_boilernet.lab.training.record import tested_pages, trained_overlap
from scrapy_boilernet.workers.progress import counted, say, short, use_it, written

WELL_LABELED = 0.95
"""A mean word-F1 that leaves little to gain."""
MOST_BESIDE = 400
"""The number of pages drawn from the sets of ``--beside``; 80 steps read 640 windows of them."""
_REFUSED = {
    "voted": "the pages need gold",
    "votes": "the pages need gold",
    "calibrate_on": "the calibration is chosen by cross-validation on the pages",
    "epochs": "how long it trains is chosen by cross-validation on the pages",
    "option": "an existing network keeps its shape",
}
"""Options of other trainings, and the reasons why this one refuses them."""


@dataclass(frozen=True)
class _Material:
    """The data of the command."""

    folders: list[Path]
    pages: list[LearningPage]
    beside_folders: list[Path]
    beside: list[LearningPage]
    sources: list[GoldPage]
    """All pages of the folders, also pages that test."""
    parts: list[Part]


def run_teaching(options: argparse.Namespace) -> int:
    """Fine-tune the model on the pages; return 0 if it was written, 1 if no gain was shown.

    Raises ``DatasetError`` for options and pages that cannot be used, ``ModelError`` for a model
    that cannot be fine-tuned.
    """
    torch.set_num_threads(1)
    _check(options)
    start = open_start(options.start)
    if options.out.resolve() == model_folder(options.start).resolve():
        raise DatasetError(f"--out {options.out} is the model to start from: give another folder")
    open_all(options.overlap_with, options.cache)
    material = _read(options)
    different_texts(material.pages)  # so that too few pages are refused as such
    need_both_classes(material.pages)
    settings = FineTuning(seed=options.seed)
    choice = choose(start, material.pages, settings, say, material.beside)
    if not (choice.proven or options.accept_unproven):
        say(no_gain_message(options, choice))
        return 1
    spec, tensors = taught(start, material.pages, choice, settings, material.beside)
    training = {
        **_learning_record(start, settings, choice, material),
        **_provenance(options, material),
    }
    name = options.name or options.out.name
    save_model(options.out, replace(spec, name=name, training=training), tensors)
    write_card(options.out)
    for folder in material.folders:
        if training["datasets"][folder.name]["source"] == SPREAD:
            say(
                f"{folder.name}: adapt spread this gold from a few labels, so parts of it may be "
                "wrong, and the measured gain with them; compare the texts of some pages before "
                "you use the model"
            )
    say(written(options.out, quality(choice), use_it(options.out)))
    return 0


def quality(choice: Choice) -> str:
    """Return the word-F1 before and after, with the interval of the gain."""
    before, after = choice.means
    low, high = choice.interval
    return (
        f"word-F1 {short(before)} before and {short(after)} after on "
        f"{counted(len(choice.before), 'held-out page')}, "
        f"gain {choice.gain:+.3f} (95 % interval {low:+.3f} to {high:+.3f})"
    )


def no_gain_message(options: argparse.Namespace, choice: Choice) -> str:
    """Return the message that nothing was written, with the reason and the remedy."""
    before, _ = choice.means
    if before >= WELL_LABELED:
        why = f"the model labels these pages well already, at {short(before)}"
    elif choice.gain <= 0:
        why = (
            "what it learns from some pages does not help on the others: the pages may be of "
            "different kinds, or their gold may follow different guidelines"
        )
    else:
        why = f"{counted(len(choice.before), 'page')} are too few to be sure"
    return (
        f"wrote nothing: no gain is shown over {options.start}, {quality(choice)}; {why}; add "
        "pages with gold, or write the model anyway with --accept-unproven"
    )


def _check(options: argparse.Namespace) -> None:
    """Raise ``DatasetError`` for an option that cannot be used with ``--from``."""
    for name, why in _REFUSED.items():
        if getattr(options, name):
            shown = name.replace("_", "-")
            raise DatasetError(f"--{shown} cannot be used with --from, since {why}: leave it out")
    if options.recipe != "default":
        raise DatasetError(
            f"--recipe {options.recipe} cannot be used with --from, which continues a model of the "
            "recipe default: leave it out, or train a new model without --from"
        )


def _read(options: argparse.Namespace) -> _Material:
    """Return the data; pages with gold train unless they test or are close to a test page."""
    sets = read_sets(options)
    _refuse_test_sets(sets.folders)
    parts = without_leaks(sets.pages, [_part(page) for page in sets.pages])
    learning = [p for p, part in zip(sets.pages, parts, strict=True) if part == "train"]
    found = learning_pages(learning)
    verbs: dict[Part, str] = {"train": "train"}
    if "test" in parts:
        verbs["test"] = "test"
    for line in used_and_left_out((sets.folders, sets.pages), parts, found, verbs):
        say(line)
    pages = [page for page in found if page is not None]
    folders: list[Path] = []
    beside: list[LearningPage] = []
    if options.beside:
        folders, beside_sources = _beside(options, learning)
        beside = [p for p in learning_pages(beside_sources, "align beside") if p is not None]
    return _Material(sets.folders, pages, folders, beside, sets.pages, parts)


def _part(page: GoldPage) -> Part:
    """Return the page's part. Only the set's own test part tests, as a set is often one site."""
    if page.gold is None or page.id in BROKEN_PAGES:
        return "excluded"
    return "test" if page.split == "test" else "train"


def _beside(
    options: argparse.Namespace, learning: Sequence[GoldPage]
) -> tuple[list[Path], list[GoldPage]]:
    """Return the sets of ``--beside``, and pages drawn from their training parts.

    Pages close to ``learning`` are left out, since these pages test in the cross-validation.
    """
    beside_options = {**vars(options), "datasets": options.beside, **ALL_PAGES}
    sets = read_sets(argparse.Namespace(**beside_options))
    _refuse_test_sets(sets.folders)
    both = [*learning, *sets.pages]
    own: list[Part] = ["test"] * len(learning)
    parts = without_leaks(both, [*own, *assign(sets.pages)])[len(learning) :]
    pages = [
        p for p, part in zip(sets.pages, parts, strict=True) if part in ("train", "validation")
    ]
    if not pages:
        raise DatasetError(
            f"no page of --beside {', '.join(options.beside)} can train together with these pages; "
            "give a set of other sites with gold"
        )
    return sets.folders, drawn(pages, MOST_BESIDE)


def _refuse_test_sets(folders: Sequence[Path]) -> None:
    if tests := [folder.name for folder in folders if folder.name in TEST_ONLY]:
        raise DatasetError(
            f"{', '.join(tests)}: a set of this name only tests and never trains; leave it out, or "
            "rename the folder if it is your own"
        )


def _learning_record(
    start: Start, settings: FineTuning, choice: Choice, material: _Material
) -> dict[str, Any]:
    """Return the record of the start, the fine-tuning and its scores, for the card."""
    before, after = choice.means
    fitted = choice.confidence != start.spec.confidence
    return {
        "recipe": "default",
        "from": {
            "name": start.spec.name,
            "weights_sha256": start.digest,
            "datasets": [*start.spec.training.get("datasets", {})],
        },
        "options": asdict(settings),
        "fine_tuning": {
            "pages": len(choice.before),
            "folds": choice.folds,
            "steps": choice.steps,
            "before": before,
            "after": after,
            "interval": choice.interval,
            "beside": [folder.name for folder in material.beside_folders],
        },
        "calibration": asdict(choice.calibration),
        "calibrated_on": "the pages below, on top of the start's own calibration",
        "confident_on": "the same pages" if fitted else f"the pages of {start.spec.name}",
        "cross_validation": {
            name: _by_set(material.pages, scores)
            for name, scores in (("before", choice.before), ("after", choice.after))
        },
    }


def _by_set(pages: Sequence[LearningPage], scores: Any) -> dict[str, float]:
    names = [page.source.dataset for page in pages]
    return {
        name: float(scores[[other == name for other in names]].mean())
        for name in dict.fromkeys(names)
    }


def _provenance(options: argparse.Namespace, material: _Material) -> dict[str, Any]:
    """Return the record of command, versions and data sets, for the card."""
    learned = [*material.pages, *material.beside]
    return {
        "command": command_line("train"),
        "versions": versions(*TRAINING_DISTRIBUTIONS),
        "steps": [],
        "chosen": chosen_pages(options),
        "datasets": {
            folder.name: dataset_record(folder, train=learned, validation=[])
            for folder in (*material.folders, *material.beside_folders)
        },
        "overlap": trained_overlap(
            tested_pages(material.sources, material.parts),
            options,
            [by_gold(page.source) for page in learned],
            [],
        ),
    }
