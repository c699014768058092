"""Results and messages of the actions that label pages."""

from __future__ import annotations

import argparse
import gzip
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from scrapy.exceptions import UsageError

from scrapy_boilernet.bulk.binding import clash
from scrapy_boilernet.bulk.records import chunk_rows, line_of, row_of
from scrapy_boilernet.commands.sources import Source, is_url
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.crf.segments import cleaned_text
from scrapy_boilernet.extractor.options import Limits
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.settings.values import local_path
from scrapy_boilernet.workers.jobs import SKIPPED
from scrapy_boilernet.workers.page_worker import PageWorker

PAGE_FORMATS = ("text", "markdown", "html", "jsonl", "cleaneval")
"""The values of ``--format`` for single pages."""
_UNWRITTEN = (".zst", ".bz2", ".xz", ".zip", ".parquet")
"""Endings of files that are not text, and that are not written."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal or change the direction of text."""


def for_terminal(text: str, out: TextIO) -> str:
    """Return the text without terminal controls, or unchanged for files and pipes."""
    return _CONTROLS.sub("\ufffd", text) if out.isatty() else text


def complain(text: str) -> None:
    """Write a line to standard error. It may have text from a page or a server."""
    sys.stderr.write(for_terminal(" ".join(text.splitlines()), sys.stderr) + "\n")


def complain_of(name: str, error: Exception, action: str = "extract") -> None:
    """Write to standard error the reason why a page has no result."""
    kind = type(error).__name__
    complain(f"cannot {action} {name}: {'' if kind in SKIPPED else f'{kind}: '}{error}")


def complain_if_cut(name: str, page: Page, limits: Limits) -> None:
    """Write a message to standard error if a page was cut off, with the setting."""
    if page.over_max_bytes:
        complain(
            f"{name}: cut off after BOILERNET_MAX_BYTES = {limits.max_bytes} bytes; raise it to "
            "read more"
        )
    if page.over_max_blocks:
        complain(
            f"{name}: cut off, since it has more blocks or elements than BOILERNET_MAX_BLOCKS = "
            f"{limits.max_blocks} allows; raise it to read more"
        )


def complain_if_no_address(sources: Sequence[Source], url: str | None, config: Config) -> None:
    """Write a message to standard error if settings need the addresses that pages do not have.

    ``url``: the address that was given for the only page.
    """
    without = [one for one in sources if not (url or is_url(one.name))]
    needing = ["--sites or BOILERNET_SITES"] * bool(config.sites)
    needing += ["BOILERNET_DOMAIN_THRESHOLDS"] * bool(config.domain_thresholds)
    if not (without and needing):
        return
    alone = len(sources) == 1
    which = without[0].shown_name if alone else f"{len(without):,} of {len(sources):,} pages"
    remedy = "give it by --url" if alone else "give that of a single file by --url"
    complain(f"{which}: no address is known, so {' and '.join(needing)} had no effect; {remedy}")


def opened(path: Path | None) -> AbstractContextManager[TextIO]:
    """Return the open file, or standard output; raises ``UsageError`` if it cannot be opened."""
    if path is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        return nullcontext(sys.stdout)
    ending = path.suffix.lower()
    if ending in _UNWRITTEN:
        raise UsageError(
            f"{path}: files that end with {ending} cannot be written here; name a file that ends "
            f"with {path.with_suffix('').suffix or '.txt'}, also with .gz",
            print_help=False,
        )
    try:
        if ending == ".gz":
            return gzip.open(path, "wt", encoding="utf-8", errors="replace")
        return path.open("w", encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error}", print_help=False) from error


def shown_path(path: str) -> str:
    r"""Return the path as text; bytes of a name that is not UTF-8 are written as ``\xff``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def local(path: str) -> Path:
    """Return the path of a file or folder to write, for argparse, which shows the message."""
    try:
        return Path(local_path(path))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{path}: {error}") from error


def check_outputs(
    outputs: Iterable[Path | str | None], inputs: Iterable[Path | str | None]
) -> None:
    """Raise ``UsageError`` if an output is an input, or lies in a folder that is read."""
    given = [Path(out) for out in outputs if out is not None]
    if reason := clash(given, [str(name) for name in inputs if name is not None]):
        raise UsageError(reason, print_help=False)


def check_folder(out: Path) -> None:
    """Raise ``UsageError`` if a folder to write cannot be made, or written to."""
    there = next(path for path in (out, *out.parents) if path.exists())
    if not there.is_dir():
        raise UsageError(f"--out {out}: {there} is a file; name a folder", print_help=False)
    if not os.access(there, os.W_OK):
        raise UsageError(f"--out {out}: {there} cannot be written to", print_help=False)


def check_files(outputs: Iterable[Path | None]) -> None:
    """Raise ``UsageError`` for a file to write that is a folder, or whose folder is missing."""
    for out in outputs:
        if out is not None and out.is_dir():
            raise UsageError(f"{out} is a folder; name a file in it", print_help=False)
        if out is not None and not out.parent.is_dir():
            raise UsageError(
                f"cannot write {out}: there is no folder {out.parent}; make it first",
                print_help=False,
            )


def written(
    source: Source,
    result: LabeledPage,
    options: argparse.Namespace,
    worker: PageWorker,
    number: int,
) -> str:
    """Return a page's result in the format of ``options``.

    ``worker``: what labeled the page; ``number``: the number of pages of this command.
    """
    if options.format != "jsonl":
        heading = f"==> {shown_path(source.name)} <==\n" if number > 1 else ""
        if options.format == "cleaneval":
            text = cleaned_text(result, worker.labeler)
        else:
            marked_up = {"markdown": result.markdown, "html": result.html}.get(options.format)
            text = result.text if marked_up is None else marked_up
        return f"{heading}{text}\n" + ("\n" if number > 1 else "")
    return written_rows({"source": source.name}, result, options, worker.model)


def written_rows(
    names: Mapping[str, str], result: LabeledPage, options: argparse.Namespace, model: str
) -> str:
    """Return a page's result as a line of JSON, or a line per chunk, which begin with ``names``.

    ``model``: the model that labeled it, with its version, as in the records of ``bulk``.
    """
    if options.chunks:
        rows = chunk_rows(names, result, options.chunks)
    else:
        rows = [row_of(names, result, with_blocks=options.blocks)]
    return "".join(line_of({**row, "model": model}) for row in rows)
