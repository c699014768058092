"""``scrapy boilernet extract --deferred``: label the pages that a crawl has stored."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeVar

import attrs
from scrapy.exceptions import UsageError

from scrapy_boilernet.commands.output import (
    complain,
    complain_if_cut,
    complain_of,
    for_terminal,
    written_row,
)
from scrapy_boilernet.commands.sources import given_label_options
from scrapy_boilernet.config import Config
from scrapy_boilernet.files import json_lines
from scrapy_boilernet.items import ItemFiller
from scrapy_boilernet.labeling import attempt
from scrapy_boilernet.options import Format, Limits, formats_of
from scrapy_boilernet.progress import progress
from scrapy_boilernet.workers.jobs import Labeling, PageJob
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.store import StoredPage, stored_pages

T = TypeVar("T")
Outcomes = Mapping[str, Labeling | Exception]
Label = Callable[[Iterable[StoredPage]], Outcomes]

PAGE_FIELD = "boilernet_page"
"""The field for a page's key if ``BOILERNET_PAGE_FIELD`` is not set."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments for deferred pages."""
    parser.add_argument(
        "--deferred", type=Path, metavar="FOLDER",
        help="extract the pages that a crawl with BOILERNET_MODE = 'deferred' has stored here",
    )  # fmt: skip
    parser.add_argument(
        "--items", type=Path, metavar="FILE",
        help="deferred: items of that crawl as JSON lines; they are written with filled fields",
    )  # fmt: skip


@dataclass(frozen=True)
class Stored:
    """The pages of a crawl, and its items if they are wanted."""

    pages: Mapping[str, StoredPage]
    items: list[dict[str, Any]] | None
    folder: Path
    items_file: Path | None

    @classmethod
    def of(cls, options: argparse.Namespace) -> Stored | None:
        """Return the pages and items of ``--deferred`` and ``--items``; None without them.

        Raises ``UsageError`` if they cannot be read, or if other pages or a URL are given.
        """
        if options.deferred is None:
            if options.items:
                raise UsageError("--items needs --deferred FOLDER", print_help=False)
            return None
        if options.sources != ["-"] or options.url is not None:
            raise UsageError(
                "--deferred cannot be used with FILE, DIR, URL or --url: leave them out",
                print_help=False,
            )
        try:
            pages, broken = stored_pages(options.deferred)
            items = _items(options.items) if options.items else None
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read {error}", print_help=False) from error
        if broken:
            complain(f"{options.deferred}: {broken} broken lines skipped")
        return cls(pages, items, options.deferred, options.items)

    def lacking(self, config: Config) -> str:
        """Return a message if there is nothing to label, else ""."""
        field = _page_field(config)
        if not self.pages:
            return (
                f"{self.folder}: no page is stored here; crawl with BOILERNET_MODE = 'deferred' "
                "and BOILERNET_DEFERRED_FOLDER set to this folder"
            )
        if self.items is None or any(str(item.get(field)) in self.pages for item in self.items):
            return ""
        if not self.items:
            return f"{self.items_file}: no items; name the file that the crawl has written"
        if any(item.get(field) for item in self.items):
            return (
                f"{self.items_file}: no item has the key of a page of {self.folder} in its field "
                f"{field!r} (BOILERNET_PAGE_FIELD); name the folder and the items of the same crawl"
            )
        return (
            f"{self.items_file}: no item has a stored page, since none has the field {field!r} "
            "(BOILERNET_PAGE_FIELD) with the key of its page; declare it in the item class, in a "
            f"dataclass as '{field}: str | None = None', and crawl again"
        )

    def extract(
        self,
        options: argparse.Namespace,
        config: Config,
        worker: PageWorker,
        out: TextIO,
        formats: tuple[Format, ...] = (),
    ) -> int:
        """Write a line of JSON per page, or per item; return the number of pages that failed."""
        used_formats = config.formats if self.items is not None else formats
        label = partial(_outcomes, worker, options, used_formats, config)
        if self.items is not None:
            self._complain_of_missing_fields(config)
            return self._fill(self.items, label, config, worker.model, out)
        failures = 0
        shown = progress(self.pages.values(), len(self.pages), "extract")
        for chunk in _chunks(shown, config.batch_pages):
            for key, outcome in label(chunk).items():
                page = self.pages[key]
                if _failed(page, outcome):
                    failures += 1
                elif isinstance(outcome, Labeling):
                    names = {_page_field(config): key}
                    row = written_row(names, outcome.result, with_blocks=options.blocks)
                    out.write(for_terminal(row, out))
        return failures

    def _complain_of_missing_fields(self, config: Config) -> None:
        """Write a message for each format of the crawl that has no field in these settings."""
        wanted = {name for page in self.pages.values() for name in page.head.get("formats", ())}
        for name in formats_of(wanted):
            if name not in config.formats:
                complain(
                    f"the crawl made {name}, but BOILERNET_{name.upper()}_FIELD is not set here: "
                    "set it as in the crawl"
                )

    def _fill(
        self, items: list[dict[str, Any]], label: Label, config: Config, model: str, out: TextIO
    ) -> int:
        """Write every item, filled if its page is stored and can be labeled."""
        failures = unknown = 0
        field = _page_field(config)
        counts: Counter[str] = Counter()
        filler = ItemFiller(partial(_count, counts), _say, model, plain_rows=True)
        for chunk in _chunks(progress(items, len(items), "extract"), config.batch_pages):
            keys = dict.fromkeys(str(item.get(field)) for item in chunk)
            outcomes = label([self.pages[key] for key in keys if key in self.pages])
            failures += sum(_failed(self.pages[key], outcome) for key, outcome in outcomes.items())
            for item in chunk:
                key = str(item.get(field))
                labeling = outcomes.get(key)
                unknown += labeling is None
                if isinstance(labeling, Labeling):
                    filled = filler.fill(item, labeling.result, _config_of(self.pages[key], config))
                    failures += filled == "unlabeled"
                out.write(for_terminal(json.dumps(item, ensure_ascii=False), out) + "\n")
        if unknown:
            complain(f"{unknown} items not filled: no stored page in {field!r}")
        if counts["fields/kept"]:
            complain(
                f"{counts['fields/kept']} values of the items were kept; set BOILERNET_OVERWRITE "
                "to replace them"
            )
        return failures


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
    worker: PageWorker,
    options: argparse.Namespace,
    formats: tuple[Format, ...],
    config: Config,
    chunk: Iterable[StoredPage],
) -> Outcomes:
    """Label the pages together; return their outcomes by key."""
    attempts = {page.key: attempt(_job, page, options, formats, config) for page in chunk}
    jobs = {key: job for key, job in attempts.items() if not isinstance(job, Exception)}
    labeled = dict(zip(jobs, worker.label(list(jobs.values())), strict=True))
    broken = {key: job for key, job in attempts.items() if isinstance(job, Exception)}
    both: dict[str, Labeling | Exception] = {**labeled, **broken}
    return {key: both[key] for key in attempts}


def _job(
    page: StoredPage,
    options: argparse.Namespace,
    formats: tuple[Format, ...],
    config: Config,
) -> PageJob:
    job = page.job(config.max_bytes)
    return replace(
        job,
        options=replace(job.options, **given_label_options(options)),
        encoding=options.encoding or job.encoding,
        formats=formats,
        detect_language=config.detect_language or job.detect_language,
    )


def _config_of(page: StoredPage, config: Config) -> Config:
    """Return the project's config, with block labels only if the crawl asked for them.

    The crawl has already applied ``BOILERNET_ITEM_CLASSES``.
    """
    labels_field = config.labels_field if page.head["rows"] else None
    return attrs.evolve(config, labels_field=labels_field, item_classes=())


def _failed(page: StoredPage, outcome: Labeling | Exception) -> bool:
    """Write a message if the page failed or was cut off; return whether it failed."""
    if isinstance(outcome, Labeling):
        complain_if_cut(page.url, outcome.result.page, Limits(**page.head["limits"]))
        return False
    complain_of(page.url, outcome)
    return True


def _count(counts: Counter[str], name: str) -> None:
    counts[name] += 1


def _say(_key: str, message: str, *args: object, **_: bool) -> None:
    complain(message % args)


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    remaining = iter(items)
    while chunk := list(islice(remaining, size)):
        yield chunk
