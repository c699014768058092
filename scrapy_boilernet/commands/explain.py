"""Show a page's blocks with their labels and the main reasons for each."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.bulk.inputs import STANDARD_INPUT
from scrapy_boilernet.commands import arguments
from scrapy_boilernet.commands.extras import explained
from scrapy_boilernet.commands.output import (
    check_outputs,
    complain,
    complain_if_cut,
    complain_if_no_address,
    complain_of,
    local,
    opened,
)
from scrapy_boilernet.commands.sources import UNREADABLE, page_job, sources_of
from scrapy_boilernet.extractor.explain.explanation import Explanation, explain
from scrapy_boilernet.extractor.explain.text import Look, text_lines
from scrapy_boilernet.extractor.labelers.registry import ModelError, load_labeler
from scrapy_boilernet.extractor.options import BOILERPLATE, CONTENT
from scrapy_boilernet.workers.page_worker import CachedBlockifier, read_page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument(
        "source", nargs="?", default=STANDARD_INPUT, metavar="FILE|URL",
        help="a page; - or nothing for standard input",
    )  # fmt: skip
    parser.add_argument(
        "--html", type=local, metavar="OUT.html", help="also write the explanation as an HTML page"
    )
    parser.add_argument(
        "--top", type=int, default=3, metavar="N", help="most reasons per block (default: 3)"
    )
    parser.add_argument(
        "--only", choices=(CONTENT, BOILERPLATE), help="show only blocks with this label"
    )
    parser.add_argument(
        "--grep", default="", metavar="TEXT", help="show only blocks that contain this text"
    )
    arguments.add_arguments(parser, "explain")


def run(options: argparse.Namespace, settings: BaseSettings | None = None) -> int:
    """Explain a page, with the project's settings for options that are not given.

    Returns 1 if the page cannot be read, is not HTML, or is skipped because of a limit; else 0.
    """
    _check(options)
    config = arguments.config_of(options, settings)
    (source,) = sources_of([options.source], options.url)
    check_outputs([options.html], [options.source])
    with explained(ModelError):
        labeler = load_labeler(config.model, config.engine)
    try:
        job = page_job(source, options, config)
    except UNREADABLE as error:
        complain(f"cannot read {source.shown_name}: {error}")
        return 1
    try:
        page, _ = read_page(job, labeler.units, CachedBlockifier(0, config.sites))
    except ValueError as error:
        complain_of(source.shown_name, error, "explain")
        return 1
    complain_if_cut(source.shown_name, page, job.limits)
    complain_if_no_address([source], options.url, config)
    with explained(ModelError, ValueError):
        explanation = explain(page, labeler, job.options, config.sites)
    if options.html:
        from scrapy_boilernet.extractor.explain.html import html_page  # loads the template engine

        with opened(options.html) as file:
            file.write(html_page(explanation, options.top, source.shown_name))
    with opened(None) as out:
        _show(explanation, options, source.shown_name, out)
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.top < 0:
        raise UsageError(f"--top {options.top}: give 0 or more reasons", print_help=False)
    if options.source != STANDARD_INPUT and Path(options.source).is_dir():
        raise UsageError(
            f"{options.source} is a folder, and only one page can be explained; name a file in it",
            print_help=False,
        )


def _show(explanation: Explanation, options: argparse.Namespace, name: str, out: TextIO) -> None:
    places = explanation.places(options.only, options.grep)
    lines = text_lines(explanation, places, options.top, Look.of(out), name)
    out.writelines(f"{line}\n" for line in lines)
    out.flush()
    if options.grep and not places:
        complain(
            f"no block of {name} contains {options.grep!r}: look for fewer words, since a block is "
            "one paragraph or cell; if there is none of them, a script may load the text"
        )
