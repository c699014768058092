"""Label pages without gold by votes of installed extractors, for training."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.cache import add_cache_argument
from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.commands.output import check_folder, check_outputs, local


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument(
        "datasets", nargs="+", type=Path, metavar="DATASET", help="folder with html/, or .tar.xz"
    )
    parser.add_argument("--out", type=local, required=True, help="folder of votes to write")
    add_cache_argument(parser)


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Vote; return the exit status."""
    check_outputs([options.out], options.datasets)
    check_folder(options.out)
    with needs_extra("voting", "train", "voters"):
        from scrapy_boilernet.lab.evaluation.datasets import DatasetError
        from scrapy_boilernet.lab.evaluation.votes import run_votes
    with explained(DatasetError):
        for line in run_votes(options.datasets, options.cache, options.out):
            sys.stderr.write(f"{line}\n")
    return 0
