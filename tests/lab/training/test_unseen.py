"""Calibration on pages that cross-validated models did not see, by models that were trained."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")
pytest.importorskip("matplotlib")

from testing.learned import SMALL, learned
from testing.synthetic import gold_page

from scrapy_boilernet.extractor.labelers.model_folder import load_model, save_model
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.evaluation.floors import read_folds
from scrapy_boilernet.lab.training.boilernet import train_default
from scrapy_boilernet.lab.training.calibration import (
    Calibration,
    calibrate,
    confidence_points,
)
from scrapy_boilernet.lab.training.examples import LearningPage
from scrapy_boilernet.lab.training.folds import Run, write_folds
from scrapy_boilernet.lab.training.unseen import calibrate_all, calibrated_on, unseen_logits

PAGES = 24
RUNS = [Run("fold-0", frozenset(range(14))), Run("fold-1", frozenset(range(14, PAGES)))]


def ignored(_line: str) -> None:
    """Take a message."""


def learning() -> list[LearningPage]:
    return [learned(n) for n in range(PAGES)]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of two folds, each calibrated on its own validation pages."""
    folder = tmp_path_factory.mktemp("models") / "crossed"
    for run in RUNS:
        others = [page for n, page in enumerate(learning()) if n not in run.held_out]
        options = replace(SMALL, epochs=2)
        save_model(
            folder / run.name, *train_default(run.name, others[3:], others[:3], options, ignored)
        )  # type: ignore[arg-type]
    write_folds(folder, [page.source for page in learning()], RUNS)
    return folder


@pytest.fixture
def folds(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "crossed"))


def calibration_of(folder: Path, name: str) -> Calibration:
    return Calibration(**load_model(folder / name)[0].training["calibration"])


def files(folder: Path) -> dict[Path, tuple[int, bytes]]:
    return {f: (f.stat().st_mtime_ns, f.read_bytes()) for f in folder.rglob("model.*")}


def test_unseen_logits_are_before_the_calibration(trained: Path) -> None:
    found, logits = unseen_logits(trained, learning())
    assert len(found) == PAGES
    models = read_folds(trained)
    for page, mine in zip(found[:5], logits, strict=False):
        labeler = models.labeler_for(page.source)
        (expected,) = labeler.probabilities([page.page])
        probabilities = calibration_of(trained, labeler.name).probabilities(mine)
        np.testing.assert_allclose(probabilities, expected, atol=1e-5)


def test_pages_that_no_model_left_out_cannot_calibrate(trained: Path) -> None:
    with pytest.raises(DatasetError, match="crossed"):
        unseen_logits(trained, [learned(1, "elsewhere")])


def test_models_without_a_calibration_cannot_calibrate(tmp_path: Path, tiny_model: Path) -> None:
    save_model(tmp_path / "fold-0", *load_model(tiny_model))
    write_folds(tmp_path, [gold_page(1, "made")], [Run("fold-0", frozenset({0}))])
    with pytest.raises(DatasetError, match="without a calibration"):
        unseen_logits(tmp_path, [learned(1)])


def test_all_models_get_one_calibration_and_the_confidence_of_the_others(folds: Path) -> None:
    _, logits = unseen_logits(folds, learning())
    lines: list[str] = []
    calibrate_all(folds, learning(), [], lines.append)
    assert lines == ["2 models calibrated on 24 pages"]
    expected, _ = calibrate(learning(), logits, "correlated-f")
    for run, others in zip(RUNS, (range(14, PAGES), range(14)), strict=True):
        spec, _ = load_model(folds / run.name)
        assert calibration_of(folds, run.name) == expected
        assert spec.threshold == expected.floor
        given = ([learning()[i] for i in others], [logits[i] for i in others])
        points = confidence_points(*given, expected, spec.judges_comments)
        np.testing.assert_allclose(spec.confidence, points, atol=2e-4)
        assert spec.training["calibrated_on"] == "24 pages that the models of crossed did not see"


def test_the_network_stays_the_same_under_another_calibration(folds: Path) -> None:
    _, before = unseen_logits(folds, learning())
    calibrate_all(folds, learning(), [], ignored)
    read_again = Path(shutil.copytree(folds, folds.with_name("again")))
    _, after = unseen_logits(read_again, learning())
    for old, new in zip(before, after, strict=True):
        np.testing.assert_allclose(old, new, atol=1e-3)


def test_models_that_are_calibrated_already_stay_as_they_are(folds: Path) -> None:
    calibrate_all(folds, learning(), [], ignored)
    before, lines = files(folds), list[str]()
    calibrate_all(folds, learning(), [], lines.append)
    assert (files(folds), lines) == (before, [])


def test_models_are_calibrated_again_with_another_one(folds: Path) -> None:
    calibrate_all(folds, learning(), [], ignored)
    shutil.copytree(folds / "fold-1", folds / "fold-2")
    runs = [
        RUNS[0],
        Run("fold-1", frozenset(range(14, 20))),
        Run("fold-2", frozenset(range(20, 24))),
    ]
    write_folds(folds, [page.source for page in learning()], runs)
    lines: list[str] = []
    calibrate_all(folds, learning(), [], lines.append)
    assert lines == ["3 models calibrated on 24 pages"]


@pytest.mark.parametrize("runs", [RUNS[:1], []], ids=["one", "none"])
def test_a_model_without_others_stays_as_it_is(folds: Path, runs: Sequence[Run]) -> None:
    write_folds(folds, [page.source for page in learning()], runs)
    before = files(folds)
    calibrate_all(folds, learning(), [], ignored)
    assert files(folds) == before


def without_content(page: LearningPage) -> LearningPage:
    example = replace(page.example, targets=np.zeros_like(page.targets))
    return replace(page, example=example, gold_tokens=0)


def test_pages_without_content_lower_the_confidence_and_not_the_decision(
    trained: Path, folds: Path, tmp_path: Path
) -> None:
    plain = Path(shutil.copytree(trained, tmp_path / "plain"))
    calibrate_all(plain, learning(), [], ignored)
    calibrate_all(folds, learning(), [*map(without_content, learning())], ignored)
    for run in RUNS:
        alone, beside = load_model(plain / run.name)[0], load_model(folds / run.name)[0]
        assert beside.training["calibration"] == alone.training["calibration"]
        assert max(y for _, y in beside.confidence) < max(y for _, y in alone.confidence)


def test_the_shipped_model_learns_its_confidence_from_pages_without_content_too(
    trained: Path, tmp_path: Path
) -> None:
    spec, tensors = load_model(trained / "fold-0")
    curves = []
    kinds: tuple[list[LearningPage], ...] = ([], [*map(without_content, learning())])
    for missing in kinds:
        found, _, _ = calibrated_on([trained], spec, tensors, learning(), missing, tmp_path)
        curves.append(found.confidence)
    assert max(y for _, y in curves[1]) < max(y for _, y in curves[0])
