"""The add-on: one line in ``ADDONS`` that adds the three components."""

from __future__ import annotations

from typing import Any

COMPONENTS = {
    "DOWNLOADER_MIDDLEWARES": (
        "scrapy_boilernet.downloadermiddlewares.BoilerNetDownloaderMiddleware",
        544,
    ),
    "SPIDER_MIDDLEWARES": ("scrapy_boilernet.spidermiddlewares.BoilerNetSpiderMiddleware", 10),
    "ITEM_PIPELINES": ("scrapy_boilernet.pipelines.BoilerNetPipeline", 50),
}
"""Setting, component and order. 544 is below retry, redirect and decompression, so that a page is
labeled once and decoded, and above scrapy-poet's 543, so that page objects find its labels. 10 is
nearest to the engine, so that items are tied after the user's own middlewares. 50 fills the fields
before the user's own pipelines run."""


class Addon:
    """``ADDONS = {"scrapy_boilernet.Addon": 500}``.

    Adds each component that the user has not listed. A listed one, by path or class, stays as it
    is, also one that is disabled with None.
    """

    def update_settings(self, settings: Any) -> None:
        """Add the components; the user's settings are never changed."""
        for name, (path, order) in COMPONENTS.items():
            listed = settings[name]
            if not any(_path(component) == path for component in listed):
                listed.set(path, order, priority=settings.getpriority(name))


def _path(component: Any) -> str:
    if isinstance(component, str):
        return component
    return f"{component.__module__}.{component.__qualname__}"
