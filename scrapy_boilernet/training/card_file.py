"""The card of the model in a folder, written from what lies there: ``model.json`` and floors."""

from __future__ import annotations

import importlib
from pathlib import Path

from scrapy_boilernet.evaluation.datasets import DatasetError
from scrapy_boilernet.evaluation.floors import FLOORS_FILE, read_floors
from scrapy_boilernet.labelers.classical import load_classical
from scrapy_boilernet.labelers.model_folder import CARD_FILE, load_model, read_json
from scrapy_boilernet.labelers.registry import CLASSICAL
from scrapy_boilernet.training.card import model_card
from scrapy_boilernet.training.classical_card import classical_card


def write_card(folder: Path) -> None:
    """Write the card, over what is there.

    Raises ``ModelError`` if the model is broken, ``DatasetError`` if its record says nothing of the
    sets that it was trained on, ``FloorsError`` if its floors are garbled.
    """
    document = read_json(folder)
    if "datasets" not in (document.get("training") or {}):
        raise DatasetError(
            f"the record in {folder} names no data sets, which a card is about; the recipes "
            "default, crf, svm and gbdt write such a record"
        )
    name = document.get("labeler", "boilernet")
    card = _boilernet_card(folder) if name == "boilernet" else _classical_card(folder, name)
    (folder / CARD_FILE).write_text(card, encoding="utf-8")


def _boilernet_card(folder: Path) -> str:
    file = folder / FLOORS_FILE
    floors = read_floors(file).floors if file.is_file() else {}
    return model_card(load_model(folder)[0], floors)


def _classical_card(folder: Path, name: str) -> str:
    if name not in CLASSICAL:
        raise DatasetError(f"no card for the labeler {name!r} in {folder}")
    module, kind = CLASSICAL[name]
    spec, payload = load_classical(folder, getattr(importlib.import_module(module), kind))
    return classical_card(spec, len(payload))
