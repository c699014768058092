"""Calibration on the pages that cross-validated models did not see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.labelers.boilernet.scoring import ModelLabeler
from scrapy_boilernet.extractor.labelers.model_folder import (
    Tensors,
    load_model,
    read_json,
    save_model,
)
from scrapy_boilernet.extractor.labelers.spec import ModelSpec
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.evaluation.floors import read_folds
from scrapy_boilernet.lab.training.calibration import (
    Calibration,
    Points,
    calibrate,
    calibrated,
    confidence_points,
    decided_f1,
    recalibrated,
    scores_of,
    text_scores,
    write_calibration_plot,
)
from scrapy_boilernet.lab.training.cards import CALIBRATION_PLOT
from scrapy_boilernet.lab.training.examples import LearningPage
from scrapy_boilernet.workers.progress import counted, progress, word_f1

Unseen = tuple[list[LearningPage], list[NDArray[np.float32]]]
"""Pages, and the logits of a model that did not see them."""


def unseen_logits(folder: Path, pages: Sequence[LearningPage]) -> Unseen:
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


def _unseen_of(folder: Path, pages: Sequence[LearningPage]) -> Unseen:
    return unseen_logits(folder, pages) if pages else ([], [])


def _both(one: Unseen, other: Unseen) -> Unseen:
    return [*one[0], *other[0]], [*one[1], *other[1]]


def check_folders(folders: Sequence[Path]) -> None:
    """Raise ``DatasetError`` or ``ModelError`` for folders that cannot calibrate."""
    for folder in folders:
        for name in sorted(set(read_folds(folder).model_of.values())):
            if "calibration" not in (read_json(folder / name).get("training") or {}):
                raise _not_calibrated(folder)
    if len({folder.name for folder in folders}) < len(folders):
        raise DatasetError("--calibrate-on: two folders have the same name; rename one")


def need_unseen(folders: Sequence[Path], kept: Mapping[str, Sequence[LearningPage]]) -> None:
    """Raise ``DatasetError`` for a folder in which no model has left out a page of ``kept``."""
    keys = {(page.source.dataset, page.source.id) for pages in kept.values() for page in pages}
    for folder in folders:
        if keys.isdisjoint(read_folds(folder).model_of):
            raise _none_unseen(folder)


def calibrated_on(
    folders: Sequence[Path],
    spec: ModelSpec,
    tensors: Tensors,
    learned: Sequence[LearningPage],
    missing: Sequence[LearningPage],
    out: Path,
) -> tuple[ModelSpec, Tensors, str]:
    """Return the model calibrated on the pages of cross-validated models, and their quality there.

    The confidence is fitted to the pages of the last folder. This should be the folder with sets
    left out, since users' pages are also from other sources. A plot of it is written to ``out``.
    ``missing``: pages among ``learned`` of which the content was taken out. The confidence is
    fitted to these, too, since crawls meet such pages.
    """
    unseen = {folder.name: unseen_logits(folder, learned) for folder in folders}
    pages = [page for folder_pages, _ in unseen.values() for page in folder_pages]
    logits = [logit for _, folder_logits in unseen.values() for logit in folder_logits]
    chosen, _ = calibrate(pages, logits, spec.decision)
    judges = spec.judges_comments
    last = _both(unseen[folders[-1].name], _unseen_of(folders[-1], missing))
    points = confidence_points(*last, chosen, judges)
    expected, truths = text_scores(pages, logits, chosen, judges)
    out.mkdir(parents=True, exist_ok=True)
    write_calibration_plot(out / CALIBRATION_PLOT, _confidences(expected, points), truths)
    facts = {
        "calibrated_on": f"{len(pages)} pages of {' and '.join(unseen)}",
        "confident_on": folders[-1].name,
        "cross_validation": {
            name: scores_of(*pages_and_logits, chosen) for name, pages_and_logits in unseen.items()
        },
    }
    spec, tensors = _with_calibration(spec, tensors, chosen, points, facts)
    measured = word_f1(decided_f1(pages, logits, chosen).tolist(), "page")
    return spec, tensors, f"{measured} that cross-validated models had not seen"


def calibrate_all(
    folder: Path,
    learned: Sequence[LearningPage],
    missing: Sequence[LearningPage],
    say: Callable[[str], None],
) -> None:
    """Calibrate cross-validated models together, on the pages that they did not see.

    All get the same three numbers, as the model that is trained on all pages gets them by
    :func:`calibrated_on`. A model's own validation pages are of few sites, and a calibration on
    them is off for others. The confidence of a model is fitted to the pages of the other ones, and
    to ``missing`` as in :func:`calibrated_on`. Models that are calibrated in this way already stay
    as they are, and so does a single model.
    """
    model_of = read_folds(folder).model_of
    names = sorted(set(model_of.values()))
    if len(names) < 2 or all(_calibrated_with(folder / name) == names for name in names):
        return
    pages, logits = unseen_logits(folder, learned)
    chosen, _ = calibrate(pages, logits, load_model(folder / names[0])[0].decision)
    all_pages, all_logits = _both((pages, logits), _unseen_of(folder, missing))
    own = [model_of[page.source.dataset, page.source.id] for page in all_pages]
    on = f"{len(pages)} pages that the models of {folder.name} did not see"
    facts = {"calibrated_on": on, "calibrated_with": names}
    for name in names:
        spec, tensors = load_model(folder / name)
        others = [i for i in range(len(all_pages)) if own[i] != name]
        given = ([all_pages[i] for i in others], [all_logits[i] for i in others])
        points = confidence_points(*given, chosen, spec.judges_comments)
        save_model(folder / name, *_with_calibration(spec, tensors, chosen, points, facts))
    say(f"{counted(len(names), 'model')} calibrated on {counted(len(pages), 'page')}")


def _calibrated_with(folder: Path) -> list[str] | None:
    """Return the names of the models that were calibrated together with this one, and its own."""
    names: list[str] | None = (read_json(folder).get("training") or {}).get("calibrated_with")
    return names


def _with_calibration(
    spec: ModelSpec,
    tensors: Tensors,
    chosen: Calibration,
    points: Points,
    facts: Mapping[str, object],
) -> tuple[ModelSpec, Tensors]:
    """Return the model with another calibration and confidence; ``facts``: more of its record."""
    tensors = calibrated(tensors, recalibrated(spec.training["calibration"], chosen))
    training = {**spec.training, "calibration": asdict(chosen), **facts}
    return replace(spec, threshold=chosen.floor, confidence=points, training=training), tensors


def _confidences(expected: NDArray[np.float64], points: Points) -> NDArray[np.float64]:
    x, y = np.array([(0.0, 0.0), *points]).T
    return np.asarray(np.interp(expected, x, y), dtype=np.float64)


def _not_calibrated(folder: Path) -> DatasetError:
    return DatasetError(
        f"{folder} has models of another labeler or without a calibration; cross-validate again"
    )


def _none_unseen(folder: Path) -> DatasetError:
    return DatasetError(f"no model in {folder} left one of these pages out; cross-validate again")
