"""An extension that prints, after the crawl, the kept and the dropped text of each page."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any
from unicodedata import east_asian_width
from urllib.parse import urlsplit

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

WIDTH = 100
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# \w has no combining marks; without them, Arabic words with vowel signs would be split.
_WORD = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])[\w\u0300-\u036f\u064b-\u065f])+")


def count_words(text: str) -> int:
    """Return the number of words; each character of Chinese and Japanese counts as one."""
    return len(_WORD.findall(text))


def clip(text: str, columns: int) -> str:
    """Return the text on one line, cut to this number of terminal columns.

    Characters that a terminal cannot print become spaces. Wide characters, such as Japanese ones,
    take two columns.
    """
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    used = 0
    for position, character in enumerate(text):
        used += 2 if east_asian_width(character) in "WF" else 1
        if used > columns - 3 and len(text) > position + 3:
            return text[:position].rstrip() + "..."
    return text


@dataclass
class PageFigures:
    """The figures and texts of one page in the summary."""

    kind: str
    path: str
    labeled: bool
    words_before: int
    words_after: int
    confidence: float
    kept: str
    dropped: str
    metadata: str

    def lines(self) -> list[str]:
        """Return the lines that describe this page."""
        head = f"{clip(self.kind, 20):<20} {clip(self.path, 34):<34}"
        if not self.labeled:
            return [f"{head} not labeled"]
        words = f"{self.words_before:>5} -> {self.words_after:>5} words"
        return [
            f"{head} {words}   confidence {self.confidence:.2f}",
            f"    kept:     {clip(self.kept, WIDTH - 14) or '(nothing)'}",
            f"    dropped:  {clip(self.dropped, WIDTH - 14) or '(nothing)'}",
            f"    metadata: {clip(self.metadata, WIDTH - 14) or '(nothing)'}",
        ]


def page_figures(item: Any) -> PageFigures:
    """Return the figures of an item, which may lack any of the plugin's fields."""
    fields = ItemAdapter(item)
    labels = fields.get("block_labels") or []
    boilerplate = [block["text"] for block in labels if block["label"] != "content"]
    words_after = count_words(fields.get("main_text") or "")
    return PageFigures(
        kind=fields.get("kind") or "",
        path=urlsplit(fields.get("url") or "").path,
        labeled=fields.get("main_text_confidence") is not None,
        words_before=words_after + sum(map(count_words, boilerplate)),
        words_after=words_after,
        confidence=fields.get("main_text_confidence") or 0.0,
        kept=fields.get("main_text") or "",
        dropped=" | ".join(boilerplate),
        metadata=metadata_line(fields.get("metadata") or {}),
    )


def metadata_line(metadata: dict[str, Any]) -> str:
    """Return the known values among title, authors, date, kind and language of a page."""
    values = (
        metadata.get("title"), ", ".join(metadata.get("authors") or ()),
        metadata.get("date_published"), metadata.get("page_kind"), metadata.get("language"),
    )  # fmt: skip
    return " | ".join(value for value in values if value)


def say(line: str = "") -> None:
    """Print a line; a character that the terminal's encoding lacks becomes a question mark."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, "replace").decode(encoding))


class Summary:
    """Collects the figures of all items and prints them when the spider closes."""

    def __init__(self, settings: BaseSettings) -> None:
        self.outputs = [str(uri) for uri in settings.getdict("FEEDS")]
        self.pages: list[PageFigures] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Summary:
        """Create the extension and connect it to the crawl."""
        summary = cls(crawler.settings)
        crawler.signals.connect(summary.item_scraped, signal=signals.item_scraped)
        crawler.signals.connect(summary.spider_closed, signal=signals.spider_closed)
        return summary

    def item_scraped(self, item: Any) -> None:
        """Store the figures of an item; the item itself is not kept in memory."""
        self.pages.append(page_figures(item))

    def spider_closed(self) -> None:
        """Print the summary."""
        say("\n" + " Before and after ".center(WIDTH, "="))
        for page in sorted(self.pages, key=lambda page: page.path):
            for line in page.lines():
                say(line)
        say("=" * WIDTH)
        say(self.totals())
        say("Items written to: " + (", ".join(self.outputs) or "(no feed configured)"))
        say("Markdown written to: output/markdown")

    def totals(self) -> str:
        """Return the line about all pages together."""
        labeled = [page for page in self.pages if page.labeled]
        before = sum(page.words_before for page in labeled)
        after = sum(page.words_after for page in labeled)
        share = f" ({after / before:.0%} kept)" if before else ""
        return (
            f"{len(self.pages)} pages, {len(labeled)} labeled: "
            f"{before} words -> {after} words{share}"
        )
