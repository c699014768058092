"""A run over stored pages: from inputs to records, with a file of its progress to resume it."""

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

from scrapy_boilernet.bulk.binding import clash, difference, fingerprints
from scrapy_boilernet.bulk.inputs import Input, OpenInput, Reading, inputs_of
from scrapy_boilernet.bulk.output import LinesFile, Output, lacking, output_of
from scrapy_boilernet.bulk.pages import Entry, LeftOut, RawPage, unwanted
from scrapy_boilernet.bulk.pool import Outcome, Pool
from scrapy_boilernet.bulk.progress_file import FORMAT_VERSION, open_plain, read_state, write_state
from scrapy_boilernet.bulk.records import (
    Record,
    RecordOptions,
    StoredJob,
    Unwanted,
    kind_and_text,
    line_of,
)
from scrapy_boilernet.bulk.warc import START, Damage, Position
from scrapy_boilernet.extractor.labelers.model_folder import model_folder, weights_digest
from scrapy_boilernet.extractor.options import LabelOptions, Limits
from scrapy_boilernet.settings.config import PREFIX, Config

if sys.platform != "win32":
    import fcntl

MARK_SECONDS = 5.0
"""The most seconds between two marks of JSON lines. After a kill, that much work is repeated."""
MAX_REASON_CHARS = 2_000
MAX_NAMES = 5
"""So many files that were left out are named at the end."""


class RunError(Exception):
    """A run cannot begin or continue; the message has the cause and the remedy."""


@dataclass(frozen=True)
class Run:
    """The inputs of a run, its output, and the choice of pages."""

    inputs: tuple[str, ...]
    output: Path
    format: str
    wanted: RecordOptions = field(default_factory=RecordOptions)
    html_field: str | None = None
    encoding: str | None = None
    url_pattern: str | None = None
    """A regular expression. Pages without a match in their URL, or without a URL, are left out."""
    limit: int | None = None
    """The run ends after so many pages were labeled."""

    def asked(self, config: Config) -> dict[str, Any]:
        """Return the options and settings that must be the same when a run is resumed.

        Plain JSON, by the names of the command's options and of the settings. Raises ``ModelError``
        if there is no such model.
        """
        settings = ("model", *(one.name for one in (*fields(LabelOptions), *fields(Limits))))
        asked = {
            "--format": self.format,
            "--with": self.wanted.formats,
            "--blocks": self.wanted.with_blocks,
            "--detect-language": self.wanted.detect_language,
            "--min-confidence": self.wanted.min_confidence,
            "--min-words": self.wanted.min_words,
            "--language": self.wanted.languages,
            "--chunks": self.wanted.chunk_tokens,
            "--html-field": self.html_field,
            "--encoding": self.encoding,
            "--match": self.url_pattern,
            "--statuses": sorted(config.statuses),
            "--types": sorted(config.content_types),
            **{f"{PREFIX}{name.upper()}": getattr(config, name) for name in settings},
            f"{PREFIX}DOMAIN_THRESHOLDS": dict(config.domain_thresholds),
            f"{PREFIX}LABEL": config.label,
            f"{PREFIX}LABEL_URLS": [pattern.pattern for pattern in config.label_urls],
            "the weights of the model": weights_digest(model_folder(config.model)),
        }
        return dict(json.loads(json.dumps(asked)))


@dataclass
class Summary:
    """Counts of the items of the inputs; ``read`` is the sum of the other counts."""

    read: int = 0
    written: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    """By the kind of error."""
    left_out: Counter[str] = field(default_factory=Counter)
    """By reason."""
    seconds: float = 0.0
    complete: bool = False
    """Whether all inputs were read; False if a limit stopped the run."""

    @property
    def failures(self) -> int:
        """How many pages failed."""
        return self.failed.total()

    @property
    def labeled(self) -> int:
        """How many pages have a record or failed; counted against ``Run.limit``."""
        return self.written + self.failures


