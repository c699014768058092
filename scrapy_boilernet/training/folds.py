"""The trainings of a cross-validation: what each must not see, and the folder of their models.

Grouped folds within each set, or whole sets left out: the second tells how pages from elsewhere,
under another guideline, will fare.
"""

from __future__ import annotations

import hashlib
import json
from argparse import Namespace
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.evaluation.floors import FOLDS_FILE, FOLDS_FORMAT
from scrapy_boilernet.evaluation.provenance import TRAINING_DISTRIBUTIONS, command_line, versions
from scrapy_boilernet.evaluation.splits import (
    BROKEN_PAGES,
    TEST_ONLY,
    Part,
    assign,
    domain,
    folds,
    held_out,
    without_leaks,
)
from scrapy_boilernet.labelers.model_folder import SPEC_FILE
from scrapy_boilernet.training.gold import few_domains

VALIDATE_ONE_IN = 10


@dataclass(frozen=True)
class Run:
    """One training and the pages that it must not see."""

    name: str
    held_out: frozenset[int]
    """Numbers of the pages."""


def learnable_pages(
    pages: Sequence[GoldPage], with_test_sets: bool = False, with_test_parts: bool = False
) -> list[int]:
    """Return the numbers of the pages of the training parts.

    ``with_test_sets``: also of the sets that never train what ships, to see what they would add.
    ``with_test_parts``: all pages with gold of the other sets, for a paper's own experiment.
    """
    parts = assign(pages)

    def learns(page: GoldPage, part: Part) -> bool:
        if page.gold is None or page.id in BROKEN_PAGES:
            return False
        if page.dataset in TEST_ONLY:
            return with_test_sets and part == "test"
        return part in ("train", "validation") or with_test_parts

    return [i for i, pair in enumerate(zip(pages, parts, strict=True)) if learns(*pair)]


def chosen_runs(
    pages: Sequence[GoldPage], options: Namespace, voted: bool = False, validates: bool = True
) -> tuple[list[int], Sequence[Run], list[Run]]:
    """Return (numbers of the learnable pages, all runs, those to train now) as the command asks.

    Raises ``DatasetError`` for a run that there is not, or one without pages.
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


def fold_runs(pages: Sequence[GoldPage], learnable: Sequence[int], k: int) -> list[Run]:
    """Return k runs; each learnable page is held out of exactly one."""
    numbers = folds(pages, k)
    return [
        Run(f"fold-{fold}", frozenset(i for i in learnable if numbers[i] == fold))
        for fold in range(k)
    ]


def left_out_runs(
    pages: Sequence[GoldPage], learnable: Sequence[int], left_out: Sequence[frozenset[str]]
) -> list[Run]:
    """Return a run per group of sets; raises ``DatasetError`` for a set that is not there."""
    known = {page.dataset for page in pages}
    for names in left_out:
        for name in names - known:
            raise DatasetError(f"no set {name!r} to leave out among {', '.join(sorted(known))}")
    return [
        Run(
            f"without-{'-'.join(sorted(names))}",
            frozenset(i for i in learnable if pages[i].dataset in names),
        )
        for names in left_out
    ]


def parts_of(pages: Sequence[GoldPage], learnable: Container[int], run: Run) -> list[Part]:
    """Return the part of each page in a run: held-out pages test, what leaks to them is excluded,
    a tenth of the other domains validates.
    """
    return without_leaks(pages, _drawn_parts(pages, learnable, run))


def _drawn_parts(pages: Sequence[GoldPage], learnable: Container[int], run: Run) -> list[Part]:
    parts: list[Part] = []
    for i, page in enumerate(pages):
        if i in run.held_out:
            parts.append("test")
        elif i not in learnable:
            parts.append("excluded")
        else:
            chosen = held_out(domain(page), VALIDATE_ONE_IN, "validation:")
            parts.append("validation" if chosen else "train")
    return parts


def check_runs(
    pages: Sequence[GoldPage],
    learnable: Sequence[int],
    runs: Sequence[Run],
    *,
    voted: bool,
    validates: bool = True,
) -> None:
    """Raise ``DatasetError`` for a run with no page to train or validate on, with the remedy.

    ``voted``: whether pages without gold train, too; ``validates``: whether any must validate.
    """
    needed = ([] if voted else ["train"]) + (["validation"] if validates else [])
    usable = [pages[i] for i in learnable]
    for run in runs:
        drawn = _drawn_parts(pages, frozenset(learnable), run)
        for part in needed:
            if part not in drawn:
                raise DatasetError(
                    f"{run.name}: no page left for {part} beside the {len(run.held_out)} that are "
                    f"held out: {few_domains(usable)}"
                )


Learned = TypeVar("Learned")
RUN_FILE = "run.json"
"""Beside a run's model: what tells whether the same command made it, and that command."""


