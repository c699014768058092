"""Let installed extractors vote on pages without gold, as labels to train on."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument(
        "datasets", nargs="+", type=Path, metavar="DATASET", help="folder with html/, or .tar.xz"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of votes to write")
    parser.add_argument(
        "--cache", type=Path, default=Path(".boilernet-cache"), help="unpacked sets"
    )


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Vote; return the exit status."""
    try:
        from scrapy_boilernet.evaluation.datasets import DatasetError
        from scrapy_boilernet.evaluation.vote_run import run_votes
    except ImportError as error:
        raise UsageError(
            f"voting needs {error.name}: pip install 'scrapy-boilernet[train,peers]'",
            print_help=False,
        ) from error
    try:
        for line in run_votes(options.datasets, options.cache, options.out):
            sys.stderr.write(f"{line}\n")
    except DatasetError as error:
        raise UsageError(str(error), print_help=False) from error
    return 0
