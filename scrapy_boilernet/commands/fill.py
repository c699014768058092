"""Label the pages that a deferred crawl has stored, and fill its items."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeVar

import attrs
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.bulk.records import formats_with_chunks
from scrapy_boilernet.commands import arguments
from scrapy_boilernet.commands.arguments import (
    check_detect_language,
    config_of,
    given_chunk_tokens,
    given_formats,
    given_label_options,
)
from scrapy_boilernet.commands.extras import explained
from scrapy_boilernet.commands.output import (
    check_outputs,
    complain,
    complain_if_cut,
    complain_of,
    for_terminal,
    opened,
    written_rows,
)
from scrapy_boilernet.commands.programs import check_program
from scrapy_boilernet.crawl.items import ItemFiller
from scrapy_boilernet.extractor.labelers.registry import ModelError
from scrapy_boilernet.extractor.labeling import attempt
from scrapy_boilernet.extractor.options import Format, Limits, formats_of
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.files import json_lines
from scrapy_boilernet.workers.jobs import SKIPPED, Labeling, PageJob
from scrapy_boilernet.workers.modes import worker_of
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.progress import progress
from scrapy_boilernet.workers.store import StoredPage, stored_pages

T = TypeVar("T")

PAGE_FIELD = "boilernet_page"
"""The field for a page's key if ``BOILERNET_PAGE_FIELD`` is not set."""


add_arguments = partial(arguments.add_arguments, action="fill")


@dataclass(frozen=True)
class _Given:
    """The pages of a crawl, and its items if they are wanted."""

    pages: Mapping[str, StoredPage]
    items: list[dict[str, Any]] | None
    options: argparse.Namespace
    config: Config
    formats: tuple[Format, ...]
    """What is made of each page besides text."""


def run(options: argparse.Namespace, settings: BaseSettings | None = None) -> int:
    """Label the pages, and fill the items, with the project's settings and the given options.

    Returns 1 if a page fails, or if nothing is labeled or filled; else 0.
    """
    check_program("fill", options)
    given = _read(options, config_of(options, settings))
    if lacking := _lacking(given):
        complain(lacking)
        return 1
    check_outputs([options.output], [options.items, *options.sources])
    with explained(ModelError):
        worker = worker_of(given.config)
    with opened(options.output) as out:
        if given.items is None:
            return 0 if _write_pages(given, worker, out) else 1
        return 0 if _fill(given, given.items, worker, out) else 1


def _read(options: argparse.Namespace, config: Config) -> _Given:
    """Return the pages, the items and how to label them; raises ``UsageError`` if it cannot."""
    chunk_tokens = given_chunk_tokens(options)
    for flag, value in (
        ("--with", options.formats),
        ("--blocks", options.blocks),
        ("--chunks", chunk_tokens),
    ):
        if options.items and value:
            raise UsageError(
                f"{flag} has no effect on --items, whose fields are named in the settings: leave "
                "one of them out",
                print_help=False,
            )
    formats = formats_with_chunks(given_formats(options), chunk_tokens)
    if options.items:
        formats = config.formats
    check_detect_language(options, formats)
    (folder,) = options.sources
    try:
        pages, broken = stored_pages(Path(folder))
        items = _items(options.items) if options.items else None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {error}", print_help=False) from error
    if broken:
        complain(f"{folder}: {broken} broken lines skipped")
    return _Given(pages, items, options, config, formats)


def _lacking(given: _Given) -> str:
    """Return a message if there is nothing to label, else ""."""
    (folder,), file = given.options.sources, given.options.items
    field = _page_field(given.config)
    if not given.pages:
        return (
            f"{folder}: no page is stored here; crawl with BOILERNET_MODE = 'deferred' and "
            "BOILERNET_DEFERRED_FOLDER set to this folder"
        )
    if given.items is None or any(str(item.get(field)) in given.pages for item in given.items):
        return ""
    if not given.items:
        return f"{file}: no items; name the file that the crawl has written"
    if any(item.get(field) for item in given.items):
        return (
            f"{file}: no item has the key of a page of {folder} in its field {field!r} "
            "(BOILERNET_PAGE_FIELD); name the folder and the items of the same crawl"
        )
    return (
        f"{file}: no item has a stored page, since none has the field {field!r} "
        "(BOILERNET_PAGE_FIELD) with the key of its page; declare it in the item class, in a "
        f"dataclass as '{field}: str | None = None', and crawl again"
    )


def _write_pages(given: _Given, worker: PageWorker, out: TextIO) -> bool:
    """Write a line of JSON per page; return what :func:`_fill` returns."""
    failures = labeled = 0
    shown = progress(given.pages.values(), len(given.pages), "fill")
    for chunk in _chunks(shown, given.config.batch_pages):
        for key, outcome in _outcomes(worker, given, chunk).items():
            if isinstance(outcome, Labeling):
                names = {_page_field(given.config): key}
                row = written_rows(names, outcome.result, given.options, worker.model)
                out.write(for_terminal(row, out))
                labeled += 1
            failures += _failed(given.pages[key], outcome)
    return labeled > 0 and not failures


