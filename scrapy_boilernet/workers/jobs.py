"""What goes to a worker and comes back, wherever it runs: jobs and labelings. Knows no Scrapy."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from scrapy_boilernet.options import LabelOptions, Limits

if TYPE_CHECKING:
    from scrapy_boilernet.labeled import LabeledPage


PAGES_PER_THREAD = 1000
"""Pages after which another thread goes on: lxml keeps every name of a tag or attribute that it has
seen as long as the thread lives. A page can bring thousands of new ones."""


@dataclass(frozen=True)
class PageJob:
    """A page to be labeled, and all that its labels depend on besides the model."""

    body: bytes
    """One byte more than ``limits.max_bytes`` is enough."""
    url: str | None
    options: LabelOptions = field(default_factory=LabelOptions)
    limits: Limits = field(default_factory=Limits)
    charset: str | None = None
    """What the response's header says; None if it says nothing."""
    encoding: str | None = None
    """What a user orders; None where the page decides."""
    rows: bool = False
    """Whether the rows of ``block_labels`` are wanted, so that the worker makes them, too."""

    @cached_property
    def body_sha256(self) -> str:
        """The SHA-256 of the body, hexadecimal."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def digest(self) -> str:
        """The digest of :class:`~scrapy_boilernet.page.Page`."""
        return self.body_sha256[:32]


@dataclass(frozen=True)
class Labeling:
    """A labeled page and what it cost."""

    result: LabeledPage
    blocks: int
    content: int
    """Blocks labeled content."""
    over_max_bytes: bool
    over_max_blocks: bool
    flat: bool
    """Whether the page is nested too deep; see :class:`~scrapy_boilernet.page.Page`."""
    cached: bool
    """Whether the page was in the cache of blockified pages."""
    known: bool
    """Whether the result was in the results cache."""
    cache_errors: int
    """How often the results cache failed over it."""
    blockify_seconds: float
    label_seconds: float
    """Its own part, and its share of what its batch was scored in."""


@dataclass(frozen=True)
class Stored:
    """A page that was put by, to be labeled after the crawl."""

    key: str
    """Finds the page again among the stored ones."""


Outcome = Labeling | Stored


class TooLargeError(ValueError):
    """A page has more bytes than ``BOILERNET_MAX_BYTES``, and is to be skipped then."""


class TooManyBlocksError(ValueError):
    """A page has more blocks than ``BOILERNET_MAX_BLOCKS``, and is to be skipped then."""


class NotHtmlError(ValueError):
    """The bytes are a PDF document, an image or something else that is no HTML."""


SKIPPED = {
    TooLargeError.__name__: "too_large",
    TooManyBlocksError.__name__: "too_many_blocks",
    NotHtmlError.__name__: "not_html",
}
"""Why a page is left unlabeled on purpose, by the name of what is raised."""


class PageError(Exception):
    """What went wrong with a page where it cannot be raised: in another process, for one."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name
        """Name of the exception's class."""


class Worker(Protocol):
    """Does jobs; a page that cannot be done gives its exception, not that of its neighbours."""

    model: str
    """The name, version and digest of the model that labels; "" if none does."""

    def label(self, jobs: Sequence[PageJob]) -> Sequence[Outcome | Exception]:
        """Return one outcome per job, in their order; never raises an ``Exception``."""
        ...

    def close(self) -> None:
        """Let go of what it holds; called once, when it has nothing more to do."""
        ...
