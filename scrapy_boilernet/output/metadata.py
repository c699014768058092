"""What a page says about itself: ``Metadata``, each value with its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from scrapy_boilernet.features.words import tokens
from scrapy_boilernet.labeled import CONTENT, LabeledPage
from scrapy_boilernet.output.dates import iso_date
from scrapy_boilernet.output.named import Place, Sourced, distinct, main_objects
from scrapy_boilernet.output.people import byline_authors, dated_authors, choose_authors, linked_authors, marked_authors, stated_authors
from scrapy_boilernet.output.titles import find_page_title, site_names
from scrapy_boilernet.output.when import modified, published
from scrapy_boilernet.page import Page
from scrapy_boilernet.stated import Stated, StatedObject


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself. A value that it does not give is None, or empty."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    date_published: str | None = None
    """ISO 8601, with the time and the zone if the page gives them; ``2024-05`` of a month."""
    date_published_raw: str | None = None
    date_modified: str | None = None
    date_modified_raw: str | None = None
    sources: dict[str, str] = field(default_factory=dict)


Ranked = Sequence[tuple[int, StatedObject]]


def read_metadata(labeled: LabeledPage) -> Metadata:
    page = labeled.page
    stated = page.stated
    decided = [label == CONTENT for label in labeled.labels]
    objects = main_objects(stated, page.title)
    title, at = find_page_title(page, decided, stated, objects)
    place = Place.of(at, decided)
    language = stated.language
    found = list(author_candidates(page, stated, objects, place))
    sites = {name.casefold() for name in site_names(page, stated)}
    authors, author_source = choose_authors(found, sites)
    first = _dated(published(page, stated, objects, place, language), language)
    return Metadata(
        title=title.value if title else None,
        authors=authors,
        date_published=first[0], date_published_raw=first[1],
        sources={'title':title.source if title else '','authors':author_source,'date_published':first[2]},
    )


def author_candidates(page: Page, stated: Stated, objects: Ranked, place: Place):
    yield from stated_authors(stated, objects)
    for near in place.areas():
        yield from marked_authors(stated, near)
        yield from byline_authors(page.blocks, near)
    yield from linked_authors(stated)
    yield from dated_authors(page.blocks, place.headline)


def _dated(candidates: Iterable[Sourced], language: str) -> tuple[str | None, str | None, str]:
    """(the first date in ISO 8601, as the page has it, its source)."""
    for candidate in candidates:
        if date := iso_date(candidate.value, language):
            return date, candidate.value, candidate.source
    return None, None, ""
