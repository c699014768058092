"""Models on disk: saved and loaded alike; a broken folder is an error that names it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file
from testing.models import random_tensors

from scrapy_boilernet.extractor.labelers.model_folder import (
    SPEC_FILE,
    WEIGHTS_FILE,
    load_model,
    model_folder,
    save_model,
)
from scrapy_boilernet.extractor.labelers.registry import ModelError, load_labeler
from scrapy_boilernet.extractor.labelers.spec import hashed_architecture

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture
def folder(tiny_model: Path, tmp_path: Path) -> Path:
    """A copy of the small model that a test may break."""
    return Path(shutil.copytree(tiny_model, tmp_path / "broken-model"))


@pytest.fixture
def paper_folder(tiny_paper_model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_paper_model, tmp_path / "broken-model"))


def edit(folder: Path, change: Edit) -> None:
    """Change ``model.json`` and leave the weights as they are."""
    path = folder / SPEC_FILE
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")


def test_what_is_saved_is_loaded(tiny_model: Path, tmp_path: Path) -> None:
    spec, tensors = load_model(tiny_model)
    save_model(tmp_path / "a" / "copy", spec, tensors)
    again, loaded = load_model(tmp_path / "a" / "copy")
    assert again == spec
    assert loaded.keys() == tensors.keys()
    assert all(np.array_equal(loaded[name], tensors[name]) for name in tensors)
    for name in (SPEC_FILE, WEIGHTS_FILE):
        assert (tmp_path / "a" / "copy" / name).read_bytes() == (tiny_model / name).read_bytes()


def test_a_model_without_a_decision_has_a_fixed_threshold(folder: Path) -> None:
    edit(folder, lambda document: document.pop("decision"))
    assert load_model(folder)[0].decision == "fixed"


def test_a_decision_is_saved_and_loaded(tiny_model: Path, tmp_path: Path) -> None:
    spec, tensors = load_model(tiny_model)
    save_model(tmp_path / "own", replace(spec, decision="expected-f", threshold=0.1), tensors)
    again, _ = load_model(tmp_path / "own")
    assert (again.decision, again.threshold) == ("expected-f", 0.1)


def test_tensors_are_float32_of_the_architectures_shapes(tiny_paper_model: Path) -> None:
    spec, tensors = load_model(tiny_paper_model)
    assert {name: tensor.shape for name, tensor in tensors.items()} == spec.architecture.shapes()
    assert {tensor.dtype for tensor in tensors.values()} == {np.dtype(np.float32)}


def test_weights_are_stored_as_float16(tiny_model: Path) -> None:
    stored = load_file(tiny_model / WEIGHTS_FILE)
    assert {tensor.dtype for tensor in stored.values()} == {np.dtype(np.float16)}


def test_the_files_are_data_only(tiny_model: Path) -> None:
    assert sorted(path.name for path in tiny_model.iterdir()) == [SPEC_FILE, WEIGHTS_FILE]
    json.loads((tiny_model / SPEC_FILE).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", ["./open", "open/", "../here/open"])
def test_a_path_is_no_name(
    path: str, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(ModelError, match="no model"):
        model_folder(path)
    own = shutil.copytree(tiny_model, "open")
    assert model_folder(path).resolve() == Path(own).resolve()
    assert model_folder("open").resolve() != Path(own).resolve()


def test_a_path_finds_its_folder_and_an_unknown_name_lists_what_there_is(
    tiny_model: Path, tmp_path: Path
) -> None:
    assert model_folder(str(tiny_model)) == tiny_model
    for name in ("no-such-model", str(tmp_path), ""):
        with pytest.raises(ModelError, match="BOILERNET_MODEL") as caught:
            model_folder(name)
        assert repr(name) in str(caught.value)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nowhere"):
        load_model(tmp_path / "nowhere")


@pytest.mark.parametrize("name", [SPEC_FILE, WEIGHTS_FILE])
def test_a_missing_file_is_named_with_its_folder(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelError, match="broken-model") as caught:
        load_model(folder)
    assert name in str(caught.value)


def test_weights_of_another_training_are_refused(folder: Path, tmp_path: Path) -> None:
    spec, _ = load_model(folder)
    save_model(tmp_path / "other", spec, random_tensors(spec.architecture, seed=99))
    shutil.copy(tmp_path / "other" / WEIGHTS_FILE, folder / WEIGHTS_FILE)
    with pytest.raises(ModelError, match=r"broken-model.*SHA-256 differs"):
        load_model(folder)


def test_weights_of_another_shape_are_refused_naming_the_tensor(folder: Path) -> None:
    spec, _ = load_model(folder)
    columns = dict.fromkeys(("tags", "classes", "words", "page", "head", "url"), 4)
    other = hashed_architecture(columns, dense=9, hidden=6, layers=2)
    save_model(folder, spec, random_tensors(other, seed=1))
    with pytest.raises(ModelError, match=r"broken-model.*'[a-z0-9._]+' has shape .*expected"):
        load_model(folder)


@pytest.mark.parametrize("version", [0, 2, None, "1"])
def test_another_format_version_is_refused_naming_both(folder: Path, version: object) -> None:
    edit(folder, lambda document: document.update(format_version=version))
    with pytest.raises(ModelError, match="broken-model") as caught:
        load_model(folder)
    assert f"format version {version!r}" in str(caught.value)


@pytest.mark.parametrize("featurizer", [{"kind": "hashed", "version": 99},
                                        {"kind": "counts", "version": 99},
                                        {"kind": "other", "version": 1}])  # fmt: skip
def test_another_featurizer_is_refused_naming_it(
    folder: Path, featurizer: dict[str, object]
) -> None:
    edit(folder, lambda document: document.update(featurizer=featurizer))
    with pytest.raises(ModelError, match="broken-model") as caught:
        load_model(folder)
    assert repr(featurizer["kind"]) in str(caught.value)
    assert f"version {featurizer['version']}" in str(caught.value)


GARBLED: dict[str, Edit] = {
    **{
        f"no {key}": lambda document, key=key: document.pop(key)  # type: ignore[misc]
        for key in ("name", "architecture", "featurizer", "units", "threshold", "confidence")
    },
    "threshold no number": lambda document: document.update(threshold="high"),
    "threshold out of range": lambda document: document.update(threshold=7),
    "unknown decision": lambda document: document.update(decision="by luck"),
    "unknown units": lambda document: document.update(units="word"),
    "no points of confidence": lambda document: document.update(confidence=[]),
    "confidence no points": lambda document: document.update(confidence=[[0.0]]),
    "architecture no dict": lambda document: document.update(architecture=5),
    "no hidden": lambda document: document["architecture"].pop("hidden"),
    "hidden no number": lambda document: document["architecture"].update(hidden=None),
    "bags no dict": lambda document: document["architecture"].update(bags=None),
    "bag without columns": lambda document: document["architecture"].update(bags={"tags": [1]}),
    "unknown bag mode": lambda document: document["architecture"].update(bag_mode="max"),
    "featurizer no dict": lambda document: document.update(featurizer="hashed"),
}


@pytest.mark.parametrize("change", GARBLED.values(), ids=GARBLED.keys())
def test_a_garbled_entry_is_an_error_that_names_the_folder(folder: Path, change: Edit) -> None:
    edit(folder, change)
    with pytest.raises(ModelError, match="broken-model"):
        load_labeler(str(folder), "numpy")


@pytest.mark.parametrize("entry", ["words", "tags", "unknown_overwrites"])
def test_a_vocabulary_that_lacks_an_entry_is_an_error_that_names_the_folder(
    paper_folder: Path, entry: str
) -> None:
    edit(paper_folder, lambda document: document["featurizer"].pop(entry))
    with pytest.raises(ModelError, match="broken-model"):
        load_labeler(str(paper_folder), "numpy")


def test_a_vocabulary_of_another_size_than_the_table_is_refused(paper_folder: Path) -> None:
    edit(paper_folder, lambda document: document["featurizer"]["words"].extend(["more"] * 9))
    with pytest.raises(ModelError, match="broken-model"):
        load_labeler(str(paper_folder), "numpy")
