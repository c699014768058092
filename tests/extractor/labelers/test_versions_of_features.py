"""A model is loaded only with the block numbers that it was trained with, whatever its labeler."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from scrapy_boilernet.extractor.features.numbers import NUMBERS_VERSION
from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.extractor.labelers.model_folder import model_folder, shipped_names
from scrapy_boilernet.extractor.labelers.registry import load_labeler

READS_NUMBERS = ("default", "open", "gbdt")


def featurizer_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "model.json").read_text("utf-8"))["featurizer"]
    return found


def trained_with(name: str, folder: Path, version: object) -> str:
    """Copy a shipped model; it says that it was trained with this version of the numbers."""
    shutil.copytree(model_folder(name), folder)
    document = json.loads((folder / "model.json").read_text("utf-8"))
    document["featurizer"].pop("numbers")
    if version is not None:
        document["featurizer"]["numbers"] = version
    (folder / "model.json").write_text(json.dumps(document), encoding="utf-8")
    return str(folder)


def test_each_shipped_model_that_reads_block_numbers_names_their_version() -> None:
    found = {name: featurizer_of(model_folder(name)).get("numbers") for name in shipped_names()}
    assert found == {
        name: NUMBERS_VERSION if name in READS_NUMBERS else None for name in shipped_names()
    }
    assert set(READS_NUMBERS) <= found.keys()


@pytest.mark.parametrize("name", READS_NUMBERS)
@pytest.mark.parametrize("version", [NUMBERS_VERSION + 1, 0, "1", []])
def test_a_model_of_other_numbers_is_refused_with_both_versions_and_a_remedy(
    tmp_path: Path, name: str, version: object
) -> None:
    if name == "gbdt":
        pytest.importorskip("lightgbm")
    folder = trained_with(name, tmp_path / "other", version)
    with pytest.raises(ModelError) as caught:
        load_labeler(folder)
    message = str(caught.value)
    assert folder in message
    assert f"version {version!r} of the block numbers" in message
    assert f"computes version {NUMBERS_VERSION}" in message
    assert "train it again" in message


@pytest.mark.parametrize("name", READS_NUMBERS)
def test_a_model_from_before_there_were_versions_has_the_first(tmp_path: Path, name: str) -> None:
    if name == "gbdt":
        pytest.importorskip("lightgbm")
    folder = trained_with(name, tmp_path / "older", None)
    if NUMBERS_VERSION == 1:
        assert load_labeler(folder).units == "block"
    else:
        with pytest.raises(ModelError, match="version 1 of the block numbers"):
            load_labeler(folder)
