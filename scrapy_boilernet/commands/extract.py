"""Write the main text of pages: files, folders, URLs or standard input."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TextIO

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.bulk.records import formats_with_chunks
from scrapy_boilernet.commands import arguments
from scrapy_boilernet.commands.arguments import (
    check_detect_language,
    config_of,
    given_chunk_tokens,
    given_formats,
)
from scrapy_boilernet.commands.extras import explained
from scrapy_boilernet.commands.output import (
    check_outputs,
    complain,
    complain_if_cut,
    complain_if_no_address,
    complain_of,
    for_terminal,
    opened,
    written,
)
from scrapy_boilernet.commands.programs import check_program
from scrapy_boilernet.commands.sources import UNREADABLE, Source, page_job, sources_of
from scrapy_boilernet.extractor.labelers.registry import ModelError
from scrapy_boilernet.extractor.options import MARKUP_FORMATS, Format, formats_of
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.modes import worker_of
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.progress import progress

add_arguments = partial(arguments.add_arguments, action="extract")


def run(options: argparse.Namespace, settings: BaseSettings | None = None) -> int:
    """Extract text, with the project's settings for options that are not given.

    Returns 1 if a source has no result, because it is unreadable, not HTML or over a limit; else 0.
    """
    check_program("extract", options)
    options.format = _format_of(options)
    formats = _formats(options)
    config = config_of(options, settings)
    sources = sources_of(options.sources, options.url)
    check_outputs([options.output], options.sources)
    with explained(ModelError):
        worker = worker_of(config)
    complain_if_no_address(sources, options.url, config)
    with opened(options.output) as out:
        failures = _extract_all(sources, options, config, worker, out, formats)
    return 1 if failures else 0


def _format_of(options: argparse.Namespace) -> str:
    """Return the given format, or the one that the other options need."""
    if options.format:
        return str(options.format)
    has_rows = str(options.output).endswith((".jsonl", ".jsonl.gz"))
    needs_rows = options.formats or options.blocks or options.chunks is not None
    return "jsonl" if has_rows or needs_rows else "text"


def _formats(options: argparse.Namespace) -> tuple[Format, ...]:
    """Return the formats to make besides text; raises ``UsageError`` for wrong options."""
    chunk_tokens = given_chunk_tokens(options)
    for flag, given in (
        ("--blocks", options.blocks),
        ("--with", options.formats),
        ("--chunks", chunk_tokens),
    ):
        if given and options.format != "jsonl":
            raise UsageError(
                f"{flag} needs --format jsonl, not {options.format}: add --format jsonl",
                print_help=False,
            )
    formats = given_formats(options) or formats_of(MARKUP_FORMATS & {options.format})
    check_detect_language(options, formats)
    return formats_with_chunks(formats, chunk_tokens)


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
            raise UsageError(str(outcome), print_help=False) from outcome
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
        text = written(source, result, options, worker, number)
        out.write(for_terminal(text, out))
    return failures
