"""Systems to evaluate, one perfect and one silent, and pages for them."""

from __future__ import annotations

from typing import Any

from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.systems import Extraction, System

from .synthetic import gold_page

PERFECT = System("perfect", "ours", lambda page: Extraction(page.gold or "", 0.9))
SILENT = System("silent", "1.0", lambda _: Extraction(""))


def gold_pages(dataset: str = "made", number: int = 4, **fields: Any) -> list[GoldPage]:
    """Return the first pages of a made-up set, with their gold."""
    return [gold_page(n, dataset, **fields) for n in range(number)]
