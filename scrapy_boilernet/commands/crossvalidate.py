"""Train models that each hold out some pages, to measure and calibrate on these pages."""

from __future__ import annotations

import argparse

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.commands.output import check_folder, check_outputs, local
from scrapy_boilernet.commands.train import add_learning_arguments, positive, training_module
from scrapy_boilernet.extractor.labelers.registry import ModelError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    add_learning_arguments(parser)
    parser.add_argument(
        "--out", type=local, required=True,
        help="folder of models to write, for evaluate --model; existing models are not trained "
        "again",
    )  # fmt: skip
    parser.add_argument(
        "--folds", type=positive, default=5, help="number of grouped folds (default: 5)"
    )
    parser.add_argument(
        "--leave-out", action="append", default=[], metavar="SET[,SET]",
        help="instead of folds, train a model without the pages of these sets; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--with-test-sets", action="store_true",
        help="also train on sets that never train a shipped model, to measure their effect",
    )  # fmt: skip
    parser.add_argument(
        "--with-test-parts", action="store_true",
        help="also train on the sets' test parts, as in a paper's own experiment",
    )  # fmt: skip
    parser.add_argument(
        "--only", type=int, action="append", metavar="NUMBER",
        help="train only this model, counted from 0, so that several processes share the work; "
        "repeatable; at the end, run the command without it, to calibrate all",
    )  # fmt: skip


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Train; return the exit status."""
    check_outputs([options.out], [*options.datasets, *options.voted])
    check_folder(options.out)
    with needs_extra("training", "train"):
        from scrapy_boilernet.lab.evaluation.datasets import DatasetError
        from scrapy_boilernet.lab.training.recipes import read_recipe
    with explained(DatasetError, ModelError):
        recipe = read_recipe(options.recipe)
        if recipe.labeler == "boilernet":
            training_module("train").run_crossvalidation(options, recipe)
        elif recipe.labeler == "boilernet-paper":
            raise UsageError(
                "the paper's recipe uses the set's own split: run scrapy boilernet train instead",
                print_help=False,
            )
        else:
            with needs_extra(f"training the labeler {recipe.labeler}", "train", "classical"):
                training_module("classical").run_classical_crossvalidation(options, recipe)
    return 0
