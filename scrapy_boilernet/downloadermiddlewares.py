"""The downloader middleware: labels every HTML page outside the reactor's thread."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.http import HtmlResponse, Response, TextResponse
from w3lib.encoding import http_content_type_encoding

from scrapy_boilernet.crawl.responses import (
    NOTES,
    Note,
    forget,
    forget_scheduled,
    in_meta,
)
from scrapy_boilernet.crawl.runtime import Runtime, chain_of
from scrapy_boilernet.extractor.options import Format, formats_of
from scrapy_boilernet.settings.config import META_PAGE, META_RESULT, Config, ConfigError, meant_by
from scrapy_boilernet.workers.jobs import (
    SKIPPED,
    DeferredPage,
    NotHtmlError,
    PageError,
    PageJob,
)
from scrapy_boilernet.workers.queue import PageTimeoutError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

META_OVERRIDES = "boilernet"


class BoilerNetDownloaderMiddleware:
    """Sets ``request.meta["boilernet_result"]`` of each HTML page to its ``LabeledPage``.

    In the mode ``"deferred"``, sets ``request.meta["boilernet_page"]`` to the stored page's key
    instead. If ``request.meta["boilernet"]`` is ``False``, the page is skipped; if it is a dict, it
    overrides settings for this page. If a page cannot be labeled, its response is passed on
    unchanged, and a stat counts the error. If a middleware that comes later changes the response,
    it is labeled again: the labels are always those of the response that the callback gets.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerNetDownloaderMiddleware:
        """Return the middleware; raises as :meth:`Runtime.of` does."""
        middleware = cls(Runtime.of(crawler, log_disabled=True))
        crawler.signals.connect(middleware.look_last, signal=signals.spider_opened)
        crawler.signals.connect(forget_scheduled, signal=signals.request_scheduled)
        return middleware

    def look_last(self, sender: Any) -> None:
        """Let Scrapy call :meth:`look_again` after all downloader middlewares of the crawler."""
        chain = chain_of(sender, "downloader.middleware", "process_response")
        if chain is not None:
            chain.append(self.look_again)
        else:
            self.runtime.log_once(
                "look_last",
                "If a downloader middleware changes responses after "
                "BoilerNetDownloaderMiddleware, they keep the labels of what they were, since "
                "DOWNLOADER = %r keeps its middlewares in another way than Scrapy's own; give "
                "BoilerNetDownloaderMiddleware the lowest order in DOWNLOADER_MIDDLEWARES",
                sender.settings.get("DOWNLOADER"),
            )

    def look_again(
        self, request: Request, response: Response, spider: Any = None
    ) -> Response | Awaitable[Response]:
        """Label the page if it is not the one that was labeled; return ``response`` itself.

        It is no coroutine if nothing has changed, which would cost a turn of the event loop.
        """
        note = NOTES.get(response.request or request)
        if note is not None and note.seen == _seen(response):
            note.seen = ()  # the body need not live longer than its response
            return response
        self.runtime.count("relabeled")
        return self._label(request, response)

    async def process_response(
        self, request: Request, response: Response, spider: Any = None
    ) -> Response:
        """Label the page; always return ``response`` itself."""
        self._look_at_keys(response.request or request, response.url)
        return await self._label(request, response)

    def _look_at_keys(self, request: Request, url: str) -> None:
        """Count and name keys of the meta that look like the plugin's, but have no effect."""
        for key in request.meta:
            if isinstance(key, str) and (meant := meant_by(key)):
                self.runtime.count("unknown_meta_keys")
                self.runtime.log_once(
                    f"meta {key}", "request.meta[%r] of %s has no effect: %s", key, url, meant,
                    level=logging.WARNING,
                )  # fmt: skip

    async def _label(self, request: Request, response: Response) -> Response:
        request = response.request or request  # whose meta the callback will get
        forget(request)  # a copied meta may contain the result of another page
        runtime = self.runtime
        note = NOTES[request] = Note(runtime, _seen(response))
        try:
            config = self._config(request)
            asked = runtime.asked(request)
            if reason := _skip_reason(config, request, response, asked is not None):
                self._count(f"skipped/{reason}", note)
                return response
            job = partial(_job, cast("TextResponse", response), config, asked or ())
            outcome = await runtime.mode.label(job)
        except ConfigError as error:
            self._count("skipped/bad_override", note)
            runtime.log_once(f"override {error.name}", "%s left unlabeled: %s", response.url, error)
        except Exception as error:  # no page may stop the crawl or lose its items
            name = _name(error)
            if name in SKIPPED:
                self._count(f"skipped/{SKIPPED[name]}", note)
                if name == NotHtmlError.__name__:
                    why = str(error).rpartition("Error: ")[2]  # a worker may send a traceback
                    runtime.log_once(why, "%s left unlabeled: %s", response.url, why)
            else:
                self._count(f"errors/{name}", note)
                runtime.log_once(name, "Could not label %s", response.url, exc_info=True)
        else:
            note.config = config
            note.outcome = outcome if isinstance(outcome, DeferredPage) else outcome.result
            if isinstance(outcome, DeferredPage):
                runtime.count("stored")
                request.meta[META_PAGE] = outcome.key
            else:
                runtime.count_labeling(outcome, response.url)
                request.meta[META_RESULT] = in_meta(outcome.result, runtime.marshal)
        runtime.count_mode()
        return response

    def _count(self, stat: str, note: Note) -> None:
        """Count the unlabeled page, and note the stat."""
        self.runtime.count(stat)
        note.unlabeled = stat

    def _config(self, request: Request) -> Config:
        """Return the config of this request."""
        override = request.meta.get(META_OVERRIDES)
        if override is None or isinstance(override, bool):
            return self.runtime.config
        if not isinstance(override, Mapping):
            raise ConfigError(
                f"request.meta['boilernet'] = {override!r} must be False, True or a dict"
            )
        return self.runtime.config.with_overrides(override)


