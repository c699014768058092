"""Where a figure comes from: the command and the versions that made it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path


def versions() -> dict[str, str]:
    """Return the versions that a figure depends on; of engines those that are installed."""
    found = {"python": platform.python_version()}
    for distribution in ("torch", "numpy", "onnxruntime", "lightgbm", "scipy"):
        try:
            found[distribution] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return found


def shown_arguments(arguments: Sequence[str]) -> list[str]:
    """Return a command's arguments with paths cut to their last part, for a document."""
    shown = []
    for argument in arguments:
        option, equals, value = argument.rpartition("=")
        shown.append(f"{option}{equals}{Path(value).name}" if "/" in value else argument)
    return shown


def command_line(action: str) -> str:
    """Return the command that runs now, as a document shows it."""
    arguments = sys.argv[sys.argv.index(action) + 1 :] if action in sys.argv else []
    return " ".join(["scrapy boilernet", action, *shown_arguments(arguments)])
