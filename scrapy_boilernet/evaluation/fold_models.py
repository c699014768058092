"""Cross-validated models: each page is labeled by the one model that never saw it.

A folder with a model folder per fold and ``folds.json``: ``{"format": 1, "models": {"fold-0":
[["wcxb-dev", "wcxb_dev_1"], ...], ...}}``, per model the pages (data set, id) it did not see.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.labelers import Labeler, ModelError, engine_of, load_labeler

FOLDS_FILE, FOLDS_FORMAT = "folds.json", 1

PageKey = tuple[str, str]
"""A page's data set and id."""


class FoldModels:
    """The models of a cross-validation; each is loaded once and then kept."""

    def __init__(self, folder: Path, model_of: dict[PageKey, str], engine: str = "auto") -> None:
        self.name = folder.resolve().name
        self.model_of = model_of
        self._folder = folder
        self._engine = engine
        self._labelers: dict[str, Labeler] = {}

    def load(self) -> None:
        """Load all models now, so that no page's time is that of loading one."""
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


def is_fold_folder(folder: Path) -> bool:
    """Whether ``folder`` holds cross-validated models."""
    return (folder / FOLDS_FILE).is_file()


def read_folds(folder: Path, engine: str = "auto") -> FoldModels:
    """Return the folder's models; raises ``ModelError`` if ``folds.json`` is not as it must be."""
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


def _models(document: dict[str, Any]) -> list[tuple[str, Any]]:
    return list(document["models"].items())
