"""Train a model on data sets with gold labels and write it to a folder."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

RECIPES = ("default", "paper")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument("datasets", nargs="+", metavar="DATASET", help="folder or .tar.xz")
    parser.add_argument("--recipe", choices=RECIPES, default="default")
    parser.add_argument("--out", type=Path, required=True, help="model folder to write")
    parser.add_argument("--name", help="the model's name (default: the folder's)")
    parser.add_argument("--seed", type=int, default=0, help="first random seed (default: 0)")
    parser.add_argument("--seeds", type=_positive, default=1, help="paper: runs, one seed each")
    parser.add_argument("--epochs", type=_positive, help="default: 50 (paper), 12 (default)")
    parser.add_argument(
        "--cache", type=Path, default=Path(".boilernet-cache"), help="unpacked sets and arrays"
    )
    parser.add_argument(
        "--unknown-overwrites", action="store_true", help="paper: copy this fault of its code"
    )
    parser.add_argument(
        "--unmasked-padding", action="store_true", help="paper: copy this fault of its code"
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Train; return the exit status."""
    try:
        from scrapy_boilernet.training import runs
        from scrapy_boilernet.training.datasets import DatasetError
    except ImportError as error:
        raise UsageError(
            f"training needs {error.name}: pip install 'scrapy-boilernet[train]'", print_help=False
        ) from error
    try:
        if options.recipe == "paper":
            runs.run_paper(options)
        else:
            runs.run_default(options)
    except DatasetError as error:
        raise UsageError(str(error), print_help=False) from error
    return 0
