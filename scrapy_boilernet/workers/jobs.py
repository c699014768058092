"""Jobs for a worker, and their outcomes. Depends neither on Scrapy nor on where the worker runs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from scrapy_boilernet.extractor.options import Format, LabelOptions, Limits

if TYPE_CHECKING:
    from scrapy_boilernet.extractor.labeled import LabeledPage


PAGES_PER_THREAD = 1000
"""Pages after which a new thread replaces a worker's thread. As long as a thread lives, lxml keeps
the name of every tag and attribute that it has parsed. A page can have thousands of new names."""


@dataclass(frozen=True)
class PageJob:
    """A page to be labeled, and everything that its labels depend on besides the model."""

    body: bytes
    """The bytes of the page. Only ``limits.max_bytes`` bytes and one more are needed."""
    url: str | None
    options: LabelOptions = field(default_factory=LabelOptions)
    limits: Limits = field(default_factory=Limits)
    charset: str | None = None
    """The charset of the response's header; None if it has none."""
    encoding: str | None = None
    """The encoding that the user sets; None: it is detected."""
    rows: bool = False
    """Whether the worker also makes the rows of ``block_labels``."""
    formats: tuple[Format, ...] = ()
    """The formats that the worker makes besides plain text."""
    chunk_tokens: int = 0
    """The most tokens of the chunks that the worker makes of the Markdown; 0: it makes none."""
    detect_language: bool = False
    """Whether the language in the metadata is detected from the text."""
    judge_templates: bool = False
    """Whether the worker also says what it keeps of each template, for the health of a crawl."""
    opt_out: str = ""
    """What the headers of the response state against the use in training, as words of
    :func:`~scrapy_boilernet.extractor.metadata.opt_outs`."""

    @cached_property
    def body_sha256(self) -> str:
        """The SHA-256 of the body, hexadecimal."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def digest(self) -> str:
        """The digest of :class:`~scrapy_boilernet.extractor.page.Page`."""
        return self.body_sha256[:32]


@dataclass(frozen=True)
class Labeling:
    """A labeled page with its counts and times, for the stats."""

    result: LabeledPage
    blocks: int
    content: int
    """Blocks labeled content."""
    hidden_chars: int
    """Characters of the texts that the page hides and that are not content."""
    over_max_bytes: bool
    over_max_blocks: bool
    flat: bool
    """Whether the page is nested too deep; see :class:`~scrapy_boilernet.extractor.page.Page`."""
    by_rule: bool | None
    """Whether ``keep`` of the rule of the site found a block; None if there is no ``keep``."""
    templates: tuple[int, ...]
    """As :func:`~scrapy_boilernet.workers.templates.judged_templates` returns them; () unless they
    were asked for."""
    cached: bool
    """Whether the page was in the cache of blockified pages."""
    blockify_seconds: float
    label_seconds: float
    """The page's share of the time of scoring its batch, plus the time of its text and formats."""


@dataclass(frozen=True)
class DeferredPage:
    """A page that was stored, to be labeled after the crawl."""

    key: str
    """Identifies the page among the stored pages."""


Outcome = Labeling | DeferredPage


class TooLargeError(ValueError):
    """A page has more bytes than ``BOILERNET_MAX_BYTES``, and such pages are skipped."""


class TooManyBlocksError(ValueError):
    """A page has more blocks than ``BOILERNET_MAX_BLOCKS``, and such pages are skipped."""


class NotHtmlError(ValueError):
    """The bytes are a PDF document, an image or something else that is not HTML."""


SKIPPED = {
    TooLargeError.__name__: "too_large",
    TooManyBlocksError.__name__: "too_many_blocks",
    NotHtmlError.__name__: "not_html",
}
"""Why a page is skipped, by the name of the exception."""


class PageError(Exception):
    """Replaces an exception that cannot be raised here, such as one from another process."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name
        """Name of the exception's class."""


class Worker(Protocol):
    """Does jobs; a page that fails does not affect the others of its batch."""

    model: str
    """The name, version and digest of the model; "" if the worker does not label."""

    def label(self, jobs: Sequence[PageJob]) -> Sequence[Outcome | Exception]:
        """Return one outcome per job, in their order. Never raises an ``Exception``."""
        ...
