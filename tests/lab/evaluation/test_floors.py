"""Floors: what is refused, what fails and what is only reported; models of the folds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rapidfuzz")

from testing.models import write_fold_models
from testing.synthetic import gold_page

from scrapy_boilernet.extractor.labelers import registry
from scrapy_boilernet.extractor.labelers.registry import ModelError
from scrapy_boilernet.lab.evaluation.floors import (
    Floors,
    FloorsError,
    compare,
    floors_file,
    is_fold_folder,
    read_floors,
    read_folds,
)
from scrapy_boilernet.lab.evaluation.systems import labeler_systems


def summary(**f1: float) -> dict[str, Any]:
    sets = {name: {"pages": 3, "mine": {"f1": value}} for name, value in f1.items()}
    return {"systems": {"mine": "ours", "peer": "1"}, "cuts": {"data set": sets}}


def write(folder: Path, **changes: Any) -> Path:
    file = folder / "floors.json"
    file.write_text(json.dumps({"format": 1, "sample": 60, "floors": {"one": 0.9}} | changes))
    return file


def test_floors_are_read(tmp_path: Path) -> None:
    assert read_floors(write(tmp_path)) == Floors(60, {"one": 0.9})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 2}, "format 2"),
        ({"floors": {"one": 90}}, r"outside \[0, 1\].*one"),
        ({"floors": ["one"]}, "cannot read"),
        ({"sample": 0}, "at least 1"),
        ({"sample": None}, "cannot read"),
    ],
)
def test_wrong_floors_are_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FloorsError, match=message):
        read_floors(write(tmp_path, **changes))


def test_missing_floors_are_named_with_what_they_look_like(tmp_path: Path) -> None:
    with pytest.raises(FloorsError, match=r"no floors at .*nowhere\.json.*\"floors\""):
        read_floors(tmp_path / "nowhere.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(FloorsError, match=r"cannot read .*broken\.json"):
        read_floors(tmp_path / "broken.json")


def test_floors_lie_beside_the_model(tiny_model: Path, tmp_path: Path) -> None:
    assert floors_file(str(tiny_model)) == tiny_model / "floors.json"
    (tmp_path / "folds.json").write_text("{}")
    assert floors_file(str(tmp_path)) == tmp_path / "floors.json"


def test_a_floor_is_kept_at_its_very_value() -> None:
    kept, lines = compare(summary(one=0.9), Floors(60, {"one": 0.9, "not measured": 1.0}))
    assert kept
    assert lines == ["one: mine has word-F1 0.9000, floor 0.9000: kept"]


def test_a_broken_floor_is_named_with_what_was_measured() -> None:
    kept, lines = compare(summary(one=0.95, two=0.7999), Floors(60, {"one": 0.9, "two": 0.8}))
    assert not kept
    assert lines[1] == "two: mine has word-F1 0.7999, below its floor 0.8000"


def test_a_set_without_a_floor_is_reported_and_fails_only_if_no_set_has_one() -> None:
    kept, lines = compare(summary(one=0.95, new=0.1), Floors(60, {"one": 0.9}))
    assert kept
    assert lines[1] == "new: mine has word-F1 0.1000, no floor"
    kept, lines = compare(summary(new=0.95), Floors(60, {"one": 0.9}))
    assert not kept
    assert "none of the measured sets has a floor" in lines[-1]


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
    ("changes", "message"),
    [
        ({"format": 2}, "format 2"),
        ({"models": {"fold-0": [["made"]]}}, "cannot read"),
        ({"models": [1]}, "cannot read"),
        ({"models": {"fold-7": [["made", "page0"]]}}, "fold-7"),
        ({"models": {"fold-0": [["made", "a"]], "fold-1": [["made", "a"]]}}, "a of made to two"),
    ],
)
def test_wrong_folds_are_refused(
    tmp_path: Path, tiny_model: Path, changes: dict[str, Any], message: str
) -> None:
    folder = write_fold_models(tmp_path / "crossed", tiny_model, **changes)
    with pytest.raises(ModelError, match=message) as caught:
        read_folds(folder)
    assert "folds.json" in str(caught.value)
