"""Label stored crawls in worker processes: a record per page."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.bulk.filters import check_languages, languages_of
from scrapy_boilernet.bulk.inputs import LIST, STANDARD_INPUT, refusal
from scrapy_boilernet.bulk.output import format_of
from scrapy_boilernet.bulk.pages import Reading
from scrapy_boilernet.bulk.pool import Pool, WorkersEndedError
from scrapy_boilernet.bulk.records import FIELDS, RecordOptions
from scrapy_boilernet.bulk.run import carry_out, total_bytes
from scrapy_boilernet.bulk.run_files import Files, Resume
from scrapy_boilernet.bulk.storage import StorageError, shown
from scrapy_boilernet.bulk.task import Run, RunError, Summary
from scrapy_boilernet.commands import arguments
from scrapy_boilernet.commands.arguments import config_of, given_chunk_tokens, given_formats
from scrapy_boilernet.commands.ending import INTERRUPTED
from scrapy_boilernet.commands.extras import explained
from scrapy_boilernet.commands.output import check_outputs, complain
from scrapy_boilernet.commands.programs import check_program
from scrapy_boilernet.commands.sources import first_of
from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.extractor.options import Format, formats_of
from scrapy_boilernet.settings.config import PREFIX, Config, ConfigError, read_value
from scrapy_boilernet.workers.progress import Meter, ProgressForm, counted, say

_NO_PAGES = {
    "WARC conversion": "records of the type conversion (WET files) have text that was taken out of "
    "pages; read the WARC files",
    "WARC metadata": "records of the type metadata (WAT files) are no pages; read the WARC files",
}  # fmt: skip
"""What records of WARC files are that were left out, if nothing else was found."""


add_arguments = partial(arguments.add_arguments, action="bulk")


def run(options: argparse.Namespace, settings: BaseSettings | None = None) -> int:
    """Write the records of the inputs, with the project's settings for options that are not given.

    Returns 0 if there is a record, 1 if there is none or the run could not continue, and 130 after
    Ctrl-C.
    """
    check_program("bulk", options)
    _prepare_output(options)
    formats = given_formats(options)
    if options.format == "markdown-files":
        formats = formats_of([*formats, "markdown"])
    task, config = _run_of(options, formats), _config_of(options, settings, formats)
    with explained(FileNotFoundError, RunError, ImportError, StorageError, ValueError):
        total = total_bytes(task.inputs)
        if reason := refusal(task.inputs):
            raise RunError(reason)
    try:
        with (
            explained(ModelError, RunError),
            Files(task, task.asked(config), _resume_of(options)) as files,
        ):
            if nothing_left := _nothing_left(task, files.summary):
                say(nothing_left)
                return 0 if files.summary.written else 1
            _carry_out(task, config, files, total, options.progress or "bar")
    except KeyboardInterrupt:
        complain(f"stopped; run the same command with --resume to continue {task.output}")
        return INTERRUPTED
    except (WorkersEndedError, ImportError) as error:
        complain(str(error))
        return 1
    except (OSError, StorageError) as error:
        complain(f"{error}; solve this, then run the same command with --resume to continue")
        return 1
    if options.summary:
        options.summary.write_text(f"{json.dumps(facts(task, files))}\n", encoding="utf-8")
    for line in report(task, files):
        complain(line)
    return 0 if files.summary.written else 1


def _prepare_output(options: argparse.Namespace) -> None:
    """Set the format, the address and the local path of the output.

    Raises ``UsageError`` if there is none, or its format is not known.
    """
    if options.output is None:
        raise UsageError(
            "name the file to write by -o, such as -o pages.jsonl.gz", print_help=False
        )
    options.address = ""
    if isinstance(options.output, str):  # what is beside the output is in this folder
        options.address = options.output
        options.output = Path(re.split(r"[/:]+", options.address.rstrip("/"))[-1])
    with explained(ValueError):
        options.format = format_of(options.output, options.format)


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


def _resume_of(options: argparse.Namespace) -> Resume:
    return "anyway" if options.resume_anyway else "same" if options.resume else "no"


def _carry_out(task: Run, config: Config, files: Files, total: int, form: ProgressForm) -> None:
    """Label the pages, and show the progress.

    Ctrl-C may come between a record and the note that it was written. So it sets no mark, and
    pages after the last mark are labeled again.
    """
    if files.summary.read:
        say(f"continuing {task.output} after {counted(files.summary.read, 'item')}")
    with Pool(config) as pool, Meter(total, "bulk", form=form) as meter:
        try:
            carry_out(task, config, pool, files, meter.show)
        except WorkersEndedError:
            files.mark()
            raise


def _run_of(options: argparse.Namespace, formats: tuple[Format, ...]) -> Run:
    _check(options)
    return Run(
        inputs=_inputs(options),
        output=options.output,
        format=options.format,
        wanted=RecordOptions(
            formats,
            options.blocks,
            bool(options.detect_language),
            options.min_confidence or 0.0,
            options.min_words or 0,
            _languages(options),
            given_chunk_tokens(options),
            options.dedupe,
            options.join,
        ),
        rows=Reading(
            0,
            html_field=options.html_field,
            url_field=options.url_field,
            charset_field=options.charset_field,
            is_base64=options.base64,
            base=options.index_base or "",
            keep=_kept(options.keep),
        ),
        encoding=options.encoding,
        url_pattern=options.match,
        shard_pages=options.shard_pages,
        partition=options.partition_by,
        address=options.address,
        limit=options.limit,
    )


def _inputs(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the names of the inputs and of the lists of inputs."""
    names = (*options.sources, *(f"{LIST}{one}" for one in options.from_list or ()))
    if not names:
        raise UsageError(
            "name the files to read, or a list of them by --from-list", print_help=False
        )
    return names


