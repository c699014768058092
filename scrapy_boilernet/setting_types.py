"""The types of settings: each is read from Python, or from the strings that the shell gives."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from scrapy_boilernet.options import (
    CHOICES,
    ENGINES,
    EXCESS,
    FAVORS,
    HIDDEN,
    LABEL_KEYS,
    MODES,
    WANTED,
    Rung,
    rungs_of,
)


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


class ConfigError(ValueError):
    """A setting or an override is wrong; the message names it, its value and the remedy."""

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name
        """What is wrong, without its value."""


def read_value(key: str, name: str, value: Any) -> Any:
    """Return ``value`` in the type of the config entry ``key``; strings come from the shell."""
    try:
        return _READERS[key](value)
    except (TypeError, ValueError, KeyError) as error:
        raise ConfigError(f"{name} = {value!r}: {error}", name) from None


_BOOLEANS = {"1": True, "true": True, "0": False, "false": False, "": False}


def _boolean(value: Any) -> bool:
    found = _BOOLEANS.get(str(value).strip().lower())
    if found is None:
        raise ValueError("must be True or False")
    return found


def _model(value: Any) -> str:
    if not value:
        raise ValueError("must be a shipped model's name or the path of a model folder")
    return str(value)


def _number(value: Any, most: float, remedy: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(remedy) from None
    if isinstance(value, bool) or not 0 <= number <= most:  # NaN, too
        raise ValueError(remedy)
    return number


def _threshold(value: Any) -> float | None:
    remedy = "must be a number in [0, 1]; None takes the model's own threshold"
    return None if _is_none(value) else _number(value, 1, remedy)


def _field(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("must be the name of an item field, or None to leave it out")
    return None if _is_none(value) else str(value).strip()


def _is_none(value: Any) -> bool:
    """None, or what says so in a string from the shell."""
    return value is None or (isinstance(value, str) and value.strip().lower() in ("", "none"))


def _domain_thresholds(value: Any) -> dict[str, float]:
    try:
        table = json.loads(value) if isinstance(value, str) else dict(value)
    except (TypeError, ValueError):
        table = None
    if not isinstance(table, dict) or not all(isinstance(domain, str) for domain in table):
        raise TypeError('must be a dict of domain to threshold, as JSON {"example.com": 0.5}')
    for domain in table:
        if any(mark in domain for mark in "/:*"):
            raise ValueError(f"{domain!r} is no domain; write it as 'example.com'")
    remedy = "must be a number in [0, 1]; leave a domain out to take BOILERNET_THRESHOLD"
    return {
        _domain(domain): _number(number, 1, f"that of {domain!r} {remedy}")
        for domain, number in table.items()
    }


def _domain(name: str) -> str:
    """The domain as Scrapy's URLs have it: lower case, an international name in its ASCII form."""
    plain = name.lower().strip(".")
    try:
        return plain.encode("idna").decode("ascii")
    except UnicodeError:
        return plain


def _choice(*choices: str) -> Any:
    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return str(value)

    return read


def _fallback(value: Any) -> tuple[Rung, ...]:
    said = _BOOLEANS.get(str(value).strip().lower())
    listed = items(value) if said is None and isinstance(value, str) else value
    return rungs_of(listed if said is None else said)


def _count(minimum: int) -> Any:
    def read(value: Any) -> int:
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            number = minimum - 1
        odd = isinstance(value, bool) or (isinstance(value, float) and value != number)
        if number < minimum or odd:
            raise ValueError(f"must be a whole number of at least {minimum}")
        return number

    return read


_MAX_TIME = 1_000_000_000
"""Some thirty years of seconds; timers of the system take not much more."""


def _time(value: Any) -> float:
    return _number(value, _MAX_TIME, f"must be a number from 0 to {_MAX_TIME:,}")


def _timeout(value: Any) -> float | None:
    return None if _is_none(value) else _time(value) or None


def _device(value: Any) -> str:
    if not re.fullmatch("cpu|cuda(:[0-9]+)?", str(value)):
        raise ValueError("must be 'cpu', 'cuda', or one of several such as 'cuda:1'")
    return str(value)


def _folder(value: Any) -> str | None:
    if value is not None and not isinstance(value, (str, Path)):
        raise TypeError("must be the path of a folder")
    return None if _is_none(value) else str(value)


_READERS: dict[str, Any] = {
    "enabled": _boolean,
    "model": _model,
    "engine": _choice(*ENGINES),
    "device": _device,
    "mode": _choice(*MODES),
    "workers": _count(1),
    "batch_pages": _count(1),
    "batch_wait_ms": _time,
    "queue_pages": _count(1),
    "timeout": _timeout,
    "deferred_folder": _folder,
    "threshold": _threshold,
    "domain_thresholds": _domain_thresholds,
    "favor": _choice(*FAVORS),
    "fallback": _fallback,
    "title": _choice(*CHOICES),
    "comments": _choice(*CHOICES),
    "hidden": _choice(*HIDDEN),
    "label": _choice(*WANTED),
    "label_urls": patterns,
    "item_classes": classes,
    "overwrite": _boolean,
    "text_field": _field,
    "labels_field": _field,
    "labels_keys": label_keys,
    "confidence_field": _field,
    "source_field": _field,
    "model_field": _field,
    "page_field": _field,
    "cache_blocks": _count(0),
    "cache_folder": _folder,
    "cache_bytes": _count(1),
    "max_bytes": _count(1),
    "over_max_bytes": _choice(*EXCESS),
    "max_blocks": _count(1),
    "over_max_blocks": _choice(*EXCESS),
    "statuses": statuses,
    "content_types": content_types,
}
