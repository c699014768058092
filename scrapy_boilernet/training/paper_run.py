"""The paper's experiment as ``scrapy boilernet train --recipe paper`` runs it."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch

from scrapy_boilernet.evaluation.datasets import DatasetError, open_dataset
from scrapy_boilernet.evaluation.leaves import read_leaf_split
from scrapy_boilernet.evaluation.provenance import versions
from scrapy_boilernet.labelers.model_folder import save_model
from scrapy_boilernet.progress import say
from scrapy_boilernet.training.paper import PaperOptions, train_paper
from scrapy_boilernet.training.recipes import Recipe


def run_paper(options: argparse.Namespace, recipe: Recipe) -> None:
    """Run the paper's experiment, once per seed; write the first seed's model and all scores."""
    if len(options.datasets) != 1:
        raise DatasetError("the paper's recipe takes one data set with labeled leaves")
    unread = _unread(options, recipe)
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
            unread=unread,
        )
        start = time.monotonic()
        result = train_paper(split, settings, partial(say, prefix=f"seed {seed}, "))
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
    pages = {part: len(getattr(split, part)) for part in ("train", "dev", "test")}
    document = {"dataset": folder.name, "pages": pages, "versions": versions(), "runs": rows}
    (options.out / "results.json").write_text(json.dumps(document, indent=1) + "\n")
    for name in ("content", "boilerplate"):
        say(f"test {name} F1: {over_seeds([row[name]['f1'] for row in rows])}")


def over_seeds(values: Sequence[float]) -> str:
    """Return the mean, and with several seeds the standard deviation of the sample."""
    if len(values) == 1:
        return f"{values[0]:.3f}, one seed"
    deviation = np.std(values, ddof=1)
    return f"{np.mean(values):.3f} +- {deviation:.3f} over {len(values)} seeds"


def _unread(options: argparse.Namespace, recipe: Recipe) -> str:
    """What the recipe leaves out, "" for nothing; refuses what this recipe does not take."""
    for name in ("option", "split", "sample", "without", "voted", "calibrate_on", "overlap_with"):
        if getattr(options, name, None):
            raise DatasetError(
                f"--{name.replace('_', '-')} is not for the paper's recipe; leave it out"
            )
    unknown = sorted(recipe.options.keys() - {"unread"})
    unread = str(recipe.options.get("unread", ""))
    if unknown or unread not in ("", "words", "tags"):
        raise DatasetError(
            f"recipe {recipe.name!r}: {', '.join(unknown) or f'unread = {unread!r}'}; the paper's "
            'recipe takes unread = "words" or "tags", and nothing else'
        )
    return unread
