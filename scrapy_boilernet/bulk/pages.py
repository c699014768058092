"""The items of an input: pages as they were stored, and items that are not pages."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from scrapy_boilernet.bulk.warc import Damage, Position


@dataclass(frozen=True)
class Reading:
    """How inputs are read."""

    max_bytes: int
    """How many bytes of a page are read; one more is read to see whether there are more."""
    html_field: str | None = None
    """The field of a row that contains the page; None: one of the usual names."""
    url_field: str | None = None
    """The field of a row that contains the page's address; None: ``url``."""
    charset_field: str | None = None
    """The field of a row that contains the charset of a page in bytes; None: there is none."""
    is_base64: bool = False
    """Whether the pages of rows are base64."""
    base: str = ""
    """The folder or the address of the WARC files that an index names; "": the index's folder."""
    keep: tuple[tuple[str, str], ...] = ()
    """The other fields of a row that are kept, each with its name in the record."""


@dataclass(frozen=True)
class RawPage:
    """The bytes of a stored page, and the values that were stored with it."""

    source: str
    """The path of its file; in an archive, followed by the name of the member."""
    body: bytes
    """The bytes as they were sent, packed with ``codings``."""
    position: Position
    url: str | None = None
    fetched: str | None = None
    """The time of the download as in the input, usually ISO 8601; None if it is not stored."""
    status: int | None = None
    """The HTTP status; None if it is not stored."""
    mime: str = ""
    """The declared type, lower-case; "" if none is declared."""
    charset: str | None = None
    """The charset of the response's header."""
    encoding: str | None = None
    """The encoding, if it is certain."""
    codings: tuple[str, ...] = ()
    """The codings of the body; see :class:`~scrapy_boilernet.bulk.http_message.HttpHead`."""
    opt_out: str = ""
    """What the response's header states against the use in training, as in ``PageJob``."""
    kept: tuple[tuple[str, Any], ...] = ()
    """The other fields of its row that are kept, by their names in the record. Plain JSON."""


@dataclass(frozen=True)
class LeftOut:
    """An item of an input that was never a page, such as the record of a request."""

    reason: str
    """One to three words, the same for all items of a kind."""
    position: Position
    name: str = ""
    """The file or the member of an archive, if it is a whole one."""


@dataclass(frozen=True)
class Pointed:
    """A record of a WARC file, of which only the place is known."""

    file: str
    """The path or the address of the file, perhaps relative to a base."""
    offset: int
    length: int
    """In bytes, as the record is stored."""
    position: Position
    kept: tuple[tuple[str, Any], ...] = ()
    """As in :class:`RawPage`."""


Entry = RawPage | LeftOut | Damage


def unwanted(page: RawPage, statuses: Container[int], types: Container[str]) -> str:
    """Return why a page is left out by its status or its declared type; "" if it is kept.

    A page whose status or type is not known is kept.
    """
    if page.status is not None and page.status not in statuses:
        return f"status {page.status}"
    return "type" if page.mime and page.mime not in types else ""
