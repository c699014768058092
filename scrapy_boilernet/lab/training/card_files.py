"""``scrapy boilernet card``: write a model's card, and complete its record from the data sets."""

from __future__ import annotations

import argparse
import importlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy_boilernet.extractor.labelers.classical import load_classical
from scrapy_boilernet.extractor.labelers.model_folder import (
    CARD_FILE,
    SPEC_FILE,
    load_model,
    read_json,
)
from scrapy_boilernet.extractor.labelers.registry import CLASSICAL
from scrapy_boilernet.lab.evaluation.datasets import DatasetError, GoldPage, dataset_digest
from scrapy_boilernet.lab.evaluation.floors import FLOORS_FILE, read_floors
from scrapy_boilernet.lab.evaluation.provenance import by_gold, by_text, origin_counts
from scrapy_boilernet.lab.evaluation.same_pages import has_page
from scrapy_boilernet.lab.evaluation.splits import assign
from scrapy_boilernet.lab.training.cards import card_of
from scrapy_boilernet.lab.training.gold import ALL_PAGES, open_all, pages_without, read_sets
from scrapy_boilernet.lab.training.record import PARTS, tested_pages, trained_overlap
from scrapy_boilernet.workers.progress import progress


def write_card(folder: Path) -> None:
    """Write the card of the model in ``folder``, replacing an existing one.

    Raises ``ModelError`` if the model cannot be read, ``DatasetError`` if its record does not name
    the sets that it was trained on, and ``FloorsError`` if its floors are malformed.
    """
    document = read_json(folder)
    if not {"datasets", "overlap"} <= (document.get("training") or {}).keys():
        raise DatasetError(
            f"the record in {folder} names no data sets, or does not count the test pages close to "
            "them, which a card needs; the recipes default, paper, crf, svm and gbdt write such a "
            "record: train again"
        )
    name = document.get("labeler", "boilernet")
    text = _boilernet_card(folder) if name == "boilernet" else _classical_card(folder, name)
    (folder / CARD_FILE).write_text(text, encoding="utf-8")


def run_card(options: argparse.Namespace) -> None:
    """Write the card. With data sets, first add origins and close test pages to the record.

    The weights do not change. Raises ``DatasetError`` if the sets are not the ones that the model
    was trained on.
    """
    folder: Path = options.model
    document = read_json(folder)
    if options.datasets:
        write_card(folder)  # so that a model that can have no card fails early
        _complete(document["training"], options)
        text = json.dumps(document, indent=1, ensure_ascii=False)
        (folder / SPEC_FILE).write_text(text + "\n", encoding="utf-8")
    write_card(folder)


def _boilernet_card(folder: Path) -> str:
    file = folder / FLOORS_FILE
    return card_of(
        load_model(folder)[0], floors=read_floors(file).floors if file.is_file() else None
    )


def _classical_card(folder: Path, name: str) -> str:
    if name not in CLASSICAL:
        raise DatasetError(f"no card for the labeler {name!r} in {folder}")
    module, kind = CLASSICAL[name]
    spec, payload = load_classical(folder, getattr(importlib.import_module(module), kind))
    return card_of(spec, len(payload))


def _complete(training: dict[str, Any], options: argparse.Namespace) -> None:
    """Add the origins of the sets' pages, and the test pages close to them, to the record."""
    if training.get("recipe") == "paper" or "from" in training:
        raise DatasetError(
            "a model of the paper's recipe, or of train --from, counts close test pages when it "
            "trains: leave the data sets out, or train again with --overlap-with"
        )
    open_all(options.overlap_with, options.cache)
    voted_sets: dict[str, Any] = training.get("voted", {})
    folders = _known_folders({**training["datasets"], **voted_sets}, options)
    set_options = argparse.Namespace(
        datasets=[str(folders[name]) for name in training["datasets"]],
        voted=[str(folders[name]) for name in voted_sets],
        cache=options.cache,
        **{**ALL_PAGES, **training.get("chosen", {})},
    )
    sets = read_sets(set_options)
    parts = assign(pages := sets.pages)
    gold = [p for p, part in zip(pages, parts, strict=True) if part in ("train", "validation")]
    voted = _voted_pages([folders[name] for name in voted_sets], set_options, sets.gold_keys)
    _check_counts(training["datasets"], gold, ("train_pages", "validation_pages"))
    _check_counts(voted_sets, voted, ("voted_pages",))
    for name, record in (*training["datasets"].items(), *voted_sets.items()):
        origins = origin_counts([page for page in (*gold, *voted) if page.dataset == name])
        if origins and "origins" not in record:
            record["origins"] = origins
    training["overlap"] = trained_overlap(
        tested_pages(pages, parts),
        options,
        [by_gold(page) for page in gold],
        [by_text(page) for page in progress(voted, len(voted), "text of the pages with votes")],
        PARTS,
    )


def _voted_pages(
    folders: Iterable[Path], options: argparse.Namespace, gold_keys: frozenset[str]
) -> list[GoldPage]:
    """Return the pages of the sets that trained by votes, as the training command chose them."""
    return [
        page
        for folder in folders
        for page in pages_without(folder, options)
        if not has_page(gold_keys, page)
    ]


def _known_folders(
    records: Mapping[str, Mapping[str, Any]], options: argparse.Namespace
) -> dict[str, Path]:
    """Return the folders of the sets in the record, after a check of their digests."""
    folders = {folder.name: folder for folder in open_all(options.datasets, options.cache)}
    for name, record in records.items():
        if name not in folders:
            raise DatasetError(
                f"the model was trained on {', '.join(records)}: also give the set {name}"
            )
        if dataset_digest(folders[name]) != record["digest_sha256"]:
            raise DatasetError(
                f"{folders[name]} is not the set {name!r} that the model was trained on (SHA-256 "
                "differs); give the original set"
            )
    for name in folders.keys() - records.keys():
        raise DatasetError(
            f"the model was not trained on {name}; to compare its test pages, give it as "
            "--overlap-with"
        )
    return folders


def _check_counts(
    records: Mapping[str, Mapping[str, Any]], pages: Sequence[GoldPage], counted: tuple[str, ...]
) -> None:
    """Raise ``DatasetError`` if the current split lets fewer pages train than have trained."""
    learnable = Counter(page.dataset for page in pages)
    for name, record in records.items():
        learned = sum(int(record[part]) for part in counted)
        if learnable[name] < learned:
            raise DatasetError(
                f"{learned} pages of {name} were trained on, but the split of this version lets "
                f"{learnable[name]} train; compute this with the version that trained the model"
            )
