"""Make training data from labels that people gave in the browser extension."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.commands.output import check_outputs, local

OPTIONAL_KINDS = ("title", "caption", "comment")
"""The kinds of blocks that are only content if ``--with`` names them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    add_sidecar_arguments(parser)
    parser.add_argument(
        "--out", type=local, required=True, metavar="FOLDER", help="data set to write, for train"
    )


def add_sidecar_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the annotations to read, and the kinds of their blocks that are content."""
    parser.add_argument(
        "sidecars", nargs="+", type=Path, metavar="ANNOTATIONS",
        help="the extension's annotations.zip, or folders with its files",
    )  # fmt: skip
    parser.add_argument(
        "--with", dest="kinds", action="append", choices=OPTIONAL_KINDS, default=[],
        help="also take blocks of this kind as content; repeatable",
    )  # fmt: skip


def content_kinds(options: argparse.Namespace) -> frozenset[str]:
    """Return the kinds of blocks that are content."""
    return frozenset({"main", *options.kinds})


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Write the set; return the exit status."""
    check_outputs([options.out], options.sidecars)
    with needs_extra("reading annotations"):
        from scrapy_boilernet.lab.annotations.gold import write_gold
        from scrapy_boilernet.lab.annotations.sidecar import AnnotationError
    with explained(AnnotationError, OSError):
        for line in write_gold(options.sidecars, options.out, content_kinds(options)):
            sys.stdout.write(f"{line}\n")
    return 0
