"""Cross-validated models: each page goes to the model that did not see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rapidfuzz")

from testing.models import write_fold_models
from testing.synthetic import gold_page

from scrapy_boilernet.evaluation.floors import is_fold_folder, read_folds
from scrapy_boilernet.evaluation.systems import labeler_systems
from scrapy_boilernet.labelers.registry import ModelError, registry


def test_each_page_is_labeled_by_the_model_that_never_saw_it(
    tmp_path: Path, tiny_model: Path
) -> None:
    folder = write_fold_models(tmp_path / "crossed", tiny_model)
    assert is_fold_folder(folder)
    assert not is_fold_folder(tiny_model)
    (system,) = labeler_systems([str(folder)], "numpy")
    assert (system.name, system.version) == ("crossed", "ours")
    said = [system.extract(gold_page(n, "made")).labeled.model for n in range(3)]
    assert said == ["fold-0", "fold-1", "fold-0"]
    assert set(system.folds.model_of) == {("made", f"page{n}") for n in range(3)}


def test_models_are_loaded_when_a_page_needs_them_and_once(
    tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    load = registry._load
    monkeypatch.setattr(registry, "_load", lambda p, e: loaded.append(p.name) or load(p, e))
    folds = read_folds(write_fold_models(tmp_path / "crossed", tiny_model), "numpy")
    assert loaded == []
    labelers_found = [folds.labeler_for(gold_page(n, "made")) for n in (0, 2, 0)]
    assert loaded == ["fold-0"]
    assert labelers_found[0] is labelers_found[2]


def test_a_page_of_no_fold_has_no_labeler(tmp_path: Path, tiny_model: Path) -> None:
    folds = read_folds(write_fold_models(tmp_path / "crossed", tiny_model), "numpy")
    with pytest.raises(KeyError, match="page9"):
        folds.labeler_for(gold_page(9, "made"))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"format": 2}, "format 2"),
        ({"models": {"fold-0": [["made"]]}}, "cannot read"),
        ({"models": [1]}, "cannot read"),
        ({"models": {"fold-7": [["made", "page0"]]}}, "fold-7"),
        ({"models": {"fold-0": [["made", "a"]], "fold-1": [["made", "a"]]}}, "a of made to two"),
    ],
)
def test_wrong_folds_are_refused(
    tmp_path: Path, tiny_model: Path, changes: dict[str, Any], told: str
) -> None:
    folder = write_fold_models(tmp_path / "crossed", tiny_model, **changes)
    with pytest.raises(ModelError, match=told) as caught:
        read_folds(folder)
    assert "folds.json" in str(caught.value)