class Files:
    """The files of a run with the output ``OUT``.

    These are ``OUT``, ``OUT.failures.jsonl`` for the failures, and ``OUT.progress.json``, from
    which the run can be resumed.
    """

    def __init__(self, run: Run, asked: Mapping[str, Any], *, resume: bool) -> None:
        self.asked = asked
        self._progress = sibling(run.output, ".progress.json")
        failures = sibling(run.output, ".failures.jsonl")
        if reason := clash((run.output, failures, self._progress), run.inputs):
            raise RunError(reason)
        self.inputs = fingerprints(run.inputs)
        run.output.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(failures)
        state = self._state(run, resume=resume)
        self.input: int = state.get("input", 0)
        self.position = Position(*state.get("position", (0, -1)))
        """The position of the last finished item; with a negative ``skip`` if there is none."""
        self.summary = Summary(
            **{
                **state.get("summary", {}),
                "failed": Counter(state.get("summary", {}).get("failed", {})),
                "left_out": Counter(state.get("summary", {}).get("left_out", {})),
            }
        )
        if not state:  # written first, so that no output exists without its progress
            self._write_progress(0, 0)
        self.output: Output = output_of(run.output, run.format, state.get("output", 0))
        self.failures = LinesFile(failures, state.get("failures", 0))
        self.left_out_names: list[str] = []
        """The first files, and members of archives, that were left out since this run began."""
        self.first_failures: dict[str, str] = {}
        """Per kind of failure, the reason of the first since this run began."""
        self._since, self._written = monotonic(), self.summary.written

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self.output, self.failures, self._lock):
            with suppress(OSError):  # of a full disk, which has raised an error before
                one.close()

    def mark_if_due(self) -> None:
        """Write everything to the disk if enough rows or time have passed since the last mark."""
        due = self.summary.written - self._written >= self.output.rows_per_mark
        late = isinstance(self.output, LinesFile) and monotonic() - self._since > MARK_SECONDS
        if due or late:
            self.mark()

    def mark(self) -> None:
        """Write everything to the disk, and then the progress of the run."""
        self._write_progress(self.output.mark(), self.failures.mark())
        self._since, self._written = monotonic(), self.summary.written

    def _write_progress(self, output: int, failures: int) -> None:
        state = {
            "format_version": FORMAT_VERSION,
            "output": output,
            "failures": failures,
            "input": self.input,
            "position": self.position,
            "summary": vars(self.summary),
            "asked": self.asked,
            "inputs": self.inputs,
        }
        write_state(self._progress, state)

    def _state(self, run: Run, *, resume: bool) -> dict[str, Any]:
        """Return the progress of the run to resume; an empty dict for a new run."""
        remedy = f"name another output, or remove {run.output} and {self._progress}"
        try:
            state = read_state(self._progress)
        except (ValueError, OSError) as error:
            raise RunError(f"{self._progress} cannot be used ({error}): {remedy}") from error
        exists = os.path.lexists(run.output)
        if not resume and (state or exists):
            raise RunError(
                f"{run.output} exists: add --resume to continue that run, or remove it and "
                f"{self._progress}"
            )
        if not state and exists:
            raise RunError(
                f"{run.output} exists, but not {self._progress}, which has the progress of its "
                "run: remove it, or name another file"
            )
        if not state:
            return state
        changed = sorted(
            name
            for name in {*self.asked, *state["asked"]}
            if state["asked"].get(name) != self.asked.get(name)
        )
        if changed:
            raise RunError(
                f"{self._progress} belongs to a run with other values of {', '.join(changed)}: use "
                f"the same values, or {remedy}"
            )
        if reason := difference(state["inputs"], self.inputs):
            raise RunError(f"{run.output} cannot be continued, since {reason}: {remedy}")
        for path, format_name, mark in (
            (run.output, run.format, state["output"]),
            (sibling(run.output, ".failures.jsonl"), "jsonl", state["failures"]),
        ):
            if lack := lacking(path, format_name, mark):
                raise RunError(f"{lack}: {remedy}")
        return state


def _locked(failures: Path) -> BinaryIO:
    """Open and lock the file; raises :class:`RunError` if another run has locked it.

    The lock ends when the file is closed.
    """
    try:
        file = open_plain(failures, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        if not failures.is_symlink():
            raise
        raise RunError(
            f"{failures} is a symbolic link, which is not written to: remove it"
        ) from error
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RunError(f"another run is writing {failures}: wait for it, or stop it") from error
    return file


def sibling(output: Path, ending: str) -> Path:
    """Return the path of a file beside the output."""
    return output.with_name(output.name + ending)


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
    reading = Reading(config.max_bytes, run.html_field)
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
    files.summary.complete = complete
    files.mark()


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
            here = Position(done.offset, done.skip + 1) if number == first else START
            opened = OpenInput(source, reading, here)
            for item in opened.items():
                yield _Read(number, source, item, done_bytes + opened.read_bytes)
        done_bytes += source.size_bytes


def _note(files: Files, read: _Read, outcome: Outcome | None, chooser: _Chooser) -> None:
    """Write the record or the failure of the item, and count the item."""
    item, summary = read.item, files.summary
    summary.read += 1
    if isinstance(outcome, Record):
        for line in outcome.line.splitlines(keepends=True):
            files.output.write(line)
        summary.written += 1
    elif isinstance(outcome, Unwanted):
        summary.left_out[outcome.reason] += 1
    elif isinstance(outcome, Exception) or isinstance(item, Damage):
        row = _failure(read.source.path, item, outcome)
        files.failures.write(line_of(row).encode("utf-8", "replace"))
        summary.failed[row["error"]] += 1
        if isinstance(item, Damage):
            where = "" if row["source"] in row["reason"] else f"{row['source']}: "
            files.first_failures.setdefault(item.kind, f"{where}{row['reason']}")
    elif isinstance(item, LeftOut):
        summary.left_out[item.reason] += 1
        if item.name and len(files.left_out_names) < MAX_NAMES:
            files.left_out_names.append(item.name)
    else:
        summary.left_out[chooser.unwanted(item)] += 1


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
        "reason": reason[:MAX_REASON_CHARS],
        "offset": item.position.offset,
        "item": item.position.skip,
    }


def total_bytes(names: tuple[str, ...]) -> int:
    """Return how many bytes the inputs have; inputs of unknown size count as 0.

    Raises ``FileNotFoundError`` for a name that is neither a file nor a folder, and
    :class:`RunError` if there are no inputs.
    """
    sizes = [source.size_bytes for source in inputs_of(names)] if names else []
    if not sizes:
        raise RunError(f"no file in {', '.join(names)}")
    return sum(sizes)
