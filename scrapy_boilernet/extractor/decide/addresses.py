"""The address of a page, by whose words some rules tell what kind of page it is."""

from __future__ import annotations

import re
from typing import NamedTuple

from scrapy_boilernet.extractor.page import Page

_ADDRESS = re.compile(r"\A[a-z]+://([^/?#]*)([^?#]*)\??([^#]*)")
EXTENSION = re.compile(r"\.\w{2,5}\Z")
"""The extension at the end of a path, such as ``.html``."""


class Address(NamedTuple):
    """Parts of a URL, in lower case."""

    host: str
    path: str
    query: str


def address_of(page: Page) -> Address | None:
    """Return the address of the page; None without an absolute URL."""
    match = _ADDRESS.match((page.url or "").lower())
    return Address(*match.groups()) if match else None
