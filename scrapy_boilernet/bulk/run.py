"""A run over stored pages: from inputs to records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple

from scrapy_boilernet.bulk.inputs import Input, OpenInput, inputs_of
from scrapy_boilernet.bulk.joining import JoiningFile
from scrapy_boilernet.bulk.pages import Entry, LeftOut, RawPage, Reading, unwanted
from scrapy_boilernet.bulk.pool import Outcome, Pool
from scrapy_boilernet.bulk.records import (
    Linked,
    Record,
    StoredJob,
    Unwanted,
    kind_and_text,
    line_of,
)
from scrapy_boilernet.bulk.run_files import Files
from scrapy_boilernet.bulk.storage import escaped, shown_name
from scrapy_boilernet.bulk.task import Run, RunError
from scrapy_boilernet.bulk.warc import START, Damage, Position
from scrapy_boilernet.settings.config import Config

MAX_REASON_CHARS = 2_000
JOINED = "joined"
"""The reason if a page has no record of its own, since its text is in that of another page."""
MAX_NAMES = 5
"""So many files that were left out are named at the end."""


def carry_out(
    run: Run, config: Config, pool: Pool, files: Files, show: Callable[[int, int, int], None]
) -> None:
    """Label the pages of the inputs that are not done yet, and write their records.

    Each item of the inputs becomes a record, becomes a line of the failures, or is counted as left
    out in ``files.summary``. ``show`` gets the number of bytes that were read, of pages that were
    labeled, and of those that failed. Raises ``OSError`` if a file cannot be written,
    ``ImportError`` if a package is missing.
    """
    begin, before = monotonic(), files.summary.seconds
    chooser = _Chooser(run, config)
    reading = run.reading(config.max_bytes)
    complete = True
    items = _items(run, files.input, files.position, reading)
    for read, outcome in pool.outcomes(items, lambda read: chooser.job(read.item)):
        if run.limit is not None and files.summary.labeled >= run.limit:
            complete = False
            break
        files.input, files.position = read.number, read.item.position
        _note(files, read, outcome, chooser)
        files.summary.seconds = before + monotonic() - begin
        files.mark_if_due()
        show(read.done_bytes, files.summary.labeled, files.summary.failures)
    if complete and files.joining:
        files.mark()
        _join(run, config, pool, files, files.joining)
        files.summary.seconds = before + monotonic() - begin
    files.summary.complete = complete
    files.mark()


def _join(run: Run, config: Config, pool: Pool, files: Files, joining: JoiningFile) -> None:
    """Write the records of the pages that waited for others, after those that are done."""

    def job_of(group: list[int]) -> StoredJob:
        return StoredJob.of_pages(joining.pages(group), config, run.wanted, run.encoding)

    groups = islice(joining.groups(), files.joined, None)
    for group, outcome in pool.outcomes(groups, job_of):
        summary = files.summary
        if isinstance(outcome, Record):
            reason = _write(files, outcome)
            summary.left_out[reason or JOINED] += len(group) - (not reason)
        elif isinstance(outcome, Unwanted):
            summary.left_out[outcome.reason] += len(group)
        else:
            for page in joining.pages(group):
                row = _failure(page.source, page, outcome)
                files.failures.write(line_of(row).encode("utf-8", "replace"))
                summary.failed[row["error"]] += 1
        summary.left_out += Counter()  # without reasons that were counted 0 times
        summary.waiting -= len(group)
        files.joined += 1
        files.mark_if_due()


class _Chooser:
    """Chooses the pages that are labeled."""

    def __init__(self, run: Run, config: Config) -> None:
        self._run = run
        self._config = config
        self._pattern = re.compile(run.url_pattern) if run.url_pattern else None

    def unwanted(self, page: RawPage) -> str:
        """Return why the page is not labeled; "" if it is."""
        if reason := unwanted(page, self._config.statuses, self._config.content_types):
            return reason
        if self._pattern and not (page.url and self._pattern.search(page.url)):
            return "URL"
        if not self._pattern and page.url and not self._config.wants(page.url):
            return "URL"
        return ""

    def job(self, item: Entry) -> StoredJob | None:
        """Return the job of an item; None if it is not labeled."""
        if not isinstance(item, RawPage) or self.unwanted(item):
            return None
        return StoredJob.of(item, self._config, self._run.wanted, self._run.encoding)


class _Read(NamedTuple):
    """An item of an input."""

    number: int
    """The number of the input, from 0."""
    source: Input
    item: Entry
    done_bytes: int
    """How many bytes of all inputs were read, up to this item or somewhat further."""


def _items(run: Run, first: int, done: Position, reading: Reading) -> Iterator[_Read]:
    """Yield the items after the position ``done`` in the input number ``first``."""
    done_bytes = 0
    for number, source in enumerate(inputs_of(run.inputs)):
        if number >= first:
            here = done.after() if number == first else START
            opened = OpenInput(source, reading, here)
            for item in opened.items():
                yield _Read(number, source, item, done_bytes + opened.read_bytes)
        done_bytes += source.size_bytes


def _note(files: Files, read: _Read, outcome: Outcome | None, chooser: _Chooser) -> None:
    """Write the record or the failure of the item, and count the item."""
    item, summary = read.item, files.summary
    summary.read += 1
    if isinstance(item, RawPage):
        summary.pages += 1
        summary.with_address += bool(item.url)
    if isinstance(outcome, Record):
        if reason := _write(files, outcome):
            summary.left_out[reason] += 1
    elif isinstance(outcome, Linked) and isinstance(item, RawPage) and files.joining:
        files.joining.add(item, outcome.links)
        summary.waiting += 1
    elif isinstance(outcome, Unwanted):
        summary.left_out[outcome.reason] += 1
    elif isinstance(outcome, Exception) or isinstance(item, Damage):
        row = _failure(shown_name(read.source.path), item, outcome)
        files.failures.write(line_of(row).encode("utf-8", "replace"))
        summary.failed[row["error"]] += 1
        if isinstance(item, Damage):
            source = escaped(row["source"])
            where = "" if source in row["reason"] else f"{source}: "
            files.first_failures.setdefault(item.kind, f"{where}{row['reason']}")
    elif isinstance(item, LeftOut):
        summary.left_out[item.reason] += 1
        if item.name and len(files.left_out_names) < MAX_NAMES:
            files.left_out_names.append(escaped(item.name))
    else:
        summary.left_out[chooser.unwanted(item)] += 1


def _write(files: Files, record: Record) -> str:
    """Write a record, and return ""; if its text is a copy, return why it is left out."""
    known = record.text_print
    reason = files.texts.reason_against(known) if files.texts and known else ""
    if reason:
        return reason
    for line in record.line.splitlines(keepends=True):
        files.output.write(line)
        files.summary.rows += 1
    files.summary.written += 1
    files.summary.truncated += record.truncated
    return ""


def _failure(path: str, item: Entry, outcome: Outcome | None) -> dict[str, Any]:
    """Return the row of an item for the file of failures: where it was, and its error."""
    page = item if isinstance(item, RawPage) else None
    kind, reason = (item.kind, item.reason) if isinstance(item, Damage) else ("", "")
    if isinstance(outcome, Exception):
        kind, reason = kind_and_text(outcome)
    return {
        "source": page.source if page else path,
        "url": page.url if page else None,
        "error": kind,
        "reason": escaped(reason[:MAX_REASON_CHARS]),
        "offset": item.position.offset,
        "item": item.position.skip,
    }


def total_bytes(names: tuple[str, ...]) -> int:
    """Return how many bytes the inputs have; inputs of unknown size count as 0.

    Raises ``FileNotFoundError`` for a name that is neither a file nor a folder, and
    :class:`RunError` if there are no inputs.
    """
    number = size = 0
    for source in inputs_of(names):
        number, size = number + 1, size + source.size_bytes
    if not number:
        raise RunError(
            f"no file in {', '.join(names)}, nor in the folders in it; name files, or a folder "
            "that has some"
        )
    return size
