"""Settings and per-request overrides to one frozen, typed ``Config``; contradictions end here."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol
from urllib.parse import urlsplit

from scrapy_boilernet.blockify import MAX_BLOCKS
from scrapy_boilernet.labelers import ENGINES

PREFIX = "BOILERNET_"
MODES = ("thread", "inline")


class ConfigError(ValueError):
    """A setting or an override is wrong; the message names it, its value and the remedy."""


class SettingsLike(Protocol):
    """What is read of Scrapy's settings; a plain dict will do too."""

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the names of all settings."""
        ...

    def get(self, name: Any, default: Any = None, /) -> Any:
        """Return the setting's value."""
        ...


@dataclass(frozen=True)
class Config:
    """The plugin's settings; each is the Scrapy setting ``BOILERNET_<NAME>``."""

    enabled: bool = False
    """Nothing is loaded and nothing runs unless this is true."""
    model: str = "default"
    """A shipped model's name or the path of a model folder."""
    engine: str = "auto"
    """``"torch"``, ``"numpy"``, or ``"auto"``: torch where it is installed, else NumPy."""
    mode: str = "thread"
    """``"thread"``: one worker thread, the reactor is never blocked; ``"inline"``: in the reactor."""
    threshold: float | None = None
    """Probability from which a block is content, in [0, 1]; None: the model's own."""
    domain_thresholds: Mapping[str, float] = field(default_factory=dict)
    """Threshold per domain; a domain's covers its subdomains, the longest match wins."""
    text_field: str | None = "main_text"
    """Item field of the main text; None or "" leaves it out."""
    labels_field: str | None = "block_labels"
    """Item field of the list of block labels; None or "" leaves it out."""
    confidence_field: str | None = "main_text_confidence"
    """Item field of the page's confidence; None or "" leaves it out."""
    cache_blocks: int = 100_000
    """Blocks that the cache of blockified pages holds, some 0.5 to 1 KB each; 0: no cache."""
    max_bytes: int = 10_000_000
    """Bytes of the decompressed body above which a page is skipped."""
    max_blocks: int = MAX_BLOCKS
    """Blocks of a page that are labeled; what follows is cut off and counted."""
    statuses: frozenset[int] = frozenset(range(200, 300))
    """HTTP statuses of pages that are labeled."""
    content_types: frozenset[str] = frozenset({"text/html", "application/xhtml+xml"})
    """MIME types of pages that are labeled."""

    @classmethod
    def from_settings(cls, settings: SettingsLike) -> Config:
        """Return the config of a crawl; raises ``ConfigError`` for a value that cannot be meant."""
        settings_of = {PREFIX + entry.name.upper(): entry.name for entry in fields(cls)}
        values = {}
        for name in (str(name) for name in settings if str(name).startswith(PREFIX)):
            if name not in settings_of:
                close = difflib.get_close_matches(name, settings_of, n=1) or sorted(settings_of)
                raise ConfigError(f"unknown setting {name}; did you mean {', '.join(close)}?")
            values[settings_of[name]] = _read(settings_of[name], name, settings.get(name))
        config = cls(**values)
        names = [n for n in (config.text_field, config.labels_field, config.confidence_field) if n]
        if len(set(names)) < len(names):
            raise ConfigError(
                f"two of BOILERNET_TEXT_FIELD, _LABELS_FIELD and _CONFIDENCE_FIELD name one item "
                f"field: {', '.join(names)}; give each a name of its own"
            )
        return config

    def with_overrides(self, overrides: Mapping[str, Any]) -> Config:
        """Return the config of one request; raises ``ConfigError`` for a key or value it cannot take.

        >>> Config().with_overrides({"threshold": 0.7}).threshold
        0.7
        """
        values = {}
        for key, value in overrides.items():
            if key not in OVERRIDES:
                raise ConfigError(
                    f"unknown key {key!r} in request.meta['boilernet']; known keys are "
                    f"{', '.join(sorted(OVERRIDES))}, or False to skip the request's page"
                )
            values[key] = _read(key, f"request.meta['boilernet'][{key!r}]", value)
        return replace(self, **values)

    def threshold_for(self, url: str | None) -> float | None:
        """Return the threshold of the URL's longest listed domain, else the general one."""
        host = (urlsplit(url).hostname or "") if url and self.domain_thresholds else ""
        labels = host.split(".")
        for begin in range(len(labels)):
            found = self.domain_thresholds.get(".".join(labels[begin:]))
            if found is not None:
                return found
        return self.threshold


OVERRIDES = frozenset(
    "text_field labels_field confidence_field threshold max_bytes max_blocks statuses "
    "content_types".split()
)
"""Keys that ``request.meta["boilernet"]`` may hold."""


def _read(key: str, name: str, value: Any) -> Any:
    """Return ``value`` in the type of the config entry ``key``; strings come from the shell."""
    try:
        return _READERS[key](value)
    except (TypeError, ValueError, KeyError) as error:
        raise ConfigError(f"{name} = {value!r}: {error}") from error


def _boolean(value: Any) -> bool:
    known = {"1": True, "true": True, "0": False, "false": False, "": False}
    text = str(value).strip().lower()
    if text not in known:
        raise ValueError("must be True or False")
    return known[text]


def _model(value: Any) -> str:
    if not value:
        raise ValueError("must be a shipped model's name or the path of a model folder")
    return str(value)


def _probability(value: Any) -> float:
    number = float(value)
    if not 0 <= number <= 1:  # NaN, too
        raise ValueError("must be in [0, 1]; None takes the model's own threshold")
    return number


def _threshold(value: Any) -> float | None:
    return None if value in (None, "") else _probability(value)


def _field(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("must be the name of an item field, or None to leave it out")
    return value or None


def _domain_thresholds(value: Any) -> dict[str, float]:
    table = json.loads(value) if isinstance(value, str) else dict(value)
    if not isinstance(table, dict):
        raise TypeError("must be a dict of domain to threshold")
    for domain in table:
        if "/" in domain or ":" in domain:
            raise ValueError(f"{domain!r} is no domain; write it as 'example.com'")
    return {domain.lower().lstrip("."): _probability(number) for domain, number in table.items()}


def _choice(*choices: str) -> Any:
    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return str(value)

    return read


def _count(minimum: int) -> Any:
    def read(value: Any) -> int:
        number = int(value)
        if number < minimum:
            raise ValueError(f"must be at least {minimum}")
        return number

    return read


def _items(value: Any) -> list[str]:
    parts = value.split(",") if isinstance(value, str) else list(value)
    return [str(part).strip() for part in parts if str(part).strip()]


def _statuses(value: Any) -> frozenset[int]:
    return frozenset(int(part) for part in _items([value] if isinstance(value, int) else value))


def _content_types(value: Any) -> frozenset[str]:
    return frozenset(part.lower() for part in _items(value))


_READERS: dict[str, Any] = {
    "enabled": _boolean,
    "model": _model,
    "engine": _choice(*ENGINES),
    "mode": _choice(*MODES),
    "threshold": _threshold,
    "domain_thresholds": _domain_thresholds,
    "text_field": _field,
    "labels_field": _field,
    "confidence_field": _field,
    "cache_blocks": _count(0),
    "max_bytes": _count(1),
    "max_blocks": _count(1),
    "statuses": _statuses,
    "content_types": _content_types,
}
