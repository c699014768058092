"""What comes out of an input: pages as they were stored, and what is none."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from scrapy_boilernet.bulk.warc import Damage, Position


@dataclass(frozen=True)
class RawPage:
    """A stored page, as bytes, and what is known of it."""

    source: str
    """The file that holds it, and for an archive its name there."""
    body: bytes
    """As it was sent: packed with ``codings``."""
    position: Position
    url: str | None = None
    fetched: str | None = None
    """When, as ISO 8601; None if the input does not say it."""
    status: int | None = None
    """The HTTP status; None if the input does not say it."""
    mime: str = ""
    """The declared type, lower-case; "" if none is declared."""
    charset: str | None = None
    """The charset of the response's header."""
    encoding: str | None = None
    """The encoding, where it is known for sure."""
    codings: tuple[str, ...] = ()
    """What unpacks the body, see :class:`~scrapy_boilernet.bulk.http_message.HttpHead`."""


@dataclass(frozen=True)
class LeftOut:
    """Something in an input that is no page and was none, such as a request's record."""

    reason: str
    """A word or two, the same for all of a kind."""
    position: Position


Item = RawPage | LeftOut | Damage


def unwanted(page: RawPage, statuses: Container[int], types: Container[str]) -> str:
    """Return why a page is left out by its status or its declared type; "" if it is not.

    A page whose input does not say them is kept.
    """
    if page.status is not None and page.status not in statuses:
        return f"status {page.status}"
    return "type" if page.mime and page.mime not in types else ""
