"""Where results go, and in what form."""

from __future__ import annotations

import argparse
import json
import re
import sys
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from scrapy.exceptions import UsageError

from scrapy_boilernet.cleaned import cleaned_text
from scrapy_boilernet.config import Config
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.labelers import load_labeler

FORMATS = ("text", "jsonl", "cleaneval")
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What commands a terminal, or turns the direction of what is written after it."""


def for_terminal(text: str, out: TextIO) -> str:
    """Return the text so that it commands no terminal; for files and pipes as it is."""
    return _COMMANDS.sub("\ufffd", text) if out.isatty() else text


def complain(text: str) -> None:
    """Write a line to standard error, which may say what a page or a server says."""
    sys.stderr.write(for_terminal(" ".join(text.splitlines()), sys.stderr) + "\n")


def opened(path: Path | None) -> AbstractContextManager[TextIO]:
    """The file to write, or standard output in whatever encoding it has."""
    if path is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        return nullcontext(sys.stdout)
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error}", print_help=False) from error


def written(
    name: str, result: LabeledPage, options: argparse.Namespace, config: Config, number: int
) -> str:
    """Return a page's result in the form that ``options`` ask for.

    ``name``: what the page was asked for by; ``number``: of the pages of this call.
    """
    if options.format != "jsonl":
        heading = f"==> {name} <==\n" if number > 1 else ""
        text = result.text
        if options.format == "cleaneval":  # loaded already, and kept
            text = cleaned_text(result, load_labeler(config.model, config.engine, config.device))
        return f"{heading}{text}\n" + ("\n" if number > 1 else "")
    row: dict[str, Any] = {
        "source": name,
        "title": result.page.title,
        "main_text": result.text,
        "main_text_confidence": round(result.confidence, 4),
        "main_text_source": result.source,
        "model": result.model,
    }
    if options.blocks:
        row["block_labels"] = result.block_labels()
    return json.dumps(row, ensure_ascii=False) + "\n"
