"""Reads and writes the file from which a run is resumed, without trust in what is found there."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

FORMAT_VERSION = 3
"""Version 1 had no ``format_version`` and no inputs; version 2 no members in positions."""
MAX_BYTES = 50_000_000
"""More than the file of any run has: 100,000 named inputs take 20 MB."""
_LARGEST = 2**63 - 1
_SUMMARY = {"read", "written", "failed", "left_out", "waiting", "seconds", "complete"}
_LATER_COUNTS = {"pages", "with_address", "rows", "truncated"}
"""Counts of the summary that files of this version may lack, since they were added later."""


def open_plain(path: Path, flags: int) -> BinaryIO:
    """Open a file for reading and writing; a symbolic link is refused by an ``OSError``."""
    number = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0), 0o666)
    writes = flags & (os.O_RDWR | os.O_WRONLY)
    return os.fdopen(number, "r+b" if writes else "rb")


def write_state(path: Path, state: Mapping[str, Any]) -> None:
    """Replace the file, so that it is never half written. What was there is not written to."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with open_plain(new, os.O_RDWR | os.O_CREAT | os.O_EXCL) as file:
        file.write(json.dumps(state).encode("ascii"))
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def read_state(path: Path) -> dict[str, Any]:
    """Return the state in the file; an empty dict if there is no file.

    Raises ``ValueError`` if it is not what :func:`write_state` wrote, ``OSError`` if it cannot be
    read.
    """
    try:
        with open_plain(path, os.O_RDONLY) as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return {}
    if len(data) > MAX_BYTES:
        raise ValueError(f"more than {MAX_BYTES} bytes")
    try:
        state = json.loads(data)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if isinstance(state, dict) and "asked" in state and "format_version" not in state:
        raise ValueError("it was written by an older version, which did not note the inputs")
    if not (isinstance(state, dict) and _is_whole(state)):
        raise ValueError("not the progress of a run")
    return state


def _is_whole(state: Mapping[str, Any]) -> bool:
    summary, position = state.get("summary"), state.get("position")
    return (
        state.get("format_version") == FORMAT_VERSION
        and isinstance(state.get("asked"), dict)
        and isinstance(inputs := state.get("inputs"), list)
        and all(map(_is_fingerprint, inputs))
        and all(_is_count(state.get(name)) for name in ("output", "failures", "input"))
        and all(_is_count(state.get(name, 0)) for name in ("texts", "joining", "joined"))
        and isinstance(position, list)
        and len(position) == 3
        and _is_count(position[0])
        and _is_count(position[2])
        and (position[1] == -1 or _is_count(position[1]))
        and isinstance(summary, dict)
        and _is_summary(summary)
    )


def _is_fingerprint(one: Any) -> bool:
    return (
        isinstance(one, dict)
        and one.keys() == {"name", "files", "bytes", "digest"}
        and _is_count(one["files"])
        and _is_count(one["bytes"])
        and isinstance(one["name"], str)
        and isinstance(one["digest"], str)
    )


def _is_summary(summary: Mapping[str, Any]) -> bool:
    counts = [summary.get("failed"), summary.get("left_out")]
    seconds = summary.get("seconds")
    if not (
        summary.keys() - _LATER_COUNTS == _SUMMARY
        and all(_is_count(summary.get(name, 0)) for name in _LATER_COUNTS)
        and all(isinstance(one, dict) and all(map(_is_count, one.values())) for one in counts)
        and _is_count(summary["read"])
        and _is_count(summary["written"])
        and _is_count(summary["waiting"])
        and isinstance(summary["complete"], bool)
        and isinstance(seconds, (int, float))
    ):
        return False
    others = sum(sum(one.values()) for one in counts if one) + summary["waiting"]
    in_range = 0 <= seconds <= _LARGEST and math.isfinite(seconds)
    return bool(in_range and summary["read"] == summary["written"] + others)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST
