"""Spread the labels of a few blocks over all pages of a site, to make training data."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.commands.output import check_folder, check_outputs, local


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument(
        "pages", nargs="+", type=Path, metavar="PAGES",
        help="HTML files of one site; a folder is searched for .html, .htm and .xhtml, also with "
        ".gz, .zst, .bz2 or .xz",
    )  # fmt: skip
    parser.add_argument(
        "--labels", type=Path, required=True, metavar="LABELS",
        help='JSON lines: {"page": FILE, "xpath": XPATH, "label": "content" or "boilerplate"}, or '
        '{"text": TEXT, "label": ...} for all blocks with this text on any page',
    )  # fmt: skip
    parser.add_argument(
        "--out", type=local, required=True, metavar="FOLDER", help="data set to write, for train"
    )
    parser.add_argument(
        "--no-rules", dest="rules", action="store_false",
        help="spread only the given labels, without labels by rules",
    )  # fmt: skip


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Adapt; return the exit status."""
    check_outputs([options.out], [*options.pages, options.labels])
    check_folder(options.out)
    with needs_extra("adapting", "classical"):
        from scrapy_boilernet.lab.training.adapt import adapt
        from scrapy_boilernet.lab.training.given_labels import AdaptError
    with explained(AdaptError, OSError):
        for line in adapt(options.pages, options.labels, options.out, options.rules):
            sys.stdout.write(f"{line}\n")
    return 0
