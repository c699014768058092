"""The next and the previous page of the article or thread that a page belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from urllib.parse import SplitResult, urldefrag, urljoin, urlsplit

from scrapy_boilernet.extractor.metadata import (
    NEAR_NEXT,
    NEAR_PREVIOUS,
    NUMBERED_NEXT,
    NUMBERED_PREVIOUS,
    SHOWN_NEXT,
    SHOWN_PREVIOUS,
    Stated,
)
from scrapy_boilernet.extractor.output.named import Sourced
from scrapy_boilernet.extractor.page import Page

_NEXT = {"next": "link", **dict.fromkeys((SHOWN_NEXT, NUMBERED_NEXT, NEAR_NEXT), "text")}
_PREVIOUS = {
    "prev": "link", "previous": "link",
    **dict.fromkeys((SHOWN_PREVIOUS, NUMBERED_PREVIOUS, NEAR_PREVIOUS), "text"),
}  # fmt: skip
_STEPS = {NEAR_NEXT: 1, NEAR_PREVIOUS: -1}
"""How much higher the number in the address of such a link must be."""
_NUMBERED = (NUMBERED_NEXT, NUMBERED_PREVIOUS)
_WORDS = "page|paged|pageno|pagenum|pg|p|seite|pagina|página|sayfa|strona|sida|side|start|offset|st"
_IN_PATH = re.compile(
    rf"(?:[/_.,-](?:{_WORDS}))?[/_=,-]?\d{{1,5}}(?P<end>/?(?:\.\w{{2,5}})?)\Z", re.IGNORECASE
)
_IN_QUERY = re.compile(rf"(?:^|[&;])(?:{_WORDS}|from|cp)=[^&;]*", re.IGNORECASE)
_PAGE_IN_QUERY = re.compile(rf"(?:^|[&;])(?:{_WORDS}|from|cp)=\d{{1,4}}(?:[&;]|\Z)", re.IGNORECASE)
_PAGE_IN_PATH = re.compile(
    rf"(?:[/_.,-](?:{_WORDS})[/_=,-]?\d{{1,4}}|/\d{{1,3}}|[_,-]\d{{1,2}})/?(?:\.\w{{2,5}})?\Z",
    re.IGNORECASE,
)
_QUERY_STEP = re.compile(rf"(?:^|[&;])(?:{_WORDS})=(\d{{1,4}})(?=[&;]|\Z)", re.IGNORECASE)
_PATH_STEP = re.compile(
    rf"(?:[/_.,-](?:{_WORDS})[/_=,-]?(\d{{1,4}})|[/_,-](\d{{1,2}}))(?P<end>/?(?:\.\w{{2,5}})?)\Z",
    re.IGNORECASE,
)
_OF_ANOTHER_TEXT = re.compile(
    r"(?:/\d{4}(?:[/_-]\d{1,2})?|(?<![^\W_])(?:chapters?|ch|chapitre|kapitel|cap[ií]tulos?|capitolo|lessons?|lektion|"
    r"episodes?|folge|ep|day|tag|week|month|issues?|ausgabe|vol|volume|step|units?|modules?|"
    r"questions?|level|posts?|blog|news|articles?|artikel|products?|items?|topics?|v|version))\Z",
    re.IGNORECASE,
)
"""What stands before the number of a chapter, an article or a day."""
_MESSAGE = re.compile(r"/(?:msg\d+|0\d{3,})\.html?\Z")
"""The end of the address of a message in an archive of a mailing list."""
_TO_MESSAGE = re.compile(
    r"(?:next|prev(?:ious)?) message\b|(?:next|prev(?:ious)?) (?:in|by) (?:thread|date)\b|"
    r"(?:date|thread|chronological|index) (?:prev|next)\b|messages sorted by|in reply to:|"
    r"(?:nächste|vorherige) nachricht|nachrichten sortiert|message (?:suivant|précédent)|"
    r"messages triés|(?:próximo|siguiente) mensaje|mensaje (?:anterior|siguiente)|"
    r"(?:messaggio|mensagem) (?:successiv|precedente|anterior)|próxima mensagem|"
    r"(?:volgend|vorig) bericht|(?:следующее|предыдущее) сообщение|(?:次|前)の(?:メッセージ|記事)",
    re.IGNORECASE,
)
"""Texts with which the programs of such archives lead to other messages."""
_TO_MESSAGE_STEMS = (
    "messag", "thread", "by date", "in date", "date prev", "date next", "chronological", "index ",
    "in reply to", "nachricht", "mensaje", "mensagem", "bericht", "сообщение", "メッセージ",
    "の記事",
)  # fmt: skip
"""Every text in which ``_TO_MESSAGE`` finds something has one of these in lower case."""
_MAX_LINE_CHARS, _LEAST_LINES = 150, 2


def pages_around(page: Page, stated: Stated) -> dict[str, Sourced | None]:
    """Return the addresses of the next and the previous page, None for those not named, by the
    names of their fields in the metadata.
    """
    names = {"next_page": _NEXT, "previous_page": _PREVIOUS}
    found = {name: next(_pages(page, stated, each), None) for name, each in names.items()}
    return dict.fromkeys(found) if any(found.values()) and _is_message(page) else found


def has_page_number(url: str) -> bool:
    """Return whether an address may be that of a page which others name, since it ends with the
    number of a page.

    >>> has_page_number("https://a.example/story?page=4"), has_page_number("https://a.example/story")
    (True, False)
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(_PAGE_IN_QUERY.search(parts.query) or _PAGE_IN_PATH.search(parts.path[-40:]))


