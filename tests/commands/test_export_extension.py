"""``scrapy boilernet export --extension``: the model file for the browser extension."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from testing.commanding import refusal, run, scrapy

from scrapy_boilernet.commands import export
from scrapy_boilernet.extractor.labelers.model_folder import load_model, model_folder, save_model


def test_the_file_has_the_weights_and_the_spec(tmp_path: Path) -> None:
    done = scrapy(tmp_path, "export", "default", "--extension")
    file = tmp_path / "default.safetensors"
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"wrote default.safetensors: {file.stat().st_size} bytes\n"
    folder = model_folder("default")
    _, tensors = load_model(folder)
    expected = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    del expected["training"]
    with safe_open(file, "numpy") as opened:
        assert json.loads(opened.metadata()["model.json"]) == expected
        assert set(opened.keys()) == set(tensors)
        for name, tensor in tensors.items():
            stored = opened.get_tensor(name)
            assert stored.dtype == np.float16
            assert np.array_equal(stored, tensor)


def test_the_weights_of_any_model_are_the_same_in_the_file(
    tiny_model: Path, tmp_path: Path
) -> None:
    spec, tensors = load_model(tiny_model)
    name = min(tensors)
    tensors[name] = np.full_like(tensors[name], 1 / 3)
    save_model(tmp_path / "mine", spec, tensors)
    assert run(export, tmp_path / "mine", "--extension", "--out", tmp_path) == 0
    _, saved = load_model(tmp_path / "mine")
    with safe_open(tmp_path / "mine.safetensors", "numpy") as opened:
        for each, tensor in saved.items():
            assert np.array_equal(opened.get_tensor(each), tensor)


@pytest.mark.parametrize("name", ["crf", "svm", "gbdt", "grf", "paper"])
def test_models_that_the_extension_cannot_run_are_refused_by_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    message = refusal(export, name, "--extension")
    assert repr(name) in message
    assert not [*tmp_path.iterdir()]


def test_int8_and_a_file_as_folder_are_refused(tmp_path: Path) -> None:
    assert "--int8" in refusal(export, "default", "--extension", "--int8", "--out", tmp_path)
    (tmp_path / "file").touch()
    message = refusal(export, "default", "--extension", "--out", tmp_path / "file")
    assert "file" in message