def _seen(response: Response) -> tuple[Any, ...]:
    """Return everything of the response that its labels depend on; nothing is copied."""
    declared = response.headers.get("Content-Type")
    is_text, is_html = isinstance(response, TextResponse), isinstance(response, HtmlResponse)
    return is_text, is_html, response.status, response.url, declared, response.body


def _job(response: TextResponse, config: Config, asked: tuple[Format, ...]) -> PageJob:
    declared = response.headers.get("Content-Type")
    return PageJob(
        body=response.body[: config.max_bytes + 1],  # no copy, if it is not longer
        url=response.url,
        options=config.label_options(response.url),
        limits=config.limits,
        # Not response.encoding, which is a guess if the header has no charset.
        charset=http_content_type_encoding(declared.decode("latin-1")) if declared else None,
        rows=bool(config.labels_field),
        formats=formats_of((*config.formats, *asked)),
        chunk_tokens=config.chunk_size,
        detect_language=config.detect_language,
        judge_templates=config.mode != "deferred",
        opt_out=_opt_out(response),
    )


def _opt_out(response: Response) -> str:
    """Return what the headers state against the use in training, as in :class:`PageJob`."""
    from scrapy_boilernet.extractor.metadata import (  # the mode has loaded it by now
        OPT_OUT_FIELDS,
        opt_outs,
    )

    values = map(response.headers.getlist, OPT_OUT_FIELDS)
    return " ".join(opt_outs(*([one.decode("latin-1") for one in value] for value in values)))


def _name(error: Exception) -> str:
    """Return the error's name in the stats."""
    if isinstance(error, PageError):
        return error.name
    return "timeout" if isinstance(error, PageTimeoutError) else type(error).__name__


def _skip_reason(config: Config, request: Request, response: Response, asked: bool) -> str | None:
    """Return why the page is not labeled, or None. ``asked``: whether its callback needs labels."""
    override = request.meta.get(META_OVERRIDES)
    if override is False:
        return "off"
    if urlsplit(request.url).path == "/robots.txt":
        return "robots_txt"
    if override is None and not asked and not config.wants(response.url):
        return "not_requested"
    if request.method == "HEAD":
        return "head"
    if response.status not in config.statuses:
        return "status"
    declared = response.headers.get("Content-Type")
    mime = declared.decode("latin-1").split(";")[0].strip().lower() if declared else ""
    if not isinstance(response, TextResponse) or (mime and mime not in config.content_types):
        return "content_type"
    if not mime and not isinstance(response, HtmlResponse):  # the type that Scrapy detected
        return "content_type"
    if len(response.body) > config.max_bytes and config.over_max_bytes == "skip":
        return "too_large"
    return None