def _is_message(page: Page) -> bool:
    """Return whether the page has a message of a mailing list, whose next one is another text."""
    lower = "\n".join(page.texts).lower()
    stems = [stem for stem in _TO_MESSAGE_STEMS if stem in lower]
    lines = (
        text
        for text in (page.texts if stems else ())
        if len(text) <= _MAX_LINE_CHARS and any(map(text.lower().__contains__, stems))
    )
    found = chain.from_iterable(map(_TO_MESSAGE.finditer, lines))
    return sum(1 for _ in islice(found, _LEAST_LINES)) >= _LEAST_LINES


def _pages(page: Page, stated: Stated, relations: Mapping[str, str]) -> Iterator[Sourced]:
    """Yield the addresses on the same host, except that of the page itself, best first.

    Blogs name the next article, too, so a link must have the address of the page but for the number
    of a page, unless it has the number that follows in a pagination.
    """
    own = page.url or ""
    for relation, href in stated.links:
        if relation not in relations:
            continue
        try:
            url, _ = urldefrag(urljoin(urljoin(own, stated.base.strip()), href))
            parts, here = urlsplit(url), urlsplit(own)
            same = not own or parts.hostname == here.hostname
        except ValueError:  # such as "http://[::1"
            continue
        if not same or parts.scheme not in ("http", "https", "") or url in ("", urldefrag(own)[0]):
            continue
        if relation in _STEPS:
            if own and _is_step(here, parts, _STEPS[relation]):
                yield Sourced(url, relations[relation])
        elif not own or relation in _NUMBERED or _is_same_text(parts, here):
            yield Sourced(url, relations[relation])


def _is_same_text(one: SplitResult, other: SplitResult) -> bool:
    """Return whether two addresses are the same but for the number of a page in one or both."""
    if _IN_QUERY.sub("", one.query).strip("&;") != _IN_QUERY.sub("", other.query).strip("&;"):
        return False
    if _MESSAGE.search(one.path) and _MESSAGE.search(other.path):
        return False
    paths = {one.path.rstrip("/"), _without_number(one.path)}
    return not paths.isdisjoint((other.path.rstrip("/"), _without_number(other.path)))


def _is_step(one: SplitResult, other: SplitResult, step: int) -> bool:
    """Return whether the number of a page in the second address is that of the first and ``step``.

    An address without a number is that of the first page.
    """
    numbers = dict(_numbers(one))
    return any(numbers.get(text) == number - step for text, number in _numbers(other))


def _numbers(parts: SplitResult) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield what an address is without the number of a page, and the number."""
    path, query = parts.path.rstrip("/"), parts.query.strip("&;")
    yield (path, query), 1
    if match := _QUERY_STEP.search(query):
        rest = f"{query[: match.start()]}{query[match.end() :]}".strip("&;")
        yield (path, rest), int(match[1])
    elif match := _PATH_STEP.search(path):
        before = path[: match.start()]
        if match[1] or not _OF_ANOTHER_TEXT.search(before[-20:]):
            yield (f"{before}{match['end']}", query), int(match[1] or match[2])


def _without_number(path: str) -> str:
    return _IN_PATH.sub(lambda match: match["end"], path).rstrip("/")
