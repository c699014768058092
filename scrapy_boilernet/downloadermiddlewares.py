"""The downloader middleware: labels every HTML page off the reactor's thread."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response, TextResponse

from scrapy_boilernet.config import Config, ConfigError
from scrapy_boilernet.runtime import Labeling, Runtime

META_OVERRIDES = "boilernet"
META_RESULT = "boilernet_result"
META_CONFIG = "_boilernet_config"


class BoilerNetDownloaderMiddleware:
    """Puts a ``LabeledPage`` at ``request.meta["boilernet_result"]`` for each page that is HTML.

    ``request.meta["boilernet"]``: ``False`` skips the page, a dict overrides settings for it.
    Whatever goes wrong with a page, the response goes on untouched and a stat counts why.
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
        request.meta.pop(META_RESULT, None)  # a copied meta may carry another page's
        request.meta.pop(META_CONFIG, None)
        runtime = self.runtime
        try:
            config = self._config(request)
            reason = "off" if config is None else _skip_reason(config, request, response)
            if config is None or reason:
                runtime.count(f"skipped/{reason}")
                return response
            labeling = await runtime.engine.run(
                partial(self._label, cast("TextResponse", response), config)
            )
        except ConfigError as error:
            runtime.count("skipped/bad_override")
            runtime.log_once(f"override {error.name}", "%s left unlabeled: %s", response.url, error)
        except Exception as error:  # no page may stop the crawl or lose its items
            name = type(error).__name__
            runtime.count(f"errors/{name}")
            runtime.log_once(name, "Could not label %s", response.url, exc_info=True)
        else:
            runtime.count_labeling(labeling)
            request.meta[META_RESULT] = labeling.result
            request.meta[META_CONFIG] = config
        return response

    def _config(self, request: Request) -> Config | None:
        """The config of this request, or None if it is switched off."""
        override = request.meta.get(META_OVERRIDES, True)
        if override is True or override is None:
            return self.runtime.config
        if override is False:
            return None
        if not isinstance(override, Mapping):
            raise ConfigError(
                f"request.meta['boilernet'] = {override!r} must be False, True or a dict"
            )
        return self.runtime.config.with_overrides(override)

    def _label(self, response: TextResponse, config: Config) -> Labeling:
        """Runs in the worker: finding out an undeclared encoding can take long, too."""
        return self.runtime.label(response.body, response.url, _encoding(response), config)


def _skip_reason(config: Config, request: Request, response: Response) -> str | None:
    """Why the page is not labeled, or None."""
    if response.status not in config.statuses:
        return "status"
    if urlsplit(request.url).path == "/robots.txt":
        return "robots_txt"
    declared = response.headers.get("Content-Type")
    mime = declared.decode("latin-1").split(";")[0].strip().lower() if declared else ""
    if not isinstance(response, TextResponse) or (mime and mime not in config.content_types):
        return "content_type"
    if not mime and not isinstance(response, HtmlResponse):  # what Scrapy made of the bytes
        return "content_type"
    if len(response.body) > config.max_bytes:
        return "too_large"
    return None


def _encoding(response: TextResponse) -> str | None:
    """The response's encoding as Scrapy finds it, or None where that fails."""
    try:
        return response.encoding
    except (LookupError, ValueError):
        return None
