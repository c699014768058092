"""``scrapy boilernet card``: the new card and record, and refusals."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("sklearn")
pytest.importorskip("rapidfuzz")

from testing.commanding import refusal, run
from testing.synthetic import LONG_MENU, article, write_set

from scrapy_boilernet.commands import card, train

PAGES = {f"p{n}": article(n, 4, LONG_MENU) for n in range(40)}


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the set "made" and a model that was trained on it."""
    folder = tmp_path_factory.mktemp("work")
    write_set(folder / "made", PAGES)
    assert run(train, "--recipe", "svm", "--out", folder / "model", folder / "made") == 0
    return folder


@pytest.fixture
def model(work: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(work / "model", tmp_path / "model"))


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_without_sets_only_the_card_is_written(model: Path) -> None:
    before = contents(model)
    (model / "README.md").write_text("an old card")
    assert run(card, model) == 0
    assert contents(model) == before


def test_with_the_sets_the_counts_are_the_same_as_after_training(work: Path, model: Path) -> None:
    before = contents(model)
    assert run(card, model, work / "made") == 0
    after = contents(model)
    counted, again = (
        json.loads(found["model.json"])["training"]["overlap"] for found in (before, after)
    )
    assert counted["sets"]["made"]["test_pages"] > 0
    assert (counted["sets"], counted["pages"]) == (again["sets"], again["pages"])
    assert after["model.safetensors"] == before["model.safetensors"]
    assert b"This was computed after the training" in after["README.md"]


def test_other_sets_are_refused(work: Path, model: Path, tmp_path: Path) -> None:
    before = contents(model)
    other = write_set(tmp_path / "made", {f"p{n}": article(n + 50) for n in range(40)})
    assert "is not the set 'made'" in refusal(card, model, other)
    extra = write_set(tmp_path / "extra", {"p0": article(0)})
    assert "give it as --overlap-with" in refusal(card, model, work / "made", extra)
    assert "also give the set made" in refusal(card, model, extra)
    assert "nowhere" in refusal(card, model, work / "made", "--overlap-with", tmp_path / "nowhere")
    assert "needs the sets" in refusal(card, model, "--overlap-with", work / "made")
    assert contents(model) == before


def test_a_record_of_more_pages_than_can_train_is_refused(work: Path, model: Path) -> None:
    document = json.loads((model / "model.json").read_text())
    document["training"]["datasets"]["made"]["train_pages"] = 41
    (model / "model.json").write_text(json.dumps(document))
    assert "pages of made were trained on" in refusal(card, model, work / "made")


def test_models_that_can_have_no_card_are_refused(model: Path, tmp_path: Path) -> None:
    assert "nowhere" in refusal(card, tmp_path / "nowhere")
    document = json.loads((model / "model.json").read_text())
    (model / "model.json").write_text(json.dumps({**document, "training": {}}))
    assert "names no data sets" in refusal(card, model)
    (model / "model.json").write_text(json.dumps({**document, "labeler": "mine"}))
    assert "no card for the labeler 'mine'" in refusal(card, model)
