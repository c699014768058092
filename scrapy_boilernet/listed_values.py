"""Settings that are lists: from Python, or from strings with commas that the shell gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def items(value: Any) -> list[str]:
    """Return the entries of a list, or of a string with commas; raises ``ValueError`` if empty."""
    listed = value.strip("[] ").split(",") if isinstance(value, str) else value
    parts = listed if isinstance(listed, Iterable) else ()
    found = [text for part in parts if (text := str(part).strip().strip("\"'"))]
    if not found:
        raise ValueError("must be a list with at least one entry, or one string with commas")
    return found


def statuses(value: Any) -> frozenset[int]:
    """Return statuses of HTTP, from 100 to 599; raises ``ValueError`` for others."""
    parts = items([value] if isinstance(value, int) else value)
    if not all(part.isdecimal() and 100 <= int(part) <= 599 for part in parts):
        raise ValueError("must be statuses of HTTP, such as 200, 404")
    return frozenset(map(int, parts))


def content_types(value: Any) -> frozenset[str]:
    """Return MIME types, in lower case; raises ``ValueError`` for what is none."""
    types = frozenset(part.lower() for part in items(value))
    if any(part.count("/") != 1 or ";" in part for part in types):
        raise ValueError("must be MIME types such as text/html")
    return types
