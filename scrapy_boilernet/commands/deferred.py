"""``scrapy boilernet extract --deferred``: labels the pages that a crawl has put by."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeVar

from scrapy.exceptions import UsageError

from scrapy_boilernet.commands.output import complain, for_terminal
from scrapy_boilernet.config import Config
from scrapy_boilernet.deferred import StoredPage, stored_pages
from scrapy_boilernet.extract import attempt
from scrapy_boilernet.modes import worker_of
from scrapy_boilernet.page_worker import PageWorker
from scrapy_boilernet.progress import progress
from scrapy_boilernet.worker import Labeling, PageJob

T = TypeVar("T")
Outcomes = Mapping[str, Labeling | Exception]
Label = Callable[[Iterable[StoredPage]], Outcomes]

OPTIONS = ("threshold", "favor", "fallback", "title", "comments", "hidden")
"""Given on the command line, they go before what the crawl put by with the page."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that deferred pages need."""
    parser.add_argument(
        "--deferred", type=Path, metavar="FOLDER",
        help="extract the pages that a crawl with BOILERNET_MODE = 'deferred' has stored here",
    )  # fmt: skip
    parser.add_argument(
        "--items", type=Path, metavar="FILE",
        help="deferred: items of that crawl as JSON lines; they are written with their fields",
    )  # fmt: skip


@dataclass(frozen=True)
class Stored:
    """The pages of a crawl, and its items if they are wanted."""

    pages: Mapping[str, StoredPage]
    items: list[dict[str, Any]] | None

    @classmethod
    def of(cls, options: argparse.Namespace) -> Stored | None:
        """Return what ``--deferred`` and ``--items`` name; None without them.

        Raises ``UsageError`` if it cannot be read, or with files of pages beside it.
        """
        if options.deferred is None:
            if options.items:
                raise UsageError("--items needs --deferred FOLDER", print_help=False)
            return None
        if options.sources != ["-"]:
            raise UsageError("--deferred takes no FILE, DIR or URL beside it", print_help=False)
        try:
            pages, broken = stored_pages(options.deferred)
            items = _items(options.items) if options.items else None
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read {error}", print_help=False) from error
        if broken:
            complain(f"{options.deferred}: {broken} broken lines passed over")
        return cls(pages, items)

    def extract(self, options: argparse.Namespace, config: Config, out: TextIO) -> int:
        """Write a line of JSON per page, or per item; return how many pages failed.

        Raises ``ModelError`` as loading does.
        """
        given = {name: getattr(options, name) for name in OPTIONS}
        changes = {name: value for name, value in given.items() if value is not None}
        label = partial(_outcomes, worker_of(config), changes)
        if self.items is not None:
            return self._fill(self.items, label, config, out)
        failures = 0
        shown = progress(self.pages.values(), len(self.pages), "extract")
        for chunk in _chunks(shown, config.batch_pages):
            for key, outcome in label(chunk).items():
                if isinstance(outcome, Exception):
                    failures += _complain(self.pages[key], outcome)
                else:
                    row = _row(self.pages[key], outcome, config, with_blocks=options.blocks)
                    out.write(for_terminal(json.dumps(row, ensure_ascii=False), out) + "\n")
        return failures

    def _fill(self, items: list[dict[str, Any]], label: Label, config: Config, out: TextIO) -> int:
        """Write every item, with its fields where its page is stored and can be labeled."""
        failures = unknown = 0
        field = config.page_field or ""
        for chunk in _chunks(progress(items, len(items), "extract"), config.batch_pages):
            keys = dict.fromkeys(str(item.get(field)) for item in chunk)
            outcomes = label([self.pages[key] for key in keys if key in self.pages])
            for key, outcome in outcomes.items():
                if isinstance(outcome, Exception):
                    failures += _complain(self.pages[key], outcome)
            for item in chunk:
                found = outcomes.get(str(item.get(field)))
                unknown += found is None
                if isinstance(found, Labeling):
                    rows = bool(self.pages[item[field]].head["rows"])
                    item.update(_fields(found, config, rows=rows))
                out.write(for_terminal(json.dumps(item, ensure_ascii=False), out) + "\n")
        if unknown:
            complain(f"{unknown} items left as they were: no stored page in {field!r}")
        return failures


def _items(path: Path) -> list[dict[str, Any]]:
    """The items of a file of JSON lines; raises ``ValueError`` for another."""
    items = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        item = json.loads(line) if line.strip() else {}
        if not isinstance(item, dict):
            raise ValueError(f"{path}, line {number}: must be JSON lines, an item on each")  # noqa: TRY004
        items += [item] if item else []
    return items


def _outcomes(
    worker: PageWorker, changes: Mapping[str, Any], chunk: Iterable[StoredPage]
) -> Outcomes:
    """By key what became of the pages, which are labeled together."""
    made = {page.key: attempt(_job, page, changes) for page in chunk}
    jobs = {key: job for key, job in made.items() if not isinstance(job, Exception)}
    labeled = dict(zip(jobs, worker.label(list(jobs.values())), strict=True))
    broken = {key: job for key, job in made.items() if isinstance(job, Exception)}
    both: dict[str, Labeling | Exception] = {**labeled, **broken}
    return {key: both[key] for key in made}


def _job(page: StoredPage, changes: Mapping[str, Any]) -> PageJob:
    job = page.job()
    return replace(job, options=replace(job.options, **changes))


def _row(
    page: StoredPage, labeling: Labeling, config: Config, *, with_blocks: bool
) -> dict[str, Any]:
    result = labeling.result
    row: dict[str, Any] = {
        config.page_field or "boilernet_page": page.key,
        "url": page.url,
        "title": result.page.title,
        "main_text": result.text,
        "main_text_confidence": round(result.confidence, 4),
        "main_text_source": result.source,
        "model": result.model,
    }
    if with_blocks:
        row["block_labels"] = result.block_labels()
    return row


def _fields(labeling: Labeling, config: Config, *, rows: bool) -> dict[str, Any]:
    """What the pipeline would have put on the item."""
    result = labeling.result
    fields: dict[str | None, Any] = {
        config.text_field: result.text,
        config.confidence_field: round(result.confidence, 4),
        config.source_field: result.source,
    }
    if rows:
        fields[config.labels_field] = result.block_labels()
    return {name: value for name, value in fields.items() if name}


def _complain(page: StoredPage, error: Exception) -> int:
    complain(f"cannot extract {page.url}: {type(error).__name__}: {error}")
    return 1


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    left = iter(items)
    while chunk := list(islice(left, size)):
        yield chunk
