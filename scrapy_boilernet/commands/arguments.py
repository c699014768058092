"""The arguments of the programs that label pages, each declared once, and what they mean."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import attrs
from scrapy.exceptions import UsageError

from scrapy_boilernet.bulk.inputs import STANDARD_INPUT
from scrapy_boilernet.bulk.output import FORMATS as ROW_FORMATS
from scrapy_boilernet.bulk.shards import DEFAULT_PAGES
from scrapy_boilernet.bulk.storage import is_address
from scrapy_boilernet.commands.extras import explained
from scrapy_boilernet.commands.output import PAGE_FORMATS, local
from scrapy_boilernet.extractor.encodings import check_encoding
from scrapy_boilernet.extractor.labelers.registry import ModelError, which_labeler
from scrapy_boilernet.extractor.options import (
    ENGINES,
    FORMATS,
    LABEL_WORDS,
    Format,
    LabelOptions,
    formats_of,
    is_threshold,
    short_meaning,
)
from scrapy_boilernet.settings.config import Config, ConfigError, SettingsLike, read_value
from scrapy_boilernet.workers.progress import PROGRESS_FORMS

EXAMPLES = {
    "extract": "--format markdown page.html",
    "bulk": "crawl.warc.gz -o pages.jsonl.gz",
    "fill": "pages --items items.jsonl -o filled.jsonl",
}
"""The programs that label pages, each with the arguments of an example."""
FORMATS_OF = {"extract": PAGE_FORMATS, "bulk": ROW_FORMATS, "fill": ()}
"""Per program the values of ``--format``."""
_NOT_OF_CHUNKS = frozenset(("html", "posts"))
"""Formats of a page that the record of a chunk does not have."""
_ALL_FORMATS = tuple(dict.fromkeys((*PAGE_FORMATS, *ROW_FORMATS)))


class Argument(NamedTuple):
    """An argument, as in ``ArgumentParser.add_argument``."""

    programs: tuple[str, ...]
    """The actions that read it."""
    flags: tuple[str, ...]
    declared: dict[str, Any]

    def words(self, options: argparse.Namespace) -> list[str]:
        """Return the option as it was given, in its short form; an empty list if it was not."""
        name = self.flags[-1].removeprefix("--").replace("-", "_")
        value = getattr(options, self.declared.get("dest", name), None)
        if value is None or value is False:
            return []
        return [self.flags[0]] if "action" in self.declared else [self.flags[0], str(value)]


def _place(path: str) -> Path | str:
    """Return the path of an output, or its address as it is given."""
    return path if is_address(path) else local(path)


_EXTRACT, _BULK, _FILL, _ALL = ("extract",), ("bulk",), ("fill",), tuple(EXAMPLES)
_NOT_BULK, _LABELS = ("extract", "fill"), (*_ALL, "explain")
_ROWS: tuple[tuple[tuple[str, ...], str, str, dict[str, Any]], ...] = (
    (_EXTRACT, "sources", "pages; a folder is searched for .html, .htm and .xhtml, also with .gz, "
     ".zst, .bz2 or .xz; - or nothing for standard input",
     {"nargs": "*", "default": [STANDARD_INPUT], "metavar": "FILE|DIR|URL"}),
    (_BULK, "sources", "WARC, ARC and WACZ files, Scrapy's HTTP cache, archives, JSON, CSV, "
     "Parquet, SQLite, folders of pages, indexes of WARC files; also addresses such as "
     "s3://bucket/crawl/, and patterns; - for standard input",
     {"nargs": "*", "metavar": "FILE|DIR|URL"}),
    (_BULK, "--from-list", "also read the inputs whose names are in this file, one per line",
     {"action": "append", "metavar": "FILE"}),
    (_FILL, "sources", "where a crawl with BOILERNET_MODE = 'deferred' has stored its pages",
     {"nargs": 1, "metavar": "FOLDER"}),
    (_FILL, "--items", "items of that crawl as JSON lines, which are written with filled fields "
     "(default: write a record per page)", {"type": Path, "metavar": "FILE"}),
    (_EXTRACT, "--format", "(default: jsonl if the output's name or an option asks for it, else "
     "text)", {"choices": _ALL_FORMATS, "metavar": f"{{{','.join(PAGE_FORMATS)}}}"}),
    (_BULK, "--format", "(default: the format of the output's name)",
     {"choices": _ALL_FORMATS, "metavar": f"{{{','.join(ROW_FORMATS)}}}"}),
    (_ALL, "--with", f"records: also write these, separated by commas: {', '.join(FORMATS)}",
     {"dest": "formats", "metavar": "FORMATS"}),
    (_ALL, "--chunks", "write a record per chunk of the Markdown, of at most so many tokens, "
     "instead of one per page", {"type": int, "metavar": "TOKENS"}),
    (_NOT_BULK, "--detect-language", "metadata: detect the language of the text (default: "
     "BOILERNET_DETECT_LANGUAGE)", {"action": "store_const", "const": True}),
    (_BULK, "--detect-language", "detect the language of the text (default: "
     "BOILERNET_DETECT_LANGUAGE)", {"action": "store_const", "const": True}),
    (_ALL, "--blocks", "records: also write every block with its label", {"action": "store_true"}),
    (_NOT_BULK, "-o --output", "file to write (default: standard output)", {"type": local}),
    (_BULK, "-o --output", "file to write, such as pages.jsonl.gz, or folder, such as "
     "pages.parquet or s3://bucket/pages/", {"type": _place}),
    (_BULK, "--shard-pages", "write a folder of files with so many pages each (default for "
     f"folders: {DEFAULT_PAGES:,})", {"type": int, "metavar": "N"}),
    (_BULK, "--partition-by", "write a folder per host of the pages, or per language of their main "
     "text", {"choices": ("host", "language")}),
    (_LABELS, "--model", "name or folder of a model (default: BOILERNET_MODEL)", {}),
    (_LABELS, "--threshold", "keep blocks from this probability, in [0, 1] (default: "
     "BOILERNET_THRESHOLD and BOILERNET_DOMAIN_THRESHOLDS)", {"type": float}),
    *(
        (_LABELS, f"--{name}", f"{short_meaning(LabelOptions, name)} (default: BOILERNET_"
         f"{name.upper()})", {"choices": words})
        for name, words in LABEL_WORDS.items()
    ),
    (_LABELS, "--sites", "TOML file with rules of sites (default: BOILERNET_SITES)",
     {"type": Path, "metavar": "FILE"}),
    (_ALL, "--no-fallback", "write no text if the model keeps no block of a page (default: "
     "BOILERNET_FALLBACK)", {"dest": "fallback", "action": "store_const", "const": ()}),
    (_LABELS, "--engine", "what runs the model (default: BOILERNET_ENGINE)", {"choices": ENGINES}),
    (_LABELS, "--encoding", "encoding of the pages, instead of the one that they declare", {}),
    (("extract", "explain"), "--url", "address of the page, if it is a single file or standard "
     "input; the model reads it, and rules of sites and thresholds of domains need it", {}),
    (_BULK, "--workers", "number of processes (default: one per processor core)",
     {"type": int, "metavar": "N"}),
    (_BULK, "--resume", "continue a run that was stopped and that wrote the output",
     {"action": "store_true"}),
    (_BULK, "--resume=anyway", "as --resume, also if inputs, options, model or version are not "
     "what they were", {"action": "store_true", "dest": "resume_anyway"}),
    (_BULK, "--progress", "how progress is shown: a bar, or lines of JSON (default: bar)",
     {"choices": PROGRESS_FORMS}),
    (_BULK, "--summary", "also write the counts at the end to this file, as JSON",
     {"type": local, "metavar": "FILE"}),
    (_BULK, "--limit", "stop after N pages", {"type": int, "metavar": "N"}),
    (_BULK, "--match", "only pages whose URL has a match anywhere", {"metavar": "REGEX"}),
    (_BULK, "--statuses", "only pages with these HTTP statuses, such as 200,404 (default: "
     "BOILERNET_STATUSES)", {}),
    (_BULK, "--types", "only pages with these MIME types (default: BOILERNET_CONTENT_TYPES)", {}),
    (_BULK, "--min-confidence", "leave out pages with a lower confidence, in [0, 1]",
     {"type": float, "metavar": "P"}),
    (_BULK, "--min-words", "leave out pages with fewer words in their main text",
     {"type": int, "metavar": "N"}),
    (_BULK, "--language", "leave out pages whose main text is in another language than these, such "
     "as en,de; needs the extra language", {"metavar": "CODES"}),
    (_BULK, "--dedupe", "leave out pages whose main text is a copy, or nearly a copy, of that "
     "of an earlier page", {"action": "store_true"}),
    (_BULK, "--join", "write one record of the pages of an article or thread that name each other "
     "as the next or previous page", {"action": "store_true"}),
    (_BULK, "--html-field", "rows: the field with the page (default: html, body, ...)",
     {"metavar": "NAME"}),
    (_BULK, "--url-field", "rows: the field with the page's address (default: url)",
     {"metavar": "NAME"}),
    (_BULK, "--charset-field", "rows: the field with the charset of pages in bytes",
     {"metavar": "NAME"}),
    (_BULK, "--base64", "rows: the pages are base64", {"action": "store_true"}),
    (_BULK, "--keep", "rows: also write these fields to the record, separated by commas; "
     "NAME=NEW gives a field another name", {"metavar": "NAMES"}),
    (_BULK, "--index-base", "indexes: the folder or the address of the files that they name "
     "(default: the folder of the index)", {"metavar": "PREFIX"}),
)  # fmt: skip
ARGUMENTS = tuple(
    Argument(programs, tuple(flags.split()), {"help": text, **declared})
    for programs, flags, text, declared in _ROWS
)
"""The arguments in the order of the help. An argument has a row per meaning."""


def add_arguments(parser: argparse.ArgumentParser, action: str) -> None:
    """Declare the action's arguments.

    A program understands those of the other programs, too, but does not show them, so that
    :func:`~scrapy_boilernet.commands.programs.check_program` can name the program that has them.
    """
    own = {one.flags: one.declared for one in ARGUMENTS if action in one.programs}
    for flags, declared in own.items():
        parser.add_argument(*flags, **declared)
    if action in EXAMPLES:
        parser.epilog = f"Example: scrapy boilernet {action} {EXAMPLES[action]}"
        others = {one.flags: one.declared for one in ARGUMENTS if one.flags not in own}
        for flags, declared in others.items():
            parser.add_argument(*flags, **{**declared, "help": argparse.SUPPRESS})


def check_threshold(options: argparse.Namespace) -> None:
    """Raise ``UsageError`` for a threshold that is not a probability."""
    if not is_threshold(options.threshold):
        raise UsageError(f"--threshold {options.threshold} is outside [0, 1]", print_help=False)


def given_chunk_tokens(options: argparse.Namespace) -> int:
    """Return the size of ``--chunks``, 0 if it is not given; raises ``UsageError`` for a wrong one,
    or beside what no chunk has.
    """
    if options.chunks is None:
        return 0
    if options.chunks < 1:
        raise UsageError(f"--chunks {options.chunks}: must be 1 or more", print_help=False)
    if options.blocks:
        raise UsageError(
            "--blocks has no effect on the records of --chunks: leave one of them out",
            print_help=False,
        )
    for name in _NOT_OF_CHUNKS.intersection(given_formats(options)):
        raise UsageError(
            f"--with {name} has no effect on the records of --chunks, which are pieces of the "
            "Markdown: leave one of them out",
            print_help=False,
        )
    return int(options.chunks)


def check_detect_language(options: argparse.Namespace, formats: Collection[Format]) -> None:
    """Raise ``UsageError`` for ``--detect-language`` without metadata, which have the language."""
    if options.detect_language and "metadata" not in formats:
        needed = "the setting BOILERNET_METADATA_FIELD" if options.items else "--with metadata"
        raise UsageError(
            f"--detect-language needs {needed}, since the language is a part of the metadata: add "
            "it, or leave out --detect-language",
            print_help=False,
        )


def given_label_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the label options of the command line by name, without those not given."""
    given = {field.name: getattr(options, field.name, None) for field in fields(LabelOptions)}
    return {name: value for name, value in given.items() if value is not None}


def config_of(options: argparse.Namespace, settings: SettingsLike | None) -> Config:
    """Return the project's config; given options override its settings.

    Raises ``UsageError`` for wrong ones.
    """
    check_threshold(options)
    with explained(ValueError):
        check_encoding(getattr(options, "encoding", None))
    given = given_label_options(options)
    for name in ("model", "engine", "detect_language"):
        if (value := getattr(options, name, None)) is not None:
            given[name] = value
    if "threshold" in given:  # the option overrides the thresholds of domains
        given["domain_thresholds"] = {}
    with explained(ModelError):
        if "model" in given:
            which_labeler(given["model"], "give --model")
    with explained(ConfigError):
        if getattr(options, "sites", None) is not None:
            given["sites"] = read_value("sites", "--sites", options.sites)
        return attrs.evolve(Config.from_settings(settings or {}), **given).checked()


def given_formats(options: argparse.Namespace) -> tuple[Format, ...]:
    """Return the formats of ``--with``; raises ``UsageError`` for an unknown one."""
    try:
        return formats_of(options.formats.split(",") if options.formats else ())
    except ValueError as error:
        raise UsageError(f"--with {options.formats}: {error}", print_help=False) from error