def _kept(given: str | None) -> tuple[tuple[str, str], ...]:
    """Return (field of the input, its name in the record) of each field of ``--keep``."""
    pairs = [name.partition("=") for name in given.split(",")] if given else []
    keep = tuple((name, new or name) for name, _, new in pairs if name)
    for name, new in keep:
        if new in FIELDS:
            raise UsageError(
                f"--keep {name}: a record has a field {new!r} already: give it another name, such "
                f"as --keep {name}=source_{name}",
                print_help=False,
            )
    return keep


def _check(options: argparse.Namespace) -> None:
    """Raise ``UsageError`` for options that are wrong, or that cannot be given together."""
    try:
        re.compile(options.match or "")
    except re.error as error:
        raise UsageError(f"--match {options.match}: {error}", print_help=False) from error
    for name, least in (("limit", 1), ("workers", 1), ("min_words", 0), ("shard_pages", 1)):
        if (number := getattr(options, name)) is not None and number < least:
            raise UsageError(
                f"--{name.replace('_', '-')} {number}: must be at least {least}", print_help=False
            )
    _check_summary(options)
    confidence = options.min_confidence or 0.0
    if not 0 <= confidence <= 1:
        raise UsageError(f"--min-confidence {confidence} is outside [0, 1]", print_help=False)
    if options.partition_by == "language" and not options.detect_language:
        raise UsageError(
            "--partition-by language needs the languages: add --detect-language", print_help=False
        )
    if (options.resume or options.resume_anyway) and STANDARD_INPUT in options.sources:
        raise UsageError(
            "--resume cannot continue with standard input: write it to a file first",
            print_help=False,
        )
    if options.join and options.limit is not None:
        raise UsageError(
            "--limit ends a run before its pages can be joined: leave out --limit or --join",
            print_help=False,
        )


def _check_summary(options: argparse.Namespace) -> None:
    """Raise ``UsageError`` if the summary would take the place of an input or of the output, or
    has no folder.
    """
    summary, output = options.summary, options.output
    if summary is None:
        return
    check_outputs([summary], options.sources)
    if not summary.parent.is_dir():
        raise UsageError(
            f"--summary {summary}: there is no folder {summary.parent}", print_help=False
        )
    if summary.resolve() == output.resolve():
        raise UsageError(f"--summary {summary} is the output: name another file", print_help=False)


