"""``Post``, a post of a thread, and ``Thread``, what a page's markup says of its posts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from scrapy_boilernet.extractor.metadata import StatedObject


class Post(NamedTuple):
    """A post of a forum, a question, an answer, a comment, or a message of a mailing list."""

    author: str | None
    """As the page writes it; None if the page does not name one."""
    date: str | None
    """When it was posted, in ISO 8601, with time and zone if the page gives them; None if the page
    gives no date, or only one such as "two hours ago"."""
    markdown: str
    """The text of the post as Markdown. What it quotes is a quote."""
    text: str
    """The same as plain text."""
    number: int
    """Its place among the posts of the page, from 1."""
    xpath: str
    """The XPath of its element, or else of its first block; "" if the page has no XPaths."""
    answers: int | None = None
    """The number of the post that it replies to; None if the page does not say it, or if that post
    is not on the page."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON."""
        return self._asdict()


def written_posts(posts: Sequence[Post] | None) -> bytes:
    """Return the posts as bytes; b"" for None."""
    return b"" if posts is None else json.dumps(posts).encode()


def read_posts(data: bytes) -> tuple[Post, ...] | None:
    """Return the posts of :func:`written_posts`."""
    return tuple(Post(*row) for row in json.loads(data)) if data else None


class ThreadMark(NamedTuple):
    """An element whose attributes may name a post, its author, its date or the post it answers."""

    node: int
    """Its number, as in :class:`~scrapy_boilernet.extractor.page.Block`."""
    tag: str
    names: str
    """Its class, itemprop, rel, role and the like in lower case, joined by spaces."""
    type: str
    """The type of its microdata in lower case, without the vocabulary; "" if it has none."""
    id: str
    """Its id, or that of the post it stands for; "" if it has none."""
    author: str
    """The name in an attribute such as ``data-author``; "" if it has none."""
    date: str
    """The value of an attribute such as ``datetime``; "" if it has none."""
    parent: str
    """The id in an attribute or address that says what it answers; "" if it has none."""
    text: str
    """Its text; "" if that has more than 200 characters, or if it is not likely a name or date."""
    block: int
    """Index of the block that it holds or is in, else of the block before it; 0 if there is none.
    """


class Thread(NamedTuple):
    """What the markup of a page says of its posts."""

    language: str = ""
    """``lang`` of the page."""
    marks: tuple[ThreadMark, ...] = ()
    """In document order."""
    objects: tuple[StatedObject, ...] = ()
    """Comments, questions, answers and postings that JSON-LD states, with their ``text``."""
