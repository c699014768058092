"""The runs of a cross-validation: the pages that each holds out, and the folder of models.

A run holds out a fold of grouped pages, or whole data sets. Whole sets show the quality on pages
from other sources, with gold by other guidelines.
"""

from __future__ import annotations

import hashlib
import json
from argparse import Namespace
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from scrapy_boilernet.extractor.labelers.model_folder import SPEC_FILE
from scrapy_boilernet.lab.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.lab.evaluation.floors import FOLDS_FILE, FOLDS_FORMAT
from scrapy_boilernet.lab.evaluation.provenance import (
    TRAINING_DISTRIBUTIONS,
    command_line,
    versions,
)
from scrapy_boilernet.lab.evaluation.splits import (
    BROKEN_PAGES,
    TEST_ONLY,
    Part,
    assign,
    domain,
    folds,
    held_out,
    without_leaks,
)
from scrapy_boilernet.lab.training.gold import few_domains
from scrapy_boilernet.workers.progress import counted, word_f1, written

VALIDATE_ONE_IN = 10
RUN_FILE = "run.json"
"""The file beside a run's model with the digest of its inputs and its command."""
Learned = TypeVar("Learned")


@dataclass(frozen=True)
class Run:
    """One training, and the pages that it must not see."""

    name: str
    held_out: frozenset[int]
    """Indices of the pages."""


def chosen_runs(
    pages: Sequence[GoldPage], options: Namespace, voted: bool = False, validates: bool = True
) -> tuple[list[int], Sequence[Run], list[Run]]:
    """Return (indices of the learnable pages, all runs, the runs to train now) for the options.

    Raises ``DatasetError`` for an unknown run, or a run without pages.
    """
    learnable = learnable_pages(pages, options.with_test_sets, options.with_test_parts)
    runs: Sequence[Run] = (
        left_out_runs(pages, learnable, [frozenset(n.split(",")) for n in options.leave_out])
        if options.leave_out
        else fold_runs(pages, learnable, options.folds)
    )
    wanted = [run for i, run in enumerate(runs) if options.only is None or i in options.only]
    if not wanted:
        raise DatasetError(f"--only: there is no such run; they are numbered 0 to {len(runs) - 1}")
    check_runs(pages, learnable, wanted, voted=voted, validates=validates)
    return learnable, runs, wanted


def learnable_pages(
    pages: Sequence[GoldPage], with_test_sets: bool = False, with_test_parts: bool = False
) -> list[int]:
    """Return the indices of the pages of the training parts.

    ``with_test_sets``: also the pages of sets that never train a shipped model.
    ``with_test_parts``: all pages with gold of the other sets, as in a paper's own experiment.
    """
    parts = assign(pages)

    def learns(page: GoldPage, part: Part) -> bool:
        if page.gold is None or page.id in BROKEN_PAGES:
            return False
        if page.dataset in TEST_ONLY:
            return with_test_sets and part == "test"
        return part in ("train", "validation") or with_test_parts

    return [i for i, pair in enumerate(zip(pages, parts, strict=True)) if learns(*pair)]


def fold_runs(pages: Sequence[GoldPage], learnable: Sequence[int], k: int) -> list[Run]:
    """Return k runs; exactly one of them holds out each learnable page."""
    numbers = folds(pages, k)
    return [
        Run(f"fold-{fold}", frozenset(i for i in learnable if numbers[i] == fold))
        for fold in range(k)
    ]


def left_out_runs(
    pages: Sequence[GoldPage], learnable: Sequence[int], left_out: Sequence[frozenset[str]]
) -> list[Run]:
    """Return a run per group of sets. Raises ``DatasetError`` for an unknown set."""
    datasets = {page.dataset for page in pages}
    for names in left_out:
        for name in names - datasets:
            raise DatasetError(f"no set {name!r} to leave out among {', '.join(sorted(datasets))}")
    return [
        Run(
            f"without-{'-'.join(sorted(names))}",
            frozenset(i for i in learnable if pages[i].dataset in names),
        )
        for names in left_out
    ]


def check_runs(
    pages: Sequence[GoldPage],
    learnable: Sequence[int],
    runs: Sequence[Run],
    *,
    voted: bool,
    validates: bool = True,
) -> None:
    """Raise ``DatasetError`` with the remedy for a run with no page to train or validate on.

    ``voted``: whether pages without gold also train; ``validates``: whether a page must validate.
    """
    needed = ([] if voted else ["train"]) + (["validation"] if validates else [])
    usable = [pages[i] for i in learnable]
    for run in runs:
        drawn = _drawn_parts(pages, frozenset(learnable), run, validates)
        for part in needed:
            if part not in drawn:
                raise DatasetError(
                    f"{run.name}: no page left for {part} besides the {len(run.held_out)} that are "
                    f"held out: {few_domains(usable)}"
                )


