"""Markdown and HTML of chosen blocks, and the words that a reader sees, by other parsers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from lxml import html as lxml_html

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.callouts import label_of
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.extractor.page import Page

from .labeled import from_probabilities

_WORD = re.compile(r"\w+")
_NOTE_LINK = re.compile(r'<sup><a href="#fn-\w+">(\w+)</a></sup>')
_EMBED = re.compile(r'<a href="[^"]*" class="embed">[^<]*</a>|<a href="([^"]*)">\1</a>')
"""What a page embeds, as its address, which is no word of the page: in our HTML, and in rendered
Markdown."""
_RAISED = re.compile(r"<su[pb]>")
_BOX = re.compile(r"^([ >]*(?:[-*]|\d+[.)]) (?:(?:[-*]|\d+[.)]|>) )*)\[[x ]\] ", re.MULTILINE)
CALLOUT = re.compile(r"^([ >]*(?:(?:[-*]|\d+[.)]|>) )*> )\[![A-Z]+\]$", re.MULTILINE)
_BLOCKS = re.compile(
    r"<(?=/?(?:p|li|h[1-6]|td|th|tr|pre|blockquote|br|div|table|thead|tbody|ul|ol|hr)\b)"
)


def written(page: Page, kept: Sequence[bool] | None = None) -> LabeledPage:
    """Return the page with Markdown and HTML of the kept blocks, by default of all, and without a
    headline that is not kept.
    """
    scores = [float(keep) for keep in kept or [True] * len(page.blocks)]
    labeled = from_probabilities(page, scores, 0.5, 1, "test")
    return with_formats(labeled, ["markdown", "html"], beside=())


def words(text: str) -> Counter[str]:
    """Return the words of a text in lower case, with their numbers."""
    return Counter(_WORD.findall(text.lower()))


def html_words(fragment: str) -> Counter[str]:
    """Return the words that a browser shows of a fragment of HTML, without alternative text.

    Superscripts and subscripts are words as in the plain text.
    """
    fragment = _NOTE_LINK.sub(r" [\1] ", _EMBED.sub("", fragment))
    plain = (block.text for block in blockify(f"<div>{fragment}</div>").blocks)
    return words("\n".join(plain)) if _RAISED.search(fragment) else words(_content(fragment))


def kind_words(fragment: str) -> Counter[str]:
    """Return the words of titles of callouts that only name the kind, which Markdown writes."""
    titles = fragment_tree(fragment).iter("p")
    texts = (p.text_content() for p in titles if p.get("class") == "markdown-alert-title")
    return words("\n".join(text for text in texts if label_of(text)[1] == len(text)))


def _content(fragment: str) -> str:
    return str(fragment_tree(fragment).text_content())


def fragment_tree(fragment: str) -> Any:
    """Return lxml's tree of a fragment of HTML, with line feeds between its blocks."""
    apart = _BLOCKS.sub("\n<", fragment)
    return lxml_html.fromstring(f"<div>{apart}</div>")


def html_of(markdown: str) -> str:
    """Return the HTML that a CommonMark parser with tables and strikethrough makes of Markdown."""
    import pytest

    markdown_it = pytest.importorskip("markdown_it")
    parser = markdown_it.MarkdownIt("commonmark", {"maxNesting": 200})
    parser.enable(["table", "strikethrough"])
    return str(parser.render(markdown))


def without_signs(markdown: str) -> str:
    """Return Markdown without boxes to tick and the kinds of callouts, which are no words."""
    return _BOX.sub(r"\1", CALLOUT.sub(r"\1", markdown))


def markdown_words(markdown: str) -> Counter[str]:
    """Return the words that a reader of rendered Markdown sees, without boxes to tick and the kinds
    of callouts.
    """
    markdown = without_signs(markdown)
    marked = re.sub(r"(?<!\\)\[\^(\w+)\](: )?", lambda m: "" if m[2] else f" [{m[1]}] ", markdown)
    return html_words(html_of(marked))
