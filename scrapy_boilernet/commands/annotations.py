"""Make training data, or rules of sites, from labels that people gave in the browser extension."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.commands.output import (
    check_outputs,
    complain,
    for_terminal,
    local,
    opened,
)

OPTIONAL_KINDS = ("title", "caption", "comment")
"""The kinds of blocks that are only content if ``--with`` names them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    add_sidecar_arguments(parser)
    parser.add_argument(
        "--out", type=local, metavar="FOLDER|FILE",
        help="data set to write, for train; with --rules: file to write (default: standard output)",
    )  # fmt: skip
    parser.add_argument(
        "--rules", action="store_true",
        help="write rules of sites, for BOILERNET_SITES: selectors that keep and drop the same",
    )  # fmt: skip


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
    """Write the set or the rules; return the exit status."""
    check_outputs([options.out], options.sidecars)
    if options.out is None and not options.rules:
        raise UsageError(
            "name the data set to write by --out, such as --out pages", print_help=False
        )
    with needs_extra("reading annotations", "train"):
        from scrapy_boilernet.lab.annotations.gold import write_gold
        from scrapy_boilernet.lab.annotations.sidecar import AnnotationError
        from scrapy_boilernet.lab.annotations.site_rules import derived_rules
    with explained(AnnotationError, OSError):
        if options.rules:
            text = derived_rules(options.sidecars, content_kinds(options), complain)
            with opened(options.out) as out:
                out.write(for_terminal(text, out))
        else:
            for line in write_gold(options.sidecars, options.out, content_kinds(options)):
                sys.stdout.write(f"{line}\n")
    return 0
