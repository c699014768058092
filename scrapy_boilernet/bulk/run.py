"""A run over stored pages: from inputs to records, with a file that tells how far it came."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, NamedTuple, Self

from scrapy_boilernet.bulk.inputs import Input, OpenInput, Reading, inputs_of
from scrapy_boilernet.bulk.output import LinesFile, Output, output_of
from scrapy_boilernet.bulk.pages import Item, LeftOut, RawPage, unwanted
from scrapy_boilernet.bulk.pool import Outcome, Pool
from scrapy_boilernet.bulk.records import (
    Record,
    StoredJob,
    Unwanted,
    Wanted,
    kind_and_text,
    line_of,
)
from scrapy_boilernet.bulk.warc import START, Damage, Position
from scrapy_boilernet.config import PREFIX, Config
from scrapy_boilernet.options import LabelOptions, Limits

if sys.platform != "win32":
    import fcntl

MARK_SECONDS = 5.0
"""The longest between two marks of JSON lines: as much work is done again after a kill."""
MAX_REASON_CHARS = 2_000


class RunError(Exception):
    """A run cannot begin or go on; the message says why and what to do."""


@dataclass(frozen=True)
class Run:
    """What a run reads, keeps and writes."""

    inputs: tuple[str, ...]
    output: Path
    format: str
    wanted: Wanted = field(default_factory=Wanted)
    html_field: str | None = None
    encoding: str | None = None
    url_pattern: str | None = None
    """Pages whose URL it does not match anywhere are left out, and those without a URL."""
    limit: int | None = None
    """The run ends after so many pages were labeled."""

    def asked(self, config: Config) -> dict[str, Any]:
        """Return what a run that is resumed must have in common with the first one.

        Plain JSON, by the names of the command's options and of settings.
        """
        settings = ("model", *(one.name for one in (*fields(LabelOptions), *fields(Limits))))
        asked = {
            "inputs": self.inputs,
            "--format": self.format,
            "--with": self.wanted.formats,
            "--blocks": self.wanted.with_blocks,
            "--detect-language": self.wanted.detect_language,
            "--min-confidence": self.wanted.min_confidence,
            "--html-field": self.html_field,
            "--encoding": self.encoding,
            "--match": self.url_pattern,
            "--statuses": sorted(config.statuses),
            "--types": sorted(config.content_types),
            **{f"{PREFIX}{name.upper()}": getattr(config, name) for name in settings},
        }
        return dict(json.loads(json.dumps(asked)))


@dataclass
class Summary:
    """What became of the items of the inputs; ``read`` is the sum of the others."""

    read: int = 0
    written: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    """By the kind of error."""
    left_out: Counter[str] = field(default_factory=Counter)
    """By reason."""
    seconds: float = 0.0
    complete: bool = False
    """Whether all inputs were read, not stopped by a limit."""

    @property
    def failures(self) -> int:
        """How many pages failed."""
        return self.failed.total()

    @property
    def labeled(self) -> int:
        """How many pages went to a worker or could not be read."""
        return self.written + self.failures


class Files:
    """A run's output, its failures, and the file that tells how far it came.

    Beside ``OUT`` are ``OUT.failures.jsonl`` and ``OUT.progress.json``.
    """

    def __init__(self, run: Run, asked: Mapping[str, Any], *, resume: bool) -> None:
        self.asked = asked
        self._progress = sibling(run.output, ".progress.json")
        failures = sibling(run.output, ".failures.jsonl")
        run.output.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(failures)
        state = self._state(run, resume=resume)
        self.input: int = state.get("input", 0)
        self.position = Position(*state.get("position", (0, -1)))
        """Of the last item that was done; a negative ``skip``: none was."""
        self.summary = Summary(
            **{
                **state.get("summary", {}),
                "failed": Counter(state.get("summary", {}).get("failed", {})),
                "left_out": Counter(state.get("summary", {}).get("left_out", {})),
            }
        )
        if not state:  # before there is an output that would be one of an unknown run
            self._write_progress(0, 0)
        self.output: Output = output_of(run.output, run.format, state.get("output", 0))
        self.failures = LinesFile(failures, state.get("failures", 0))
        self._since, self._written = monotonic(), self.summary.written

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self.output, self.failures, self._lock):
            with suppress(OSError):  # a full disk, of which the caller knows
                one.close()

    def mark_if_due(self) -> None:
        """Put everything on the disk if enough was written since the last time."""
        due = self.summary.written - self._written >= self.output.rows_per_mark
        late = isinstance(self.output, LinesFile) and monotonic() - self._since > MARK_SECONDS
        if due or late:
            self.mark()

    def mark(self) -> None:
        """Put everything on the disk, and after that how far the run came."""
        self._write_progress(self.output.mark(), self.failures.mark())
        self._since, self._written = monotonic(), self.summary.written

    def _write_progress(self, output: int, failures: int) -> None:
        state = {
            "output": output,
            "failures": failures,
            "input": self.input,
            "position": self.position,
            "summary": vars(self.summary),
            "asked": self.asked,
        }
        new = self._progress.with_name(self._progress.name + ".new")
        with new.open("w", encoding="utf-8") as file:
            json.dump(state, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._progress)

    def _state(self, run: Run, *, resume: bool) -> dict[str, Any]:
        """What the run that is gone on with wrote last; nothing for a new run."""
        try:
            text = self._progress.read_text(encoding="utf-8")
            state: dict[str, Any] = json.loads(text)
        except FileNotFoundError:
            state = {}
        except ValueError as error:
            raise RunError(f"{self._progress} is damaged ({error}): remove the output") from error
        if not resume and (state or run.output.exists()):
            raise RunError(
                f"{run.output} exists: add --resume to go on with that run, or remove it and "
                f"{self._progress}"
            )
        if not state and run.output.exists():
            raise RunError(
                f"{run.output} exists, but not {self._progress}, which says how far its run came: "
                "remove it, or name another file"
            )
        other = [name for name in self.asked if state and state["asked"][name] != self.asked[name]]
        if other:
            raise RunError(
                f"{self._progress} is of a run with other {', '.join(other)}: give the same, or "
                "name another output"
            )
        return state


def _locked(failures: Path) -> BinaryIO:
    """The file, open as long as the run lasts; raises :class:`RunError` if another run has it."""
    file = failures.open("ab")
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RunError(f"another run writes {failures}: wait for it, or stop it") from error
    return file


def sibling(output: Path, ending: str) -> Path:
    """Return the path of a file that stands beside the output."""
    return output.with_name(output.name + ending)


def carry_out(
    run: Run, config: Config, pool: Pool, files: Files, show: Callable[[int, int, int], None]
) -> None:
    """Label what is left of the inputs and write it.

    Each item of the inputs becomes a record, a line of the failures, or is counted as left out in
    ``files.summary``. ``show`` is told the bytes that were read, and how many pages were labeled
    and failed. Raises ``OSError`` if it cannot be written, ``ImportError`` if a package is missing.
    """
    begin, before = monotonic(), files.summary.seconds
    keeper = _Keeper(run, config)
    reading = Reading(config.max_bytes, run.html_field)
    complete = True
    items = _items(run, files.input, files.position, reading)
    for read, outcome in pool.outcomes(items, lambda read: keeper.job(read.item)):
        if run.limit is not None and files.summary.labeled >= run.limit:
            complete = False
            break
        files.input, files.position = read.number, read.item.position
        _note(files, read, outcome, keeper)
        files.summary.seconds = before + monotonic() - begin
        files.mark_if_due()
        show(read.done_bytes, files.summary.labeled, files.summary.failures)
    files.summary.complete = complete
    files.mark()


class _Keeper:
    """Decides which pages are labeled."""

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

    def job(self, item: Item) -> StoredJob | None:
        """Return the job of what is to be labeled."""
        if not isinstance(item, RawPage) or self.unwanted(item):
            return None
        return StoredJob.of(item, self._config, self._run.wanted, self._run.encoding)


class _Read(NamedTuple):
    """An item of an input."""

    number: int
    """Of the input."""
    source: Input
    item: Item
    done_bytes: int
    """Of all inputs, up to this item or somewhat further."""


def _items(run: Run, first: int, done: Position, reading: Reading) -> Iterator[_Read]:
    done_bytes = 0
    for number, source in enumerate(inputs_of(run.inputs)):
        if number >= first:
            here = Position(done.offset, done.skip + 1) if number == first else START
            opened = OpenInput(source, reading, here)
            for item in opened.items():
                yield _Read(number, source, item, done_bytes + opened.read_bytes)
        done_bytes += source.size_bytes


def _note(files: Files, read: _Read, outcome: Outcome | None, keeper: _Keeper) -> None:
    """Write what became of the item, and count it."""
    item, summary = read.item, files.summary
    summary.read += 1
    if isinstance(outcome, Record):
        files.output.write(outcome.line)
        summary.written += 1
    elif isinstance(outcome, Unwanted):
        summary.left_out[outcome.reason] += 1
    elif isinstance(outcome, Exception) or isinstance(item, Damage):
        row = _failure(read.source.path, item, outcome)
        files.failures.write(line_of(row).encode("utf-8", "replace"))
        summary.failed[row["error"]] += 1
    elif isinstance(item, LeftOut):
        summary.left_out[item.reason] += 1
    else:
        summary.left_out[keeper.unwanted(item)] += 1


def _failure(path: str, item: Item, outcome: Outcome | None) -> dict[str, Any]:
    """The line of the failures of an item: where it was, and why it has no record."""
    page = item if isinstance(item, RawPage) else None
    damage = item.reason if isinstance(item, Damage) else ""
    kind, reason = kind_and_text(outcome) if isinstance(outcome, Exception) else ("Damage", damage)
    return {
        "source": page.source if page else path,
        "url": page.url if page else None,
        "error": kind,
        "reason": reason[:MAX_REASON_CHARS],
        "offset": item.position.offset,
        "item": item.position.skip,
    }


def total_bytes(names: tuple[str, ...]) -> int:
    """Return how many bytes the inputs have; 0 if that is not known.

    Raises ``FileNotFoundError`` for a name that is neither a file nor a folder, and
    :class:`RunError` if there is nothing in them.
    """
    sizes = [source.size_bytes for source in inputs_of(names)] if names else []
    if not sizes:
        raise RunError(f"no file in {', '.join(names)}")
    return sum(sizes)
