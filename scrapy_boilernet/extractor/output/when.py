"""Finds when a page was published and last changed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain

from scrapy_boilernet.extractor.metadata import Mark, Stated
from scrapy_boilernet.extractor.output.date_labels import (
    CHANGED,
    MEMBER,
    PUBLISHED_TEXT,
    is_changed,
    is_only_changed,
    of_change,
    of_publication,
    searched,
)
from scrapy_boilernet.extractor.output.dates import (
    NEW_YEAR,
    FoundDate,
    characters_of,
    found_dates,
    iso_date,
)
from scrapy_boilernet.extractor.output.named import Place, Ranked, Sourced
from scrapy_boilernet.extractor.output.other_dates import without_others
from scrapy_boilernet.extractor.output.own_blocks import (
    RIGHT_ABOVE,
    RIGHT_BELOW,
    TEXT_CHARS,
    OwnBlocks,
)
from scrapy_boilernet.extractor.page import Page

_PUBLISHED_METAS = (
    "article:published_time", "article:published", "og:published_time", "og:article:published_time",
    "article.published", "datepublished", "parsely-pub-date", "sailthru.date",
    "cxenseparse:recs:publishtime", "publish-date", "publish_date", "publication_date",
    "publicationdate", "published_time",
    "published-date", "pubdate", "pub_date", "citation_publication_date", "citation_online_date",
    "citation_date", "dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created",
    "dcterms.date", "dc.date", "article_date_original", "article.created",
    "originalpublicationdate",
    "datecreated", "date_published", "rnews:datepublished", "bt:pubdate", "gentime", "date",
    "created", "timestamp", "displaydate", "article:created_time", "article-pubdate", "postdate",
    "og:pubdate", "ms.date", "live_date", "shareaholic:article_published_time",
    "dcsext.articlefirstpublished",
)  # fmt: skip
_MODIFIED_METAS = (
    "article:modified_time", "og:updated_time", "article:modified", "datemodified", "last-modified",
    "lastmod", "revised", "dcterms.modified", "dc.date.modified", "article:modified_date",
    "shareaholic:article_modified_time", "updated_time", "modified",
)  # fmt: skip
_PUBLISHED = re.compile(r"publi|posted|pubdate|created|dateline|entry-date|issued|dt-published")
_URL_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[/-]?(0?[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?!\d)"
)
_DATELINE_CHARS, _ZONE_MINUTES = 60, 15
"""Characters of a line with an early date; zones of time differ by a multiple of this."""
_TEASER = re.compile(r"related|recent|sidebar|comment|widget|popular|trending|footer|teaser|nav\b")


def published(
    page: Page,
    stated: Stated,
    objects: Ranked,
    place: Place,
    own: OwnBlocks,
    language: str,
) -> Iterator[Sourced]:
    """Yield possible dates of publication as the page writes them, the likeliest first.

    ``place``: the blocks in which dates of the page itself can stand. ``own``: of the page's blocks
    and this place.
    """
    for rank, one in objects:
        if rank <= 2:
            yield from _each(one.all("datepublished", "uploaddate", "dateposted"), one.syntax)
    for name in stated.present(_PUBLISHED_METAS):
        yield from _each(stated.all_metas(name), "open-graph" if ":" in name else "meta")
    for _, one in objects:
        yield from _each(one.all("datepublished", "datecreated"), one.syntax)
    for near in (own.beside, *place.areas()):
        yield from _marked(stated, near, own, language, modified=False)
        yield from _shown(own, near, language, modified=False)
    if match := _URL_DATE.search(page.url or ""):
        yield Sourced("-".join(match.groups()), "url")
    yield from _each(stated.all_metas("script:published"), "script")
    for mark in stated.marks:
        is_time = mark.tag == "time" and mark.value and mark not in own.changes
        is_change = _values_change(mark, language) or is_changed(mark.text)
        if is_time and not is_change and own.has(mark.block):
            yield Sourced(mark.value, "time")
    yield from _each(own.single(language), "text")
    yield from _each(own.called(PUBLISHED_TEXT, language), "text")


def modified(
    stated: Stated,
    objects: Ranked,
    place: Place,
    own: OwnBlocks,
    language: str,
) -> Iterator[Sourced]:
    """Yield possible dates of the last change as the page writes them, the likeliest first.

    ``own``: as in :func:`published`.
    """
    for _, one in objects:
        yield from _each(one.all("datemodified"), one.syntax)
    for name in stated.present(_MODIFIED_METAS):
        yield from _each(stated.all_metas(name), "open-graph" if ":" in name else "meta")
    for near in place.areas():
        yield from _marked(stated, near, own, language, modified=True)
        yield from _shown(own, near, language, modified=True)
    yield from _each(stated.all_metas("script:modified"), "script")
    yield from _each(own.called(CHANGED, language), "text")


def _each(values: Iterator[str], source: str) -> Iterator[Sourced]:
    return (Sourced(value, source) for value in values)


def _marked(
    stated: Stated, place: range, own: OwnBlocks, language: str, modified: bool
) -> Iterator[Sourced]:
    """Yield texts of marked elements in the place that may be dates, the likeliest first."""
    near = [m for m in stated.marks if m.block in place]
    near.sort(
        key=lambda m: (
            not _PUBLISHED.search(m.names), m.tag != "time", _distance(m.block, own.headline)
        )
    )  # fmt: skip
    for mark in near:
        if modified and _values_change(mark, language) and own.has_all(mark):
            yield Sourced(mark.value, "time")
        if (mark in own.changes) != modified or not own.has_all(mark):
            continue
        is_sure = modified and mark.block in own.changed
        if (_TEASER.search(mark.names) and not is_sure) or MEMBER.search(mark.text):
            continue
        source = "time" if mark.tag == "time" else "text"
        shown = mark.text if modified else of_publication(without_others(mark.text))
        value = "" if shown and _values_change(mark, language) else mark.value
        for text in (value, shown) if shown or not mark.text else ():
            if text and (len(text) <= TEXT_CHARS or is_sure):
                yield Sourced(text, source)


def _values_change(mark: Mark, language: str) -> bool:
    """Return whether the value of a ``<time>`` is that of the change, which its text names beside
    the date of publication. The zone of the text may be unknown, so that hours do not tell.
    """
    if mark.tag != "time" or not mark.value or not searched(CHANGED, mark.text):
        return False
    first = next(found_dates(of_publication(mark.text), language), None)
    last = next(found_dates(of_change(mark.text), language), None)
    value = iso_date(mark.value, language) if first else ""
    if not first or not value:
        return False
    to_first, is_off_first = _days_between(value, first), _has_other_minute(value, first)
    if not last:
        return to_first[0] > 1 or is_off_first
    to_last, is_off_last = _days_between(value, last), _has_other_minute(value, last)
    if max(to_first[0], to_last[0]) <= 1 and is_off_first != is_off_last:
        return is_off_first
    return to_last < to_first


def _days_between(value: str, shown: FoundDate) -> tuple[int, int]:
    """Return the days between two dates, with swapped day and month of the second one if it is
    nearer so, and without.
    """
    orders = (shown.iso, *(iso_date(shown.written, order) for order in ("en-us", "en-gb")))
    days = [abs(_days(value) - _days(date)) for date in orders]
    return min(days), days[0]


def _has_other_minute(value: str, shown: FoundDate) -> bool:
    """Return whether both dates have a minute, and no zone of time makes these equal."""
    minutes = [int(date[14:16]) for date in (value, shown.iso) if "T" in date]
    return len(minutes) > 1 and (minutes[0] - minutes[1]) % _ZONE_MINUTES > 0


def _shown(own: OwnBlocks, place: range, language: str, modified: bool) -> Iterator[Sourced]:
    """Yield the dates of short blocks in the place, first those called dates of publication."""
    inside = own.dated[bisect_left(own.dated, place.start) : bisect_left(own.dated, place.stop)]
    near = sorted(
        (not own.search(PUBLISHED_TEXT, i), _distance(i, own.headline), own.blocks[i].text, i)
        for i in inside
        if not modified or own.search(CHANGED, i)
    )
    for lacks_published, _, text, i in near:
        if own.search(MEMBER, i) or not own.has(i):
            continue
        changed = own.search(CHANGED, i)
        if modified and not of_change(text):
            continue
        if not modified and (text := without_others(text)) != own.blocks[i].text:
            changed = searched(CHANGED, text)
        if changed and (modified or not of_publication(text)):
            lacks_published = lacks_published or is_only_changed(text)
            text = of_change(text)
        elif changed:
            text = of_publication(text)
        elif i in own.changed:
            text = text.replace(own.changed[i], "")
        changed = searched(CHANGED, text) if changed else None
        wanted = bool(changed) == modified or not (modified or lacks_published)
        date = next(found_dates(text, language), None) if wanted else None
        if date and (int(date.iso[:4]) >= NEW_YEAR or len(text) <= _DATELINE_CHARS):
            yield Sourced(characters_of(date, language), "text")


def _distance(block: int, headline: int) -> int:
    """Return the number of blocks from the headline to the block, doubled for one above it."""
    return block - headline if block >= headline else 2 * (headline - block)


def contradicting(
    stated: Stated, place: Place, own: OwnBlocks, language: str, dates: Sequence[str]
) -> Iterator[Sourced]:
    """Yield the date right beside the headline, if it differs from all of ``dates``.

    ``dates``: the stated dates of publication and change. A difference of one day is taken for a
    time zone; day and month may be swapped.
    """
    near = range(max(place.headline - RIGHT_ABOVE, 0), place.headline + RIGHT_BELOW + 1)
    shown = chain(
        _marked(stated, near, own, language, modified=False),
        _shown(own, near, language, modified=False),
    )
    for candidate in shown:
        date = iso_date(candidate.value, language)
        if date and int(date[:4]) >= NEW_YEAR:
            day = _days(date)
            swapped = f"{date[:4]}-{date[8:10]}-{date[5:7]}"
            if day and not any(
                abs(day - _days(other)) <= 1 or other.startswith(swapped) for other in dates
            ):
                yield candidate
            return


def _days(date: str) -> int:
    """Return the number of the date's day; 0 if the date names no day."""
    try:
        return datetime.fromisoformat(date[:10]).toordinal()
    except ValueError:
        return 0
