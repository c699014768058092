"""The add-on, which adds the three components to the settings of a project."""

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
"""The component of each setting, and its order. The order 544 is smaller than those of retry,
redirect and decompression, so that a page is labeled once, after it is decompressed. It is larger
than scrapy-poet's 543, so that page objects find the labels. The order 10 is nearest to the engine,
so that items are tied after the user's own middlewares. With the order 50, fields are filled before
the user's own pipelines run."""


class Addon:
    """Enable it with ``ADDONS = {"scrapy_boilernet.Addon": 500}``.

    It adds each component that the settings do not list. A component that they list, by path or by
    class, stays as it is, even if it is disabled with None.
    """

    def update_settings(self, settings: Any) -> None:
        """Add the components that are not listed."""
        for name, (path, order) in COMPONENTS.items():
            listed = settings[name]
            if not any(_path(component) == path for component in listed):
                listed.set(path, order, priority=settings.getpriority(name))


def _path(component: Any) -> str:
    if isinstance(component, str):
        return component
    return f"{component.__module__}.{component.__qualname__}"
