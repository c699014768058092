"""Show a page's blocks with their labels and what weighed most in them."""

from __future__ import annotations

import argparse
import sys
from http.client import HTTPException
from pathlib import Path
from typing import TextIO

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.choices import ENGINES, FAVORS, LabelOptions
from scrapy_boilernet.commands.extract import (
    STANDARD_INPUT,
    config_of,
    read_source,
    sources_of,
)
from scrapy_boilernet.commands.extras import explained
from scrapy_boilernet.commands.output import complain, opened
from scrapy_boilernet.config import Config, ConfigError
from scrapy_boilernet.explained_html import html_page
from scrapy_boilernet.explained_text import Look, text_lines
from scrapy_boilernet.explaining import Explanation, explain
from scrapy_boilernet.labeled import BOILERPLATE, CONTENT
from scrapy_boilernet.labelers import ModelError, load_labeler


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument(
        "source", nargs="?", default=STANDARD_INPUT, metavar="FILE|URL",
        help="a page; - or none: standard input",
    )  # fmt: skip
    parser.add_argument(
        "--html", type=Path, metavar="OUT.html", help="also write a page to look at"
    )
    parser.add_argument(
        "--top", type=int, default=3, metavar="N", help="reasons per block at most (default: 3)"
    )
    parser.add_argument("--only", choices=(CONTENT, BOILERPLATE), help="show only these blocks")
    parser.add_argument(
        "--grep", default="", metavar="TEXT", help="show only blocks that hold the text"
    )
    parser.add_argument("--model", help="name or folder of a model (default: BOILERNET_MODEL)")
    parser.add_argument("--threshold", type=float, help="in [0, 1] (default: by BOILERNET_*)")
    parser.add_argument("--favor", choices=FAVORS, help="(default: BOILERNET_FAVOR)")
    parser.add_argument("--engine", choices=ENGINES, help="(default: BOILERNET_ENGINE)")
    parser.add_argument("--encoding", help="encoding that ranks above what the page declares")
    as_settings_say = dict.fromkeys(("device", "fallback", "title", "comments", "hidden"))
    parser.set_defaults(**as_settings_say)


def run(options: argparse.Namespace, settings: BaseSettings | None = None) -> int:
    """Explain, with a project's settings where an option is not given.

    Returns 1 if the page could not be read, else 0.
    """
    if options.threshold is not None and not 0 <= options.threshold <= 1:
        raise UsageError(f"--threshold {options.threshold} is outside [0, 1]", print_help=False)
    if options.top < 0:
        raise UsageError(f"--top {options.top}: give 0 or more reasons", print_help=False)
    if options.source != STANDARD_INPUT and Path(options.source).is_dir():
        raise UsageError(
            f"{options.source} is a folder, and one page is explained at a time; name a file in it",
            print_help=False,
        )
    with explained(ConfigError):
        config = config_of(options, settings or {})
    (source,) = sources_of([options.source])
    try:
        html, url, encoding = read_source(source)
    except (OSError, HTTPException, ValueError) as error:
        complain(f"cannot read {source.name}: {error}")
        return 1
    with explained(ModelError, ValueError):
        found = _explain(html, url, options.encoding or encoding, config)
    name = "standard input" if source.name == STANDARD_INPUT else source.name
    if options.html:
        with opened(options.html) as file:
            file.write(html_page(found, options.top, name))
    try:
        with opened(None) as out:
            _show(found, options, name, out)
    except BrokenPipeError:  # such as "| head"
        sys.stdout = None  # nothing is left to flush at exit
    return 0


def _explain(html: bytes, url: str | None, encoding: str | None, config: Config) -> Explanation:
    labeler = load_labeler(config.model, config.engine, config.device)
    page = blockify(html, url=url, encoding=encoding, units=labeler.units)
    chosen = LabelOptions(
        config.threshold_for(url),
        config.favor,
        config.fallback,
        config.title,
        config.comments,
        config.hidden,
    )
    return explain(page, labeler, chosen)


def _show(found: Explanation, options: argparse.Namespace, name: str, out: TextIO) -> None:
    places = found.places(options.only, options.grep)
    lines = text_lines(found, places, options.top, Look.of(out), name)
    out.writelines(f"{line}\n" for line in lines)
    out.flush()
