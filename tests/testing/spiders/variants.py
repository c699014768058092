"""Spiders for one process with different settings; ``OTHER_MODEL`` names a second model."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import Any, ClassVar

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider

from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.downloadermiddlewares import BoilerNetDownloaderMiddleware
from scrapy_boilernet.pipelines import BoilerNetPipeline
from scrapy_boilernet.spidermiddlewares import BoilerNetSpiderMiddleware


class _Pages(RequestingSpider):
    def requests(self) -> Iterator[Request]:
        for path in ("/article", "/missing"):
            yield Request(self.site + path, meta={"handle_httpstatus_list": [404]})

    def parse(self, response: Response, **kwargs: object) -> Iterator[dict[str, Any]]:
        result = response.meta.get("boilernet_result")
        yield {
            "spider": self.name,
            "path": response.url.removeprefix(self.site),
            "model": result.model if result else None,
        }


class ProjectSpider(_Pages):
    """Uses the project's settings."""

    name = "project"


class OtherSpider(_Pages):
    """Has its own settings; labels in the reactor's thread."""

    name = "other"
    custom_settings: ClassVar[dict[str, Any]] = {
        "BOILERNET_MODEL": os.environ["OTHER_MODEL"],
        "BOILERNET_MODE": "inline",
        "BOILERNET_TEXT_FIELD": "body",
        "BOILERNET_LABELS_FIELD": None,
        "BOILERNET_STATUSES": "200, 404",
    }

    def requests(self) -> Iterator[Request]:
        worker = Runtime.of(self.crawler).mode.worker  # type: ignore[attr-defined]
        label = worker.label

        def watched(*arguments: Any) -> Any:
            self.crawler.stats.set_value("threads/labeling", threading.current_thread().name)
            return label(*arguments)

        worker.label = watched
        self.crawler.stats.set_value("threads/reactor", threading.current_thread().name)
        yield from super().requests()


class OffSpider(_Pages):
    """Switches the plugin off."""

    name = "off"
    custom_settings: ClassVar[dict[str, Any]] = {"BOILERNET_ENABLED": False}


class ByHandSpider(_Pages):
    """Lists the components as classes in another order, which the add-on must not change."""

    name = "by_hand"
    custom_settings: ClassVar[dict[str, Any]] = {
        "DOWNLOADER_MIDDLEWARES": {BoilerNetDownloaderMiddleware: 545},
        "SPIDER_MIDDLEWARES": {BoilerNetSpiderMiddleware: 10},
        "ITEM_PIPELINES": {BoilerNetPipeline: 900},
    }
