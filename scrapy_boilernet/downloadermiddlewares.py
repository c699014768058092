"""The downloader middleware: labels every HTML page outside the reactor's thread."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse
from w3lib.encoding import http_content_type_encoding

from scrapy_boilernet.config import Config, ConfigError
from scrapy_boilernet.options import Format, formats_of
from scrapy_boilernet.runtime import Runtime
from scrapy_boilernet.workers.jobs import SKIPPED, NotHtmlError, PageError, PageJob, Stored
from scrapy_boilernet.workers.queue import PageTimeoutError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_boilernet.labeled import LabeledPage

META_OVERRIDES = "boilernet"
META_RESULT = "boilernet_result"
META_PAGE = "boilernet_page"
META_CONFIG = "_boilernet_config"
META_CRAWL = "_boilernet_crawl"
META_UNLABELED = "_boilernet_unlabeled"
"""The name of the stat that counts why the page is unlabeled, such as ``"skipped/status"``."""


class BoilerNetDownloaderMiddleware:
    """Sets ``request.meta["boilernet_result"]`` of each HTML page to its ``LabeledPage``.

    In the mode ``"deferred"``, sets ``request.meta["boilernet_page"]`` to the stored page's key
    instead. If ``request.meta["boilernet"]`` is ``False``, the page is skipped; if it is a dict, it
    overrides settings for this page. If a page cannot be labeled, its response is passed on
    unchanged, and a stat counts the error.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerNetDownloaderMiddleware:
        """Return the middleware; raises as :meth:`Runtime.of` does."""
        return cls(Runtime.of(crawler))

    async def process_response(
        self, request: Request, response: Response, spider: Any = None
    ) -> Response:
        """Label the page; always return ``response`` itself."""
        forget(request)  # a copied meta may contain the result of another page
        runtime = self.runtime
        request.meta[META_CRAWL] = runtime.number
        try:
            config = self._config(request)
            asked = runtime.asked(request)
            reason = _skip_reason(config, request, response, asked is not None)
            if reason:
                self._count(f"skipped/{reason}", request)
                return response
            job = partial(_job, cast("TextResponse", response), config, asked or ())
            outcome = await runtime.engine.label(job)
        except ConfigError as error:
            self._count("skipped/bad_override", request)
            runtime.log_once(f"override {error.name}", "%s left unlabeled: %s", response.url, error)
        except Exception as error:  # no page may stop the crawl or lose its items
            name = _name(error)
            if name in SKIPPED:
                self._count(f"skipped/{SKIPPED[name]}", request)
                if name == NotHtmlError.__name__:
                    reason = str(error).rpartition("Error: ")[2]  # a worker may send a traceback
                    runtime.log_once(reason, "%s left unlabeled: %s", response.url, reason)
            else:
                self._count(f"errors/{name}", request)
                runtime.log_once(name, "Could not label %s", response.url, exc_info=True)
        else:
            request.meta[META_CONFIG] = config
            if isinstance(outcome, Stored):
                runtime.count("stored")
                request.meta[META_PAGE] = outcome.key
            else:
                runtime.count_labeling(outcome, response.url)
                request.meta[META_RESULT] = outcome.result
        runtime.count_engine()
        return response

    def _count(self, stat: str, request: Request) -> None:
        """Count the unlabeled page, and note the stat in the request's meta."""
        self.runtime.count(stat)
        request.meta[META_UNLABELED] = stat

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


def forget(request: Request) -> None:
    """Remove the values that this plugin has set in the request's meta."""
    for key in (META_RESULT, META_PAGE, META_CONFIG, META_CRAWL, META_UNLABELED):
        request.meta.pop(key, None)


def outcome_in(meta: Mapping[str, Any]) -> tuple[LabeledPage | Stored | None, Config | None]:
    """Return (the outcome of a response, its config); (None, None) if it has no outcome.

    Values of other types, which other components may have set, are ignored.
    """
    result, key, config = (meta.get(name) for name in (META_RESULT, META_PAGE, META_CONFIG))
    if isinstance(config, Config):
        from scrapy_boilernet.labeled import LabeledPage  # the engine has loaded it by now

        if isinstance(result, LabeledPage):
            return result, config
        if isinstance(key, str):
            return Stored(key), config
    return None, None


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
        detect_language=config.detect_language,
        opt_out=_opt_out(response),
    )


def _opt_out(response: Response) -> str:
    """Return what the headers state against the use in training, as in :class:`PageJob`."""
    from scrapy_boilernet.metadata import opt_outs  # the engine has loaded it by now

    values = map(response.headers.getlist, ("X-Robots-Tag", "TDM-Reservation", "TDM-Policy"))
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
    if override is None and not asked and not config.wants(response.url):
        return "not_requested"
    if request.method == "HEAD":
        return "head"
    if urlsplit(request.url).path == "/robots.txt":
        return "robots_txt"
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
