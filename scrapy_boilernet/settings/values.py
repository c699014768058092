"""The declaration of a setting, and the types of settings.

A type is a function that takes a Python value or a string from the shell and returns the setting's
value. It raises ``ValueError`` or ``TypeError`` for a wrong one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import attrs

from scrapy_boilernet.extractor.options import (
    LABEL_KEYS,
    FallbackStep,
    LabelOptions,
    Limits,
    fallback_steps_of,
)
from scrapy_boilernet.extractor.sites.domains import domain_of
from scrapy_boilernet.extractor.sites.rules import SiteRules

T = TypeVar("T")

MAX_SECONDS = 1_000_000_000
"""About thirty years. The system's timers do not accept much more."""


class ConfigError(ValueError):
    """A setting or an override is wrong; the message names it, its value and the remedy."""

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name
        """The name of the wrong setting or override."""


@attrs.frozen
class Setting:
    """The declaration of a setting, besides its name, its type and its help."""

    default: Any
    """As a user would write it."""
    read: Callable[[Any], Any]
    """Returns a user's value in the setting's type; raises ``ValueError`` or ``TypeError``."""
    unit: str
    per_request: bool
    """Whether ``request.meta["boilernet"]`` may hold it."""
    help: str = ""
    """What it means; "" if the text below its line says it."""


def setting(
    default: Any, read: Callable[[Any], T], *, unit: str = "", per_request: bool = False
) -> T:
    """Return a field of ``Config``; see :class:`Setting`.

    ``read`` is not a converter of attrs: those run at each change of a config, and their errors
    cannot name the setting, or the key of a request, that is wrong.
    """
    metadata = {"setting": Setting(default, read, unit, per_request)}
    return attrs.field(factory=partial(read, default), metadata=metadata)


def option_of(
    kind: type[LabelOptions | Limits], name: str, read: Callable[[Any], Any], *, unit: str = ""
) -> Any:
    """Return a field of ``Config`` that is one of ``kind``, with its default and its meaning."""
    own = kind.__dataclass_fields__[name].metadata
    declared = Setting(own["written"], read, unit, per_request=True, help=own["meaning"])
    return attrs.field(factory=partial(read, own["written"]), metadata={"setting": declared})


_BOOLEANS = {"1": True, "true": True, "0": False, "false": False, "": False}


def boolean(value: Any) -> bool:
    """Return True or False; 1, 0, and the strings of all four, are accepted, too."""
    meant = _BOOLEANS.get(str(value).strip().lower())
    if meant is None:
        raise ValueError("must be True or False")
    return meant


def one_of(words: tuple[T, ...]) -> Callable[[Any], T]:
    """Return a function that accepts only these words."""

    def read(value: Any) -> T:
        for word in words:
            if word == value:
                return word
        raise ValueError(f"must be one of {', '.join(map(str, words))}")

    return read


def at_least(minimum: int) -> Callable[[Any], int]:
    """Return a function that accepts whole numbers from ``minimum`` on."""

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


def time_limit(value: Any) -> float | None:
    """Return seconds, from 0 to ``MAX_SECONDS``; None for None and for 0."""
    if _is_none(value):
        return None
    return _number(value, MAX_SECONDS, f"must be a number from 0 to {MAX_SECONDS:,}") or None


def probability(value: Any) -> float | None:
    """Return a number in [0, 1], or None."""
    remedy = "must be a number in [0, 1]; None takes the model's own threshold"
    return None if _is_none(value) else _number(value, 1, remedy)


def probability_per_domain(value: Any) -> dict[str, float]:
    """Return numbers in [0, 1] by domain, with the domains in the form of Scrapy's URLs."""
    try:
        table = json.loads(value) if isinstance(value, str) else dict(value)
    except (TypeError, ValueError):
        table = None
    if not isinstance(table, dict) or not all(isinstance(domain, str) for domain in table):
        raise TypeError('must be a dict of domain to threshold, as JSON {"example.com": 0.5}')
    for domain in table:
        if any(mark in domain for mark in "/:*"):
            raise ValueError(f"{domain!r} is not a domain; write it as 'example.com'")
    remedy = "must be a number in [0, 1]; leave a domain out to take BOILERNET_THRESHOLD"
    return {
        domain_of(domain): _number(number, 1, f"the threshold of {domain!r} {remedy}")
        for domain, number in table.items()
    }


