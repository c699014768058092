"""Cross-validation: models that each did not see some pages, for figures that are no promise.

Grouped folds within each set, or whole sets left out: the second tells how pages from elsewhere,
under another guideline, will fare.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.evaluation.fold_models import FOLDS_FILE, FOLDS_FORMAT, read_folds
from scrapy_boilernet.evaluation.groups import domain, held_out
from scrapy_boilernet.evaluation.splits import TEST_ONLY, Part, assign, folds, without_leaks
from scrapy_boilernet.labelers.model_folder import SPEC_FILE, save_model
from scrapy_boilernet.labelers.scoring import ModelLabeler
from scrapy_boilernet.progress import progress
from scrapy_boilernet.training.calibration import Calibration
from scrapy_boilernet.training.default import train_default
from scrapy_boilernet.training.examples import LearningPage
from scrapy_boilernet.training.learning import few_domains
from scrapy_boilernet.training.options import DefaultOptions
from scrapy_boilernet.training.state import forget_state

VALIDATE_ONE_IN = 10


@dataclass(frozen=True)
class Run:
    """One training and the pages that it must not see."""

    name: str
    held_out: frozenset[int]
    """Numbers of the pages."""


def learnable_pages(pages: Sequence[GoldPage], with_test_sets: bool = False) -> list[int]:
    """Return the numbers of the pages of the training parts.

    ``with_test_sets``: also of the sets that never train what ships, to see what they would add.
    """
    return [
        i
        for i, (page, part) in enumerate(zip(pages, assign(pages), strict=True))
        if part in ("train", "validation")
        or (with_test_sets and part == "test" and page.dataset in TEST_ONLY)
    ]


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
    pages: Sequence[GoldPage], learnable: Sequence[int], runs: Sequence[Run], *, voted: bool
) -> None:
    """Raise ``DatasetError`` for a run with no page to train or validate on, with the remedy.

    ``voted``: whether pages without gold train, too.
    """
    usable = [pages[i] for i in learnable]
    for run in runs:
        drawn = _drawn_parts(pages, frozenset(learnable), run)
        for part in ("validation",) if voted else ("train", "validation"):
            if part not in drawn:
                raise DatasetError(
                    f"{run.name}: no page left for {part} beside the {len(run.held_out)} that are "
                    f"held out: {few_domains(usable)}"
                )


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
    learned: Mapping[int, LearningPage | None],
    voted: Sequence[LearningPage],
    runs: Sequence[Run],
    options: DefaultOptions,
    say: Callable[[str], None],
) -> None:
    """Train the runs whose models are not there yet; ``learned``: by page number."""
    for run in runs:
        out = folder / run.name
        if (out / SPEC_FILE).is_file():
            say(f"{run.name}: there already")
            continue
        parts = parts_of(pages, learned, run)
        by_part = {
            part: [page for i, page in learned.items() if page and parts[i] == part]
            for part in ("train", "validation")
        }
        train = [*by_part["train"], *voted]
        if not train or not by_part["validation"]:
            raise DatasetError(
                f"{run.name}: no page left to train or validate on that shows its gold text and "
                "is no near-duplicate of a held-out page; add pages of other domains"
            )
        say(f"{run.name}: {len(train)} pages train, {len(by_part['validation'])} validate")
        spec, tensors = train_default(
            run.name, train, by_part["validation"], options, lambda line: say(f"  {line}"), out
        )
        save_model(out, spec, tensors)
        forget_state(out)


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
