"""All settings of the plugin, and the frozen, typed class ``Config`` that holds their values."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any, Protocol, TypeVar

import attrs

from scrapy_boilernet.extractor.options import (
    COMMENT_OPTIONS,
    ENGINES,
    EXCESS,
    FAVORS,
    FORMATS,
    HIDDEN,
    KIND_OPTIONS,
    LABEL_KEYS,
    MODES,
    WANTED,
    CommentOption,
    Excess,
    FallbackStep,
    Favor,
    Format,
    Hidden,
    KindOption,
    LabelOptions,
    Limits,
    Wanted,
    formats_of,
)
from scrapy_boilernet.extractor.sites.domains import longest_domain
from scrapy_boilernet.extractor.sites.rules import SiteRules
from scrapy_boilernet.settings.values import (
    ConfigError,
    Setting,
    at_least,
    boolean,
    fallback_steps,
    file,
    folder,
    http_statuses,
    imported_classes,
    item_field,
    mime_types,
    model_name,
    one_of,
    option_of,
    probability,
    probability_per_domain,
    row_keys,
    setting,
    site_rules,
    time_limit,
    url_patterns,
)

__all__ = ["OVERRIDES", "PREFIX", "SETTINGS", "Config", "ConfigError", "SettingsLike", "read_value"]

PREFIX = "BOILERNET_"
_ITEM_FIELDS = (
    "text_field", "labels_field", "confidence_field", "source_field", "model_field",
    "markdown_field", "html_field", "metadata_field", "posts_field", "chunks_field",
)  # fmt: skip
_REMOVED = dict.fromkeys(
    ("BOILERNET_CACHE_FOLDER", "BOILERNET_CACHE_BYTES"),
    "results are not kept on disk any more. Leave it out; for pages that come again, keep the "
    "responses with Scrapy's HTTPCACHE_ENABLED, or label them later with scrapy boilernet bulk",
)
"""Settings that version 1.0.0 had: why each is gone, and what to do."""
_MAX_SHOWN_CHARS = 500
"""Characters of a wrong value that a message shows."""
Part = TypeVar("Part", LabelOptions, Limits)


class SettingsLike(Protocol):
    """The methods of Scrapy's settings that are used; a plain dict has them, too."""

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the names of all settings."""
        ...

    def get(self, name: Any, default: Any = None, /) -> Any:
        """Return the setting's value."""
        ...


