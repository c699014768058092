"""Inputs of page objects: providers for scrapy-poet that share the downloader middleware's result.

List the providers that you need in ``SCRAPY_POET_PROVIDERS``. The downloader middleware labels each
page once, and makes the formats that the inputs of the request's callback need.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider
from web_poet.serialization import SerializedLeafData, register_serialization

from scrapy_boilernet.crawl.responses import NOTES, note_of
from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.options import FORMATS, Format, Source, formats_of
from scrapy_boilernet.settings.config import ConfigError
from scrapy_boilernet.workers.columns import read, written

__all__ = [
    "LabeledPage", "LabeledPageProvider", "MainText", "MainTextProvider", "NotLabeledError",
    "PageProvider",
]  # fmt: skip

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class MainText:
    """A page's main text and how sure the model is of it; an input of page objects."""

    url: str | None
    """The response's URL."""
    text: str
    """Paragraphs, headings, list items and table rows on lines of their own; "" if there is no
    content."""
    markdown: str
    """The same as GitHub Flavored Markdown."""
    confidence: float
    """The model's estimate of the page's word-F1, in [0, 1]; 0.0 where there is no content."""
    source: Source
    """What found the content: ``"model"``, a step of the fallback, ``"site-rule"`` or
    ``"nothing"``."""
    model: str
    """Name of the model that labeled the page, such as ``"default"``."""


class NotLabeledError(IgnoreRequest):
    """The page has no labels, for example because it is not HTML; its callback is not called.

    Scrapy calls the request's errback with it.
    """


class PageProvider(PageObjectInputProvider):
    """Base of the providers. Each gives one class, so that scrapy-poet caches each by itself."""

    formats: ClassVar[tuple[Format, ...]] = ()
    """The formats that the input needs besides plain text."""

    def __init__(self, injector: Any) -> None:
        super().__init__(injector)
        self.runtime: Runtime | None = None
        try:
            self.runtime = Runtime.of(injector.crawler)
        except NotConfigured:  # raised when an input is requested, so that other page objects work
            return
        self.runtime.asked = partial(_needed_formats, injector)

    def __call__(
        self, to_provide: set[Callable[..., Any]], request: Request, response: Response
    ) -> list[Any]:
        """Return the input as the only entry of a list.

        Raises ``NotLabeledError`` if the page was not labeled, and ``ConfigError`` if the settings
        or the request do not let any page be labeled.
        """
        return [self.make(self._result(request, response))]

    def make(self, result: LabeledPage) -> Any:
        """Return the input of this page."""
        raise NotImplementedError

    def _result(self, request: Request, response: Response) -> LabeledPage:
        begin = f"{type(self).__name__} has no labels of {response.url}: "
        if self.runtime is None:
            raise ConfigError(f"{begin}set BOILERNET_ENABLED = True")
        note = note_of(response) or NOTES.get(request)
        if note is None:
            raise ConfigError(
                f"{begin}BoilerNetDownloaderMiddleware has not seen the page yet; in "
                "DOWNLOADER_MIDDLEWARES its order must be above scrapy_poet.InjectionMiddleware's, "
                "such as 544 above 543"
            )
        if isinstance(note.outcome, LabeledPage):
            return note.outcome
        if note.outcome is not None:
            raise ConfigError(
                f"{begin}BOILERNET_MODE = 'deferred' labels pages after the crawl; page objects "
                "need another mode, such as 'thread'"
            )
        why = note.unlabeled
        if why == "skipped/off":
            raise ConfigError(
                f"{begin}request.meta['boilernet'] is False; leave it out where a page object "
                "needs the page's labels"
            )
        message = f"{begin}it counts as boilernet/{why}"
        logger.info(message)
        raise NotLabeledError(message)


def _needed_formats(injector: Any, request: Request) -> tuple[Format, ...] | None:
    """Return the formats that the request's callback needs; None if it needs no labels."""
    providers = injector.discover_callback_providers(request)
    ours = [provider for provider in providers if isinstance(provider, PageProvider)]
    return formats_of(name for provider in ours for name in provider.formats) if ours else None


class MainTextProvider(PageProvider):
    """Gives page objects a :class:`MainText`."""

    provided_classes = {MainText}
    name = "boilernet_main_text"
    formats = ("markdown",)

    def make(self, result: LabeledPage) -> MainText:
        """Return the page's main text."""
        return MainText(
            url=result.page.url,
            text=result.text,
            markdown=result.markdown or "",
            confidence=result.confidence,
            source=result.source,
            model=result.model,
        )


class LabeledPageProvider(PageProvider):
    """Gives page objects a ``LabeledPage`` with its Markdown, HTML and metadata."""

    provided_classes = {LabeledPage}
    name = "boilernet_labeled_page"
    formats = FORMATS

    def make(self, result: LabeledPage) -> LabeledPage:
        """Return the page."""
        return result


def _serialize_main_text(value: MainText) -> SerializedLeafData:
    return {"json": json.dumps(vars(value), ensure_ascii=False, indent=2).encode()}


def _deserialize_main_text(cls: type[MainText], data: SerializedLeafData) -> MainText:
    return cls(**json.loads(data["json"]))


def _serialize_page(value: LabeledPage) -> SerializedLeafData:
    plain, columns = written(value)
    return {"json": json.dumps(plain).encode(), "columns": columns}


def _deserialize_page(cls: type[LabeledPage], data: SerializedLeafData) -> LabeledPage:
    try:
        result = read(json.loads(data["json"]), data["columns"])
        _ = result.page.blocks[:]  # raises for columns of another version
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError(
            f"this saved {cls.__name__} cannot be read: {error!r}; another version of "
            "scrapy-boilernet may have written it. Save the fixture, or fill the cache, again"
        ) from error
    return result


register_serialization(_serialize_main_text, _deserialize_main_text)
register_serialization(_serialize_page, _deserialize_page)
