"""The argument ``--cache`` of the actions that read data sets."""

from __future__ import annotations

import argparse
from pathlib import Path

DEFAULT_CACHE = Path(".boilernet-cache")


def add_cache_argument(parser: argparse.ArgumentParser) -> None:
    """Declare the folder of unpacked data sets."""
    parser.add_argument(
        "--cache", type=Path, default=DEFAULT_CACHE, metavar="FOLDER",
        help=f"folder for unpacked data sets (default: {DEFAULT_CACHE})",
    )  # fmt: skip