def _languages(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the languages of ``--language``; raises ``UsageError`` for wrong ones, or without the
    package that detects them.
    """
    if not options.language:
        return ()
    if find_spec("py3langid") is None:
        raise UsageError(
            "--language needs the package py3langid: pip install py3langid",
            print_help=False,
        )
    try:
        names = languages_of(options.language)
        check_languages(names)
    except ValueError as error:
        raise UsageError(f"--language {options.language}: {error}", print_help=False) from error
    return names


def _config_of(
    options: argparse.Namespace, settings: BaseSettings | None, formats: tuple[Format, ...]
) -> Config:
    """Return the config of the workers, which cache no pages, since few come more than once."""
    workers = _cores() if options.workers is None else options.workers
    given: dict[str, Any] = {"mode": "process", "workers": workers, "cache_blocks": 0}
    given |= {f"{name}_field": name for name in formats}
    config = config_of(options, settings)
    with explained(ConfigError):
        for option, name in (("statuses", "statuses"), ("types", "content_types")):
            if (value := getattr(options, option)) is not None:
                given[name] = read_value(name, f"--{option}", value)
        return attrs.evolve(config, **given).checked()


def facts(task: Run, files: Files) -> dict[str, Any]:
    """Return the counts of a run, as plain JSON."""
    summary = files.summary
    speed = summary.labeled / summary.seconds if summary.seconds else 0.0
    return {
        "output": shown(task.address) or str(task.output),
        "items": summary.read,
        "records": summary.written,
        "rows": summary.rows,
        "pages_with_address": summary.with_address,
        "truncated": summary.truncated,
        "failed": dict(summary.failed),
        "left_out": dict(summary.left_out),
        "seconds": round(summary.seconds, 3),
        "pages_per_second": round(speed, 3),
        "complete": summary.complete,
        "first_failures": files.first_failures,
    }


def report(task: Run, files: Files) -> list[str]:
    """Return the last lines of a run: numbers of records, failures and pages left out."""
    summary = files.summary
    speed = summary.labeled / summary.seconds if summary.seconds else 0.0
    stopped = "" if summary.complete else ", stopped by --limit"
    lines = [
        f"wrote {shown(task.address) or task.output}: {_written(task, summary)} "
        f"in {summary.seconds:,.0f} s, {speed:,.1f} pages/s"
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
    if summary.truncated:
        lines.append(
            f"{summary.truncated:,} cut off at BOILERNET_MAX_BLOCKS or BOILERNET_MAX_BYTES; raise "
            "them to read more"
        )
    if not summary.written:
        has_reasons = summary.failed or summary.left_out
        why = "for the reasons above" if has_reasons else "since the inputs have no items"
        lines.append(f"no page has a record, {why}")
        lines += [text for reason, text in _NO_PAGES.items() if reason in summary.left_out]
    if summary.pages and not summary.with_address:
        lines += _without_addresses(task, files)
    return lines


def _written(task: Run, summary: Summary) -> str:
    """Return what was written, such as ``"3 records of 4 items"`` or ``"9 chunks of 3 pages, out of
    4 items"``.
    """
    items = counted(summary.read, "item")
    if not task.wanted.chunk_tokens:
        return f"{counted(summary.written, 'record')} of {items}"
    of = counted(summary.written, "article" if task.wanted.join else "page")
    return f"{counted(summary.rows, 'chunk')} of {of}, out of {items}"


def _without_addresses(task: Run, files: Files) -> Iterator[str]:
    """Yield what had no effect, since no page has an address."""
    remedy = "name inputs that have the addresses, or --url-field for rows"
    if task.wanted.join:
        yield f"--join joined no pages, since none has an address: {remedy}"
    for name, given in (("SITES", "--sites or "), ("DOMAIN_THRESHOLDS", "")):
        if files.asked[f"{PREFIX}{name}"]:
            yield f"{given}{PREFIX}{name} had no effect, since no page has an address: {remedy}"


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in Counter(counts).most_common())
