"""Two spiders for one process with different models and modes; both have pages with faults."""

from __future__ import annotations

from typing import Any, ClassVar

from testing.spiders.faults import FaultsSpider


class ThreadSpider(FaultsSpider):
    """Labels in a thread by the model "faulty"."""

    name = "one"
    custom_settings: ClassVar[dict[str, Any]] = {"BOILERNET_MODE": "thread"}


class ProcessSpider(FaultsSpider):
    """Labels in processes by the model "other"."""

    name = "two"
    custom_settings: ClassVar[dict[str, Any]] = {
        "BOILERNET_MODE": "process",
        "BOILERNET_MODEL": "other",
    }
