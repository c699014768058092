"""Chooses the metadata of a labeled page from what the page states and shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from scrapy_boilernet.extractor.decide.headline import headline_lines
from scrapy_boilernet.extractor.features.texts import token_hashes
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.metadata import (
    SHOWN_LICENSE,
    Metadata,
    Stated,
    is_opt_out,
    opt_outs,
)
from scrapy_boilernet.extractor.output.dates import MONTH_FIRST, iso_date, month_first, written_date
from scrapy_boilernet.extractor.output.doubtful_names import site_in_title
from scrapy_boilernet.extractor.output.fingerprint import fingerprint
from scrapy_boilernet.extractor.output.language import text_language
from scrapy_boilernet.extractor.output.name_lists import is_moment, split_names
from scrapy_boilernet.extractor.output.named import (
    Names,
    Place,
    Ranked,
    Sourced,
    distinct,
    main_objects,
)
from scrapy_boilernet.extractor.output.next_pages import pages_around
from scrapy_boilernet.extractor.output.of_others import place_in
from scrapy_boilernet.extractor.output.offer import find_offer
from scrapy_boilernet.extractor.output.own_blocks import OwnBlocks
from scrapy_boilernet.extractor.output.page_kind import kind_of_labeled
from scrapy_boilernet.extractor.output.people import find_authors
from scrapy_boilernet.extractor.output.rendering import needs_rendering
from scrapy_boilernet.extractor.output.titles import find_page_title, site_names, squeezed
from scrapy_boilernet.extractor.output.when import contradicting, modified, published
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.posts import Post

SITE_RULE = "site-rule"
"""The source of what a selector of the site's rule finds."""
_MAX_KEYWORDS, _MAX_KEYWORD_CHARS, _MAX_DESCRIPTION_CHARS = 50, 100, 2_000
_IN_HEAD = frozenset({"json-ld", "microdata", "open-graph", "meta"})
_STATE_YEARS = _IN_HEAD | {"time"}
"""Sources in which a year alone is a date."""
_MAX_LICENSE_CHARS, _MAX_DATES = 500, 500
"""Characters of a license; possible dates of a page that are read."""
_IS_URL = re.compile(r"[A-Za-z][A-Za-z+.-]{1,30}:\S*\Z")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*\Z")
_HOST_FIRST = re.compile(
    r"((?:www\.)?)((?:[\w-]+\.)+(?!(?:png|jpe?g|gif|webp|svg|avif|bmp|ico|html?|php|aspx?|pdf)\b)"
    r"[a-z]{2,})(?::\d+)?(?=[/?#]|\Z)",
    re.IGNORECASE,
)
"""An address that begins with a host: "www." or the page's own one, and not with a scheme. A name
that ends as a file does is none."""
_MIN_PICTURE_PIXELS = 200
_NO_PICTURE = re.compile(
    r"logo|icon|avatar|sprite|pixel|blank|spacer|badge|\.svg|"
    r"/(?:themes?|skins?|templates?|buttons?|btn|nav|ranks?|smil(?:ey|ie)s|_static|ads?|adx)/|(?:^|/)static/image/"
    r"(?:admincp|common|diy|editor|feed|filetype|gift|magic|medal|mobile|postbg|smiley|stamp|task)/|"
    r"doubleclick\.net|adview\.php|avw\.php|scorecardresearch|statcounter|counter\.php|piwik|button(?=[/_.-])|"
    r"famfamfam|addthis|(?:^|[/_.-])(?:share|facebook|twitter|rss|print|e?mail|copyright|loading|spinner|progress|"
    r"corner|arrows?|bullet|clear|btn|subscribe|digg|delicious|pinterest|donate|banner|pix|dot|prev|next|home|"
    r"header|nav|placeholder|repost|"
    r"(?:collapsed?|expand(?:ed)?|toggle|textsize|fontsize)(?:[_-](?:no|yes|on|off|plus|minus|up|down))?|"
    r"(?:share|email|placeholder|subscribe)[_-][\w-]{1,20})"
    r"\d*\.(?:gif|png|jpe?g|webp)",
    re.IGNORECASE,
)
"""Pictures of the layout, of advertisements and for counting, by their addresses."""


