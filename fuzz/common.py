"""What the fuzz targets share."""

from __future__ import annotations

import traceback
from pathlib import Path

CHOOSING_BYTES = 2
"""The first bytes of an input, which choose what is done with the rest."""
SLOW_SECONDS, SLOW_SECONDS_PER_BYTE = 0.5, 1e-5
"""Processor seconds that any input may take, and seconds per byte, instrumented."""


def limit_seconds(size_bytes: int) -> float:
    """Return the processor seconds that an input of this size may take."""
    return SLOW_SECONDS + SLOW_SECONDS_PER_BYTE * size_bytes


def where(error: BaseException) -> str:
    """Return the class of the exception and the last three places in its traceback."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    places = [f"{Path(frame.filename).stem}.{frame.name}" for frame in frames]
    return "-".join([type(error).__name__, *places])