def train_runs(
    folder: Path,
    pages: Sequence[GoldPage],
    learned: Mapping[int, Learned | None],
    runs: Sequence[Run],
    train_one: Callable[[str, list[Learned], list[Learned], Path], list[float]],
    say: Callable[[str], None],
    recipe: object,
    voted: int = 0,
    validates: bool = True,
) -> list[list[float]]:
    """Train the runs whose models do not exist yet; return the word-F1 that each run measured.

    ``learned``: the prepared pages by index. ``train_one`` gets a name, the pages that train, the
    pages that validate, and the folder for the model; it returns the word-F1 of the pages that
    validate. ``recipe``: everything else that the model depends on, as plain data. ``voted``: the
    number of pages without gold that also train. ``validates``: whether pages validate, instead of
    training. Raises ``DatasetError`` if a folder has a model of another recipe or other pages,
    since it may have seen the pages that are held out here.
    """
    scores = []
    for run in runs:
        out = folder / run.name
        parts = parts_of(pages, learned, run, validates)
        digest = _digest_of(pages, parts, recipe)
        if (out / SPEC_FILE).is_file():
            _check_same(out, digest)
            say(f"{run.name}: exists already")
            continue
        train, validation = (_pages_of(learned, parts, part) for part in ("train", "validation"))
        if not (train or voted) or (validates and not validation):
            raise DatasetError(
                f"{run.name}: no page left to train or validate on that shows its gold text and "
                "is no near-duplicate of a held-out page; add pages of other domains"
            )
        learning = len(train) + voted
        verb = "trains" if learning == 1 else "train"
        say(f"{run.name}: {counted(learning, 'page')} {verb}, {len(validation):,} validate")
        scores.append(train_one(run.name, train, validation, out))
        _write_run(out / RUN_FILE, digest)
    return scores


def parts_of(
    pages: Sequence[GoldPage], learnable: Container[int], run: Run, validates: bool = True
) -> list[Part]:
    """Return the part of each page in a run.

    Held-out pages test. Pages that would leak to them are excluded. A tenth of the other domains
    validates, unless ``validates`` is False, and the rest trains.
    """
    return without_leaks(pages, _drawn_parts(pages, learnable, run, validates))


def write_folds(folder: Path, pages: Sequence[GoldPage], runs: Sequence[Run]) -> int:
    """Write the pages that each existing model did not see, for ``evaluate``.

    Return the number of these models.
    """
    models = {
        run.name: [[pages[i].dataset, pages[i].id] for i in sorted(run.held_out)]
        for run in runs
        if (folder / run.name / SPEC_FILE).is_file()
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"format": FOLDS_FORMAT, "models": models}, indent=0)
    (folder / FOLDS_FILE).write_text(text + "\n", encoding="utf-8")
    return len(models)


def written_folds(folder: Path, models: int, scores: Sequence[Sequence[float]]) -> str:
    """Return the last message of a cross-validation.

    ``models``: the number of models in the folder; ``scores``: for each model that was trained by
    this command, the word-F1 of its validation pages.
    """
    quality = word_f1([f1 for model_scores in scores for f1 in model_scores], "validation page")
    next_step = f"measure on the pages held out by scrapy boilernet evaluate --model {folder}"
    if not scores:
        facts = f"{counted(models, 'model')}, which existed already"
        return written(folder / FOLDS_FILE, facts, next_step)
    return written(folder, f"{len(scores)} of {counted(models, 'model')} now, {quality}", next_step)


def folder_steps(folder: Path) -> list[dict[str, Any]]:
    """Return the different commands that trained the models in ``folder``, with their versions.

    The command is None for an older model without a record of it.
    """
    document = json.loads((folder / FOLDS_FILE).read_text(encoding="utf-8"))
    steps: list[dict[str, Any]] = []
    for name in document["models"]:
        file = folder / name / RUN_FILE
        run = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        step = {
            "makes": folder.name,
            "command": run.get("command"),
            "versions": run.get("versions"),
        }
        if step not in steps:
            steps.append(step)
    return steps


def _drawn_parts(
    pages: Sequence[GoldPage], learnable: Container[int], run: Run, validates: bool
) -> list[Part]:
    parts: list[Part] = []
    for i, page in enumerate(pages):
        if i in run.held_out:
            parts.append("test")
        elif i not in learnable:
            parts.append("excluded")
        else:
            chosen = held_out(domain(page), VALIDATE_ONE_IN, "validation:")
            parts.append("validation" if chosen and validates else "train")
    return parts


def _pages_of(
    learned: Mapping[int, Learned | None], parts: Sequence[Part], part: str
) -> list[Learned]:
    return [page for i, page in learned.items() if page is not None and parts[i] == part]


def _digest_of(pages: Sequence[GoldPage], parts: Sequence[Part], recipe: object) -> str:
    keys = sorted((p.dataset, p.id, part) for p, part in zip(pages, parts, strict=True))
    return hashlib.sha256(json.dumps([recipe, keys], sort_keys=True).encode()).hexdigest()


def _check_same(folder: Path, digest: str) -> None:
    try:
        model_digest = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))["digest"]
    except (OSError, ValueError, KeyError, TypeError):
        model_digest = None
    if model_digest != digest:
        raise DatasetError(
            f"{folder} holds a model of another recipe, seed or choice of pages, which may have "
            "seen pages that are held out here; give a new --out"
        )


def _write_run(file: Path, digest: str) -> None:
    document = {
        "digest": digest,
        "command": command_line("crossvalidate"),
        "versions": versions(*TRAINING_DISTRIBUTIONS),
    }
    file.write_text(json.dumps(document) + "\n", encoding="utf-8")