def page_metadata(
    labeled: LabeledPage,
    detect_language: bool = False,
    opt_out: str = "",
    posts: Sequence[Post] = (),
) -> Metadata:
    """Return the metadata of a page that was read with ``blockify(..., stated=True)``.

    For a page without ``stated``, only the blocks are used. ``detect_language``: detect
    ``language`` from the main text, and use what the page states only if the text is too short.
    This needs the extra ``language``; without it ``ImportError`` is raised. ``opt_out``: what the
    headers state against the use in training, as in ``PageJob``. ``posts``: those of the page, if
    they are known. No page raises.
    """
    page, stated = labeled.page, labeled.page.stated or Stated()
    objects = main_objects(stated, page.title)
    names = site_names(page, stated)
    found = headline_lines(page, labeled.kinds)
    title, headline = find_page_title(page, found, stated, objects, names, labeled.kept)
    place = place_in(labeled, headline)
    computed, sites = _computed(labeled, bool(found), place), set(map(squeezed, names))
    thread = posts if computed["page_kind"] == "forum" else None
    first, last = _dates(page, stated, objects, place)
    texts: dict[str, Sourced | _Dated | None] = {
        "title": _titled_by_rule(page) or title,
        "language": _language(stated, objects, labeled.text if detect_language else ""),
        **_texts(page, stated, objects, place),
        "date_published": first,
        "date_modified": last,
    }
    sources = {name: found.source for name, found in texts.items() if found}
    others: dict[str, tuple[object, str]] = {
        "authors": _authors(page, stated, objects, place, sites, thread),
        "keywords": _keywords(stated, objects),
        "training_opt_out": _opted_out(stated, opt_out),
        "offer": find_offer(stated),
    }
    sources |= {name: source for name, (_, source) in others.items() if source}
    return Metadata(
        **{name: found and found.value for name, found in texts.items()},  # type: ignore[arg-type]
        **{name: values for name, (values, _) in others.items()},  # type: ignore[arg-type]
        date_published_raw=first.raw if first else None,
        date_modified_raw=last.raw if last else None,
        sources=sources,
        **computed,
    )


def _texts(page: Page, stated: Stated, objects: Ranked, place: Place) -> dict[str, Sourced | None]:
    """Return the values that are taken from one statement each."""
    return {
        "site_name": _site_name(stated),
        "description": _description(stated, objects),
        "image": _image(page, stated, objects, place),
        "canonical_url": _canonical(page, stated),
        "license": _license(page, stated, objects),
        **pages_around(page, stated),
    }


def _titled_by_rule(page: Page) -> Sourced | None:
    """Return the title that the rule of the page's site finds."""
    return Sourced(page.site.title, SITE_RULE) if page.site and page.site.title else None


def _dated_by_rule(page: Page, stated: Stated) -> _Dated | None:
    """Return the date that the rule of the page's site finds, if it can be read."""
    written = page.site.date if page.site else ""
    date = iso_date(written, stated.language, True)
    return _Dated(date, SITE_RULE, written) if date else None


def _named_by_rule(page: Page) -> tuple[tuple[str, ...], str] | None:
    """Return the authors that the rule of the page's site finds, and their source."""
    texts = (text for text in page.site.authors if not is_moment(text)) if page.site else ()
    names = distinct(chain.from_iterable(split_names(text) or (text,) for text in texts))
    return (names, SITE_RULE) if names else None


def _authors(
    page: Page,
    stated: Stated,
    objects: Ranked,
    place: Place,
    sites: AbstractSet[str],
    posts: Sequence[Post] | None,
) -> Names:
    """Return the authors and their source.

    ``sites``: as in :func:`find_authors`; ``posts``: the known posts of a thread, which is by the
    author of the first one; None for another page.
    """
    if by_rule := _named_by_rule(page):
        return by_rule
    own = {*sites, site_in_title(page.title, sites)} - {""}
    names, source = find_authors(page.blocks_without_xpaths, stated, objects, place, own)
    if posts is None or source in ("json-ld", "microdata"):
        return names, source
    if posts and posts[0].author:
        return (posts[0].author,), "text"
    return names[:1] if source == "text" else names, source


