"""Write a model's card again, and count test pages that are close to training pages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.cache import add_cache_argument
from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.extractor.labelers.registry import ModelError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument("model", type=Path, metavar="FOLDER", help="model folder")
    parser.add_argument(
        "datasets", nargs="*", metavar="DATASET",
        help="all sets that the model was trained on, by gold and by votes: origins of pages and "
        "close test pages are counted again for the record in model.json; without sets, the card "
        "is written from the existing record",
    )  # fmt: skip
    parser.add_argument(
        "--overlap-with", action="append", default=[], metavar="DATASET",
        help="another test set to compare, as with the action train; repeatable",
    )  # fmt: skip
    add_cache_argument(parser)


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Write the card; return the exit status."""
    with needs_extra("a card", "train"):
        from scrapy_boilernet.lab.evaluation.datasets import DatasetError
        from scrapy_boilernet.lab.evaluation.floors import FloorsError
        from scrapy_boilernet.lab.training.card_files import run_card
    with explained(DatasetError, FloorsError, ModelError, OSError):
        if options.overlap_with and not options.datasets:
            raise DatasetError("--overlap-with also needs the sets that the model was trained on")
        run_card(options)
    sys.stdout.write(f"wrote {options.model / 'README.md'}\n")
    return 0
