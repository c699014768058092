"""What tells labelers apart, so that no result is taken for another's."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from testing.standins import Failing, Half

from scrapy_boilernet.labelers.registry import identity, load_labeler


@pytest.fixture
def folder(tiny_model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_model, tmp_path / "tiny"))


def test_the_same_labeler_has_the_same_identity(folder: Path, tiny_model: Path) -> None:
    labeler = load_labeler(str(folder), "numpy")
    assert identity(labeler, str(folder)) == identity(labeler, str(folder))
    assert identity(labeler, str(folder)) == identity(labeler, str(tiny_model))  # of equal files


def test_class_name_device_and_model_tell_labelers_apart(
    folder: Path, tiny_own_model: Path
) -> None:
    numpy = load_labeler(str(folder), "numpy")
    named = Half()
    named.name = numpy.name
    found = {
        identity(numpy, str(folder)),
        identity(numpy, str(folder), "cuda"),
        identity(numpy, str(folder), "cuda:1"),
        identity(numpy, str(tiny_own_model)),
        identity(named, str(folder)),
        identity(Half(), str(folder)),
        identity(Failing(), str(folder)),
    }
    assert len(found) == 7


def test_engines_are_told_apart(folder: Path) -> None:
    pytest.importorskip("torch")
    one, other = (load_labeler(str(folder), engine) for engine in ("numpy", "torch"))
    assert identity(one, str(folder)) != identity(other, str(folder))


def test_every_file_of_the_folder_counts(folder: Path) -> None:
    labeler = Half()
    found = [identity(labeler, str(folder))]
    for path in sorted(folder.iterdir()):
        before = path.read_bytes()
        path.write_bytes(before + b"\n")
        found.append(identity(labeler, str(folder)))
        path.write_bytes(before)
    assert identity(labeler, str(folder)) == found[0]
    (folder / "deeper").mkdir()
    (folder / "deeper" / "more.bin").write_bytes(b"\x00")
    found.append(identity(labeler, str(folder)))
    assert len(set(found)) == len(found) >= 4


def test_versions_of_what_computes_are_in_it(folder: Path) -> None:
    found = identity(load_labeler(str(folder), "numpy"), str(folder))
    assert "scrapy-boilernet " in found
    assert "numpy " in found
    assert "scrapy_boilernet.labelers.numpy_engine NumpyLabeler" in found


def test_an_engine_that_is_loaded_tells_nobody_of_the_machine(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    load_labeler(str(folder), "numpy")
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"


def test_who_has_chosen_otherwise_is_not_overruled(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    load_labeler(str(folder), "numpy")
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "0"
