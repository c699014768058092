"""Where a figure comes from: the command and the versions that made it."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

TRAINING_DISTRIBUTIONS = ("scrapy-boilernet", "lxml", "rapidfuzz")
"""What else the pages, blocks and labels that a model learns from depend on."""


def versions(*others: str) -> dict[str, str]:
    """Return the versions that a figure depends on; of engines those that are installed.

    ``others``: more distributions.
    """
    found = {"python": platform.python_version()}
    for distribution in ("torch", "numpy", "onnxruntime", "lightgbm", "scipy", *others):
        try:
            found[distribution] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return found


def shown_arguments(arguments: Sequence[str]) -> list[str]:
    """Return a command's arguments with paths cut to their last part, for a document."""
    shown = []
    for before, argument in zip(["", *arguments], arguments, strict=False):
        option, equals, value = argument.rpartition("=")
        is_path = "/" in value and "--without" not in (before, option)
        shown.append(f"{option}{equals}{Path(value).name}" if is_path else argument)
    return shown


def command_line(action: str) -> str:
    """Return the command that runs now, as a document shows it."""
    arguments = sys.argv[sys.argv.index(action) + 1 :] if action in sys.argv else []
    return shlex.join(["scrapy", "boilernet", action, *shown_arguments(arguments)])