@attrs.frozen
class Config:
    """The plugin's settings; each is the Scrapy setting ``BOILERNET_<NAME>``.

    A line declares a setting: name, type, default, how a value is read and checked, unit, and
    whether a request may override it. The text below a line is its help. A line with
    :func:`option_of` takes default and help from :mod:`scrapy_boilernet.extractor.options`.
    ``python docs/generate.py`` writes the help into the documents.
    """

    enabled: bool = setting(False, boolean)
    """Switches the plugin on. Nothing is loaded and nothing runs unless this is true."""
    model: str = setting("default", model_name)
    """A shipped model's name (`"default"`, `"open"`, `"paper"`, `"crf"`, `"svm"` or `"gbdt"`), the
    path of a model folder, or another labeler's name. `"grf"` needs no model, and a package can add
    labelers by entry points: see [other labelers](labelers.md)."""
    engine: str = setting("auto", one_of(ENGINES))
    """What runs BoilerNet's models: `"onnx"`, `"torch"`, `"numpy"` or `"auto"`. `"auto"` takes
    `"numpy"` where its loops are compiled, which is quickest, else ONNX Runtime if it is installed
    and the model's folder holds `model.onnx`, else torch if it is installed, else NumPy alone."""
    mode: str = setting("thread", one_of(MODES))
    """Where pages are labeled: `"thread"`, `"process"`, `"deferred"` or `"inline"`. `"thread"`: in
    one worker thread, not the reactor's. `"process"`: in worker processes. `"deferred"`: pages are
    stored, to be labeled after the crawl. `"inline"`: in the reactor's thread, for debugging. See
    [Modes](crawl.md#modes)."""
    workers: int = setting(1, at_least(1), unit="processes")
    """Number of worker processes in the mode `"process"`. Values above 1 require that mode. Each
    process has its own model and cache."""
    batch_pages: int = setting(8, at_least(1), unit="pages")
    """Maximum number of waiting pages that a worker takes at once. A worker process
    gets as many more before it has done the last of them. Torch and ONNX Runtime score them
    together, except by 8-bit graphs such as the shipped ones. With `1` the reactor is blocked for
    shorter times."""
    queue_pages: int = setting(64, at_least(1), unit="pages")
    """Maximum number of pages in the queue of the workers. While the queue is full, further
    responses stay in Scrapy's downloader, which then sends fewer requests."""
    timeout: float | None = setting(30, time_limit, unit="seconds")
    """How long a worker may read a page, and how long it may make its text and formats. After that
    time the page is left unlabeled. The pages that it took at once are scored together, within the
    same time. `None` or `0`: no limit."""
    deferred_folder: str | None = setting(None, folder)
    """Folder in which the mode `"deferred"` stores pages. That mode requires it."""
    threshold: float | None = option_of(LabelOptions, "threshold", probability, unit="probability")
    domain_thresholds: Mapping[str, float] = setting({}, probability_per_domain, unit="probability")
    """Thresholds per domain, such as `{"example.com": 0.2}`. A domain's threshold covers its
    subdomains; the longest match wins."""
    favor: Favor = option_of(LabelOptions, "favor", one_of(FAVORS))
    fallback: tuple[FallbackStep, ...] = option_of(LabelOptions, "fallback", fallback_steps)
    title: KindOption = option_of(LabelOptions, "title", one_of(KIND_OPTIONS))
    comments: CommentOption = option_of(LabelOptions, "comments", one_of(COMMENT_OPTIONS))
    captions: KindOption = option_of(LabelOptions, "captions", one_of(KIND_OPTIONS))
    hidden: Hidden = option_of(LabelOptions, "hidden", one_of(HIDDEN))
    label: Wanted = setting("all", one_of(WANTED))
    """Which HTML pages are labeled: `"all"`, or `"requested"`: only those of requests with
    `meta["boilernet"]` (`True` or a dict). See [Which pages](crawl.md#which-pages)."""
    label_urls: tuple[re.Pattern[str], ...] = setting([], url_patterns, unit="regular expressions")
    """Regular expressions that select by URL the pages that are labeled. If there are any, a page
    is labeled only if one of them matches anywhere in its URL, or if its request asks for it. From
    the shell: one expression, or a list as JSON."""
    sites: SiteRules | None = setting(None, site_rules)
    """The rules of sites: what is content on the pages of a domain, by selectors. The path of a
    TOML file, or a dict such as `{"shop.example": {"keep": ["#product"], "drop": [".ad"]}}`. See
    [Rules of sites](sites.md)."""
    item_classes: tuple[type, ...] = setting([], imported_classes)
    """Classes whose items are filled, with their subclasses. An entry can be an import path such as
    `"project.items.PageItem"`; `"dict"` is Python's. Empty: items of all classes."""
    overwrite: bool = setting(False, boolean, per_request=True)
    """Whether values that your spider has set in the fields are replaced."""
    text_field: str | None = setting("main_text", item_field, per_request=True)
    """Item field of the main text. `None` or `""` leaves it out."""
    labels_field: str | None = setting("block_labels", item_field, per_request=True)
    """Item field of the list of block labels. `None` or `""` leaves it out: it is big."""
    labels_keys: tuple[str, ...] = setting([*LABEL_KEYS[:-1]], row_keys, per_request=True)
    """Keys of each row of the block labels. `"xpath"`, by far the longest, can be added."""
    confidence_field: str | None = setting("main_text_confidence", item_field, per_request=True)
    """Item field of the page's confidence. `None` or `""` leaves it out."""
    source_field: str | None = setting(None, item_field, per_request=True)
    """Item field that says what found the content: `"model"`, a step of the fallback,
    `"site-rule"` or `"nothing"`. `None` or `""` leaves it out."""
    model_field: str | None = setting(None, item_field, per_request=True)
    """Item field of the model's name, version and digest, such as `"default 1.0.0 a0baa97c4038"`.
    The version is that of its package, the digest the first twelve digits of the SHA-256 of its
    weights. With it you can find the pages that an older model has labeled. The log and the stat
    `boilernet/model` have the same value. `None` or `""` leaves it out."""
    markdown_field: str | None = setting(None, item_field, per_request=True)
    """Item field of the main text as Markdown, with its links, images, tables and code. `None` or
    `""` leaves it out, and it is not made. See [Markdown](markdown.md)."""
    html_field: str | None = setting(None, item_field, per_request=True)
    """Item field of the main text as a clean fragment of HTML. `None` or `""` leaves it out."""
    metadata_field: str | None = setting(None, item_field, per_request=True)
    """Item field of the page's title, authors, dates, language and more, as a dict. `None` or `""`
    leaves it out. See [Metadata](metadata.md)."""
    posts_field: str | None = setting(None, item_field, per_request=True)
    """Item field of the list of posts of a thread, or of readers' comments, each a dict with its
    author, date, Markdown and text. `None` or `""` leaves it out, and they are not looked for. See
    [Posts](posts.md)."""
    chunks_field: str | None = setting(None, item_field, per_request=True)
    """Item field of the list of chunks of the Markdown, each a dict with its Markdown, text,
    headings, offsets, XPaths and links. `None` or `""` leaves it out. See [For retrieval and
    training data](retrieval.md#chunks)."""
    chunk_tokens: int = setting(500, at_least(1), unit="tokens", per_request=True)
    """Maximum size of a chunk. Four ASCII characters, two letters of another alphabet, or one other
    character, such as a Chinese one, count as a token."""
    detect_language: bool = setting(False, boolean, per_request=True)
    """Whether the language in the metadata is detected from the main text instead of taken from
    what the page states. Needs `pip install py3langid`."""
    page_field: str | None = setting("boilernet_page", item_field)
    """Item field of the stored page's key, in the mode `"deferred"`."""
    cache_blocks: int = setting(100_000, at_least(0), unit="blocks")
    """Maximum size of the cache of blockified pages. It counts the blocks of its pages, one more
    per 1,000 characters of a page, and one more per 1,000 bytes of its links, images and other
    values for the formats. `0`: no cache."""
    health_file: str | None = setting(None, file)
    """File that keeps from crawl to crawl how good the pages of each domain were, so that the next
    crawl warns of a domain that turned bad. Of several crawls at once, the last to end writes it.
    See [Health](health.md). `None`: each crawl starts without it."""
    max_bytes: int = option_of(Limits, "max_bytes", at_least(1), unit="bytes")
    over_max_bytes: Excess = option_of(Limits, "over_max_bytes", one_of(EXCESS))
    max_blocks: int = option_of(Limits, "max_blocks", at_least(1), unit="blocks")
    over_max_blocks: Excess = option_of(Limits, "over_max_blocks", one_of(EXCESS))
    statuses: frozenset[int] = setting(
        range(200, 300), http_statuses, unit="HTTP status", per_request=True
    )
    """Statuses of pages that are labeled, such as `[200, 404]`."""
    content_types: frozenset[str] = setting(
        ["text/html", "application/xhtml+xml"], mime_types, unit="MIME type", per_request=True
    )
    """MIME types of pages that are labeled. A page without a declared type is labeled if Scrapy
    takes it for HTML."""

    @classmethod
    def from_settings(cls, settings: SettingsLike) -> Config:
        """Return the config of a crawl; raises ``ConfigError`` for a wrong name or value."""
        settings_of = {PREFIX + name.upper(): name for name in SETTINGS}
        values = {}
        for name in (str(name) for name in settings if str(name).startswith(PREFIX)):
            if name in _REMOVED:
                raise ConfigError(f"{name} was removed: {_REMOVED[name]}")
            if name not in settings_of:
                close = difflib.get_close_matches(name, settings_of, n=1) or sorted(settings_of)
                raise ConfigError(f"unknown setting {name}; did you mean {', '.join(close)}?")
            values[settings_of[name]] = read_value(settings_of[name], name, settings.get(name))
        return cls(**values).checked()

    def checked(self) -> Config:
        """Return the config itself; raises ``ConfigError`` if two values contradict each other."""
        for name, other in combinations((*_ITEM_FIELDS, "page_field"), 2):
            if (field := getattr(self, name)) and field == getattr(self, other):
                raise ConfigError(
                    f"{PREFIX}{name.upper()} and {PREFIX}{other.upper()} name the same item field "
                    f"{field!r}; give each a field of its own"
                )
        if self.detect_language and find_spec("py3langid") is None:
            raise ConfigError(
                "BOILERNET_DETECT_LANGUAGE needs the package py3langid: "
                "pip install py3langid, or leave the setting out"
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
        return self

    def with_overrides(self, overrides: Mapping[str, Any]) -> Config:
        """Return the config of one request; raises ``ConfigError`` for a wrong key or value.

        >>> Config().with_overrides({"threshold": 0.7}).threshold
        0.7
        """
        values = {}
        for key, value in overrides.items():
            if key not in OVERRIDES:
                raise ConfigError(_unknown(key), key)
            values[key] = read_value(key, f"request.meta['boilernet'][{key!r}]", value)
        if "threshold" in values:  # a request's threshold overrides its domain's
            values["domain_thresholds"] = {}
        return attrs.evolve(self, **values).checked()

    @property
    def item_fields(self) -> list[str]:
        """The fields of an item that a labeled page fills."""
        return list(filter(None, [getattr(self, name) for name in _ITEM_FIELDS]))

    @property
    def formats(self) -> tuple[Format, ...]:
        """The formats that are made of a page besides its plain text: those with an item field, and
        Markdown for chunks.
        """
        names = [name for name in FORMATS if getattr(self, f"{name}_field")]
        return formats_of([*names, "markdown"] if self.chunks_field else names)

    @property
    def chunk_size(self) -> int:
        """The most tokens of the chunks that are made of a page; 0 if none are."""
        return self.chunk_tokens if self.chunks_field else 0

    def wants(self, url: str) -> bool:
        """Return whether the page at this URL is labeled if its request does not ask for it."""
        if self.label_urls:
            return any(pattern.search(url) for pattern in self.label_urls)
        return self.label == "all"

    @property
    def limits(self) -> Limits:
        """How much of a page is read and labeled."""
        return self._part(Limits)

    def label_options(self, url: str | None) -> LabelOptions:
        """Return the label options of the page at this URL."""
        return replace(self._part(LabelOptions), threshold=self.threshold_for(url))

    def _part(self, kind: type[Part]) -> Part:
        """Return an instance of a class whose fields are settings."""
        return kind(**{each.name: getattr(self, each.name) for each in fields(kind)})

    def threshold_for(self, url: str | None) -> float | None:
        """Return the threshold of the longest listed domain of the URL, else the general one."""
        known = self.domain_thresholds
        domain = longest_domain(url, known) if url and known else None
        return self.threshold if domain is None else known[domain]


SETTINGS: dict[str, Setting] = {
    field.name: field.metadata["setting"] for field in attrs.fields(Config)
}
"""The declaration of each setting, by its name in ``Config``."""
OVERRIDES = frozenset(name for name, declared in SETTINGS.items() if declared.per_request)
"""Keys that ``request.meta["boilernet"]`` may hold."""
_KNOWN_KEYS = f"{', '.join(sorted(OVERRIDES))}, or False to skip the request's page"
META_RESULT, META_PAGE = "boilernet_result", "boilernet_page"
"""The keys of ``request.meta`` that the plugin sets."""
_PREFIX_OF_KEY = re.compile(r"boiler[\W_]?net[\W_]*", re.IGNORECASE)


def _nearest_key(key: str) -> str:
    """Return the key of :data:`OVERRIDES` that the user may have meant; "" if none is close."""
    name = _PREFIX_OF_KEY.sub("", key, count=1).lower()
    return next(iter(difflib.get_close_matches(name, OVERRIDES, n=1)), "")


def _of_crawl(key: str) -> str:
    """Return what to do if the key is a setting that no request can change; "" for others."""
    name = _PREFIX_OF_KEY.sub("", key, count=1).lower()
    if name not in SETTINGS or name in OVERRIDES:
        return ""
    remedy = " (a rule for some pages has a regular expression as its key)" * (name == "sites")
    return (
        f"{PREFIX}{name.upper()} cannot be set per request: set it in the settings of the project "
        f"or of the spider{remedy}"
    )


def _unknown(key: str) -> str:
    """Return the message about a key that :data:`OVERRIDES` lacks."""
    if fixed := _of_crawl(str(key)):
        return f"unknown key {key!r} in request.meta['boilernet']: {fixed}; keys are {_KNOWN_KEYS}"
    near = _nearest_key(str(key))
    hint = f"did you mean {near!r}? Known" if near else "known"
    return f"unknown key {key!r} in request.meta['boilernet']; {hint} keys are {_KNOWN_KEYS}"


@lru_cache(maxsize=1000)
def meant_by(key: str) -> str:
    """Return what a key of ``request.meta`` that looks like the plugin's, but is none of them, is
    meant to be; "" for other keys.

    >>> meant_by("boilernet_treshold")
    "did you mean request.meta['boilernet'] = {'threshold': ...}?"
    """
    prefix = _PREFIX_OF_KEY.match(key)
    if key in ("boilernet", META_RESULT, META_PAGE):
        return ""
    if prefix is None and not difflib.get_close_matches(key.lower(), ["boilernet"], cutoff=0.85):
        return ""
    if prefix is None or prefix.end() == len(key):
        return "did you mean request.meta['boilernet']?"
    if fixed := _of_crawl(key):
        return fixed
    if near := _nearest_key(key):
        return f"did you mean request.meta['boilernet'] = {{{near!r}: ...}}?"
    return f"request.meta['boilernet'] takes a dict; known keys are {_KNOWN_KEYS}"


def read_value(key: str, name: str, value: Any) -> Any:
    """Return ``value`` in the type of the setting ``key``; strings come from the shell.

    Raises ``ConfigError`` for a wrong value. Its message names the value by ``name``.
    """
    try:
        return SETTINGS[key].read(value)
    except (TypeError, ValueError, KeyError) as error:
        shown = repr(str(value) if isinstance(value, Path) else value)
        shown = shown if len(shown) <= _MAX_SHOWN_CHARS else f"{shown[:_MAX_SHOWN_CHARS]}…"
        raise ConfigError(f"{name} = {shown}: {error}", name) from None
