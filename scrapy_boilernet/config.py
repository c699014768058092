"""Settings and per-request overrides to one frozen, typed ``Config``; contradictions end here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol
from urllib.parse import urlsplit

from scrapy_boilernet.options import (
    LABEL_KEYS,
    MAX_BLOCKS,
    MAX_BYTES,
    RUNGS,
    Choice,
    Excess,
    Favor,
    Hidden,
    LabelOptions,
    Limits,
    Rung,
    Wanted,
)
from scrapy_boilernet.setting_types import ConfigError, read_value

__all__ = ["OVERRIDES", "PREFIX", "Config", "ConfigError", "SettingsLike"]

PREFIX = "BOILERNET_"


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
    """``"onnx"``, ``"torch"``, ``"numpy"``, or ``"auto"``: the first of them that can be loaded."""
    device: str = "cpu"
    """``"cpu"``, ``"cuda"`` or ``"cuda:1"`` and so on, for the engine torch."""
    mode: str = "thread"
    """``"thread"``: one worker thread; ``"process"``: worker processes; ``"inline"``: in the
    reactor; ``"deferred"``: pages are stored, to be labeled after the crawl."""
    workers: int = 1
    """Worker processes in the mode ``"process"``."""
    batch_pages: int = 8
    """Waiting pages that a worker takes at once, at most."""
    batch_wait_ms: float = 0.0
    """Milliseconds that a worker waits for a batch to fill; 0: it takes what is there."""
    queue_pages: int = 64
    """Pages that wait for a worker; when it is full, responses wait before it."""
    timeout: float | None = 30.0
    """Seconds of work on the pages taken at once, after which they stay unlabeled; None: no end."""
    deferred_folder: str | None = None
    """Where the mode ``"deferred"`` stores pages."""
    threshold: float | None = None
    """Probability from which a block is content, in [0, 1]; None: the model decides."""
    domain_thresholds: Mapping[str, float] = field(default_factory=dict)
    """Threshold per domain; a domain's covers its subdomains, the longest match wins."""
    favor: Favor = "balanced"
    """Which way the model's decision leans; without effect where a threshold is set."""
    fallback: tuple[Rung, ...] = RUNGS
    """What is tried on a page of which the model keeps nothing."""
    title: Choice = "model"
    """``"keep"`` or ``"drop"``: the page's headline always is content, or never."""
    comments: Choice = "model"
    """``"keep"`` or ``"drop"``: readers' comments always are content, or never."""
    hidden: Hidden = "drop"
    """``"drop"``: text that the page hides is no content, but for the rung ``"hidden"``."""
    label: Wanted = "all"
    """``"requested"``: only pages of requests with ``meta["boilernet"]``, and of ``label_urls``."""
    label_urls: tuple[re.Pattern[str], ...] = ()
    """Patterns of the URLs whose pages are labeled; if there are some, no other pages are but those
    that a request asks for."""
    item_classes: tuple[type, ...] = ()
    """Classes whose items are filled, with their subclasses; empty: all."""
    overwrite: bool = False
    """Whether values that the spider has set are replaced."""
    text_field: str | None = "main_text"
    """Item field of the main text; None or "" leaves it out."""
    labels_field: str | None = "block_labels"
    """Item field of the list of block labels; None or "" leaves it out."""
    labels_keys: tuple[str, ...] = LABEL_KEYS[:-1]
    """What each row of that list has."""
    confidence_field: str | None = "main_text_confidence"
    """Item field of the page's confidence; None or "" leaves it out."""
    source_field: str | None = None
    """Item field that says who found the content; None or "" leaves it out."""
    model_field: str | None = None
    """Item field of the model's name, version and digest; None or "" leaves it out."""
    page_field: str | None = "boilernet_page"
    """Item field of the stored page's key, in the mode ``"deferred"``."""
    cache_blocks: int = 100_000
    """Blocks that the cache of blockified pages holds, as its class counts them; 0: no cache."""
    cache_folder: str | None = None
    """Where results are kept from crawl to crawl; None: nowhere."""
    cache_bytes: int = 1_000_000_000
    """Bytes of results kept there; those used least recently go."""
    max_bytes: int = MAX_BYTES
    """Bytes of a page's decompressed body that are read."""
    over_max_bytes: Excess = "skip"
    """What becomes of a page of more: it stays unlabeled, or its end is cut off."""
    max_blocks: int = MAX_BLOCKS
    """Blocks of a page that are labeled."""
    over_max_blocks: Excess = "cut"
    """What becomes of a page of more."""
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
            values[settings_of[name]] = read_value(settings_of[name], name, settings.get(name))
        return cls(**values)._checked()

    def _checked(self) -> Config:
        """Raise ``ConfigError`` if two values contradict each other, else return the config."""
        names = [*self.item_fields, *filter(None, [self.page_field])]
        if len(set(names)) < len(names):
            raise ConfigError(
                "two of BOILERNET_TEXT_FIELD, _LABELS_FIELD, _CONFIDENCE_FIELD, _SOURCE_FIELD, "
                f"_MODEL_FIELD and _PAGE_FIELD name one item field: {', '.join(names)}; give each "
                "a name of its own"
            )
        if self.device != "cpu" and self.engine not in ("auto", "torch"):
            raise ConfigError(
                f"BOILERNET_DEVICE = {self.device!r} needs the engine 'torch', but "
                f"BOILERNET_ENGINE is {self.engine!r}; leave one of the two out"
            )
        if self.workers > 1 and self.mode != "process":
            raise ConfigError(
                f"BOILERNET_WORKERS = {self.workers} needs BOILERNET_MODE = 'process', but the "
                f"mode is {self.mode!r}; set the mode, or leave out BOILERNET_WORKERS"
            )
        if self.mode == "deferred" and not (self.deferred_folder and self.page_field):
            raise ConfigError(
                "BOILERNET_MODE = 'deferred' stores pages and puts their keys on the items: set "
                "BOILERNET_DEFERRED_FOLDER to a folder and BOILERNET_PAGE_FIELD to an item field"
            )
        if self.timeout is not None and self.batch_wait_ms >= 1000 * self.timeout:
            raise ConfigError(
                f"BOILERNET_BATCH_WAIT_MS = {self.batch_wait_ms:g} is as long as BOILERNET_TIMEOUT "
                f"= {self.timeout:g} seconds; make it shorter, such as 50"
            )
        return self

    def with_overrides(self, overrides: Mapping[str, Any]) -> Config:
        """Return the config of one request; raises ``ConfigError`` for a wrong key or value.

        >>> Config().with_overrides({"threshold": 0.7}).threshold
        0.7
        """
        values = {}
        for key, value in overrides.items():
            if key not in OVERRIDES:
                raise ConfigError(
                    f"unknown key {key!r} in request.meta['boilernet']; known keys are "
                    f"{', '.join(sorted(OVERRIDES))}, or False to skip the request's page",
                    key,
                )
            values[key] = read_value(key, f"request.meta['boilernet'][{key!r}]", value)
        if "threshold" in values:  # what the request says goes before what its domain says
            values["domain_thresholds"] = {}
        return replace(self, **values)._checked()

    @property
    def item_fields(self) -> list[str]:
        """The fields of an item that a labeled page fills."""
        fields = (
            self.text_field, self.labels_field, self.confidence_field, self.source_field,
            self.model_field,
        )  # fmt: skip
        return [name for name in fields if name]

    def wants(self, url: str) -> bool:
        """Return whether the page at this URL is labeled if its request says nothing."""
        if self.label_urls:
            return any(pattern.search(url) for pattern in self.label_urls)
        return self.label == "all"

    @property
    def limits(self) -> Limits:
        """How much of a page is read and labeled."""
        return Limits(self.max_bytes, self.over_max_bytes, self.max_blocks, self.over_max_blocks)

    def label_options(self, url: str | None) -> LabelOptions:
        """Return how the blocks of the page at this URL are labeled."""
        return LabelOptions(
            self.threshold_for(url),
            self.favor,
            self.fallback,
            self.title,
            self.comments,
            self.hidden,
        )

    def threshold_for(self, url: str | None) -> float | None:
        """Return the threshold of the URL's longest listed domain, else the general one."""
        labels = _host(url).split(".") if url and self.domain_thresholds else []
        for begin in range(len(labels)):
            found = self.domain_thresholds.get(".".join(labels[begin:]))
            if found is not None:
                return found
        return self.threshold


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:  # such as "http://[::1"
        return ""


OVERRIDES = frozenset(
    "threshold favor fallback title comments hidden overwrite text_field labels_field labels_keys "
    "confidence_field source_field model_field max_bytes over_max_bytes max_blocks over_max_blocks "
    "statuses content_types".split()
)
"""Keys that ``request.meta["boilernet"]`` may hold."""
