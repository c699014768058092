"""Settings that are lists: from Python, or from strings with commas that the shell gives."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from scrapy_boilernet.choices import LABEL_KEYS


def items(value: Any) -> list[str]:
    """Return the entries of a list, or of a string with commas; raises ``ValueError`` if empty."""
    listed = value.strip("[] ").split(",") if isinstance(value, str) else value
    parts = listed if isinstance(listed, Iterable) and not isinstance(listed, bytes) else ()
    parts = [part for part in parts if not isinstance(part, bytes)]
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


def patterns(value: Any) -> tuple[re.Pattern[str], ...]:
    """Return regular expressions; a string is one, or a list of them as JSON."""
    listed = _patterns_in(value) if isinstance(value, str) else value
    if isinstance(listed, re.Pattern) or not isinstance(listed, Iterable):
        raise TypeError("must be a list of regular expressions")
    return tuple(_pattern(each) for each in listed)


def _patterns_in(text: str) -> list[Any]:
    if text.strip().lower() in ("", "none"):
        return []
    try:
        listed = json.loads(text)
    except ValueError:
        return [text]
    return listed if isinstance(listed, list) else [text]


def _pattern(value: Any) -> re.Pattern[str]:
    try:
        found = re.compile(value)
        if isinstance(found.pattern, str):
            return found
        error: object = "it is of bytes"
    except (re.error, TypeError, OverflowError, RecursionError) as raised:
        error = raised
    raise ValueError(f"{value!r} must be a regular expression: {error}")


def classes(value: Any) -> tuple[type, ...]:
    """Return classes, of which each may be named by its import path; ``"dict"`` is Python's."""
    listed = [value] if isinstance(value, type) else value
    names = listed if not isinstance(listed, str) else listed.strip("[] ").split(",")
    if not isinstance(names, Iterable):
        raise TypeError("must be a list of classes, or of their import paths")
    return tuple(_class(each) for each in names if each)


def _class(value: Any) -> type:
    if isinstance(value, type):
        return value
    module, _, name = str(value).strip().strip("\"'").rpartition(".")
    try:
        found = getattr(import_module(module or "builtins"), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"{value!r} must be a class that can be imported, such as 'project.items.PageItem': "
            f"{error}"
        ) from None
    if not isinstance(found, type):
        raise TypeError(f"{value!r} must be a class, not {found!r}")
    return found


def label_keys(value: Any) -> tuple[str, ...]:
    """Return keys of the rows of ``block_labels``, in their order there."""
    found = items(value)
    unknown = [key for key in found if key not in LABEL_KEYS]
    if unknown:
        raise ValueError(f"{unknown[0]!r} must be one of {', '.join(LABEL_KEYS)}")
    return tuple(key for key in LABEL_KEYS if key in found)
