"""Spiders that request pages until a ``CLOSESPIDER_`` setting closes them; in two modes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from testing.spiders.faults import FaultsSpider, Page

CHAINS = 8
LIMITS = {"ITEMCOUNT": 5, "PAGECOUNT": 5, "ERRORCOUNT": 2, "TIMEOUT": 1}


class _EndlessSpider(FaultsSpider):
    """Each page requests the next one of its chain.

    Where errors are counted, the callback of every third page raises at its end.
    """

    name: Any = None  # so that it is not run itself

    def requests(self) -> Iterator[Any]:
        yield from super().requests()
        for number in range(CHAINS):
            yield self.request({"path": f"/page?n={number}"})

    def next(self, page: Page) -> Iterator[Any]:
        number = int(page["path"].partition("n=")[2])
        if "CLOSESPIDER_ERRORCOUNT" in (self.custom_settings or {}) and number % 3 == 2:
            raise ZeroDivisionError
        yield self.request({"path": f"/page?n={number + CHAINS}"})


def _spider(mode: str, limit: str) -> type[_EndlessSpider]:
    settings = {f"CLOSESPIDER_{limit}": LIMITS[limit], "BOILERNET_MODE": mode}
    return type(
        f"{mode}{limit}", (_EndlessSpider,),
        {"name": f"{mode} {limit}", "custom_settings": settings, "__module__": __name__},
    )  # fmt: skip


for _mode in ("thread", "process"):
    globals().update({f"{_mode}{name}": _spider(_mode, name) for name in LIMITS})
