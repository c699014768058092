"""``scrapy boilernet extract`` for stored crawls: many pages, in worker processes."""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
from scrapy.exceptions import UsageError

from scrapy_boilernet.bulk.inputs import STANDARD_INPUT, inputs_of, kind_of, refusal
from scrapy_boilernet.bulk.output import FORMATS, format_of, has_packed_name
from scrapy_boilernet.bulk.pool import Pool, WorkersEndedError
from scrapy_boilernet.bulk.records import Wanted
from scrapy_boilernet.bulk.run import Files, Run, RunError, Summary, carry_out, total_bytes
from scrapy_boilernet.commands.ending import INTERRUPTED
from scrapy_boilernet.commands.extras import explained
from scrapy_boilernet.commands.output import complain
from scrapy_boilernet.commands.sources import first_of
from scrapy_boilernet.config import Config, ConfigError, read_value
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.options import Format
from scrapy_boilernet.progress import Meter, counted, say

_OPTIONS = (
    "workers", "resume", "limit", "match", "statuses", "types", "min_confidence", "html_field",
)  # fmt: skip
"""Options of stored crawls only. If one of them is given, the inputs are read as stored crawls."""
_NO_PAGES = {
    "WARC conversion": "records of the type conversion (WET files) have text that was taken out of "
    "pages; read the WARC files",
    "WARC metadata": "records of the type metadata (WAT files) are no pages; read the WARC files",
}  # fmt: skip
"""What records of WARC files are that were left out, if nothing else was found."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of stored crawls."""
    group = parser.add_argument_group(
        "stored crawls",
        "WARC files, Scrapy's HTTP cache, archives, JSON lines and folders of pages are labeled in "
        "worker processes. Each page gives a record in OUT or a failure in OUT.failures.jsonl.",
    )
    group.add_argument(
        "--workers", type=int, metavar="N",
        help="number of processes (default: one per processor core)",
    )  # fmt: skip
    group.add_argument(
        "--resume", action="store_true", help="continue a run that was stopped and that wrote OUT"
    )
    group.add_argument("--limit", type=int, metavar="N", help="stop after N pages")
    group.add_argument("--match", metavar="REGEX", help="only pages whose URL has a match anywhere")
    group.add_argument(
        "--statuses",
        help="only pages with these HTTP statuses, such as 200,404 (default: BOILERNET_STATUSES)",
    )
    group.add_argument(
        "--types", help="only pages with these MIME types (default: BOILERNET_CONTENT_TYPES)"
    )
    group.add_argument(
        "--min-confidence", type=float, metavar="P",
        help="leave out pages with a lower confidence, in [0, 1]",
    )  # fmt: skip
    group.add_argument(
        "--html-field", metavar="NAME",
        help="JSON lines: the field with the page (default: html, body, ...)",
    )  # fmt: skip


def is_stored_crawl(options: argparse.Namespace) -> bool:
    """Return whether the options or the inputs are of a stored crawl.

    Raises ``UsageError`` for options that cannot be used together.
    """
    given = [name for name in _OPTIONS if getattr(options, name) not in (None, False)]
    if options.deferred is not None:
        if given:
            raise UsageError(
                f"--{given[0].replace('_', '-')} has no effect on --deferred: name the folder as "
                "an input instead, without --deferred",
                print_help=False,
            )
        return False
    reason = _reason(options, given)
    if not reason:
        return False
    if any(name.startswith(("http://", "https://")) for name in options.sources):
        raise UsageError(f"{reason}: give files and folders, not URLs", print_help=False)
    if options.format not in (None, *FORMATS):
        raise UsageError(
            f"{reason}, which cannot be written with --format {options.format}: give --format "
            f"{' or '.join(FORMATS)}, and --with markdown,html for more formats",
            print_help=False,
        )
    if options.output is None:
        raise UsageError(
            f"{reason}: name the file to write by -o, such as -o pages.jsonl.gz", print_help=False
        )
    if options.url is not None:
        raise UsageError(f"{reason}: --url is the address of a single page", print_help=False)
    return True


def _reason(options: argparse.Namespace, given: list[str]) -> str:
    """Return why the inputs are read as stored crawls, as the start of a message; "" if not.

    ``given``: the options of stored crawls that are given.
    """
    with explained(ImportError):
        stored = next((name for name in options.sources if not given and _is_stored(name)), None)
    if stored is not None:
        return f"{'standard input' if stored == STANDARD_INPUT else stored} is a stored crawl"
    if given:
        return f"--{given[0].replace('_', '-')} is for stored crawls"
    if options.format == "parquet":
        return "--format parquet is for stored crawls"
    return f"{options.output} is for stored crawls" if has_packed_name(options.output) else ""


def format_name(options: argparse.Namespace) -> str:
    """Return the format of the records; raises ``UsageError`` if no option or name has it."""
    with explained(ValueError):
        return format_of(options.output, options.format)


def _is_stored(name: str) -> bool:
    """Return whether several pages are stored together in a file, or in a file of a folder."""
    if name != STANDARD_INPUT and not Path(name).exists():
        return False
    kinds = map(kind_of, inputs_of([name]))
    return any(kind not in ("page", "unknown", "other") for kind in kinds)