def _fill(given: _Given, items: list[dict[str, Any]], worker: PageWorker, out: TextIO) -> bool:
    """Write every item, filled if its page is stored and can be labeled.

    Returns whether all pages were labeled or skipped, and some items filled.
    """
    _complain_of_missing_fields(given)
    failures = unknown = labeled = 0
    pages, config = given.pages, given.config
    field = _page_field(config)
    counts: Counter[str] = Counter()
    filler = ItemFiller(partial(_count, counts), _say, worker.model, plain_rows=True)
    for chunk in _chunks(progress(items, len(items), "fill"), config.batch_pages):
        keys = dict.fromkeys(str(item.get(field)) for item in chunk)
        outcomes = _outcomes(worker, given, [pages[key] for key in keys if key in pages])
        failures += sum(_failed(pages[key], outcome) for key, outcome in outcomes.items())
        for item in chunk:
            key = str(item.get(field))
            labeling = outcomes.get(key)
            unknown += labeling is None
            if isinstance(labeling, Labeling):
                filled = filler.fill(item, labeling.result, _config_of(pages[key], config))
                failures += filled == "unlabeled"
                labeled += 1
            out.write(for_terminal(json.dumps(item, ensure_ascii=False), out) + "\n")
    if unknown:
        complain(f"{unknown} items not filled: no stored page in {field!r}")
    if counts["fields/kept"]:
        complain(
            f"{counts['fields/kept']} values of the items were kept; set BOILERNET_OVERWRITE to "
            "replace them"
        )
    return labeled > 0 and not failures


def _complain_of_missing_fields(given: _Given) -> None:
    """Write a message for each format of the crawl that has no field in these settings."""
    heads = [page.head for page in given.pages.values()]
    wanted = {name for head in heads for name in head.get("formats", ())}
    made: list[str] = [each for each in formats_of(wanted) if each not in given.config.formats]
    if any(head.get("chunk_tokens") for head in heads):
        made = [name for name in made if name != "markdown"]  # of which the chunks are made
        made += [] if given.config.chunks_field else ["chunks"]
    for name in made:
        complain(
            f"the crawl made {name}, but BOILERNET_{name.upper()}_FIELD is not set here: set it as "
            "in the crawl"
        )


def _page_field(config: Config) -> str:
    return config.page_field or PAGE_FIELD


def _items(path: Path) -> list[dict[str, Any]]:
    """Return the items of a file of JSON lines; raises ``ValueError`` for another file."""
    items = []
    for where, item in json_lines(path):
        if not isinstance(item, dict):
            raise ValueError(f"{where}: must be JSON lines, an item on each")  # noqa: TRY004
        items.append(item)
    return items


def _outcomes(
    worker: PageWorker, given: _Given, chunk: Iterable[StoredPage]
) -> dict[str, Labeling | Exception]:
    """Label the pages together; return their outcomes by key."""
    attempts = {page.key: attempt(_job, page, given) for page in chunk}
    jobs = {key: job for key, job in attempts.items() if not isinstance(job, Exception)}
    labeled = dict(zip(jobs, worker.label(list(jobs.values())), strict=True))
    broken = {key: job for key, job in attempts.items() if isinstance(job, Exception)}
    both: dict[str, Labeling | Exception] = {**labeled, **broken}
    return {key: both[key] for key in attempts}


def _job(page: StoredPage, given: _Given) -> PageJob:
    job = page.job(given.config.max_bytes)
    return replace(
        job,
        options=replace(job.options, **given_label_options(given.options)),
        encoding=given.options.encoding or job.encoding,
        formats=given.formats,
        chunk_tokens=given.config.chunk_size if given.options.items else 0,
        detect_language=given.config.detect_language or job.detect_language,
    )


def _config_of(page: StoredPage, config: Config) -> Config:
    """Return the project's config, with block labels only if the crawl asked for them.

    The crawl has already applied ``BOILERNET_ITEM_CLASSES``.
    """
    labels_field = config.labels_field if page.head["rows"] else None
    return attrs.evolve(config, labels_field=labels_field, item_classes=())


def _failed(page: StoredPage, outcome: Labeling | Exception) -> bool:
    """Write a message if the page failed, is skipped or was cut off; return whether it failed.

    A page is skipped if it is not HTML, for example, as in a crawl that labels.
    """
    if isinstance(outcome, Labeling):
        complain_if_cut(page.url, outcome.result.page, Limits(**page.head["limits"]))
        return False
    complain_of(page.url, outcome)
    return type(outcome).__name__ not in SKIPPED


def _count(counts: Counter[str], name: str) -> None:
    counts[name] += 1


def _say(_key: str, message: str, *args: object, **_: bool) -> None:
    complain(message % args)


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    remaining = iter(items)
    while chunk := list(islice(remaining, size)):
        yield chunk
