"""Writes the kept content of a page in the formats that are wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scrapy_boilernet.options import Format
from scrapy_boilernet.output.document import document_of
from scrapy_boilernet.output.html import to_html
from scrapy_boilernet.output.markdown import to_markdown
from scrapy_boilernet.output.parts import Part
from scrapy_boilernet.page import Page

_WRITERS: Mapping[Format, Callable[[Sequence[Part]], str]] = {
    "markdown": to_markdown,
    "html": to_html,
}


def formatted(page: Page, kept: Sequence[bool], formats: Sequence[Format]) -> dict[Format, str]:
    """Return the content in each of the formats; the parts are made once.

    ``kept``: per block whether it is content. Raises ``ValueError`` if the page has no markup.
    """
    if not formats:
        return {}
    parts = document_of(page, kept)
    return {name: _WRITERS[name](parts) for name in formats}
