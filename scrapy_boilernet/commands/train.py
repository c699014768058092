"""Train a model on data sets with gold labels and write it to a folder."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.cache import add_cache_argument
from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.commands.output import check_folder, check_outputs, local
from scrapy_boilernet.extractor.labelers.registry import ModelError
from scrapy_boilernet.extractor.labelers.spec import check_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    add_learning_arguments(parser)
    parser.add_argument("--out", type=local, required=True, help="model folder to write")
    parser.add_argument("--name", help="the model's name (default: the folder's)")
    _add_teaching_arguments(parser)
    parser.add_argument(
        "--calibrate-on", type=Path, action="append", default=[], metavar="FOLDER",
        help="recipe default: calibrate on the pages that these cross-validated models held out, "
        "not on the validation pages; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--overlap-with", action="append", default=[], metavar="DATASET",
        help="test set: the card counts its pages that are close to training pages, as for the "
        "test parts of the training sets; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--seeds", type=positive, default=1,
        help="recipe paper: number of runs, each with another seed (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--unknown-overwrites", action="store_true",
        help="recipe paper: reproduce this error of the paper's code",
    )  # fmt: skip
    parser.add_argument(
        "--unmasked-padding", action="store_true",
        help="recipe paper: reproduce this error of the paper's code",
    )  # fmt: skip


def _add_teaching_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from", dest="start", metavar="MODEL",
        help="fine-tune this model, such as default, on six or more pages of your own, instead of "
        "training a new one; it is only written if it is better on held-out pages",
    )  # fmt: skip
    parser.add_argument(
        "--beside", action="append", default=[], metavar="DATASET",
        help="with --from: also train on pages of this set with gold, so that the model gets less "
        "worse on other sites; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--accept-unproven", action="store_true",
        help="with --from: write the model even if no gain is shown",
    )  # fmt: skip


def add_learning_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the actions that train."""
    parser.add_argument("datasets", nargs="+", metavar="DATASET", help="folder or .tar.xz")
    parser.add_argument(
        "--voted", action="append", default=[], metavar="DATASET",
        help="set without gold that trains by votes; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--votes", type=Path, metavar="FOLDER", help="folder that the action vote wrote"
    )
    parser.add_argument(
        "--recipe", default="default", metavar="NAME",
        help="default, paper, crf, svm, gbdt or another recipe of the package; FILE.toml:NAME for "
        "a recipe of your own (default: default)",
    )  # fmt: skip
    parser.add_argument("--split", metavar="NAME", help="only pages with this split in pages.jsonl")
    parser.add_argument(
        "--without", action="append", default=[], metavar="SET:SRC",
        help="leave out the pages of the set SET whose src in pages.jsonl begins with SRC; "
        "repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--without-licence", action="append", default=[], metavar="LICENCE",
        help="leave out the pages of any set whose src in pages.jsonl ends in (LICENCE), such as "
        "GPL-3.0; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--sample", type=positive, help="at most so many pages per set, by a fixed draw"
    )
    parser.add_argument("--seed", type=int, default=0, help="first random seed (default: 0)")
    parser.add_argument(
        "--epochs", type=positive,
        help="most epochs of BoilerNet's recipes (default: 9, or 50 for the recipe paper)",
    )  # fmt: skip
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE",
        help="change a value of the recipe, such as hidden=64; repeatable",
    )  # fmt: skip
    add_cache_argument(parser)


def positive(text: str) -> int:
    """Return a whole number of at least 1, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Train; return the exit status."""
    check_outputs([options.out], [*options.datasets, *options.voted])
    check_folder(options.out)
    _check_name(options)
    with needs_extra("training", "train"):
        from scrapy_boilernet.lab.evaluation.datasets import DatasetError
        from scrapy_boilernet.lab.training.recipes import read_recipe
    with explained(DatasetError, ModelError):
        if options.start:
            return int(training_module("teach").run_teaching(options))
        if options.beside or options.accept_unproven:
            raise DatasetError(
                "--beside and --accept-unproven need --from, which names the model to fine-tune"
            )
        recipe = read_recipe(options.recipe)
        if recipe.labeler == "boilernet":
            training_module("train").run_default(options, recipe)
        elif recipe.labeler == "boilernet-paper":
            training_module("paper").run_paper(options, recipe)
        else:
            with needs_extra(f"training the labeler {recipe.labeler}", "train", "classical"):
                training_module("classical").run_classical(options, recipe)
    return 0


def _check_name(options: argparse.Namespace) -> None:
    """Raise ``UsageError`` for a name that no model can have."""
    try:
        check_name(options.name or options.out.name)
    except ValueError as error:
        raise UsageError(f"{error}; give another --name", print_help=False) from error


def training_module(module: str) -> Any:
    """Import and return a module of ``training``; only some of them need torch."""
    with needs_extra("training", "train"):
        return import_module(f"scrapy_boilernet.lab.training.{module}")
