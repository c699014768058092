"""Extract main text from files, folders, URLs or standard input."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from typing import TextIO

import attrs
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.bulk.inputs import STANDARD_INPUT
from scrapy_boilernet.bulk.output import FORMATS as ROW_FORMATS
from scrapy_boilernet.commands import bulk, deferred
from scrapy_boilernet.commands.extras import explained
from scrapy_boilernet.commands.output import (
    PAGE_FORMATS,
    check_outputs,
    complain,
    complain_if_cut,
    complain_of,
    for_terminal,
    local,
    opened,
    written,
)
from scrapy_boilernet.commands.sources import (
    UNREADABLE,
    Source,
    add_label_arguments,
    add_page_arguments,
    check_threshold,
    given_label_options,
    page_job,
    sources_of,
)
from scrapy_boilernet.config import Config, ConfigError, SettingsLike
from scrapy_boilernet.labelers.registry import ModelError
from scrapy_boilernet.options import ENGINES, FORMATS, MARKUP_FORMATS, Format, formats_of
from scrapy_boilernet.progress import progress
from scrapy_boilernet.workers.engines import worker_of
from scrapy_boilernet.workers.page_worker import PageWorker

_CONFIG_OPTIONS = ("model", "engine", "detect_language")
"""Options that each override a setting; ``explain`` does not have all of them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument(
        "sources", nargs="*", default=[STANDARD_INPUT], metavar="FILE|DIR|URL",
        help="pages, or stored crawls (see below); a folder is searched for .html, .htm and "
        ".xhtml, also with .gz, .zst, .bz2 or .xz; - or nothing for standard input",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=(*PAGE_FORMATS, "parquet"),
        help="(default: text, or for stored crawls the format of the output's ending)",
    )  # fmt: skip
    parser.add_argument(
        "--with", dest="formats", metavar="FORMATS",
        help=f"jsonl: also write these, separated by commas: {', '.join(FORMATS)}",
    )  # fmt: skip
    parser.add_argument(
        "--detect-language", action="store_const", const=True,
        help="metadata: detect the language of the text (default: BOILERNET_DETECT_LANGUAGE)",
    )  # fmt: skip
    parser.add_argument(
        "--blocks", action="store_true", help="jsonl: also write every block with its label"
    )
    parser.add_argument(
        "-o", "--output", type=local, help="file to write (default: standard output)"
    )
    parser.add_argument("--model", help="name or folder of a model (default: BOILERNET_MODEL)")
    add_label_arguments(parser)
    parser.add_argument(
        "--no-fallback", dest="fallback", action="store_const", const=(),
        help="write no text if the model keeps no block of a page (default: BOILERNET_FALLBACK)",
    )  # fmt: skip
    parser.add_argument("--engine", choices=ENGINES, help="(default: BOILERNET_ENGINE)")
    add_page_arguments(parser)
    deferred.add_arguments(parser)
    bulk.add_arguments(parser)


def run(options: argparse.Namespace, settings: BaseSettings | None = None) -> int:
    """Extract text, with the project's settings for options that are not given.

    Returns 1 if a source has no result, because it is unreadable, not HTML or over a limit, or if
    there is no stored page to label; else 0. For stored crawls see :func:`bulk.run`.
    """
    check_threshold(options)
    in_bulk = bulk.is_stored_crawl(options)
    options.format = bulk.format_name(options) if in_bulk else _format_of(options)
    formats = _formats(options)
    with explained(ConfigError):
        config = config_of(options, settings or {})
    if in_bulk:
        return bulk.run(options, config, formats)
    return _extract(options, config, formats)


def _format_of(options: argparse.Namespace) -> str:
    """Return the given format of pages, or the one that the other options need."""
    if options.format:
        return str(options.format)
    has_rows = options.formats or options.blocks or str(options.output).endswith(".jsonl")
    return "jsonl" if has_rows else "text"


def _extract(options: argparse.Namespace, config: Config, formats: tuple[Format, ...]) -> int:
    """Label pages or deferred pages in this process; return the exit status."""
    stored = deferred.Stored.of(options)
    lacking = stored.lacking(config) if stored else ""
    if lacking:
        complain(lacking)
        return 1
    sources = [] if stored else sources_of(options.sources, options.url)
    inputs = [options.items, options.deferred] if stored else options.sources
    check_outputs([options.output], inputs)
    with (
        explained(ModelError, ConfigError),
        closing(worker_of(config)) as worker,
        opened(options.output) as out,
    ):
        if stored:
            failures = stored.extract(options, config, worker, out, formats)
        else:
            failures = _extract_all(sources, options, config, worker, out, formats)
    return 1 if failures else 0


def _formats(options: argparse.Namespace) -> tuple[Format, ...]:
    """Return the formats to make besides text; raises ``UsageError`` for wrong options."""
    if options.blocks and options.format not in ROW_FORMATS and options.deferred is None:
        raise UsageError(
            f"--blocks needs --format jsonl, not {options.format}: add --format jsonl",
            print_help=False,
        )
    if not options.formats:
        return formats_of(name for name in MARKUP_FORMATS if name == options.format)
    if options.format not in ROW_FORMATS and options.deferred is None:
        raise UsageError(
            f"--with needs --format jsonl, not {options.format}: add --format jsonl",
            print_help=False,
        )
    if options.items:
        raise UsageError("--with has no effect on --items: leave one of them out", print_help=False)
    try:
        return formats_of(options.formats.split(","))
    except ValueError as error:
        raise UsageError(f"--with {options.formats}: {error}", print_help=False) from error


def config_of(options: argparse.Namespace, settings: SettingsLike) -> Config:
    """Return the project's config; given options override its settings."""
    given = given_label_options(options)
    given |= {n: vars(options)[n] for n in _CONFIG_OPTIONS if vars(options).get(n) is not None}
    if "threshold" in given:  # the option overrides the thresholds of domains
        given["domain_thresholds"] = {}
    return attrs.evolve(Config.from_settings(settings), **given).checked()


def _extract_all(
    sources: Sequence[Source],
    options: argparse.Namespace,
    config: Config,
    worker: PageWorker,
    out: TextIO,
    formats: tuple[Format, ...],
) -> int:
    """Write one result per source; return the number that could not be read or labeled."""
    failures, number = 0, len(sources)
    for source in progress(sources, number, "extract") if number > 1 else sources:
        try:
            job = page_job(source, options, config, rows=options.blocks, formats=formats)
        except UNREADABLE as error:
            complain(f"cannot read {source.shown_name}: {error}")
            failures += 1
            continue
        (outcome,) = worker.label([job])
        if isinstance(outcome, ModelError):
            raise outcome
        if isinstance(outcome, Exception):
            complain_of(source.shown_name, outcome)
            failures += 1
            continue
        result = outcome.result
        complain_if_cut(source.shown_name, result.page, job.limits)
        if result.source != "model":  # no text, or a step of the fallback found it
            found_by = f"main text found by: {result.source}"
            nothing = result.source == "nothing"
            complain(f"{source.shown_name}: {'no main text found' if nothing else found_by}")
        text = written(source, result, options, worker.labeler, number)
        out.write(for_terminal(text, out))
    return failures
