"""Cross-validated models of the default recipe, and what they make of pages they did not see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.evaluation.fold_models import read_folds
from scrapy_boilernet.labelers.model_folder import save_model
from scrapy_boilernet.labelers.scoring import ModelLabeler
from scrapy_boilernet.progress import progress
from scrapy_boilernet.training.calibration import Calibration
from scrapy_boilernet.training.default import train_default
from scrapy_boilernet.training.examples import LearningPage
from scrapy_boilernet.training.options import DefaultOptions
from scrapy_boilernet.training.run_folder import train_runs
from scrapy_boilernet.training.runs import Run
from scrapy_boilernet.training.state import forget_state


def train_default_runs(
    folder: Path,
    pages: Sequence[GoldPage],
    learned: Mapping[int, LearningPage | None],
    voted: Sequence[LearningPage],
    runs: Sequence[Run],
    options: DefaultOptions,
    say: Callable[[str], None],
) -> None:
    """Train the runs whose models are not there yet; ``learned``: by page number."""

    def train_one(
        name: str, train: list[LearningPage], validation: list[LearningPage], out: Path
    ) -> None:
        spec, tensors = train_default(
            name, [*train, *voted], validation, options, lambda line: say(f"  {line}"), out
        )
        save_model(out, spec, tensors)
        forget_state(out)

    seen = [[page.source.dataset, page.source.id] for page in voted]
    recipe = {"recipe": "default", "options": asdict(options), "voted": seen}
    train_runs(folder, pages, learned, runs, train_one, say, recipe, len(voted))


def unseen_logits(
    folder: Path, pages: Sequence[LearningPage]
) -> tuple[list[LearningPage], list[NDArray[np.float32]]]:
    """Return the pages that a fold model did not see, and its logits before calibration."""
    models = read_folds(folder)
    found, logits = [], []
    for page in progress(pages, len(pages), f"label with {folder.name}"):
        if (page.source.dataset, page.source.id) in models.model_of:
            labeler = models.labeler_for(page.source)
            if not isinstance(labeler, ModelLabeler) or "calibration" not in labeler.spec.training:
                raise DatasetError(f"{folder} holds labelers of another kind; cross-validate again")
            calibration = Calibration(**labeler.spec.training["calibration"])
            probabilities = labeler.probabilities([page.page])[0]
            found.append(page)
            logits.append(calibration.raw_logits(probabilities))
    if not found:
        raise DatasetError(
            f"no model in {folder} left one of these pages out; cross-validate again"
        )
    return found, logits