def _computed(labeled: LabeledPage, headed: bool, place: Place) -> dict[str, Any]:
    """Return the values that are computed, not read; ``headed``: whether it has a headline."""
    words = token_hashes(labeled.text)
    return {
        "page_kind": kind_of_labeled(labeled, headed) if labeled.page.blocks else None,
        "word_count": len(words),
        "fingerprint": fingerprint(words),
        "needs_rendering": needs_rendering(labeled, place.others),
    }


class _Dated(NamedTuple):
    value: str
    """ISO 8601."""
    source: str
    raw: str
    """As the page writes it."""


def _dates(
    page: Page, stated: Stated, objects: Ranked, place: Place
) -> tuple[_Dated | None, _Dated | None]:
    """Return the dates of publication and of the last change."""
    language, own = stated.language, OwnBlocks(page.blocks_without_xpaths, stated.marks, place)
    first = _dated(published(page, stated, objects, place, own, language), language)
    last = _dated(modified(stated, objects, place, own, language), language)
    if first and last and (order := _order_of(first, last, language)) != language:
        first = _dated(published(page, stated, objects, place, own, order), order)
        last = _dated(modified(stated, objects, place, own, order), order)
    if first and first.source in _IN_HEAD:
        known = [date.value for date in (first, last) if date]
        shown = contradicting(stated, place, own, language, known)
        first = _dated(shown, language) or first
    return _dated_by_rule(page, stated) or first, last


def _order_of(first: _Dated, last: _Dated, language: str) -> str:
    """Return a language that writes the month first, if one of two stated dates does so and the
    other can be read in two ways; else the language of the page.
    """
    if not {first.source, last.source} <= _IN_HEAD:
        return language
    orders = [month_first(date.raw) for date in (first, last)]
    return MONTH_FIRST if True in orders and None in orders else language


def _dated(candidates: Iterable[Sourced], language: str) -> _Dated | None:
    """Return the first date; a later one is chosen if it is the same in more detail."""
    first: _Dated | None = None
    for candidate in islice(candidates, _MAX_DATES):
        alone = candidate.source in _STATE_YEARS
        if not (date := iso_date(candidate.value, language, alone)):
            continue
        shown = "" if candidate.source in _IN_HEAD else written_date(candidate.value, language)
        found = _Dated(date, candidate.source, shown or candidate.value)
        if len(date) >= len("2024-03-05") and (not first or date.startswith(first.value)):
            return found
        first = first or found
    return first


def _first(candidates: Iterable[Sourced]) -> Sourced | None:
    return next((candidate for candidate in candidates if candidate.value), None)


def _language(stated: Stated, objects: Ranked, text: str) -> Sourced | None:
    if found := text and text_language(text):
        return Sourced(found, "text")
    candidates = (
        Sourced(stated.language, "html"),
        Sourced(stated.meta("og:locale"), "open-graph"),
        *(Sourced(one.first("inlanguage"), one.syntax) for _, one in objects),
        Sourced(stated.meta("dc.language", "dcterms.language", "language"), "meta"),
    )
    for value, source in candidates:
        if _LANGUAGE.match(value.strip()):
            return Sourced(value.strip().replace("_", "-"), source)
    return None


def _site_name(stated: Stated) -> Sourced | None:
    sites = [one for one in stated.objects if "website" in one.types]
    return _first((
        Sourced(stated.meta("og:site_name"), "open-graph"),
        *(Sourced(one.first("name"), one.syntax) for one in sites),
        *(Sourced(one.first("publisher"), one.syntax) for one in stated.objects),
        Sourced(stated.meta("application-name", "apple-mobile-web-app-title"), "meta"),
    ))  # fmt: skip


def _description(stated: Stated, objects: Ranked) -> Sourced | None:
    found = _first((
        Sourced(stated.meta("og:description"), "open-graph"),
        Sourced(stated.meta("description", "dc.description", "twitter:description"), "meta"),
        *(Sourced(one.first("description"), one.syntax) for _, one in objects),
    ))  # fmt: skip
    return found and Sourced(found.value[:_MAX_DESCRIPTION_CHARS], found.source)