def write_folds(folder: Path, pages: Sequence[GoldPage], runs: Sequence[Run]) -> None:
    """Write which of the models that are there did not see which pages, for ``evaluate``."""
    models = {
        run.name: [[pages[i].dataset, pages[i].id] for i in sorted(run.held_out)]
        for run in runs
        if (folder / run.name / SPEC_FILE).is_file()
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"format": FOLDS_FORMAT, "models": models}, indent=0)
    (folder / FOLDS_FILE).write_text(text + "\n", encoding="utf-8")


def train_runs(
    folder: Path,
    pages: Sequence[GoldPage],
    learned: Mapping[int, Learned | None],
    runs: Sequence[Run],
    train_one: Callable[[str, list[Learned], list[Learned], Path], None],
    say: Callable[[str], None],
    recipe: object,
    voted: int = 0,
    validates: bool = True,
) -> None:
    """Train the runs whose models are not there yet; ``learned``: by page number.

    ``train_one`` gets a name, the pages that train and validate, and the folder for the model.
    ``recipe``: all else that decides what comes out, as plain data. ``voted``: pages without gold
    that train, too. ``validates``: whether a page to validate on is needed. Raises ``DatasetError``
    for a model of another recipe or of other pages in a run's folder: it may have seen what this
    run holds out.
    """
    for run in runs:
        out = folder / run.name
        parts = parts_of(pages, learned, run)
        digest = _digest_of(pages, parts, recipe)
        if (out / SPEC_FILE).is_file():
            _check_same(out, digest)
            say(f"{run.name}: there already")
            continue
        train, validation = (
            [page for i, page in learned.items() if page is not None and parts[i] == part]
            for part in ("train", "validation")
        )
        if not (train or voted) or (validates and not validation):
            raise DatasetError(
                f"{run.name}: no page left to train or validate on that shows its gold text and "
                "is no near-duplicate of a held-out page; add pages of other domains"
            )
        say(f"{run.name}: {len(train) + voted} pages train, {len(validation)} validate")
        train_one(run.name, train, validation, out)
        _write_run(out / RUN_FILE, digest)


def _write_run(file: Path, digest: str) -> None:
    about = {
        "digest": digest,
        "command": command_line("crossvalidate"),
        "versions": versions(*TRAINING_DISTRIBUTIONS),
    }
    file.write_text(json.dumps(about) + "\n", encoding="utf-8")


def folder_steps(folder: Path) -> list[dict[str, Any]]:
    """Return the commands that trained the models in ``folder``, each once, and their versions.

    A model of before commands were kept gives a step whose command is None.
    """
    document = json.loads((folder / FOLDS_FILE).read_text(encoding="utf-8"))
    steps: list[dict[str, Any]] = []
    for name in document["models"]:
        file = folder / name / RUN_FILE
        known = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        step = {
            "makes": folder.name,
            "command": known.get("command"),
            "versions": known.get("versions"),
        }
        if step not in steps:
            steps.append(step)
    return steps


def _digest_of(pages: Sequence[GoldPage], parts: Sequence[Part], recipe: object) -> str:
    keys = sorted((p.dataset, p.id, part) for p, part in zip(pages, parts, strict=True))
    return hashlib.sha256(json.dumps([recipe, keys], sort_keys=True).encode()).hexdigest()


def _check_same(folder: Path, digest: str) -> None:
    try:
        found = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))["digest"]
    except (OSError, ValueError, KeyError, TypeError):
        found = None
    if found != digest:
        raise DatasetError(
            f"{folder} holds a model of another recipe, seed or choice of pages, which may have "
            "seen what is held out here; give a new --out"
        )