def run(options: argparse.Namespace, config: Config, formats: tuple[Format, ...]) -> int:
    """Write the records of the inputs; return the exit status.

    It is 0 if there is a record, 1 if there is none or the run could not continue, and 130 after
    Ctrl-C.
    """
    workers = options.workers if options.workers is not None else _cores()
    task, config = _run_of(options, formats), _config_of(options, config, formats, workers)
    with explained(FileNotFoundError, RunError, ImportError):
        total = total_bytes(task.inputs)
        if reason := refusal(task.inputs):
            raise RunError(reason)
    try:
        with (
            explained(ModelError, RunError),
            Files(task, task.asked(config), resume=options.resume) as files,
        ):
            if nothing_left := _nothing_left(task, files.summary):
                say(nothing_left)
                return 0 if files.summary.written else 1
            _carry_out(task, config, files, total)
    except KeyboardInterrupt:
        complain(f"stopped; run the same command with --resume to continue {task.output}")
        return INTERRUPTED
    except (WorkersEndedError, ImportError) as error:
        complain(str(error))
        return 1
    except OSError as error:
        complain(f"{error}; solve this, then run the same command with --resume to continue")
        return 1
    for line in report(task, files):
        complain(line)
    return 0 if files.summary.written else 1


def _nothing_left(task: Run, summary: Summary) -> str:
    """Return why a resumed run has nothing to do; "" if it has."""
    records = f"{task.output} has {counted(summary.written, 'record')}"
    if summary.complete:
        return (
            f"nothing is left to do: all inputs were read before, and {records} of "
            f"{counted(summary.read, 'item')}; to read them anew, name another output"
        )
    if task.limit is not None and summary.labeled >= task.limit:
        return f"nothing is left to do: --limit {task.limit} was reached before, and {records}"
    return ""


def _cores() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _carry_out(task: Run, config: Config, files: Files, total: int) -> None:
    """Label the pages, with a progress bar.

    Ctrl-C may come between a record and the note that it was written. So it sets no mark, and
    pages after the last mark are labeled again.
    """
    if files.summary.read:
        say(f"continuing {task.output} after {counted(files.summary.read, 'item')}")
    with Pool(config) as pool, Meter(total, "extract") as meter:
        try:
            carry_out(task, config, pool, files, meter.show)
        except WorkersEndedError:
            files.mark()
            raise


def _run_of(options: argparse.Namespace, formats: tuple[Format, ...]) -> Run:
    try:
        re.compile(options.match or "")
    except re.error as error:
        raise UsageError(f"--match {options.match}: {error}", print_help=False) from error
    for name, least in (("limit", 1), ("workers", 1)):
        if (number := getattr(options, name)) is not None and number < least:
            raise UsageError(f"--{name} {number}: must be at least {least}", print_help=False)
    confidence = options.min_confidence or 0.0
    if not 0 <= confidence <= 1:
        raise UsageError(f"--min-confidence {confidence} is outside [0, 1]", print_help=False)
    if options.resume and STANDARD_INPUT in options.sources:
        raise UsageError(
            "--resume cannot continue with standard input: write it to a file first",
            print_help=False,
        )
    return Run(
        inputs=tuple(options.sources),
        output=options.output,
        format=options.format,
        wanted=Wanted(formats, options.blocks, bool(options.detect_language), confidence),
        html_field=options.html_field,
        encoding=options.encoding,
        url_pattern=options.match,
        limit=options.limit,
    )


def _config_of(
    options: argparse.Namespace, config: Config, formats: tuple[Format, ...], workers: int
) -> Config:
    """Return the config of the workers, which cache no pages, since few come more than once."""
    given: dict[str, Any] = {"mode": "process", "workers": workers, "cache_blocks": 0}
    given |= {f"{name}_field": name for name in formats}
    for option, name in (("statuses", "statuses"), ("types", "content_types")):
        if (value := getattr(options, option)) is not None:
            with explained(ConfigError):
                given[name] = read_value(name, f"--{option}", value)
    with explained(ConfigError):
        return attrs.evolve(config, **given).checked()


def report(task: Run, files: Files) -> list[str]:
    """Return the last lines of a run: numbers of records, failures and pages left out."""
    summary = files.summary
    speed = summary.labeled / summary.seconds if summary.seconds else 0.0
    stopped = "" if summary.complete else ", stopped by --limit"
    lines = [
        f"wrote {task.output}: {counted(summary.written, 'record')} of "
        f"{counted(summary.read, 'item')} in {summary.seconds:,.0f} s, {speed:,.1f} pages/s"
        f"{stopped}"
    ]
    if summary.failed:
        lines.append(
            f"{summary.failures:,} failed, see {task.output}.failures.jsonl: "
            f"{_listed(summary.failed)}"
        )
        first = files.first_failures.items()
        lines += [f"  the first {kind}: {reason}" for kind, reason in first]
    if summary.left_out:
        lines.append(f"{summary.left_out.total():,} left out: {_listed(summary.left_out)}")
    if names := files.left_out_names:
        lines.append(f"  not a page: {first_of(names, summary.left_out['not a page'])}")
    if not summary.written:
        lines.append("no page has a record, for the reasons above")
        lines += [text for reason, text in _NO_PAGES.items() if reason in summary.left_out]
    return lines


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in Counter(counts).most_common())