def _image(page: Page, stated: Stated, objects: Ranked, place: Place) -> Sourced | None:
    near = range(
        max(place.top.start, min(place.headline, place.content.start)),
        min(place.top.stop, place.content.stop),
    )
    shown = (
        Sourced(picture.source, "text")
        for picture in stated.pictures
        if picture.block in near
        and not _NO_PICTURE.search(picture.source)
        and not 0 < picture.width < _MIN_PICTURE_PIXELS
    )
    found = (
        Sourced(stated.meta("og:image", "og:image:url", "og:image:secure_url"), "open-graph"),
        *(Sourced(one.first("image", "thumbnailurl"), one.syntax) for _, one in objects),
        Sourced(stated.meta("twitter:image", "twitter:image:src", "thumbnail"), "meta"),
        *(Sourced(href, "link") for rel, href in stated.links if rel == "image_src"),
    )
    return _first_address(chain(found, shown), page, stated)


def _canonical(page: Page, stated: Stated) -> Sourced | None:
    links = (Sourced(href, "link") for rel, href in stated.links if rel == "canonical")
    found = (*links, Sourced(stated.meta("og:url"), "open-graph"))
    return _first_address(found, page, stated)


def _first_address(found: Iterable[Sourced], page: Page, stated: Stated) -> Sourced | None:
    return _first(Sourced(_absolute(value, page, stated), source) for value, source in found)


def _license(page: Page, stated: Stated, objects: Ranked) -> Sourced | None:
    links = (Sourced(href, "link") for rel, href in stated.links if rel == "license")
    shown = {href for rel, href in stated.links if rel == SHOWN_LICENSE}
    found = (
        *links,
        *(Sourced(one.first("license"), one.syntax) for _, one in objects),
        # Several licenses are of several things that the page shows.
        *(Sourced(href, "text") for href in shown if len(shown) == 1),
        Sourced(stated.meta("dcterms.license", "dc.rights", "dc.rights.license"), "meta"),
    )
    return _first(
        Sourced(
            _absolute(value, page, stated)
            if source in ("link", "text") or _IS_URL.match(value)
            else value[:_MAX_LICENSE_CHARS],
            source,
        )
        for value, source in found
    )


def _opted_out(stated: Stated, opt_out: str) -> tuple[tuple[str, ...], str]:
    """Return the statements against the use in training, and where they come from."""
    names = (("robots", "x-robots-tag"), ("tdm-reservation",), ("tdm-policy",))
    metas = opt_outs(*(chain.from_iterable(map(stated.all_metas, group)) for group in names))
    headers = tuple(filter(is_opt_out, opt_out.split()))
    sources = [name for name, found in (("meta", metas), ("header", headers)) if found]
    return distinct((*metas, *headers)), ", ".join(sources)


def _absolute(address: str, page: Page, stated: Stated) -> str:
    """Return the absolute URL, if the page's is known; "" if it is not a web address."""
    if not address:
        return ""
    try:
        base = urljoin(page.url or "", stated.base.strip())
        host = _HOST_FIRST.match(address.strip())
        if host and (host[1] or host[2].lower() == (urlsplit(base).hostname or "")):
            base, address = base if "://" in base else "http:", f"//{address.strip()}"
        url = urljoin(base, address.strip())
        return url if urlsplit(url).scheme in ("http", "https", "") else ""
    except ValueError:  # such as "http://[::1"
        return ""


def _keywords(stated: Stated, objects: Ranked) -> tuple[tuple[str, ...], str]:
    for values, source in _keyword_lists(stated, objects):
        words = (word.strip() for value in values for word in _keywords_in(value))
        found = distinct(word for word in words if 0 < len(word) <= _MAX_KEYWORD_CHARS)
        if found:
            return found[:_MAX_KEYWORDS], source
    return (), ""


def _keywords_in(value: str) -> list[str]:
    """Return the parts of a list of keywords; a single "|" without spaces may be in one."""
    is_sign = value.count("|") > 1 or " | " in value
    return re.split(r"[,;|，、；｜]" if is_sign else r"[,;，、；｜]", value)


def _keyword_lists(stated: Stated, objects: Ranked) -> Iterator[tuple[Sequence[str], str]]:
    for _, one in objects:
        yield [*one.all("keywords")], one.syntax
    for name in ("keywords", "news_keywords", "parsely-tags", "article:tag", "citation_keywords"):
        yield [*stated.all_metas(name)], "open-graph" if ":" in name else "meta"
