"""The files beside a model that an evaluation reads: ``folds.json`` and ``floors.json``.

Cross-validated models are a folder with a model folder per fold and ``folds.json``: ``{"format": 1,
"models": {"fold-0": [["wcxb-dev", "wcxb_dev_1"], ...], ...}}``. It lists the pages (data set, id)
that each model did not see. ``floors.json`` states the least word-F1 per data set.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy_boilernet.extractor.labelers.model_folder import model_folder
from scrapy_boilernet.extractor.labelers.registry import (
    Labeler,
    ModelError,
    engine_of,
    load_labeler,
)
from scrapy_boilernet.lab.evaluation.datasets import GoldPage

FOLDS_FILE, FOLDS_FORMAT = "folds.json", 1
FLOORS_FILE, FLOORS_FORMAT = "floors.json", 1
_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
"""Exceptions that reading a malformed floors file can raise."""
PageKey = tuple[str, str]
"""A page's data set and id."""


class FloorsError(Exception):
    """Floors are missing or cannot be read. The message names the file and what it needs."""


class FoldModels:
    """The models of a cross-validation; each is loaded once."""

    def __init__(self, folder: Path, model_of: dict[PageKey, str], engine: str = "auto") -> None:
        self.name = folder.resolve().name
        self.model_of = model_of
        self._folder = folder
        self._engine = engine
        self._labelers: dict[str, Labeler] = {}

    def load(self) -> None:
        """Load all models now, so that no page's measured time includes it."""
        for page in self.model_of:
            self._loaded(self.model_of[page])

    def labeler_for(self, page: GoldPage) -> Labeler:
        """Return the labeler that never saw ``page``; raises ``KeyError`` if there is none."""
        return self._loaded(self.model_of[page.dataset, page.id])

    def _loaded(self, name: str) -> Labeler:
        if name not in self._labelers:
            self._labelers[name] = load_labeler(str(self._folder / name), self._engine)
        return self._labelers[name]

    def engine(self) -> str:
        """Return the engine that runs the models; "" before one is loaded."""
        return ", ".join(sorted({engine_of(labeler) for labeler in self._labelers.values()}))


@dataclass(frozen=True)
class Floors:
    """The floors of one model, and the sample that they apply to."""

    sample: int
    """Pages per set, drawn from its test part with a fixed seed."""
    floors: dict[str, float]
    """Least mean word-F1 per data set, in [0, 1]."""


def is_fold_folder(folder: Path) -> bool:
    """Return whether ``folder`` holds cross-validated models."""
    return (folder / FOLDS_FILE).is_file()


def read_folds(folder: Path, engine: str = "auto") -> FoldModels:
    """Return the folder's models; raises ``ModelError`` if ``folds.json`` is malformed."""
    file = folder / FOLDS_FILE
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        version = document["format"]
        pages = [(model, *map(str, key)) for model, keys in _models(document) for key in keys]
        keys = [(dataset, page) for _, dataset, page in pages]
    except (AttributeError, KeyError, OSError, RecursionError, TypeError, ValueError) as error:
        raise ModelError(
            f"cannot read {file}: {error!r}; it must be "
            '{"format": 1, "models": {"<model folder>": [["<data set>", "<page>"], ...]}}'
        ) from error
    if version != FOLDS_FORMAT:
        raise ModelError(
            f"{file} has format {version!r}, this package reads {FOLDS_FORMAT}; train again"
        )
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ModelError(f"{file} gives page {twice[1]} of {twice[0]} to two models; keep one")
    for model in dict.fromkeys(model for model, _, _ in pages):
        if Path(model).name != model or not (folder / model).is_dir():
            raise ModelError(f"{file} names the model {model!r}, but {folder / model} is missing")
    return FoldModels(folder, {(dataset, page): model for model, dataset, page in pages}, engine)


def floors_file(model: str) -> Path:
    """Return the path of a model's floors; raises ``ModelError`` if there is no such model."""
    folder = Path(model) if is_fold_folder(Path(model)) else model_folder(model, "give --model")
    return folder / FLOORS_FILE


def read_floors(file: Path) -> Floors:
    """Return the floors of ``file``; raises ``FloorsError`` if it is missing or malformed."""
    needs = '{"format": 1, "sample": 60, "floors": {"<data set>": 0.9, ...}}'
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        version = document["format"]
        floors = {str(name): float(floor) for name, floor in document["floors"].items()}
        sample = int(document["sample"])
    except OSError as error:
        raise FloorsError(f"no floors at {file} ({error.strerror}); write {needs}") from error
    except _MALFORMED as error:
        raise FloorsError(f"cannot read {file}: {error!r}; it must be {needs}") from error
    if version != FLOORS_FORMAT:
        raise FloorsError(f"{file} has format {version!r}, this package reads {FLOORS_FORMAT}")
    if wrong := {name: floor for name, floor in floors.items() if not 0 <= floor <= 1}:
        raise FloorsError(f"{file} has floors outside [0, 1]: {wrong}; they are mean word-F1")
    if sample < 1:
        raise FloorsError(f"{file} has the sample {sample}; it must be at least 1 page per set")
    return Floors(sample, floors)


def compare(summary: Mapping[str, Any], floors: Floors) -> tuple[bool, list[str]]:
    """Return whether the first system reaches its floors, and a line per measured set.

    The result is False if no measured set has a floor, since nothing was checked.
    """
    name = next(iter(summary["systems"]))
    measured = {d: group[name]["f1"] for d, group in summary["cuts"]["data set"].items()}
    lines, kept = [], True
    for dataset, f1 in measured.items():
        floor = floors.floors.get(dataset)
        if floor is None:
            lines.append(f"{dataset}: {name} has word-F1 {f1:.4f}, no floor")
        elif f1 >= floor:
            lines.append(f"{dataset}: {name} has word-F1 {f1:.4f}, floor {floor:.4f}: kept")
        else:
            kept = False
            lines.append(f"{dataset}: {name} has word-F1 {f1:.4f}, below its floor {floor:.4f}")
    if not measured.keys() & floors.floors.keys():
        return False, [*lines, "none of the measured sets has a floor: add one, or measure others"]
    return kept, lines


def _models(document: dict[str, Any]) -> list[tuple[str, Any]]:
    return list(document["models"].items())
