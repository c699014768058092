"""Crawls that follow items from the callback to the feed: shared code of spiders, and outcomes."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

from scrapy import Request
from scrapy.http import Response

from scrapy_boilernet.crawl.runtime import Runtime

from . import crawling
from .requesting import RequestingSpider

PAGES = 6
"""Pages of a crawl; the counts that a case expects are for so many, and scaled for a multiple."""
OWN = "The spider's own text."
STATES = ("labeled", "stored", "kept", "not_wanted", "refused", "unlabeled")
SETTINGS = {
    "BOILERNET_ENABLED": True,
    "BOILERNET_ENGINE": "numpy",
    "BOILERNET_THRESHOLD": 0,  # every block is content, so that the texts are known
}
FILES = ("items_kinds", "items_replaced", "items_asked")
"""The modules of spiders, in ``testing/spiders/``."""


def text_of(page: str) -> str:
    """Return the main text of the site's page ``/numbered?<page>``."""
    return "\n".join(["Home", f"Page {page}", *(f"Sentence {n} of {page}." for n in range(9))])


class ItemSpider(RequestingSpider):
    """A case: it fetches its pages, and yields the result of ``items`` for each.

    An item's field ``page`` names the page whose text it must get.
    """

    shows: ClassVar[str] = ""
    """A description of the case, for a report."""
    expects: ClassVar[dict[str, int]] = {}
    """For :data:`PAGES` pages: items per state, ``fields/kept``, ``errors/refused_field``; also
    ``yielded`` and ``fed``, which by default are the sum of the states."""

    def requests(self) -> Iterator[Request]:
        """Request all pages."""
        for number in range(self.settings.getint("ITEMS_PAGES")):
            yield self.request(number)

    def request(self, number: int) -> Request:
        """Request a page."""
        return Request(self.url(f"{self.name}-{number}"))

    def url(self, page: str) -> str:
        return f"{self.site}/numbered?{page}"

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        """Yield the page's items."""
        for item in self.items(page_of(response)):
            yield self.counted(item)

    def items(self, page: str) -> Iterator[Any]:
        """Yield the page's items."""
        raise NotImplementedError

    def counted(self, item: Any) -> Any:
        """Count the item as yielded, and return it."""
        self.crawler.stats.inc_value("case/yielded")
        self.runtime = Runtime.of(self.crawler)
        return item

    def closed(self, reason: str) -> None:
        """Write into the stats what the case is, and the number of items that are still held."""
        case = {
            "held": len(self.runtime.ties),
            "shows": self.shows,
            "expects": self.expects,
            "mode": (self.custom_settings or {}).get("BOILERNET_MODE", "thread"),
        }
        for name, value in case.items():
            self.crawler.stats.set_value(f"case/{name}", value)


def page_of(response: Response) -> str:
    """Return the name of the response's page."""
    return response.url.partition("?")[2]


def number_of(page: str) -> int:
    """Return the page's number."""
    return int(page.rpartition("-")[2])


@dataclass(frozen=True)
class Outcome:
    """The outcome of a case."""

    name: str
    shows: str
    mode: str
    expected: dict[str, int]
    counts: dict[str, int]
    """Like ``expected``: those of the plugin's stats, ``yielded`` and ``fed`` that are not 0."""
    stats: dict[str, Any]
    """All of the plugin's stats, without their prefix."""
    texts: dict[str, int]
    """Items of the feed with the text of their own page (``right``), of another one (``wrong``),
    with the spider's (``own``), with a stored page's key (``key``) and with nothing (``none``)."""
    held: int
    """Items that the plugin still held at the end."""


def run(
    file: str, site: str, pages: int = PAGES, settings: dict[str, Any] | None = None
) -> list[Outcome]:
    """Run all cases of ``testing/spiders/<file>.py`` in one process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = {
            **SETTINGS,
            "ITEMS_PAGES": pages,
            "BOILERNET_DEFERRED_FOLDER": str(folder / "stored"),
            "FEEDS": {f"{folder.as_uri()}/%(name)s.jsonl": {"format": "jsonlines"}},
            **(settings or {}),
        }
        crawl = crawling.crawl(file, site, given, environment=environment())
        errors = [line for line in crawl.log if "Traceback" in line and "on purpose" not in line]
        assert not errors, errors
        return [_outcome(case, crawl, folder, pages) for case in crawl.stats]


def environment(package: Path | None = None) -> dict[str, str]:
    """Return the environment of a crawl's process; ``package`` goes first on the path."""
    return crawling.python_path(*([package] if package else []))


def _outcome(name: str, crawl: crawling.Crawl, folder: Path, pages: int) -> Outcome:
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    fed = [json.loads(line) for line in lines]
    stats, whole = crawl.counts(name), crawl.stats[name]
    expects = whole["case/expects"]
    states = sum(expects.get(state, 0) for state in STATES)
    expected = {"yielded": states, "fed": states, **expects}
    counts = {state: stats.get(f"items/{state}", 0) for state in STATES}
    counts |= {stat: stats.get(stat, 0) for stat in ("fields/kept", "errors/refused_field")}
    counts |= {"yielded": whole.get("case/yielded", 0), "fed": len(fed)}
    return Outcome(
        name,
        whole["case/shows"],
        whole["case/mode"],
        {what: number * pages // PAGES for what, number in expected.items() if number},
        {what: number for what, number in counts.items() if number},
        stats,
        dict(Counter(map(_text, fed))),
        whole["case/held"],
    )


def _text(item: dict[str, Any]) -> str:
    if item.get("boilernet_page"):
        return "key"
    text = item.get("main_text")
    if text in (None, "", "-"):
        return "none"
    if text == OWN:
        return "own"
    return "right" if text == text_of(item["page"]) else "wrong"


def sizes(
    site: str,
    paths: list[str],
    settings: dict[str, Any],
    package: Path | None = None,
) -> tuple[int, bytes]:
    """Crawl the paths; return the size of the log in bytes, at the level DEBUG, and the feed.

    ``package``: the folder of another version of the plugin, to crawl with.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log, feed = folder / "log.txt", folder / "feed.jsonl"
        given = {
            "BOILERNET_ENABLED": True,
            "LOG_LEVEL": "DEBUG",
            "LOG_FILE": str(log),
            "ITEMS_PATHS": paths,
            "FEEDS": {feed.as_uri(): {"format": "jsonlines"}},
            **settings,
        }
        crawling.crawl("items_sizes", site, given, environment=environment(package))
        return log.stat().st_size, feed.read_bytes()


def alive(
    site: str, pages: int, package: Path | None = None, stat: str = "along"
) -> dict[str, list[int]]:
    """Crawl so many pages; return per spider how many labeled pages were alive during the crawl.

    ``stat="without_response"``: only those whose response is gone.
    """
    given = {"BOILERNET_ENABLED": True, "BOILERNET_ENGINE": "numpy", "ITEMS_PAGES": pages}
    crawl = crawling.crawl("items_held", site, given, environment=environment(package))
    return {name: stats[f"held/{stat}"] for name, stats in crawl.stats.items()}


def reader_of_all(load: Callable[[Any], Any]) -> Callable[[bytes], list[Any]]:
    """Return the reader of a feed that has one item after another."""

    def read(feed: bytes) -> list[Any]:
        file, items = BytesIO(feed), []
        while file.tell() < len(feed):
            items.append(load(file))
        return items

    return read
