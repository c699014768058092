"""A folder of cross-validated models: each trained once, and none taken for another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.evaluation.fold_models import FOLDS_FILE, FOLDS_FORMAT
from scrapy_boilernet.evaluation.provenance import TRAINING_DISTRIBUTIONS, command_line, versions
from scrapy_boilernet.evaluation.splits import Part
from scrapy_boilernet.labelers.model_folder import SPEC_FILE
from scrapy_boilernet.training.runs import Run, parts_of

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
