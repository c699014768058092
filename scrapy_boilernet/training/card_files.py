"""The card of the model in a folder, and what it lacks computed from the sets."""

from __future__ import annotations

import argparse
import importlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy_boilernet.classical.base import load_classical
from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage, dataset_digest
from scrapy_boilernet.evaluation.floors import FLOORS_FILE, read_floors
from scrapy_boilernet.evaluation.provenance import by_gold, by_text, origin_counts
from scrapy_boilernet.evaluation.splits import assign
from scrapy_boilernet.labelers.model_folder import CARD_FILE, SPEC_FILE, load_model, read_json
from scrapy_boilernet.labelers.registry import CLASSICAL
from scrapy_boilernet.progress import progress
from scrapy_boilernet.training.cards import classical_card, model_card
from scrapy_boilernet.training.gold import open_all, pages_without, read_sets
from scrapy_boilernet.training.record import PARTS, tested_pages, trained_overlap


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


def run_card(options: argparse.Namespace) -> None:
    """Write the card; with sets given first the record of origins and of tests close to them.

    The weights are left alone. Raises ``DatasetError`` if a set is not the one that the record
    names, or the sets cannot be those that trained.
    """
    folder: Path = options.model
    document = read_json(folder)
    if options.datasets:
        write_card(folder)  # a model that can have none is refused before the work
        _complete(document["training"], options)
        text = json.dumps(document, indent=1, ensure_ascii=False)
        (folder / SPEC_FILE).write_text(text + "\n", encoding="utf-8")
    write_card(folder)


def _complete(training: dict[str, Any], options: argparse.Namespace) -> None:
    """Add to the record what its sets say: origins of their pages, and test pages close to them."""
    open_all(options.overlap_with, options.cache)
    voted_sets: dict[str, Any] = training.get("voted", {})
    folders = _known_folders({**training["datasets"], **voted_sets}, options)
    chosen = {"split": None, "sample": None, "without": [], **training.get("chosen", {})}
    asked = argparse.Namespace(
        datasets=[str(folders[name]) for name in training["datasets"]],
        voted=[str(folders[name]) for name in voted_sets],
        cache=options.cache,
        **chosen,
    )
    pages = read_sets(asked).pages
    parts = assign(pages)
    gold = [p for p, part in zip(pages, parts, strict=True) if part in ("train", "validation")]
    voted = [page for name in voted_sets for page in pages_without(folders[name], asked.without)]
    _check_counts(training["datasets"], gold, ("train_pages", "validation_pages"))
    _check_counts(voted_sets, voted, ("voted_pages",))
    for name, found in (*training["datasets"].items(), *voted_sets.items()):
        origins = origin_counts([page for page in (*gold, *voted) if page.dataset == name])
        if origins and "origins" not in found:
            found["origins"] = origins
    training["overlap"] = trained_overlap(
        tested_pages(pages, parts),
        options,
        [by_gold(page) for page in gold],
        [by_text(page) for page in progress(voted, len(voted), "text of the pages with votes")],
        PARTS,
    )


def _known_folders(
    known: Mapping[str, Mapping[str, Any]], options: argparse.Namespace
) -> dict[str, Path]:
    """The folders of the sets that the record names, each the very set that it names."""
    folders = {folder.name: folder for folder in open_all(options.datasets, options.cache)}
    for name, found in known.items():
        if name not in folders:
            raise DatasetError(
                f"the model was trained on {', '.join(known)}: give the set {name}, too"
            )
        if dataset_digest(folders[name]) != found["digest_sha256"]:
            raise DatasetError(
                f"{folders[name]} is not the set {name!r} that the model was trained on (SHA-256 "
                "differs); give the one of then"
            )
    for name in folders.keys() - known.keys():
        raise DatasetError(
            f"the model was not trained on {name}; to compare its test pages, give it as "
            "--overlap-with"
        )
    return folders


def _check_counts(
    known: Mapping[str, Mapping[str, Any]], pages: Sequence[GoldPage], counted: tuple[str, ...]
) -> None:
    """Refuse a split by which fewer pages can train than did: it is not the one of then."""
    can = Counter(page.dataset for page in pages)
    for name, found in known.items():
        did = sum(int(found[part]) for part in counted)
        if can[name] < did:
            raise DatasetError(
                f"{did} pages of {name} were learned from, but the split of this version lets "
                f"{can[name]} train; compute this with the version that trained the model"
            )
