"""``scrapy boilernet export``: the graph, its folder, and refusals."""

from __future__ import annotations

import json
import shutil
import sys
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("onnx")

from testing.commanding import refusal, run, scrapy
from testing.models import random_tensors

from scrapy_boilernet.commands import export
from scrapy_boilernet.extractor.labelers.boilernet.onnx_export import export_graph
from scrapy_boilernet.extractor.labelers.model_folder import (
    GRAPH_FILE,
    SPEC_FILE,
    WEIGHTS_FILE,
    load_model,
    save_model,
)
from scrapy_boilernet.extractor.labelers.registry import load_labeler


@pytest.fixture
def folder(tiny_model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_model, tmp_path / "mine"))


def shipped(folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy ``folder`` as the model "mine" of an installed package; return the copy."""
    model = Path(shutil.copytree(folder, root / "package" / "models" / "mine"))
    module = import_module("scrapy_boilernet.extractor.labelers.model_folder")
    monkeypatch.setattr(module, "_shipped_models", lambda: model.parent)
    return model


def test_the_graph_is_written_into_the_models_own_folder(folder: Path) -> None:
    done = scrapy(folder.parent, "export", "mine")
    assert (done.returncode, done.stderr) == (0, "")
    graph = (folder / GRAPH_FILE).read_bytes()
    assert graph == export_graph(folder)
    assert done.stdout == f"wrote {Path('mine') / GRAPH_FILE}: {len(graph)} bytes\n"


def test_another_folder_gets_a_copy_of_the_model_that_can_be_used(
    folder: Path, tmp_path: Path
) -> None:
    pytest.importorskip("onnxruntime")
    out = tmp_path / "deep" / "copy"
    assert run(export, folder, "--out", out) == 0
    assert not (folder / GRAPH_FILE).exists()
    assert sorted(path.name for path in out.iterdir()) == [SPEC_FILE, GRAPH_FILE, WEIGHTS_FILE]
    assert load_labeler(str(out), "onnx").name == "tiny"


def test_only_the_command_is_added_to_the_record(folder: Path) -> None:
    before = json.loads((folder / SPEC_FILE).read_text())
    assert run(export, folder, "--int8") == 0
    after = json.loads((folder / SPEC_FILE).read_text())
    (step,) = after["training"].pop("export")
    assert step["command"] == "scrapy boilernet export mine --int8"
    assert step["versions"].keys() == {"onnx"}
    assert after == before


def test_a_graph_of_8_bits_is_smaller(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(export, folder)
    whole = (folder / GRAPH_FILE).stat().st_size
    run(export, folder, "--int8")
    assert (folder / GRAPH_FILE).stat().st_size < whole
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_a_folder_of_the_same_model_is_written_again(folder: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert run(export, folder, "--out", tmp_path / "copy") == 0
    assert run(export, folder, "--out", folder) == 0


def test_a_folder_of_another_model_is_not_changed(folder: Path, tmp_path: Path) -> None:
    spec, _ = load_model(folder)
    save_model(tmp_path / "other", spec, random_tensors(spec.architecture, seed=99))
    before = (tmp_path / "other" / WEIGHTS_FILE).read_bytes()
    message = refusal(export, folder, "--out", tmp_path / "other")
    assert str(tmp_path / "other") in message
    assert "another model" in message
    assert (tmp_path / "other" / WEIGHTS_FILE).read_bytes() == before
    assert not (tmp_path / "other" / GRAPH_FILE).exists()


def test_a_model_of_the_installed_package_needs_an_output_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = shipped(folder, tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path / "package")
    assert "--out" in refusal(export, "mine")
    assert not (model / GRAPH_FILE).exists()
    assert run(export, "mine", "--out", "copy") == 0
    assert (tmp_path / "package" / "copy" / GRAPH_FILE).is_file()


def test_a_shipped_model_of_a_checkout_is_written_in_place(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = shipped(folder, tmp_path, monkeypatch)
    (tmp_path / "package" / "pyproject.toml").touch()
    assert run(export, "mine") == 0
    assert (model / GRAPH_FILE).is_file()


def test_the_error_for_a_missing_or_broken_model_names_it(folder: Path) -> None:
    assert "'no-such-model'" in refusal(export, "no-such-model")
    (folder / WEIGHTS_FILE).write_bytes(b"no weights")
    assert str(folder) in refusal(export, folder)


def test_the_error_for_a_folder_that_cannot_be_written_names_it(folder: Path) -> None:
    (folder / "file").touch()
    assert "file" in refusal(export, folder, "--out", folder / "file" / "copy")


def test_the_error_without_onnx_names_the_extra(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    monkeypatch.delitem(
        sys.modules, "scrapy_boilernet.extractor.labelers.boilernet.onnx_export", raising=False
    )
    assert "pip install onnx" in refusal(export, folder)