def _number(value: Any, most: float, remedy: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(remedy) from None
    if isinstance(value, bool) or not 0 <= number <= most:  # NaN, too
        raise ValueError(remedy)
    return number


def _is_none(value: Any) -> bool:
    """Return whether the value is None, or a string that stands for it in the shell."""
    return value is None or (isinstance(value, str) and value.strip().lower() in ("", "none"))


def model_name(value: Any) -> str:
    """Return a model's name or the path of its folder."""
    if not value:
        raise ValueError("must be a shipped model's name or the path of a model folder")
    return str(value)


def folder(value: Any) -> str | None:
    """Return the path of a local folder, or None."""
    return _path(value, "folder")


def file(value: Any) -> str | None:
    """Return the path of a local file, or None."""
    return _path(value, "file")


def _path(value: Any, kind: str) -> str | None:
    if value is not None and not isinstance(value, (str, Path)):
        raise TypeError(f"must be the path of a {kind}")
    return None if _is_none(value) else local_path(str(value))


def item_field(value: Any) -> str | None:
    """Return the name of an item's field; None for None and for an empty name."""
    if value is not None and not isinstance(value, str):
        raise TypeError("must be the name of an item field, or None to leave it out")
    return None if _is_none(value) else str(value).strip()


def fallback_steps(value: Any) -> tuple[FallbackStep, ...]:
    """Return the named steps of the fallback; all for True, none for False."""
    meant = _BOOLEANS.get(str(value).strip().lower())
    named = entries(value) if meant is None and isinstance(value, str) else value
    return fallback_steps_of(named if meant is None else meant)


def entries(value: Any) -> list[str]:
    """Return the entries of a list, or of a string with commas; raises ``ValueError`` if empty."""
    listed = value.strip("[] ").split(",") if isinstance(value, str) else value
    parts = listed if isinstance(listed, Iterable) and not isinstance(listed, bytes) else ()
    parts = [part for part in parts if not isinstance(part, bytes)]
    texts = [text for part in parts if (text := str(part).strip().strip("\"'"))]
    if not texts:
        raise ValueError("must be a list with at least one entry, or one string with commas")
    return texts


def row_keys(value: Any) -> tuple[str, ...]:
    """Return keys of the rows of ``block_labels``, in the order of the rows."""
    keys = entries(value)
    unknown = [key for key in keys if key not in LABEL_KEYS]
    if unknown:
        raise ValueError(f"{unknown[0]!r} must be one of {', '.join(LABEL_KEYS)}")
    return tuple(key for key in LABEL_KEYS if key in keys)


def http_statuses(value: Any) -> frozenset[int]:
    """Return HTTP statuses, from 100 to 599; raises ``ValueError`` for others."""
    parts = entries([value] if isinstance(value, int) else value)
    if not all(part.isdecimal() and 100 <= int(part) <= 599 for part in parts):
        raise ValueError("must be HTTP statuses, such as 200, 404")
    return frozenset(map(int, parts))


def mime_types(value: Any) -> frozenset[str]:
    """Return MIME types, in lower case; raises ``ValueError`` for anything else."""
    types = frozenset(part.lower() for part in entries(value))
    if any(part.count("/") != 1 or ";" in part for part in types):
        raise ValueError("must be MIME types such as text/html")
    return types


def url_patterns(value: Any) -> tuple[re.Pattern[str], ...]:
    """Return regular expressions; a string is one expression, or a list of them as JSON."""
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
        pattern = re.compile(value)
        if isinstance(pattern.pattern, str):
            return pattern
        error: object = "it is a pattern of bytes"
    except (re.error, TypeError, OverflowError, RecursionError) as raised:
        error = raised
    raise ValueError(f"{value!r} must be a regular expression: {error}")


def site_rules(value: Any) -> SiteRules | None:
    """Return the rules of sites, from a dict, or from the path of a TOML file; None for None."""
    if isinstance(value, (str, Path)):
        path = file(value)
        return SiteRules.of(path)
    return SiteRules.of(value)


def imported_classes(value: Any) -> tuple[type, ...]:
    """Return classes; each may be given by its import path, and ``"dict"`` is Python's."""
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
        named = getattr(import_module(module or "builtins"), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"{value!r} must be a class that can be imported, such as 'project.items.PageItem': "
            f"{error}"
        ) from None
    if not isinstance(named, type):
        raise TypeError(f"{value!r} must be a class, not {named!r}")
    return named


_ADDRESS = re.compile(r"\s*([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
"""A URL, not the drive of a path of Windows, which has one letter."""


def local_path(path: str) -> str:
    """Return the path; raises ``ValueError`` if it is a URL, such as ``s3://bucket/pages``.

    As a path, a URL would become a local folder with the name ``s3:``.
    """
    url = _ADDRESS.match(path)
    if url:
        raise ValueError(
            f"{url[1]}:// addresses cannot be read or written here; name a path on a local disk, "
            "and copy the files before or after the run"
        )
    return path
