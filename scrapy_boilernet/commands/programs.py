"""Names the right one of ``extract``, ``bulk`` and ``fill`` if a user picks a wrong one."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Collection
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from scrapy.exceptions import UsageError

from scrapy_boilernet.bulk.inputs import STANDARD_INPUT, inputs_of, kind_of
from scrapy_boilernet.bulk.storage import is_address
from scrapy_boilernet.bulk.tables import DATABASE
from scrapy_boilernet.commands.arguments import ARGUMENTS, EXAMPLES, FORMATS_OF
from scrapy_boilernet.commands.extras import explained
from scrapy_boilernet.commands.output import for_terminal
from scrapy_boilernet.commands.sources import is_url
from scrapy_boilernet.extractor.options import MARKUP_FORMATS

_OPTIONS = {one.flags[0]: one for one in ARGUMENTS if one.flags != ("sources",)}
_BULK_ENDINGS = (".jsonl.zst", ".parquet")
"""Endings of outputs that only ``bulk`` writes."""
_OUTPUTS = {"parquet": "pages.parquet", "markdown-files": "pages-md"}
"""By the format of ``bulk``, a name for its output; other formats write lines of JSON."""


class _Input(NamedTuple):
    """What the user named."""

    name: str
    what: str
    readers: tuple[str, ...]
    """The programs that read it, the best one first."""
    store: str = ""
    """The only store of a deferred crawl in a folder, if it is not the folder itself."""


def check_program(program: str, options: argparse.Namespace) -> None:
    """Raise ``UsageError`` with the command line to type if another program is the right one.

    A page is for ``extract`` and the store of a deferred crawl for ``fill``, unless an option is
    given that only ``bulk`` has. Several pages, or a folder of them, are for ``extract`` or for
    ``bulk``, as the user chose.
    """
    lacks = {one: _lacking(one, options) for one in EXAMPLES}
    if not options.sources and not lacks[program]:  # its inputs are in a list
        return
    with explained(ImportError):
        inputs = [_input(name, program, asked=bool(lacks[program])) for name in options.sources]
    readers = [one for one in inputs[0].readers if all(one in each.readers for each in inputs)]
    if len(inputs) > 1 and "fill" in readers:  # which reads one folder
        readers.remove("fill")
    able = [one for one in readers if not lacks[one]]
    chosen = program in able and (len(inputs) > 1 or able[0] == program)
    if chosen and not (program == "fill" and inputs[0].store):
        return
    unread = next((one for one in inputs if program not in one.readers), inputs[0])
    right = (able or readers or unread.readers)[0]
    if program in unread.readers and lacks[program]:
        owners = [one for one in EXAMPLES if lacks[program][0] not in lacks[one]]
        reason = f"{lacks[program][0]} is for scrapy boilernet {' and '.join(owners)}"
    else:
        name = "standard input" if unread.name == STANDARD_INPUT else unread.name
        reason = f"{name} is {unread.what}"
    names = [one.store or one.name for one in inputs if right in one.readers]
    without = f", without {', '.join(lacks[right])}" if lacks[right] else ""
    more = "; add --workers N to read it by bulk" if program in able and not chosen else ""
    message = f"{reason}: type {_command_line(right, names, options, lacks[right])}{without}{more}"
    raise UsageError(for_terminal(message, sys.stderr), print_help=False)


def _lacking(program: str, options: argparse.Namespace) -> list[str]:
    """Return the given options that the program does not have, such as ``--workers 2``."""
    own = {one.flags[0] for one in ARGUMENTS if program in one.programs}
    lacking = []
    for flag, option in _OPTIONS.items():
        words = option.words(options)
        if words and (
            flag not in own
            or (flag == "--format" and words[1] not in FORMATS_OF[program])
            or (flag == "-o" and program != "bulk" and words[1].lower().endswith(_BULK_ENDINGS))
        ):
            lacking.append(shlex.join(words))
    return lacking


def _command_line(
    program: str, names: Collection[str], options: argparse.Namespace, lacks: Collection[str]
) -> str:
    """Return the command line with the options that the program has."""
    words = ["scrapy", "boilernet"]
    for setting in getattr(options, "set", None) or ():
        words += ["-s", setting]
    words += [program, *names]
    for option in _OPTIONS.values():
        if shlex.join(given := option.words(options)) not in lacks:
            words += given
    if options.format in MARKUP_FORMATS and program != "extract" and not options.formats:
        words += ["--with", options.format]
    if program == "bulk" and options.output is None:
        words += ["-o", _OUTPUTS.get(options.format, "pages.jsonl.gz")]
    return shlex.join(words)


def _input(name: str, program: str, *, asked: bool) -> _Input:
    """Return what the name is; ``asked``: whether an option of another program is given.

    All programs read what is missing or unknown: each says what is wrong with it.
    """
    unknown = _Input(name, "unknown", (program, *EXAMPLES))
    if is_address(name) or name.startswith(DATABASE):
        is_page = is_url(name) and program != "bulk"
        what = "a URL" if is_url(name) else "an address"
        return _Input(name, what, ("extract",) if is_page else ("bulk",))
    if name == STANDARD_INPUT and asked:  # and perhaps not there, so do not wait for it
        return _Input(name, "not a folder", ("extract", "bulk"))
    try:
        found = [*islice(inputs_of([name]), 2)]
        first = found[0]
    except (FileNotFoundError, IndexError):  # missing, or an empty folder
        return unknown
    if program == "fill":  # the user wants a store, whatever else is there
        found = [one for one in inputs_of([name]) if one.kind == "deferred store"]
    is_store = len(found) == 1 and found[0].kind == "deferred store"
    if is_store or (program == "fill" and any(Path(name).glob("index-*.jsonl"))):
        inside = found[0].path if is_store and found[0].path != name else ""
        what = "a folder with the pages of a deferred crawl"
        return _Input(name, what, ("fill", "bulk"), inside)
    if program == "bulk" and not asked and not first.named:
        return _Input(name, "a folder", ("bulk",))  # whatever is in it
    has_pages = False
    for kind in map(kind_of, inputs_of([name])):
        if kind not in ("page", "unknown", "other"):
            return _Input(name, "a stored crawl", ("bulk",))
        has_pages |= kind == "page"
    what = "a page" if first.named else "a folder of pages"
    return _Input(name, what, ("extract", "bulk")) if has_pages else unknown
