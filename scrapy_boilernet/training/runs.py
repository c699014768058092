"""What ``scrapy boilernet train`` runs: a recipe, from data sets on disk to a model folder."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from scrapy_boilernet.labelers.model_folder import CARD_FILE, save_model
from scrapy_boilernet.progress import progress
from scrapy_boilernet.tokens import tokens
from scrapy_boilernet.training.card import model_card
from scrapy_boilernet.training.datasets import (
    DatasetError,
    GoldPage,
    dataset_digest,
    open_dataset,
    read_pages,
)
from scrapy_boilernet.training.default import DefaultOptions, train_default
from scrapy_boilernet.training.examples import LearningPage, learning_page
from scrapy_boilernet.training.leaves import read_leaf_split
from scrapy_boilernet.training.paper import PaperOptions, train_paper
from scrapy_boilernet.training.splits import assign


def run_paper(options: argparse.Namespace) -> None:
    """Run the paper's experiment, once per seed; write the first seed's model and all scores."""
    if len(options.datasets) != 1:
        raise DatasetError("the paper's recipe takes one data set with labeled leaves")
    torch.set_num_threads(1)
    folder = open_dataset(Path(options.datasets[0]), options.cache)
    split = read_leaf_split(folder)
    rows = []
    for seed in range(options.seed, options.seed + options.seeds):
        settings = PaperOptions(
            seed=seed,
            epochs=options.epochs or PaperOptions.epochs,
            unknown_overwrites=options.unknown_overwrites,
            unmasked_padding=options.unmasked_padding,
        )
        start = time.monotonic()
        result = train_paper(split, settings, partial(_say, prefix=f"seed {seed}, "))
        rows.append(
            {
                **asdict(settings),
                "best_epoch": result.best_epoch,
                "content": asdict(result.content),
                "boilerplate": asdict(result.boilerplate),
                "seconds": round(time.monotonic() - start),
            }
        )
        if seed == options.seed:
            spec = replace(result.spec, name=options.name or options.out.name)
            save_model(options.out, spec, result.tensors)
    document = {
        "dataset": folder.name,
        "pages": {part: len(getattr(split, part)) for part in ("train", "dev", "test")},
        "versions": versions(),
        "runs": rows,
    }
    (options.out / "results.json").write_text(json.dumps(document, indent=1) + "\n")
    for name in ("content", "boilerplate"):
        f1 = [row[name]["f1"] for row in rows]
        _say(f"test {name} F1: {np.mean(f1):.3f} +- {np.std(f1):.3f} over {len(f1)} seeds")


def versions() -> dict[str, Any]:
    """Return the versions that a figure depends on."""
    return {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": np.__version__,
    }


def _say(line: str, prefix: str = "") -> None:
    sys.stderr.write(f"{prefix}{line}\n")
    sys.stderr.flush()


def run_default(options: argparse.Namespace) -> None:
    """Train the default recipe on the training parts of the sets; write the model and its card."""
    torch.set_num_threads(1)
    folders = [open_dataset(Path(path), options.cache) for path in options.datasets]
    pages = [page for folder in folders for page in read_pages(folder)]
    parts = assign(pages)
    kept: dict[str, list[LearningPage]] = {"train": [], "validation": []}
    learning = [(p, part) for p, part in zip(pages, parts, strict=True) if part in kept]
    for page, part in progress(learning, len(learning), "align"):
        found = learning_page(page, len(tokens(page.gold or "")))
        if found is not None:
            kept[part].append(found)
    for name, found_pages in kept.items():
        if not found_pages:
            raise DatasetError(
                f"no page left for {name} in {', '.join(str(f) for f in folders)}: add pages with "
                "html/<id>.html and gold/<id>.txt"
            )
    settings = DefaultOptions(seed=options.seed, epochs=options.epochs or DefaultOptions.epochs)
    spec, tensors = train_default(
        options.name or options.out.name, kept["train"], kept["validation"], settings, _say
    )
    datasets = {folder.name: dataset_record(folder, kept) for folder in folders}
    training = {
        **spec.training,
        "command": command_line("train"),
        "versions": versions(),
        "datasets": datasets,
    }
    spec = replace(spec, training=training)
    save_model(options.out, spec, tensors)
    (options.out / CARD_FILE).write_text(model_card(spec), encoding="utf-8")


def dataset_record(folder: Path, kept: dict[str, list[LearningPage]]) -> dict[str, Any]:
    """Return what a card says of a set: pages used, licence of the gold, digest."""
    meta = folder / "meta.json"
    known = json.loads(meta.read_text(encoding="utf-8")) if meta.is_file() else {}
    return {
        "digest_sha256": dataset_digest(folder),
        "licence": licence_of(folder) or known.get("licence", "not stated"),
        "source": known.get("source", "not stated"),
        **{
            f"{part}_pages": sum(page.source.dataset == folder.name for page in found)
            for part, found in kept.items()
        },
    }


def licence_of(folder: Path) -> str | None:
    """Return the SPDX name of the licence text that lies with the set, if it is a known one."""
    for file in sorted((folder / "extra").glob("LICENSE*")):
        text = " ".join(file.read_text(encoding="utf-8", errors="replace").split())[:2000].lower()
        for heading, name in _LICENCES.items():
            if heading in text:
                return name
    return None


_LICENCES = {
    "gnu affero general public license version 3": "AGPL-3.0",
    "gnu general public license version 3": "GPL-3.0",
    "attribution-sharealike 4.0": "CC-BY-SA-4.0",
    "attribution 4.0": "CC-BY-4.0",
    "apache license": "Apache-2.0",
    "mit license": "MIT",
}


def evaluation_pages(
    paths: Sequence[Path], cache: Path, part: str, sample: int | None
) -> list[GoldPage]:
    """Return the pages to measure on: the test parts, or all pages with gold.

    ``sample``: at most so many per set, drawn with a fixed seed. Raises ``DatasetError`` if a set
    cannot be read or has no page to measure on.
    """
    chosen = []
    for path in paths:
        pages = list(read_pages(open_dataset(path, cache)))
        parts = assign(pages) if part == "test" else ["test"] * len(pages)
        found = [p for p, q in zip(pages, parts, strict=True) if q == "test" and p.gold is not None]
        if not found:
            raise DatasetError(f"{path} has no page in its {part} part with gold text")
        if sample is not None and sample < len(found):
            picks = np.random.default_rng(0).permutation(len(found))[:sample]
            found = [found[i] for i in sorted(picks)]
        chosen += found
    return chosen


def shown_arguments(arguments: Sequence[str]) -> list[str]:
    """Return a command's arguments with paths cut to their last part, for a document."""
    shown = []
    for argument in arguments:
        option, equals, value = argument.rpartition("=")
        shown.append(f"{option}{equals}{Path(value).name}" if "/" in value else argument)
    return shown


def command_line(action: str) -> str:
    """Return the command that runs now, as a document shows it."""
    arguments = sys.argv[sys.argv.index(action) + 1 :] if action in sys.argv else []
    return " ".join(["scrapy boilernet", action, *shown_arguments(arguments)])
